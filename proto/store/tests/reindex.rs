//! The ledger of requests to index a realm: who joins whom, and how each ends.
#![allow(clippy::unwrap_used)]

mod database;
mod stage;

use realmdex_store::{ClaimedJob, Realm, RealmId, ReindexRequest, ReindexRow, Work};
use realmdex_types::{JobState, ReindexOutcome};
use stage::{LONG, OVER, Stage, computed, id, names, path, with_stage};

async fn request(stage: &Stage, realm: RealmId, force: bool) -> i64 {
    let wanted = ReindexRequest {
        force,
        ..ReindexRequest::of(realm, "why".to_owned())
    };
    stage.store.request_reindex(&wanted).await.unwrap()
}

async fn row(stage: &Stage, id: i64) -> ReindexRow {
    let rows = stage.store.reindexes(None, Some(&[id]), 1).await.unwrap();
    rows.into_iter().next().unwrap()
}

async fn outcome(stage: &Stage, id: i64) -> Option<ReindexOutcome> {
    stage.store.finish_reindexes().await.unwrap();
    row(stage, id).await.outcome
}

/// The queued job that lists a realm.
async fn listing(stage: &Stage) -> realmdex_store::JobId {
    let jobs = stage.jobs(&[JobState::Queued]).await;
    let mut listings = jobs
        .iter()
        .filter(|job| matches!(job.work, Work::FullReindex { .. }));
    let job = listings.next().unwrap().id;
    assert!(listings.next().is_none());
    job
}

async fn claim(stage: &Stage) -> ClaimedJob {
    stage.claim(listing(stage).await).await.unwrap()
}

/// Does the jobs of a realm's files.
async fn work(stage: &Stage, realm: &Realm) {
    stage
        .work(|name| {
            let at = name.trim_start_matches("a/").to_owned();
            (realm.clone(), at, computed("1", &[]))
        })
        .await;
}

#[tokio::test]
async fn a_request_joins_until_the_listing_begins() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        let first = request(&stage, a.id, false).await;
        assert_eq!(
            request(&stage, a.id, true).await,
            first,
            "and makes it one by force"
        );
        assert!(row(&stage, first).await.force);
        let job = claim(&stage).await;
        let second = request(&stage, a.id, false).await;
        assert_ne!(second, first);
        let begun = stage.store.begin_listing(job.lease).await.unwrap().unwrap();
        assert!(begun.force);
        assert_eq!(request(&stage, a.id, false).await, second);
        let paths = [path("one"), path("two")];
        assert!(
            stage
                .store
                .plan_page(job.lease, a.id, &paths, begun)
                .await
                .unwrap()
        );
        assert_eq!(outcome(&stage, first).await, None);
        assert!(stage.store.listed(job.lease, 2, 2).await.unwrap());
        assert_eq!(outcome(&stage, first).await, None);
        assert_eq!(row(&stage, first).await.open, 2);
        // What is changed later is not waited for.
        stage.change(&a, "three").await;
        let jobs = stage.jobs(&[JobState::Queued]).await;
        for job in jobs.iter().filter(|job| job.change_seq == begun.change_seq) {
            let Work::IndexFile { path: at, .. } = &job.work else {
                panic!()
            };
            assert_eq!(outcome(&stage, first).await, None);
            let claimed = stage.claim(job.id).await.unwrap();
            assert!(claimed.force);
            assert_eq!(outcome(&stage, first).await, None, "it runs");
            stage
                .done(&a, at.as_str(), &claimed, computed("1", &[]))
                .await;
        }
        assert_eq!(outcome(&stage, first).await, Some(ReindexOutcome::Done));
        let done = row(&stage, first).await;
        assert_eq!(
            (done.listed, done.planned, done.open),
            (Some(2), Some(2), 0)
        );
        assert_eq!(outcome(&stage, second).await, None);
        assert_eq!(stage.open().await, names(["a/", "a/three"]));
    })
    .await;
}

/// An older change is waited for as well, and a file that can't be done is not.
#[tokio::test]
async fn a_reindex_is_done_when_no_older_job_is_open() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        let b = stage.realm("b").await;
        stage.change(&b, "other").await;
        let old = stage.change(&a, "old").await;
        let old = stage.claim(old).await.unwrap();
        let first = request(&stage, a.id, false).await;
        let job = claim(&stage).await;
        stage.store.begin_listing(job.lease).await.unwrap();
        stage.store.listed(job.lease, 0, 0).await.unwrap();
        assert_eq!(outcome(&stage, first).await, None);
        stage.store.retry(old.lease, OVER, "down", 5).await.unwrap();
        assert_eq!(outcome(&stage, first).await, None);
        let old = stage.claim(old.lease.job).await.unwrap();
        stage.store.fail(old.lease, "never").await.unwrap();
        assert_eq!(outcome(&stage, first).await, Some(ReindexOutcome::Done));
    })
    .await;
}

