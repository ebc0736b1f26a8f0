//! The life of jobs, on a real Postgres: what merges, who gets one, and what becomes of those that are lost.
#![allow(clippy::unwrap_used)]

mod database;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono::Utc;
use database::with_store;
use realmdex_store::{
    Cause, ChangeSeq, ClaimedJob, ComputedRow, FileFacts, FileWrite, Follow, Found, JobFilter,
    JobId, Lease, NewJob, OfferTime, Place, Realm, Store, Work,
};
use realmdex_types::{ContentDigest, JobClass, JobState, ModuleId, ReadState, RealmPath, RealmUrl};

const LONG: Duration = Duration::from_secs(600);
const OVER: Duration = Duration::ZERO;
const OPEN: [JobState; 2] = [JobState::Queued, JobState::Running];

fn in_states(states: &[JobState]) -> JobFilter {
    JobFilter {
        states: states.to_vec(),
        ..JobFilter::default()
    }
}

async fn claim_alone(store: &Store, job: JobId, lease: Duration) -> Option<ClaimedJob> {
    let claims = store.claim_alone(job, "w", lease).await.unwrap();
    claims.claimed.into_iter().next()
}

async fn realm(store: &Store, name: &str) -> Realm {
    let url = RealmUrl::parse(&format!("https://realm.test/{name}/")).unwrap();
    let source = format!("file:///{name}/");
    store.register_realm(&url, &source).await.unwrap()
}

fn file(realm: &Realm, path: &str) -> Work {
    Work::IndexFile {
        realm: realm.id,
        path: RealmPath::parse(path).unwrap(),
    }
}

async fn enqueue(store: &Store, work: Work, class: JobClass) -> (JobId, ChangeSeq) {
    let change_seq = store.next_change().await.unwrap();
    let enqueued = store
        .enqueue(&[NewJob {
            work,
            class,
            change_seq,
            force: false,
            cause: Cause::Change,
        }])
        .await
        .unwrap();
    let job = enqueued.new.into_iter().chain(enqueued.merged).next();
    (job.unwrap(), change_seq)
}

async fn claim(store: &Store, job: JobId, lease: Duration) -> Option<ClaimedJob> {
    let claims = store.claim(&[job], "w", lease).await.unwrap();
    claims.claimed.into_iter().next()
}

async fn offer(store: &Store, class: JobClass, room: u32) -> Vec<JobId> {
    store.offer_due(class, room, OfferTime(LONG)).await.unwrap()
}

async fn states(store: &Store) -> BTreeMap<JobId, JobState> {
    let jobs = store.jobs(&JobFilter::default(), 1000).await.unwrap();
    jobs.into_iter().map(|job| (job.id, job.state)).collect()
}

/// A queued job and a newer one for the same file are one: the higher class, the newer change, and offered again only
/// where that is more urgent.
#[tokio::test]
async fn queued_twins_merge() {
    use JobClass::{Bulk, Interactive};
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        for (number, (first, second, class, is_due_again)) in [
            (Bulk, Bulk, Bulk, false),
            (Bulk, Interactive, Interactive, true),
            (Interactive, Bulk, Interactive, false),
            (Interactive, Interactive, Interactive, false),
        ]
        .into_iter()
        .enumerate()
        {
            let work = file(&realm, &format!("{number}.md"));
            let (job, _) = enqueue(&store, work.clone(), first).await;
            assert_eq!(offer(&store, first, 10).await, [job]);
            let (merged, newer) = enqueue(&store, work, second).await;
            assert_eq!(merged, job);
            let row = &store.jobs(&in_states(&OPEN), 1).await.unwrap()[0];
            assert_eq!((row.class, row.change_seq), (class, newer));
            let due: &[JobId] = if is_due_again { &[job] } else { &[] };
            assert_eq!(offer(&store, class, 10).await, due, "{first:?} {second:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn twins_of_one_statement_merge_too() {
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        let change_seq = store.next_change().await.unwrap();
        let job = |class| NewJob {
            work: file(&realm, "a.md"),
            class,
            change_seq,
            force: class == JobClass::Bulk,
            cause: Cause::Change,
        };
        let enqueued = store
            .enqueue(&[job(JobClass::Bulk), job(JobClass::Interactive)])
            .await
            .unwrap();
        assert_eq!(enqueued.new.len(), 1);
        let claimed = claim(&store, enqueued.new[0], LONG).await.unwrap();
        assert!(claimed.force);
    })
    .await;
}

