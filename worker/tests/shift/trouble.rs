//! Files that hang, panic or can't be had, and workers that are lost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use realmdex_store::{JobRow, NewRealm, TargetState, Work};
use realmdex_types::JobState;

use crate::fleet::{Deed, Fleet, fleet, fleet_that, skill, tool, until};

const HANG: &str = "hang.md";

fn hangs(path: &str) -> Deed {
    if path == HANG { Deed::Hang } else { Deed::Read }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_called_off_stops() {
    fleet_that(
        || hangs,
        async |fleet: Fleet| {
            let realm = fleet.realm("a", &[(HANG, ""), ("b.md", "b")]).await;
            let worker = fleet.worker().await;
            fleet.until_read(HANG).await;
            until!("its neighbour is done", {
                fleet.open_jobs().await.len() == 1
            });
            fleet.store.cancel_realm(realm.id).await.unwrap();
            until!("it stops", !fleet.is_reading(HANG));
            fleet.settled().await;
            assert_eq!(fleet.jobs(JobState::Cancelled).await.len(), 1);
            worker.stop().await;
        },
    )
    .await;
}

/// A tool that never comes to an end is stopped where it is: in the sandbox.
#[tokio::test(flavor = "multi_thread")]
async fn calling_off_stops_the_sandbox_too() {
    fleet(async |mut fleet: Fleet| {
        fleet.limits.guest_time = Duration::from_secs(3600);
        fleet.config.slots = 2;
        let page = skill("./endless");
        let files = [("SKILL.md", page.as_str()), ("endless.js", "for (;;) {}")];
        let realm = fleet.realm("a", &files).await;
        let worker = fleet.worker().await;
        until!("the skill is computed", {
            let open = fleet.open_jobs().await;
            let is_skill = |job: &JobRow| match &job.work {
                Work::IndexFile { path, .. } => path.as_str() == "SKILL.md",
                _ => false,
            };
            open.iter()
                .any(|job| is_skill(job) && job.state == JobState::Running)
        });
        fleet.store.cancel_realm(realm.id).await.unwrap();
        fleet.settled().await;
        // The slot is free again: a worker of two has one for bulk work.
        fleet.write("a", "b.md", "b");
        fleet.changed(&realm, &["b.md"]).await;
        fleet.settled().await;
        // Ends at once: nothing runs any more.
        worker.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_may_take_only_so_long() {
    fleet_that(
        || hangs,
        async |mut fleet: Fleet| {
            fleet.config.deadline = Duration::from_millis(200);
            fleet.realm("a", &[(HANG, ""), ("b.md", "b")]).await;
            let worker = fleet.worker().await;
            until!("it is given up", {
                !fleet.jobs(JobState::Dead).await.is_empty()
            });
            let dead = &fleet.jobs(JobState::Dead).await[0];
            assert_eq!(dead.attempts, 2);
            assert!(dead.error.as_ref().unwrap().contains("longer than 200ms"));
            assert!(fleet.row("a", "b.md").await.unwrap().document.is_some());
            worker.stop().await;
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_one_files_trouble() {
    let deed = |path: &str| match path {
        "panic.md" => Deed::Panic,
        _ => Deed::Read,
    };
    fleet_that(
        || deed,
        async |fleet: Fleet| {
            fleet.realm("a", &[("panic.md", ""), ("b.md", "b")]).await;
            let worker = fleet.worker().await;
            until!("it is given up", {
                !fleet.jobs(JobState::Dead).await.is_empty()
            });
            assert!(fleet.row("a", "b.md").await.unwrap().document.is_some());
            let dead = &fleet.jobs(JobState::Dead).await[0];
            assert!(dead.error.as_ref().unwrap().contains("panicked"));
            worker.stop().await;
        },
    )
    .await;
}

/// A source that is away for a while: the last good row stays, and what was missing is found again without anyone
/// saying so.
#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_comes_back() {
    static IS_AWAY: AtomicBool = AtomicBool::new(false);
    let deed = |path: &str| {
        if IS_AWAY.load(Ordering::SeqCst) && path.starts_with("b/") {
            Deed::Fail
        } else {
            Deed::Read
        }
    };
    fleet_that(
        || deed,
        async |fleet: Fleet| {
            let page = skill("https://b.test/b/tool");
            let a = fleet.realm("a", &[("SKILL.md", page.as_str())]).await;
            let b = fleet.realm("b", &[("b/tool.js", &tool("one"))]).await;
            let worker = fleet.worker().await;
            fleet.settled().await;
            IS_AWAY.store(true, Ordering::SeqCst);
            fleet.write("b", "b/tool.js", &tool("two"));
            fleet.changed(&b, &["b/tool.js"]).await;
            fleet.changed(&a, &["SKILL.md"]).await;
            until!("both jobs ended", { fleet.open_jobs().await.is_empty() });
            let row = fleet.row("b", "b/tool.js").await.unwrap();
            assert!(matches!(row.state, TargetState::Present(_)));
            assert!(row.error.is_some() && row.retry_at.is_some() && row.document.is_some());
            IS_AWAY.store(false, Ordering::SeqCst);
            until!("it heals", {
                fleet.store.retry_unsettled().await.unwrap();
                fleet.described("a", "SKILL.md").await == "two"
            });
            fleet.settled().await;
            worker.stop().await;
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_told_to_stop_gives_back_what_it_can_not_end() {
    fleet_that(
        || hangs,
        async |mut fleet: Fleet| {
            fleet.config.drain = Duration::from_millis(1);
            fleet.realm("a", &[(HANG, "")]).await;
            let worker = fleet.worker().await;
            fleet.until_read(HANG).await;
            worker.stop().await;
            let open = fleet.open_jobs().await;
            assert_eq!(open.len(), 1);
            assert_eq!((open[0].state, open[0].attempts), (JobState::Queued, 0));
        },
    )
    .await;
}

/// A file that takes its worker along each time is dead in the end, alone, and its neighbours are not.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_kills_its_workers() {
    fleet_that(
        || hangs,
        async |mut fleet: Fleet| {
            fleet.config.lease = Duration::from_millis(400);
            let files: Vec<(String, &str)> = (0..20).map(|n| (format!("{n}.md"), "n")).collect();
            let mut files: Vec<(&str, &str)> = files
                .iter()
                .map(|(path, text)| (&path[..], *text))
                .collect();
            files.push((HANG, ""));
            fleet.realm("a", &files).await;
            let mut lives = 0;
            while fleet.jobs(JobState::Dead).await.is_empty() {
                let worker = fleet.mortal_worker();
                until!("it is at that file, or that is dead", {
                    fleet.is_reading(HANG) || !fleet.jobs(JobState::Dead).await.is_empty()
                });
                worker.kill();
                until!("all it did has stopped", !fleet.is_reading(HANG));
                lives += 1;
            }
            let worker = fleet.mortal_worker();
            fleet.settled().await;
            assert_eq!(fleet.jobs(JobState::Dead).await.len(), 1);
            assert!(
                (4..=5).contains(&lives),
                "once with others, three times alone: {lives}"
            );
            for n in 0..20 {
                assert!(
                    fleet
                        .row("a", &format!("{n}.md"))
                        .await
                        .unwrap()
                        .document
                        .is_some()
                );
            }
            // It is left alone until someone looks into it; then it starts from zero.
            assert_eq!(fleet.store.mend().await.unwrap(), 0);
            assert_eq!(fleet.store.redrive(None).await.unwrap(), 1);
            assert_eq!(fleet.open_jobs().await[0].attempts, 0);
            worker.kill();
        },
    )
    .await;
}

/// Everybody else's files are indexed, by workers that know such a realm from the start or hear of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_realm_that_may_not_be_asked_is_its_own_trouble() {
    fleet(async |fleet: Fleet| {
        let realm = fleet.realm("a", &[("a.md", "a")]).await;
        let early = fleet.worker().await;
        fleet.settled().await;
        let new = NewRealm {
            url: Fleet::url("b"),
            source: "http://10.0.0.5/b/".to_owned(),
            owner: "operator".to_owned(),
            readers: vec!["*".to_owned()],
        };
        fleet.store.add_realm(&new).await.unwrap();
        fleet.write("a", "b.md", "b");
        fleet.changed(&realm, &["b.md"]).await;
        fleet.settled().await;
        assert!(fleet.row("a", "b.md").await.is_some());
        early.stop().await;
        let late = fleet.worker().await;
        fleet.write("a", "c.md", "c");
        fleet.changed(&realm, &["c.md"]).await;
        fleet.settled().await;
        assert!(fleet.row("a", "c.md").await.is_some());
        let failed = fleet.jobs(JobState::Failed).await;
        assert_eq!(failed.len(), 1, "{failed:#?}");
        let why = failed[0].error.as_deref().unwrap();
        assert!(why.contains("not from here"), "{why}");
        late.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_too_long_ends_its_own_job() {
    fleet(async |fleet: Fleet| {
        let realm = fleet.realm("a", &[("a.md", "a")]).await;
        let worker = fleet.worker().await;
        fleet.settled().await;
        // Each letter is nine in its id.
        let long = ["\u{6f22}".repeat(80).as_str(); 4].join("/");
        fleet.changed(&realm, &[&long, "a.md"]).await;
        fleet.settled().await;
        let failed = fleet.jobs(JobState::Failed).await;
        assert_eq!(failed.len(), 1, "{failed:#?}");
        let why = failed[0].error.as_deref().unwrap();
        assert!(why.contains("longer than the index keeps"), "{why}");
        worker.stop().await;
    })
    .await;
}