#[tokio::test]
async fn how_a_reindex_ends_badly() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        // Someone must look at it first.
        let stopped = request(&stage, a.id, false).await;
        let job = claim(&stage).await;
        assert!(
            stage
                .store
                .stop_reindex(job.lease, "too many would go")
                .await
                .unwrap()
        );
        assert!(!stage.store.stop_reindex(job.lease, "again").await.unwrap());
        assert_eq!(
            outcome(&stage, stopped).await,
            Some(ReindexOutcome::Stopped)
        );
        assert_eq!(
            row(&stage, stopped).await.error.as_deref(),
            Some("too many would go")
        );
        // Its tries are used up.
        let failed = request(&stage, a.id, true).await;
        let job = claim(&stage).await;
        stage
            .store
            .retry(job.lease, OVER, "no answer", 1)
            .await
            .unwrap();
        assert_eq!(outcome(&stage, failed).await, Some(ReindexOutcome::Failed));
        assert_eq!(
            row(&stage, failed).await.error.as_deref(),
            Some("no answer")
        );
        // Called off: before it began, while it runs, and with all of its realm.
        let queued = request(&stage, a.id, false).await;
        stage.store.cancel(listing(&stage).await).await.unwrap();
        assert_eq!(
            outcome(&stage, queued).await,
            Some(ReindexOutcome::Cancelled)
        );
        let running = request(&stage, a.id, false).await;
        let job = claim(&stage).await;
        stage.store.cancel(job.lease.job).await.unwrap();
        assert_eq!(outcome(&stage, running).await, None);
        stage.store.cancelled(job.lease).await.unwrap();
        assert_eq!(
            outcome(&stage, running).await,
            Some(ReindexOutcome::Cancelled)
        );
        let all = request(&stage, a.id, false).await;
        stage.store.cancel_realm(a.id).await.unwrap();
        assert_eq!(outcome(&stage, all).await, Some(ReindexOutcome::Cancelled));
        // Tried again, it is a request of its own, as forceful as before.
        assert_eq!(stage.store.redrive(None).await.unwrap(), 2);
        let ledger = stage.store.reindexes(Some(a.id), None, 99).await.unwrap();
        let again: Vec<_> = ledger.iter().filter(|row| row.outcome.is_none()).collect();
        assert_eq!(again.len(), 1);
        assert!(again[0].force);
        let job = claim(&stage).await;
        let begun = stage.store.begin_listing(job.lease).await.unwrap().unwrap();
        assert!(begun.force);
    })
    .await;
}

/// A worker that was given up for lost plans nothing any more.
#[tokio::test]
async fn a_void_listing_does_nothing() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        let first = request(&stage, a.id, false).await;
        let slow = stage.claim_for(listing(&stage).await, OVER).await.unwrap();
        let begun = stage
            .store
            .begin_listing(slow.lease)
            .await
            .unwrap()
            .unwrap();
        stage.store.reap(&[]).await.unwrap();
        assert!(
            !stage
                .store
                .plan_page(slow.lease, a.id, &[path("one")], begun)
                .await
                .unwrap()
        );
        assert!(!stage.store.listed(slow.lease, 1, 1).await.unwrap());
        assert!(!stage.store.stop_reindex(slow.lease, "why").await.unwrap());
        assert_eq!(stage.store.begin_listing(slow.lease).await.unwrap(), None);
        assert_eq!(stage.open().await, names(["a/"]));
        // Another lists it anew, for the same request.
        let job = stage.claim_alone(slow.lease.job, LONG).await.unwrap();
        let anew = stage.store.begin_listing(job.lease).await.unwrap().unwrap();
        assert!(anew.change_seq > begun.change_seq);
        stage.store.listed(job.lease, 0, 0).await.unwrap();
        assert_eq!(outcome(&stage, first).await, Some(ReindexOutcome::Done));
    })
    .await;
}

/// A listing whose worker was lost while another was asked for: one listing answers both, and by force where one said so.
#[tokio::test]
async fn a_lost_listing_has_a_twin() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        let first = request(&stage, a.id, true).await;
        let lost = stage.claim_for(listing(&stage).await, OVER).await.unwrap();
        stage.store.begin_listing(lost.lease).await.unwrap();
        let second = request(&stage, a.id, false).await;
        assert_eq!(stage.store.reap(&[]).await.unwrap().superseded, 1);
        assert_eq!(outcome(&stage, first).await, None);
        let job = stage
            .claim_alone(listing(&stage).await, LONG)
            .await
            .unwrap();
        let begun = stage.store.begin_listing(job.lease).await.unwrap().unwrap();
        assert!(begun.force);
        stage
            .store
            .plan_page(job.lease, a.id, &[path("one")], begun)
            .await
            .unwrap();
        stage.store.listed(job.lease, 1, 1).await.unwrap();
        assert_eq!(outcome(&stage, first).await, None);
        work(&stage, &a).await;
        assert_eq!(outcome(&stage, first).await, Some(ReindexOutcome::Done));
        assert_eq!(outcome(&stage, second).await, Some(ReindexOutcome::Done));
        let _ = id(&a, "one");
    })
    .await;
}

#[tokio::test]
async fn a_listing_makes_good_what_ended_badly_before() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        request(&stage, a.id, false).await;
        let job = claim(&stage).await;
        stage
            .store
            .stop_reindex(job.lease, "too many would go")
            .await
            .unwrap();
        assert_eq!(stage.jobs(&[JobState::Failed]).await.len(), 1);
        request(&stage, a.id, false).await;
        let job = claim(&stage).await;
        stage.store.begin_listing(job.lease).await.unwrap();
        assert!(stage.store.listed(job.lease, 0, 0).await.unwrap());
        assert_eq!(stage.jobs(&[JobState::Failed]).await.len(), 0);
    })
    .await;
}