/// A change while a job runs is another job: what the first read may be older.
#[tokio::test]
async fn a_change_while_a_job_runs_queues_a_second() {
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        let (first, _) = enqueue(&store, file(&realm, "a.md"), JobClass::Bulk).await;
        let running = claim(&store, first, LONG).await.unwrap();
        let (second, newer) = enqueue(&store, file(&realm, "a.md"), JobClass::Bulk).await;
        assert_ne!(first, second);
        // The first has to be run again: the second does it.
        assert!(store.retry(running.lease, OVER, "down", 5).await.unwrap());
        let states = states(&store).await;
        assert_eq!(states[&first], JobState::Superseded);
        assert_eq!(states[&second], JobState::Queued);
        let claimed = claim(&store, second, LONG).await.unwrap();
        assert_eq!(claimed.change_seq, newer);
    })
    .await;
}

/// Many workers are told of the same jobs: each is one worker's.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_claimed_once() {
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        let mut jobs = Vec::new();
        for number in 0..50 {
            let work = file(&realm, &format!("{number}.md"));
            jobs.push(enqueue(&store, work, JobClass::Bulk).await.0);
        }
        let claims = (0..8).map(|worker| {
            let (store, mut hints) = (store.clone(), jobs.clone());
            hints.rotate_left(worker * 6);
            tokio::spawn(async move {
                let mut mine = Vec::new();
                for hints in hints.chunks(7) {
                    let claims = store.claim(hints, "w", LONG).await.unwrap();
                    mine.extend(claims.claimed.iter().map(|job| job.lease.job));
                }
                mine
            })
        });
        let mut claimed = Vec::new();
        for claims in claims.collect::<Vec<_>>() {
            claimed.extend(claims.await.unwrap());
        }
        claimed.sort();
        assert_eq!(claimed, jobs);
    })
    .await;
}

/// A realm with one change does not wait for a realm with a thousand.
#[tokio::test]
async fn realms_take_turns() {
    with_store(async |store| {
        let (a, b, c) = (
            realm(&store, "a").await,
            realm(&store, "b").await,
            realm(&store, "c").await,
        );
        for number in 0..30 {
            enqueue(&store, file(&a, &format!("{number}.md")), JobClass::Bulk).await;
        }
        let (b_job, _) = enqueue(&store, file(&b, "b.md"), JobClass::Bulk).await;
        let (c_job, _) = enqueue(&store, file(&c, "c.md"), JobClass::Bulk).await;
        let offered = offer(&store, JobClass::Bulk, 4).await;
        assert_eq!(offered.len(), 4);
        assert!(offered.contains(&b_job) && offered.contains(&c_job));
        assert_eq!(store.standing_offers(JobClass::Bulk).await.unwrap(), 4);
        assert_eq!(
            offer(&store, JobClass::Bulk, 100).await.len(),
            28,
            "the rest"
        );
        assert_eq!(offer(&store, JobClass::Bulk, 100).await, []);
    })
    .await;
}

/// What the broker lost is offered again; what it refused at once.
#[tokio::test]
async fn offers_lapse() {
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        let (job, _) = enqueue(&store, file(&realm, "a.md"), JobClass::Interactive).await;
        let lapsing = store
            .offer_due(JobClass::Interactive, 1, OfferTime(OVER))
            .await
            .unwrap();
        assert_eq!(lapsing, [job]);
        assert_eq!(offer(&store, JobClass::Interactive, 1).await, [job]);
        assert_eq!(offer(&store, JobClass::Interactive, 1).await, []);
        store.withdraw_offers(&[job]).await.unwrap();
        assert_eq!(offer(&store, JobClass::Interactive, 1).await, [job]);
        // One that is claimed is offered no more.
        claim(&store, job, LONG).await.unwrap();
        store.withdraw_offers(&[job]).await.unwrap();
        assert_eq!(offer(&store, JobClass::Interactive, 1).await, []);
    })
    .await;
}

/// Several schedulers at once offer each job once.
#[tokio::test(flavor = "multi_thread")]
async fn schedulers_do_not_offer_twice() {
    with_store(async |store| {
        for name in ["a", "b", "c"] {
            let realm = realm(&store, name).await;
            for number in 0..40 {
                enqueue(
                    &store,
                    file(&realm, &format!("{number}.md")),
                    JobClass::Bulk,
                )
                .await;
            }
        }
        let scheduler = || {
            let store = store.clone();
            tokio::spawn(async move {
                let mut offered = Vec::new();
                for _ in 0..30 {
                    offered.extend(offer(&store, JobClass::Bulk, 7).await);
                }
                offered
            })
        };
        let (one, two) = tokio::join!(scheduler(), scheduler());
        let all: Vec<JobId> = one.unwrap().into_iter().chain(two.unwrap()).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        assert_eq!(all.len(), 120);
    })
    .await;
}

