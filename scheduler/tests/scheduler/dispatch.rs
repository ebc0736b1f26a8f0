//! Jobs go out.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use realmdex_queue::Broker;
use realmdex_scheduler::dispatch::{DispatchConfig, Dispatcher, Round};
use realmdex_scheduler::intake::{Change, Intake, IntakeError, MAX_CHANGES};
use realmdex_scheduler::reconcile::ReconcileConfig;
use realmdex_scheduler::window::Bounds;
use realmdex_scheduler::{Metrics, Scheduler, SchedulerConfig, Wakes};
use realmdex_store::{JobId, Realm};
use realmdex_types::JobClass;
use tokio_util::sync::CancellationToken;

use crate::index::{Index, counted, delivered, eventually, metrics, with_index};

const LONG: Duration = Duration::from_secs(600);

fn config(window: u32) -> DispatchConfig {
    DispatchConfig {
        window: Bounds {
            least: window,
            most: window,
        },
        offer_stands: LONG,
        ..DispatchConfig::default()
    }
}

fn dispatcher(
    index: &Index,
    broker: &Broker,
    config: DispatchConfig,
    metrics: &Arc<Metrics>,
) -> Dispatcher {
    let store = index.store.clone();
    Dispatcher::new(
        store,
        broker.clone(),
        JobClass::Bulk,
        config,
        Arc::clone(metrics),
    )
}

fn names(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|number| format!("{number}.md"))
}

fn numbers(jobs: &[JobId]) -> BTreeSet<i64> {
    jobs.iter().map(|job| job.number()).collect()
}

async fn bulk(index: &Index, realm: &Realm, count: usize) -> BTreeSet<i64> {
    numbers(&index.enqueue(realm, names(count), JobClass::Bulk).await)
}

