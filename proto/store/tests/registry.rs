//! Realms come and go, and packages are announced: each is a change of whatever it touches.
#![allow(clippy::unwrap_used)]

mod database;
mod stage;

use realmdex_store::{Announcement, Package, TargetState};
use realmdex_types::ReadState;
use stage::{computed, id, names, new_realm, read, with_stage};

#[tokio::test]
async fn a_realm_within_another_has_both_listed() {
    with_stage(async |stage| {
        stage.owned("outer", "alice", &[]).await;
        stage.owned("beside", "alice", &[]).await;
        let inner = new_realm("outer/in", "bob", &["*"]);
        let (realm, is_new) = stage.store.add_realm(&inner).await.unwrap();
        assert!(is_new);
        assert_eq!(stage.open().await, names(["outer/", "outer/in/"]));
        let ledger = stage.store.reindexes(None, None, 2).await.unwrap();
        assert!(
            ledger
                .iter()
                .all(|row| row.reason.contains("outer/in/ was registered"))
        );
        stage.list_all().await;
        // Once more says nothing, and changes nothing.
        let version = stage.store.registry_version().await.unwrap();
        let again = new_realm("outer/in", "carol", &[]);
        let (same, is_new) = stage.store.add_realm(&again).await.unwrap();
        assert_eq!(
            (same.id, same.owner.as_str(), is_new),
            (realm.id, "bob", false)
        );
        assert_eq!(stage.open().await, names([]));
        assert_eq!(stage.store.registry_version().await.unwrap(), version);
        // Without it its files are the outer one's again.
        stage.store.remove_realm(realm.id).await.unwrap();
        assert_eq!(stage.open().await, names(["outer/"]));
        assert!(stage.store.registry_version().await.unwrap() > version);
    })
    .await;
}

/// Skills that looked for something below a realm before it was one look again: they may find it now, or not be let.
#[tokio::test]
async fn who_looked_for_a_realm_before_it_was_one() {
    with_stage(async |stage| {
        let a = stage.owned("a", "alice", &[]).await;
        let b = stage.realm("b").await;
        stage.store.remove_realm(b.id).await.unwrap();
        for (at, target, found) in [
            ("refused.md", "m.js", ReadState::Refused),
            ("absent.md", "n.js", ReadState::Absent),
        ] {
            stage
                .commit(&a, at, computed("s", &[(id(&b, target), found)]))
                .await;
        }
        stage
            .commit(
                &a,
                "own.md",
                computed("s", &[(id(&a, "m.js"), ReadState::Absent)]),
            )
            .await;
        stage
            .store
            .add_realm(&new_realm("b", "bob", &[]))
            .await
            .unwrap();
        assert_eq!(
            stage.open().await,
            names(["b/", "a/refused.md", "a/absent.md"])
        );
    })
    .await;
}

/// What others were computed from stays as what is not there, and they look again.
#[tokio::test]
async fn a_realm_is_forgotten() {
    with_stage(async |stage| {
        let a = stage.owned("a", "alice", &[]).await;
        let b = stage.owned("b", "bob", &["*"]).await;
        for at in ["m.js", "alone.js"] {
            stage.commit(&b, at, computed("1", &[])).await;
        }
        stage
            .commit(
                &b,
                "s.md",
                computed("s", &[(id(&b, "alone.js"), read("1"))]),
            )
            .await;
        stage
            .commit(&a, "s.md", computed("s", &[(id(&b, "m.js"), read("1"))]))
            .await;
        stage
            .commit(
                &a,
                "t.md",
                computed("s", &[(id(&b, "missing.js"), ReadState::Absent)]),
            )
            .await;
        stage.commit(&a, "u.md", computed("s", &[])).await;
        stage.change(&b, "m.js").await;
        stage.store.remove_realm(b.id).await.unwrap();
        assert_eq!(stage.open().await, names(["a/s.md", "a/t.md"]));
        let left = stage.store.file(&id(&b, "m.js")).await.unwrap().unwrap();
        assert_eq!(left.state, TargetState::Absent);
        for at in ["alone.js", "s.md"] {
            assert!(
                stage.store.file(&id(&b, at)).await.unwrap().is_none(),
                "{at}"
            );
        }
        assert!(
            stage
                .store
                .reindexes(Some(b.id), None, 9)
                .await
                .unwrap()
                .is_empty()
        );
        // The same realm again: its module is new, and its dependents look for it.
        stage
            .work(|name| {
                (
                    a.clone(),
                    name.trim_start_matches("a/").to_owned(),
                    computed("s", &[(id(&b, "m.js"), ReadState::Refused)]),
                )
            })
            .await;
        let b = stage.owned("b", "bob", &["*"]).await;
        stage
            .work(|name| {
                (
                    a.clone(),
                    name.trim_start_matches("a/").to_owned(),
                    computed("s", &[(id(&b, "m.js"), ReadState::Absent)]),
                )
            })
            .await;
        stage.commit(&b, "m.js", computed("1", &[])).await;
        assert!(stage.open().await.contains("a/s.md"));
    })
    .await;
}