/// A job whose worker was lost runs alone; one that takes its worker along each time is dead, and its neighbours are not.
#[tokio::test]
async fn a_job_that_kills_its_worker() {
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        let (poison, _) = enqueue(&store, file(&realm, "poison.md"), JobClass::Bulk).await;
        let (good, _) = enqueue(&store, file(&realm, "good.md"), JobClass::Bulk).await;
        let claims = store.claim(&[poison, good], "w", OVER).await.unwrap();
        assert_eq!(claims.claimed.len(), 2);
        // The worker dies with both.
        assert_eq!(store.reap(&[]).await.unwrap().requeued, 2);
        let claims = store.claim(&[poison, good], "w", LONG).await.unwrap();
        assert!(claims.claimed.is_empty());
        assert_eq!(claims.alone, [poison, good]);
        let alone = claim_alone(&store, good, LONG).await.unwrap();
        assert!(alone.is_alone);
        for loss in 1..=3 {
            assert!(claim_alone(&store, poison, OVER).await.is_some(), "{loss}");
            let reaped = store.reap(&[alone.lease]).await.unwrap();
            assert_eq!(
                (reaped.requeued, reaped.dead),
                if loss < 3 { (1, 0) } else { (0, 1) }
            );
        }
        let states = states(&store).await;
        assert_eq!(states[&poison], JobState::Dead);
        assert_eq!(states[&good], JobState::Running);
    })
    .await;
}

/// Failures that pass are tried again later, and not for ever.
#[tokio::test]
async fn tries_are_counted() {
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        let (job, _) = enqueue(&store, file(&realm, "a.md"), JobClass::Bulk).await;
        let lease = claim(&store, job, LONG).await.unwrap().lease;
        assert!(store.retry(lease, LONG, "down", 3).await.unwrap());
        assert!(claim(&store, job, LONG).await.is_none(), "not yet");
        assert_eq!(offer(&store, JobClass::Bulk, 1).await, []);
        // A new change makes it due, and its tries are counted anew.
        enqueue(&store, file(&realm, "a.md"), JobClass::Bulk).await;
        for (number, state) in [JobState::Queued, JobState::Queued, JobState::Dead]
            .into_iter()
            .enumerate()
        {
            let claimed = claim(&store, job, LONG).await.unwrap();
            assert_eq!(claimed.attempts as usize, number);
            store.retry(claimed.lease, OVER, "down", 3).await.unwrap();
            assert_eq!(states(&store).await[&job], state);
        }
        let row = &store.jobs(&in_states(&[JobState::Dead]), 1).await.unwrap()[0];
        assert_eq!(row.error.as_deref(), Some("down"));
    })
    .await;
}

#[tokio::test]
async fn a_released_job_is_due_and_nothing_is_counted() {
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        let (job, _) = enqueue(&store, file(&realm, "a.md"), JobClass::Bulk).await;
        for _ in 0..5 {
            let claimed = claim(&store, job, LONG).await.unwrap();
            assert_eq!(claimed.attempts, 0);
            assert!(store.release(claimed.lease).await.unwrap());
            assert!(!store.release(claimed.lease).await.unwrap(), "void now");
        }
    })
    .await;
}

#[tokio::test]
async fn beats_tell_of_loss_and_of_calling_off() {
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        let mut leases = Vec::new();
        for name in ["lost", "off", "well"] {
            let (job, _) = enqueue(&store, file(&realm, name), JobClass::Bulk).await;
            leases.push(claim(&store, job, LONG).await.unwrap().lease);
        }
        let (queued, _) = enqueue(&store, file(&realm, "queued"), JobClass::Bulk).await;
        store.release(leases[0]).await.unwrap();
        assert_eq!(store.cancel(leases[1].job).await.unwrap().running, 1);
        assert_eq!(store.cancel(queued).await.unwrap().queued, 1);
        let beat = store.beat(&leases, LONG).await.unwrap();
        assert_eq!(
            (beat.lost, beat.cancelled),
            (vec![leases[0]], vec![leases[1]])
        );
        assert!(store.cancelled(leases[1]).await.unwrap());
        let states = states(&store).await;
        assert_eq!(states[&leases[1].job], JobState::Cancelled);
        assert_eq!(states[&queued], JobState::Cancelled);
        let all = store.cancel_realm(realm.id).await.unwrap();
        assert_eq!((all.queued, all.running), (1, 1));
    })
    .await;
}

