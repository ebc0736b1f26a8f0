//! What can't be read now: it is tried again in its time or for a change, and never round and round.
#![allow(clippy::unwrap_used)]

mod database;
mod stage;

use chrono::Utc;
use realmdex_store::{Follow, Found, TargetState};
use realmdex_types::{JobState, ReadState};
use stage::{LONG, OVER, computed, done, down, id, names, read, too_large, with_stage};

/// A skill that can't be made anew keeps its row when its module changes, and says so. When it can be it is.
#[tokio::test]
async fn a_skill_that_cannot_be_read_while_its_module_changes() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        let forbidden = Found::Forbidden {
            why: "401".to_owned(),
        };
        for (name, found) in [
            ("large", too_large()),
            ("down", down()),
            ("locked", forbidden),
        ] {
            let (skill, module) = (format!("{name}.md"), format!("{name}.js"));
            let edge = |bytes| [(id(&a, &module), read(bytes))];
            stage.commit(&a, &module, computed("1", &[])).await;
            stage.commit(&a, &skill, computed("s", &edge("1"))).await;
            stage.change(&a, &skill).await;
            let order = stage
                .work(|_| (a.clone(), skill.clone(), found.clone()))
                .await;
            assert_eq!(order.len(), 1, "{name}");
            stage.commit(&a, &module, computed("2", &[])).await;
            let order = stage
                .work(|_| (a.clone(), skill.clone(), found.clone()))
                .await;
            assert!(order.len() < 2, "{name}: {order:?}");
            assert_eq!(stage.store.mend().await.unwrap(), 0, "{name}");
            // It is there again, the same as before.
            stage
                .commit(&a, &skill, Found::Present(stage::facts("s")))
                .await;
            assert!(stage.open().await.contains(&format!("a/{skill}")), "{name}");
            let look = |open: &str| {
                if open.ends_with(".js") {
                    (a.clone(), module.clone(), computed("2", &[]))
                } else {
                    (a.clone(), skill.clone(), computed("s", &edge("2")))
                }
            };
            assert!(stage.work(look).await.len() < 4, "{name}");
            assert_eq!(stage.broken().await, names([]), "{name}");
        }
    })
    .await;
}

/// A module that grew too large, whose bytes its dependents may still read or not: each looks once.
#[tokio::test]
async fn a_module_that_cannot_be_read_any_more() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        for (name, then) in [("read", read("2")), ("refused", ReadState::Refused)] {
            let (skill, module) = (format!("{name}.md"), format!("{name}.js"));
            let edge = |found: &ReadState| [(id(&a, &module), found.clone())];
            stage.commit(&a, &module, computed("1", &[])).await;
            stage
                .commit(&a, &skill, computed("s", &edge(&read("1"))))
                .await;
            stage.change(&a, &module).await;
            let look = |open: &str| {
                if open.ends_with(".js") {
                    (a.clone(), module.clone(), too_large())
                } else {
                    (a.clone(), skill.clone(), computed("s", &edge(&then)))
                }
            };
            let order = stage.work(look).await;
            assert!(order.contains(&format!("a/{skill}")), "{name}: {order:?}");
            assert!(order.len() < 5, "{name}: {order:?}");
            assert_eq!(stage.store.mend().await.unwrap(), 0, "{name}");
            assert_eq!(stage.broken().await, names([]), "{name}");
            // It has the bytes of before again.
            stage.change(&a, &module).await;
            let order = stage
                .work(|open: &str| {
                    if open.ends_with(".js") {
                        (a.clone(), module.clone(), computed("1", &[]))
                    } else {
                        (a.clone(), skill.clone(), computed("s", &edge(&read("1"))))
                    }
                })
                .await;
            assert_eq!(
                order,
                [format!("a/{module}"), format!("a/{skill}")],
                "{name}"
            );
        }
    })
    .await;
}

/// A file that others were computed from before it was known, and that can't be indexed itself.
#[tokio::test]
async fn a_module_that_was_never_read_for_its_own_sake() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        stage
            .commit(&a, "s.md", computed("s", &[(id(&a, "m.js"), read("1"))]))
            .await;
        stage.change(&a, "m.js").await;
        let look = |open: &str| match open {
            "a/m.js" => (a.clone(), "m.js".to_owned(), too_large()),
            _ => (
                a.clone(),
                "s.md".to_owned(),
                computed("s", &[(id(&a, "m.js"), read("1"))]),
            ),
        };
        let order = stage.work(look).await;
        assert!(order.len() < 4, "{order:?}");
        assert_eq!(stage.store.mend().await.unwrap(), 0);
    })
    .await;
}