/// A realm goes while a skill of another is written that depends on it: neither is in the other's way for good.
#[tokio::test(flavor = "multi_thread")]
async fn a_realm_is_forgotten_while_a_dependent_is_written() {
    with_stage(async |stage| {
        let a = stage.owned("a", "alice", &[]).await;
        let mut names = Vec::new();
        for number in 0..20 {
            let b = stage.realm(&format!("b{number}")).await;
            stage.commit(&b, "m.js", computed("1", &[])).await;
            names.push(b);
        }
        for b in names {
            let edges: Vec<_> = (0..30)
                .map(|n| (id(&b, &format!("n{n}.js")), ReadState::Absent))
                .chain([(id(&b, "m.js"), read("1"))])
                .collect();
            let writer = {
                let (stage, a, edges) = (stage.clone(), a.clone(), edges.clone());
                tokio::spawn(async move {
                    stage.commit(&a, "s.md", computed("s", &edges)).await;
                })
            };
            tokio::task::yield_now().await;
            stage.store.remove_realm(b.id).await.unwrap();
            writer.await.unwrap();
            assert_eq!(stage.edges(&id(&a, "s.md")).await.len(), 31);
            assert!(stage.broken().await.is_empty() || stage.open().await.contains("a/s.md"));
        }
    })
    .await;
}

#[tokio::test]
async fn packages_are_announced() {
    with_stage(async |stage| {
        let tools = stage.owned("tools", "operator", &["*"]).await;
        stage.owned("a", "alice", &[]).await;
        let old = stage.owned("old", "alice", &[]).await;
        stage.store.archive_realm(old.id, true).await.unwrap();
        let announce = async |to: &str, version: &str| {
            let announcement = Announcement {
                package: Package::Root {
                    prefix: "@tools/".to_owned(),
                    location: to.to_owned(),
                },
                version: Some(version.to_owned()),
                realm: Some(tools.id),
            };
            let before = stage.store.registry_version().await.unwrap();
            let has_changed = stage.store.announce_package(&announcement).await.unwrap();
            let is_newer = stage.store.registry_version().await.unwrap() > before;
            assert_eq!(is_newer, has_changed);
            let open = stage.open().await;
            stage.list_all().await;
            (has_changed, open)
        };
        let all = names(["a/", "tools/"]);
        assert_eq!(announce("file:///tools/", "1").await, (true, all.clone()));
        assert_eq!(
            announce("file:///tools/", "2").await,
            (false, names(["tools/"]))
        );
        assert_eq!(announce("file:///tools2/", "2").await, (true, all.clone()));
        let known = stage.store.announced_packages().await.unwrap();
        assert_eq!(known[0].1.as_deref(), Some("2"));
        assert!(stage.store.forget_package("@tools/").await.unwrap());
        assert_eq!(stage.open().await, all);
        assert!(!stage.store.forget_package("@tools/").await.unwrap());
    })
    .await;
}
