//! What was lost on the way, heals.

use std::sync::Arc;
use std::time::Duration;

use realmdex_queue::Broker;
use realmdex_scheduler::dispatch::DispatchConfig;
use realmdex_scheduler::reconcile::{Activation, ReconcileConfig, Reconciler};
use realmdex_scheduler::{Metrics, Scheduler, SchedulerConfig};
use realmdex_store::{JobFilter, JobId, ReindexRequest, Retention};
use realmdex_types::{JobClass, JobState, ReindexOutcome};
use tokio_util::sync::CancellationToken;

use crate::index::{Index, counted, eventually, metrics, with_index};

const LONG: Duration = Duration::from_secs(600);

const NOTHING: Retention = Retention {
    jobs: Duration::ZERO,
    tombstones: Duration::ZERO,
    reindexes: Duration::ZERO,
    definitions: Duration::ZERO,
};

async fn activate(index: &Index, reconciler: Reconciler, metrics: &Metrics) -> (u64, bool) {
    let Activation { rows, has_enqueued } = reconciler
        .activate(&index.store, NOTHING, metrics)
        .await
        .unwrap();
    let again = reconciler.activate(&index.store, NOTHING, metrics).await;
    assert_eq!(again.unwrap().rows, 0, "{reconciler:?} again");
    let series = format!(
        "realmdex_reconciled_total{{reconciler=\"{}\"}}",
        reconciler.name()
    );
    assert!(counted(metrics, &series) >= Some(rows as f64));
    (rows, has_enqueued)
}

