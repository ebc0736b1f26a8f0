//! What is kept, and for how long.
#![allow(clippy::unwrap_used)]

mod database;
mod stage;

use std::time::Duration;

use realmdex_store::{Found, JobId, Retention};
use realmdex_types::{JobState, ReadState};
use stage::{LONG, OVER, Stage, computed, id, with_stage};

const NOTHING: Retention = Retention {
    jobs: Duration::ZERO,
    tombstones: Duration::ZERO,
    reindexes: Duration::ZERO,
    definitions: Duration::ZERO,
};

#[tokio::test]
async fn a_tombstone_stays_while_someone_depends_on_it() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        stage.commit(&a, "gone.js", Found::Absent).await;
        stage.commit(&a, "needed.js", Found::Absent).await;
        let skill = computed("s", &[(id(&a, "needed.js"), ReadState::Absent)]);
        stage.commit(&a, "s.md", skill).await;
        let keep = Retention {
            tombstones: LONG,
            ..NOTHING
        };
        assert_eq!(stage.store.forget(keep).await.unwrap(), 0);
        assert_eq!(stage.store.forget(NOTHING).await.unwrap(), 1);
        assert!(
            stage
                .store
                .file(&id(&a, "gone.js"))
                .await
                .unwrap()
                .is_none()
        );
        stage.commit(&a, "s.md", Found::Absent).await;
        assert_eq!(stage.store.forget(NOTHING).await.unwrap(), 2);
        assert_eq!(stage.store.known_files(a.id).await.unwrap().len(), 0);
    })
    .await;
}

/// A tombstone goes at the very moment that someone comes to depend on it: the edge is there all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_tombstone_goes_while_a_dependent_is_written() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        stage.commit(&a, "m.js", Found::Absent).await;
        let mut sweeping = stage.tables.begin().await.unwrap();
        sqlx::query("delete from files where state = 'absent'")
            .execute(&mut *sweeping)
            .await
            .unwrap();
        let writing = {
            let (stage, a) = (stage.clone(), a.clone());
            tokio::spawn(async move {
                let skill = computed("s", &[(id(&a, "m.js"), ReadState::Absent)]);
                stage.commit(&a, "s.md", skill).await;
            })
        };
        while waiting(&stage).await == 0 {
            tokio::task::yield_now().await;
        }
        sweeping.commit().await.unwrap();
        writing.await.unwrap();
        assert_eq!(stage.edges(&id(&a, "s.md")).await.len(), 1);
    })
    .await;
}

/// How many wait for another's lock.
async fn waiting(stage: &Stage) -> i64 {
    sqlx::query_scalar("select count(*) from pg_locks where not granted and database = (select oid from pg_database where datname = current_database()) or not granted and locktype = 'transactionid'")
        .fetch_one(&stage.tables)
        .await
        .unwrap()
}

#[tokio::test]
async fn what_is_dead_stays() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        let mut ended = Vec::<(JobId, JobState)>::new();
        for (at, state) in [
            ("dead", JobState::Dead),
            ("failed", JobState::Failed),
            ("cancelled", JobState::Cancelled),
        ] {
            let job = stage.change(&a, at).await;
            let lease = stage.claim(job).await.unwrap().lease;
            match state {
                JobState::Dead => stage.store.retry(lease, OVER, "down", 1).await.unwrap(),
                JobState::Failed => stage.store.fail(lease, "never").await.unwrap(),
                _ => stage.store.cancelled(lease).await.unwrap(),
            };
            ended.push((job, state));
        }
        let queued = stage.change(&a, "queued").await;
        assert_eq!(
            stage
                .store
                .forget(Retention {
                    jobs: LONG,
                    ..NOTHING
                })
                .await
                .unwrap(),
            0
        );
        assert_eq!(stage.store.forget(NOTHING).await.unwrap(), 2);
        let left: Vec<_> = stage.jobs(&[]).await.iter().map(|job| job.id).collect();
        assert_eq!(left, [queued, ended[0].0]);
    })
    .await;
}