#[tokio::test]
async fn what_is_due_goes_out_once_and_within_the_window() {
    with_index(async |index| {
        let (broker, metrics) = (Broker::local(), metrics());
        let realm = index.realm("a").await;
        let jobs = bulk(&index, &realm, 5).await;
        let mut dispatcher = dispatcher(&index, &broker, config(3), &metrics);
        let first = dispatcher.round().await.unwrap();
        assert_eq!((first.standing, first.offered, first.returned), (0, 3, 0));
        let full = dispatcher.round().await.unwrap();
        assert_eq!((full.standing, full.offered), (3, 0), "the window is full");
        // One of them is claimed, so there is room for another.
        let claimed = JobId::numbered(delivered(&broker, JobClass::Bulk)[0]);
        index.store.claim(&[claimed], "w", LONG).await.unwrap();
        let next = dispatcher.round().await.unwrap();
        assert_eq!((next.standing, next.offered), (2, 1));
        let out: BTreeSet<i64> = delivered(&broker, JobClass::Bulk).into_iter().collect();
        assert!(
            out.is_subset(&jobs) && out.len() == 4,
            "{out:?} of {jobs:?}"
        );
        for (series, value) in [
            ("realmdex_jobs_offered_total{class=\"bulk\"}", 4.0),
            ("realmdex_offers_returned_total{class=\"bulk\"}", 0.0),
            ("realmdex_offer_window{class=\"bulk\"}", 3.0),
            ("realmdex_offers_standing{class=\"bulk\"}", 2.0),
        ] {
            assert_eq!(counted(&metrics, series), Some(value), "{series}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_does_not_fit_into_a_batch_follows_at_once() {
    with_index(async |index| {
        let (broker, metrics) = (Broker::local(), metrics());
        let realm = index.realm("a").await;
        let jobs = bulk(&index, &realm, 5).await;
        let config = DispatchConfig {
            batch: 2,
            ..config(10)
        };
        let mut dispatcher = dispatcher(&index, &broker, config, &metrics);
        let mut rounds = Vec::new();
        for _ in 0..3 {
            let Round {
                offered, has_more, ..
            } = dispatcher.round().await.unwrap();
            rounds.push((offered, has_more));
        }
        assert_eq!(rounds, [(2, true), (2, true), (1, false)]);
        let out: BTreeSet<i64> = delivered(&broker, JobClass::Bulk).into_iter().collect();
        assert_eq!(out, jobs);
    })
    .await;
}

#[tokio::test]
async fn what_the_broker_does_not_take_is_due_again() {
    with_index(async |index| {
        let (closed, metrics) = (Broker::local(), metrics());
        closed.close().await;
        let realm = index.realm("a").await;
        let jobs = bulk(&index, &realm, 3).await;
        let round = dispatcher(&index, &closed, config(10), &metrics)
            .round()
            .await
            .unwrap();
        assert_eq!(
            (round.offered, round.returned, round.has_more),
            (0, 3, false)
        );
        assert_eq!(
            index.store.standing_offers(JobClass::Bulk).await.unwrap(),
            0
        );
        let series = "realmdex_offers_returned_total{class=\"bulk\"}";
        assert_eq!(counted(&metrics, series), Some(3.0));
        let broker = Broker::local();
        let round = dispatcher(&index, &broker, config(10), &metrics)
            .round()
            .await
            .unwrap();
        assert_eq!(round.offered, 3);
        let out: BTreeSet<i64> = delivered(&broker, JobClass::Bulk).into_iter().collect();
        assert_eq!(out, jobs);
    })
    .await;
}

#[tokio::test]
async fn a_lost_offer_comes_back() {
    with_index(async |index| {
        let metrics = metrics();
        let realm = index.realm("a").await;
        let jobs = bulk(&index, &realm, 2).await;
        let config = DispatchConfig {
            offer_stands: Duration::ZERO,
            ..config(10)
        };
        // The first broker is gone with what it was given.
        for _ in 0..2 {
            let broker = Broker::local();
            let round = dispatcher(&index, &broker, config, &metrics)
                .round()
                .await
                .unwrap();
            assert_eq!(round.offered, 2);
            let out: BTreeSet<i64> = delivered(&broker, JobClass::Bulk).into_iter().collect();
            assert_eq!(out, jobs);
        }
    })
    .await;
}

#[tokio::test]
async fn realms_take_turns() {
    with_index(async |index| {
        let (broker, metrics) = (Broker::local(), metrics());
        let (large, small) = (index.realm("large").await, index.realm("small").await);
        let many = bulk(&index, &large, 100).await;
        let few = bulk(&index, &small, 2).await;
        let mut dispatcher = dispatcher(&index, &broker, config(4), &metrics);
        assert_eq!(dispatcher.round().await.unwrap().offered, 4);
        let out: BTreeSet<i64> = delivered(&broker, JobClass::Bulk).into_iter().collect();
        assert_eq!(out.intersection(&few).count(), 2);
        assert_eq!(out.intersection(&many).count(), 2);
    })
    .await;
}

#[tokio::test]
async fn several_schedulers_offer_a_job_once() {
    with_index(async |index| {
        let (broker, metrics) = (Broker::local(), metrics());
        let realm = index.realm("a").await;
        let jobs = bulk(&index, &realm, 400).await;
        let config = DispatchConfig {
            batch: 20,
            ..config(1000)
        };
        let tasks: Vec<_> = (0..3)
            .map(|_| {
                let mut dispatcher = dispatcher(&index, &broker, config, &metrics);
                tokio::spawn(async move { while dispatcher.round().await.unwrap().offered > 0 {} })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let out = delivered(&broker, JobClass::Bulk);
        assert_eq!(out.len(), jobs.len(), "none twice");
        assert_eq!(out.into_iter().collect::<BTreeSet<i64>>(), jobs);
    })
    .await;
}

/// A whole scheduler: what comes in goes out, whoever enqueued it, and it ends when it is told to.
#[tokio::test]
async fn a_scheduler_hands_out_what_comes_in() {
    with_index(async |index| {
        let (broker, metrics, shutdown) = (Broker::local(), metrics(), CancellationToken::new());
        let realm = index.realm("a").await;
        let scheduler = Scheduler::new(SchedulerConfig {
            store: index.store.clone(),
            broker: broker.clone(),
            metrics: Arc::clone(&metrics),
            dispatch: DispatchConfig::default(),
            reconcile: ReconcileConfig::default(),
            watch: None,
        });
        let intake = Intake::new(index.store.clone(), Arc::clone(&metrics), scheduler.wakes());
        let running = tokio::spawn(scheduler.run(shutdown.clone()));
        let mut interactive = broker.consume(JobClass::Interactive, 10);
        let taken = intake.take_in(&realm, &[change("a.md")]).await.unwrap();
        assert_eq!((taken.files, taken.listing), (1, None));
        interactive.next().await.unwrap().ack().await;
        // Enqueued by another process: nobody is woken.
        let mut bulk_queue = broker.consume(JobClass::Bulk, 10);
        let jobs = bulk(&index, &realm, 1).await;
        let delivery = bulk_queue.next().await.unwrap();
        assert!(jobs.contains(&delivery.hint().0));
        eventually("the broker is up", async || {
            counted(&metrics, "realmdex_broker_up") == Some(1.0)
        })
        .await;
        broker.close().await;
        eventually("the broker is down", async || {
            counted(&metrics, "realmdex_broker_up") == Some(0.0)
        })
        .await;
        shutdown.cancel();
        running.await.unwrap();
    })
    .await;
}

fn change(path: &str) -> Change {
    Change {
        path: path.to_owned(),
        operation: None,
    }
}

#[tokio::test]
async fn changes_become_jobs_and_listings() {
    with_index(async |index| {
        let metrics = metrics();
        let intake = Intake::new(index.store.clone(), Arc::clone(&metrics), Wakes::default());
        let realm = index.realm("a").await;
        index
            .known(&realm, &["old/x.md", "old/y/z.md", "older/w.md"], 0)
            .await;
        let changes = ["new.md", "old/", "new.md"].map(change);
        let taken = intake.take_in(&realm, &changes).await.unwrap();
        assert_eq!(taken.files, 3);
        let waiting: Vec<String> = index.waiting(&realm).await.into_iter().collect();
        assert_eq!(waiting, ["new.md", "old/x.md", "old/y/z.md"]);
        let ids = [taken.listing.unwrap()];
        let listing = index
            .store
            .reindexes(None, Some(&ids), 1)
            .await
            .unwrap()
            .remove(0);
        assert_eq!(listing.reason, "old/ came or was renamed");
        let again = intake.take_in(&realm, &[change("new.md")]).await.unwrap();
        assert!(again.change_seq > taken.change_seq);
        for (series, value) in [
            ("realmdex_changes_total{class=\"interactive\"}", 4.0),
            ("realmdex_changes_coalesced_total", 1.0),
        ] {
            assert_eq!(counted(&metrics, series), Some(value), "{series}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_taken_in_is_refused_as_a_whole() {
    with_index(async |index| {
        let intake = Intake::new(index.store.clone(), metrics(), Wakes::default());
        let realm = index.realm("a").await;
        let bad = intake
            .take_in(&realm, &["a.md", "../b.md"].map(change))
            .await;
        assert!(matches!(bad, Err(IntakeError::Path(path)) if path == "../b.md"));
        let many: Vec<Change> = names(MAX_CHANGES + 1).map(|path| change(&path)).collect();
        let many = intake.take_in(&realm, &many).await;
        assert!(matches!(many, Err(IntakeError::TooMany { given }) if given == MAX_CHANGES + 1));
        index.store.archive_realm(realm.id, true).await.unwrap();
        let archived = intake.realm(&realm.url).await.unwrap();
        let archived = intake.take_in(&archived, &[change("a.md")]).await;
        assert!(matches!(archived, Err(IntakeError::ArchivedRealm(_))));
        assert!(index.waiting(&realm).await.is_empty());
        index.store.remove_realm(realm.id).await.unwrap();
        let unknown = intake.realm(&realm.url).await;
        assert!(matches!(unknown, Err(IntakeError::UnknownRealm(_))));
    })
    .await;
}