/// A module whose job ends badly each time, and whose bytes its dependents can read: neither is tried round and round.
#[tokio::test]
async fn a_module_whose_job_is_dead() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        let edge = |bytes| computed("s", &[(id(&a, "m.js"), read(bytes))]);
        stage.commit(&a, "m.js", computed("1", &[])).await;
        stage.commit(&a, "s.md", edge("1")).await;
        let poison = stage.change(&a, "m.js").await;
        stage.claim_for(poison, OVER).await.unwrap();
        for _ in 0..3 {
            stage.store.reap(&[]).await.unwrap();
            stage.claim_alone(poison, OVER).await.unwrap();
        }
        assert_eq!(stage.store.reap(&[]).await.unwrap().dead, 1);
        stage.change(&a, "s.md").await;
        let order = stage
            .work(|_| (a.clone(), "s.md".to_owned(), edge("2")))
            .await;
        assert_eq!(order, ["a/s.md"]);
        assert_eq!(stage.broken().await, names(["a/s.md -> a/m.js"]));
        assert_eq!(stage.store.mend().await.unwrap(), 0);
        // Someone looks into it: it is claimed alone again, from zero, and all is well.
        assert_eq!(stage.store.redrive(None).await.unwrap(), 1);
        let again = stage.jobs(&[JobState::Queued]).await;
        assert_eq!((again.len(), again[0].attempts), (1, 0));
        assert!(stage.claim(again[0].id).await.is_none());
        let job = stage.claim_alone(again[0].id, LONG).await.unwrap();
        stage.done(&a, "m.js", &job, computed("2", &[])).await;
        assert_eq!(stage.broken().await, names([]));
        assert_eq!(stage.jobs(&[]).await.len(), 0);
    })
    .await;
}

/// Its own job is dead: it is not mended in a loop; what works takes the dead one away.
#[tokio::test]
async fn a_skill_whose_job_is_dead() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        stage.commit(&a, "m.js", computed("1", &[])).await;
        stage
            .commit(&a, "s.md", computed("s", &[(id(&a, "m.js"), read("1"))]))
            .await;
        stage.commit(&a, "m.js", computed("2", &[])).await;
        let jobs = stage.jobs(&[JobState::Queued]).await;
        let lease = stage.claim(jobs[0].id).await.unwrap().lease;
        stage.store.retry(lease, OVER, "down", 1).await.unwrap();
        assert_eq!(stage.jobs(&[JobState::Dead]).await.len(), 1);
        assert_eq!(stage.store.mend().await.unwrap(), 0);
        stage.change(&a, "s.md").await;
        stage
            .work(|_| {
                (
                    a.clone(),
                    "s.md".to_owned(),
                    computed("s", &[(id(&a, "m.js"), read("2"))]),
                )
            })
            .await;
        assert_eq!(stage.jobs(&[]).await.len(), 0);
    })
    .await;
}

/// Clocks differ: what a worker's says is not what a module's change is told by.
#[tokio::test]
async fn a_workers_clock_is_wrong() {
    with_stage(async |stage| {
        let a = stage.realm("a").await;
        for (name, wrong) in [("ahead", LONG), ("behind", OVER)] {
            let (skill, module) = (format!("{name}.md"), format!("{name}.js"));
            stage.commit(&a, &module, too_large()).await;
            let job = stage.change(&a, &skill).await;
            let job = stage.claim(job).await.unwrap();
            let found = computed("s", &[(id(&a, &module), ReadState::Refused)]);
            let mut write = done(&a, &skill, job.lease, job.change_seq, found);
            write.read_at = Utc::now() + wrong;
            if wrong.is_zero() {
                write.read_at -= LONG;
            }
            stage.store.commit(&[write], Follow::Enqueue).await.unwrap();
            assert_eq!(stage.open().await, names([]), "{name}");
            stage.commit(&a, &module, computed("1", &[])).await;
            assert_eq!(stage.open().await.len(), 1, "{name}");
            let found = computed("s", &[(id(&a, &module), read("1"))]);
            stage
                .work(|_| (a.clone(), skill.clone(), found.clone()))
                .await;
            let state = stage
                .store
                .file(&id(&a, &module))
                .await
                .unwrap()
                .unwrap()
                .state;
            assert!(matches!(state, TargetState::Present(_)));
        }
    })
    .await;
}
