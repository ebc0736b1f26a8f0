//! Jobs that follow from others, and changes of whole folders: what they do to the jobs that are there.
#![allow(clippy::unwrap_used)]

mod database;
mod stage;

use realmdex_store::{Cause, Found};
use realmdex_types::{JobClass, JobState};
use stage::{LONG, OVER, computed, file, id, names, read, with_stage};

/// A follow-up keeps the time and the tries of the job that it merges into; a change does not.
#[tokio::test]
async fn a_follow_up_waits_with_the_job_that_waits() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        let job = stage.change(&a, "s.md").await;
        let lease = stage.claim(job).await.unwrap().lease;
        stage.store.retry(lease, LONG, "down", 5).await.unwrap();
        let follow_up = Cause::FollowUp { after: OVER };
        let merged = stage
            .enqueue(file(&a, "s.md"), JobClass::Interactive, follow_up)
            .await;
        assert_eq!(merged, job);
        let row = &stage.jobs(&[JobState::Queued]).await[0];
        assert_eq!((row.attempts, row.class), (1, JobClass::Interactive));
        assert!(stage.claim(job).await.is_none());
        stage.change(&a, "s.md").await;
        assert_eq!(stage.claim(job).await.unwrap().attempts, 0);
    })
    .await;
}

/// What was only just written settles for a moment; what else follows is due at once, and as urgent as what it follows.
#[tokio::test]
async fn what_was_just_written_settles_first() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        stage.commit(&a, "m.js", computed("1", &[])).await;
        let job = stage.change(&a, "s.md").await;
        let claimed = stage.claim(job).await.unwrap();
        stage
            .done(
                &a,
                "s.md",
                &claimed,
                computed("s", &[(id(&a, "m.js"), read("2"))]),
            )
            .await;
        let jobs = stage.jobs(&[JobState::Queued]).await;
        assert_eq!(jobs.len(), 2);
        let module = jobs
            .iter()
            .find(|job| job.work == file(&a, "m.js"))
            .unwrap();
        let skill = jobs
            .iter()
            .find(|job| job.work == file(&a, "s.md"))
            .unwrap();
        assert!(skill.run_at > module.run_at);
        assert!(jobs.iter().all(|job| job.class == JobClass::Interactive));
        assert!(jobs.iter().all(|job| job.change_seq > claimed.change_seq));
    })
    .await;
}

/// A folder goes: every file that is known below it is looked at, and so is one that is only just being read.
#[tokio::test]
async fn a_folder_is_removed() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        for at in ["d/known.md", "d/gone.md", "d.md", "dd/other.md"] {
            stage.commit(&a, at, computed("1", &[])).await;
        }
        stage.commit(&a, "d/gone.md", Found::Absent).await;
        let running = stage.change(&a, "d/running.md").await;
        let running = stage.claim(running).await.unwrap();
        assert_eq!(stage.take_in(&a, &["new.md"], &["d"]).await, 3);
        stage
            .done(&a, "d/running.md", &running, computed("1", &[]))
            .await;
        let open = names(["a/d/known.md", "a/d/running.md", "a/new.md"]);
        assert_eq!(stage.open().await, open);
    })
    .await;
}