#[tokio::test]
async fn with_nothing_to_do_they_do_nothing() {
    with_index(async |index| {
        for reconciler in Reconciler::ALL {
            let done = activate(&index, reconciler, &metrics()).await;
            assert_eq!(done, (0, false), "{reconciler:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn jobs_of_lost_workers_are_queued_again_and_given_up_in_the_end() {
    with_index(async |index| {
        let metrics = metrics();
        let realm = index.realm("a").await;
        let job = index
            .enqueue(&realm, ["a.md".to_owned()], JobClass::Bulk)
            .await[0];
        index
            .store
            .claim(&[job], "w", Duration::ZERO)
            .await
            .unwrap();
        assert_eq!(
            activate(&index, Reconciler::Leases, &metrics).await,
            (1, true)
        );
        let mut ends = Vec::new();
        for _ in 0..3 {
            index
                .store
                .claim_alone(job, "w", Duration::ZERO)
                .await
                .unwrap();
            ends.push(activate(&index, Reconciler::Leases, &metrics).await);
        }
        assert_eq!(ends, [(1, true), (1, true), (1, false)]);
        assert_eq!(
            counted(&metrics, "realmdex_leases_expired_total"),
            Some(4.0)
        );
        assert_eq!(counted(&metrics, "realmdex_jobs_dead_total"), Some(1.0));
        // One that is not over stays.
        let job = index
            .enqueue(&realm, ["b.md".to_owned()], JobClass::Bulk)
            .await[0];
        index.store.claim(&[job], "w", LONG).await.unwrap();
        assert_eq!(
            activate(&index, Reconciler::Leases, &metrics).await,
            (0, false)
        );
    })
    .await;
}

async fn only_job(index: &Index) -> JobId {
    let jobs = index.store.jobs(&JobFilter::default(), 2).await.unwrap();
    assert_eq!(jobs.len(), 1);
    jobs[0].id
}

#[tokio::test]
async fn reindexes_end_when_their_work_is_done() {
    with_index(async |index| {
        let metrics = metrics();
        let realm = index.realm("a").await;
        let wanted = ReindexRequest::of(realm.id, "a test".to_owned());
        let id = index.store.request_reindex(&wanted).await.unwrap();
        assert_eq!(
            activate(&index, Reconciler::Reindexes, &metrics).await,
            (0, false)
        );
        let claims = index
            .store
            .claim(&[only_job(&index).await], "w", LONG)
            .await
            .unwrap();
        let lease = claims.claimed[0].lease;
        let listing = index.store.begin_listing(lease).await.unwrap().unwrap();
        let paths = [crate::index::path("a.md")];
        index
            .store
            .plan_page(lease, realm.id, &paths, listing)
            .await
            .unwrap();
        index.store.listed(lease, 1, 1).await.unwrap();
        assert_eq!(
            activate(&index, Reconciler::Reindexes, &metrics).await,
            (0, false)
        );
        index.store.cancel(only_job(&index).await).await.unwrap();
        assert_eq!(
            activate(&index, Reconciler::Reindexes, &metrics).await,
            (1, false)
        );
        let row = index
            .store
            .reindexes(None, Some(&[id]), 1)
            .await
            .unwrap()
            .remove(0);
        assert_eq!(row.outcome, Some(ReindexOutcome::Done));
    })
    .await;
}

#[tokio::test]
async fn files_whose_time_has_come_are_looked_at_page_after_page() {
    with_index(async |index| {
        let realm = index.realm("a").await;
        index
            .sql(
                "insert into files (module_id, realm_id, path, state, change_seq, read_at, changed_at, retry_at)
                 select url || n, id, n, 'unread', 1, now(), now(),
                        case when n <= 1001 then now() else now() + interval '1 hour' end
                 from realms, generate_series(1, 1010) n",
            )
            .await;
        let done = activate(&index, Reconciler::Unsettled, &metrics()).await;
        assert_eq!(done, (1001, true));
        assert_eq!(index.waiting(&realm).await.len(), 1001);
    })
    .await;
}

#[tokio::test]
async fn what_is_not_what_it_was_computed_from_is_looked_at() {
    with_index(async |index| {
        let realm = index.realm("a").await;
        index.known(&realm, &["right.md"], 0).await;
        index.known(&realm, &["wrong.md", "looked-at.md"], 1).await;
        let open = ["looked-at.md".to_owned()];
        index.enqueue(&realm, open, JobClass::Bulk).await;
        let done = activate(&index, Reconciler::Invariant, &metrics()).await;
        assert_eq!(done, (1, true));
        assert!(index.waiting(&realm).await.contains("wrong.md"));
        // What is archived is left as it is.
        index.store.archive_realm(realm.id, true).await.unwrap();
        let done = activate(&index, Reconciler::Invariant, &metrics()).await;
        assert_eq!(done, (0, false));
    })
    .await;
}

#[tokio::test]
async fn what_was_kept_long_enough_goes() {
    with_index(async |index| {
        let realm = index.realm("a").await;
        let names = (0..1500).map(|number| format!("{number}.md"));
        index.enqueue(&realm, names, JobClass::Bulk).await;
        index.store.cancel_realm(realm.id).await.unwrap();
        let open = ["open.md".to_owned()];
        index.enqueue(&realm, open, JobClass::Bulk).await;
        let done = activate(&index, Reconciler::Retention, &metrics()).await;
        assert_eq!(done, (1500, false));
        only_job(&index).await;
    })
    .await;
}

/// In a scheduler they run by themselves, when they are woken, and go on after the database was away.
#[tokio::test]
async fn they_run_by_themselves_and_fail_without_harm() {
    with_index(async |index| {
        let (metrics, shutdown) = (metrics(), CancellationToken::new());
        let realm = index.realm("a").await;
        let scheduler = Scheduler::new(SchedulerConfig {
            store: index.store.clone(),
            broker: Broker::local(),
            metrics: Arc::clone(&metrics),
            dispatch: DispatchConfig::default(),
            reconcile: ReconcileConfig {
                leases: None,
                unsettled: Duration::from_millis(5),
                invariant: LONG,
                ..ReconcileConfig::default()
            },
            watch: None,
        });
        let wakes = scheduler.wakes();
        let running = tokio::spawn(scheduler.run(shutdown.clone()));
        let failed = "realmdex_reconcile_errors_total{reconciler=\"unsettled\"}";
        index.sql("alter table files rename to gone").await;
        eventually("an error is counted", async || {
            counted(&metrics, failed) > Some(0.0)
        })
        .await;
        index.sql("alter table gone rename to files").await;
        index.known(&realm, &["wrong.md"], 1).await;
        eventually("it goes on, woken", async || {
            // Whether it had its first look before or after the file was there.
            wakes.reconciler(Reconciler::Invariant).up();
            index.waiting(&realm).await.contains("wrong.md")
        })
        .await;
        let job = only_job(&index).await;
        index
            .store
            .claim(&[job], "w", Duration::ZERO)
            .await
            .unwrap();
        shutdown.cancel();
        running.await.unwrap();
        let running = JobFilter {
            states: vec![JobState::Running],
            ..JobFilter::default()
        };
        let jobs = index.store.jobs(&running, 2).await.unwrap();
        assert_eq!(jobs.len(), 1, "leases are left alone where they are to be");
    })
    .await;
}