fn id(path: &str) -> ModuleId {
    ModuleId::stored(format!("https://realm.test/a/{path}"))
}

fn digest(bytes: &str) -> ContentDigest {
    ContentDigest::of(bytes.as_bytes())
}

fn write(
    realm: &Realm,
    path: &str,
    bytes: &str,
    change_seq: ChangeSeq,
    lease: Option<Lease>,
    edges: &[(&str, &str)],
) -> FileWrite {
    let row = ComputedRow {
        document: serde_json::Value::Null,
        search: serde_json::Value::Null,
        tools: None,
        findings: Vec::new(),
        edges: edges
            .iter()
            .map(|(path, bytes)| {
                let digest = digest(bytes);
                (id(path), ReadState::Read { digest })
            })
            .collect(),
        indexer: "1".to_owned(),
        packages: None,
        registry: None,
        denied: BTreeMap::new(),
        retry: false,
        took: Duration::ZERO,
    };
    let facts = FileFacts {
        digest: digest(bytes),
        size: 1,
        modified: None,
        created: None,
    };
    FileWrite {
        module_id: id(path),
        place: Some(Place {
            realm: realm.id,
            path: RealmPath::parse(path).unwrap(),
        }),
        change_seq,
        lease,
        read_at: Utc::now(),
        found: Found::Computed(facts, Box::new(row)),
    }
}

async fn open_paths(store: &Store) -> Vec<String> {
    let mut paths: Vec<String> = store
        .jobs(&in_states(&OPEN), 100)
        .await
        .unwrap()
        .into_iter()
        .filter_map(|job| match job.work {
            Work::IndexFile { path, .. } => Some(path.to_string()),
            _ => None,
        })
        .collect();
    paths.sort();
    paths
}

/// A worker that was given up for lost, and comes back with what it made, writes nothing.
#[tokio::test]
async fn a_void_lease_writes_nothing() {
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        let (job, seq) = enqueue(&store, file(&realm, "a.md"), JobClass::Bulk).await;
        let slow = claim(&store, job, OVER).await.unwrap();
        store.reap(&[]).await.unwrap();
        let quick = claim_alone(&store, job, LONG).await.unwrap();
        let follow = Follow::Enqueue;
        let late = [
            write(&realm, "a.md", "late", seq, Some(slow.lease), &[]),
            write(&realm, "b.md", "other", seq, None, &[]),
        ];
        let committed = store.commit(&late, follow).await.unwrap();
        assert_eq!((committed.written, committed.void), (1, vec![slow.lease]));
        assert!(store.file(&id("a.md")).await.unwrap().is_none());
        let made = [write(&realm, "a.md", "made", seq, Some(quick.lease), &[])];
        let committed = store.commit(&made, follow).await.unwrap();
        assert_eq!((committed.written, committed.void), (1, vec![]));
        assert!(states(&store).await.is_empty(), "done, it is gone");
        let again = store.commit(&made, follow).await.unwrap();
        assert_eq!((again.written, again.void), (0, vec![quick.lease]));
    })
    .await;
}

/// What follows from a change is enqueued with it: there is no moment at which it could be lost.
#[tokio::test]
async fn what_follows_is_enqueued_with_the_change() {
    with_store(async |store| {
        let realm = realm(&store, "a").await;
        let seq = store.next_change().await.unwrap();
        let follow = Follow::Enqueue;
        let skill = |module: &str| write(&realm, "s.md", "s", seq, None, &[("m.js", module)]);
        let module = |bytes: &str| write(&realm, "m.js", bytes, seq, None, &[]);
        store.commit(&[module("1")], follow).await.unwrap();
        store.commit(&[skill("1")], follow).await.unwrap();
        assert_eq!(open_paths(&store).await, [""; 0]);
        store.commit(&[module("2")], follow).await.unwrap();
        assert_eq!(open_paths(&store).await, ["s.md"]);
        // A module that changed unannounced: both ends are looked at.
        store.commit(&[skill("3")], follow).await.unwrap();
        assert_eq!(open_paths(&store).await, ["m.js", "s.md"]);
        assert_eq!(store.mend().await.unwrap(), 0, "it is under way");
        store.cancel_realm(realm.id).await.unwrap();
        assert_eq!(store.mend().await.unwrap(), 1);
        assert_eq!(open_paths(&store).await, ["s.md"]);
    })
    .await;
}
