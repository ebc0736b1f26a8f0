//! Who may read what: each change of it looks again at the files that it touches, and at no others.
#![allow(clippy::unwrap_used)]

mod database;
mod stage;

use realmdex_store::{Cause, Found, NewJob, Realm, RegisteredRealm, StoreError};
use realmdex_types::{JobClass, JobState, ReadState};
use stage::{LONG, OPEN, Stage, computed, facts, file, id, names, place, read, row, with_stage};

/// What a skill of `realm` finds of modules of `other`, where it may not read them.
fn denied(other: &Realm, modules: &[&str]) -> Found {
    let edges: Vec<_> = modules
        .iter()
        .map(|at| (id(other, at), ReadState::Denied))
        .collect();
    let places: Vec<_> = modules
        .iter()
        .map(|at| (id(other, at), place(other, at)))
        .collect();
    Found::Computed(facts("s"), Box::new(row(&edges, &places)))
}

async fn set(stage: &Stage, realm: &Realm, owner: &str, readers: &[&str]) {
    let readers: Vec<String> = readers.iter().map(|name| (*name).to_owned()).collect();
    let set = stage.store.set_rights(realm.id, owner, &readers);
    set.await.unwrap();
}

/// Realm `a` of alice, `b` of bob and `c` of carol, each with a skill that loads `b/m.js`; `a` has one that does not.
async fn three(stage: &Stage) -> [Realm; 3] {
    let a = stage.owned("a", "alice", &[]).await;
    let b = stage.owned("b", "bob", &[]).await;
    let c = stage.owned("c", "carol", &[]).await;
    stage.commit(&b, "m.js", computed("1", &[])).await;
    stage.commit(&a, "own.js", computed("1", &[])).await;
    let own = computed("s", &[(id(&a, "own.js"), read("1"))]);
    stage.commit(&a, "other.md", own).await;
    stage.commit(&a, "s.md", denied(&b, &["m.js"])).await;
    stage
        .commit(&c, "s.md", denied(&b, &["m.js", "n.js"]))
        .await;
    let of_b = computed("s", &[(id(&b, "m.js"), read("1"))]);
    stage.commit(&b, "s.md", of_b).await;
    assert_eq!(stage.broken().await, names([]));
    assert_eq!(stage.open().await, names([]));
    [a, b, c]
}

#[tokio::test]
async fn what_is_granted_and_taken_back() {
    with_stage(async |stage| {
        let [a, b, c] = three(&stage).await;
        set(&stage, &b, "bob", &["alice"]).await;
        assert_eq!(stage.open().await, names(["a/s.md"]));
        let may = computed("s", &[(id(&b, "m.js"), read("1"))]);
        let look = |_: &str| (a.clone(), "s.md".to_owned(), may.clone());
        assert_eq!(stage.work(look).await, ["a/s.md"]);
        assert_eq!(stage.broken().await, names([]));
        // The same again is no change for anyone.
        set(&stage, &b, "bob", &["alice"]).await;
        assert_eq!(stage.open().await, names([]));
        // Everyone: only those who could not.
        set(&stage, &b, "bob", &["*"]).await;
        assert_eq!(stage.open().await, names(["c/s.md"]));
        let may = [
            (id(&b, "m.js"), read("1")),
            (id(&b, "n.js"), ReadState::Absent),
        ];
        // Nobody knew of the second before: its realm is asked.
        let look = |name: &str| match name {
            "b/n.js" => (b.clone(), "n.js".to_owned(), Found::Absent),
            _ => (c.clone(), "s.md".to_owned(), computed("s", &may)),
        };
        stage.work(look).await;
        assert_eq!(stage.broken().await, names([]));
        // Nobody: all that read it, but for its own.
        set(&stage, &b, "bob", &[]).await;
        assert_eq!(stage.open().await, names(["a/s.md", "c/s.md"]));
        stage.store.mend().await.unwrap();
        assert_eq!(stage.open().await, names(["a/s.md", "c/s.md"]));
    })
    .await;
}

/// The owner counts on both sides: whose skills may read, and whose files may be read.
#[tokio::test]
async fn a_realm_changes_hands() {
    with_stage(async |stage| {
        let [a, b, c] = three(&stage).await;
        set(&stage, &a, "bob", &[]).await;
        assert_eq!(stage.open().await, names(["a/s.md"]));
        let may = computed("s", &[(id(&b, "m.js"), read("1"))]);
        stage
            .work(|_| (a.clone(), "s.md".to_owned(), may.clone()))
            .await;
        set(&stage, &b, "carol", &[]).await;
        assert_eq!(stage.open().await, names(["a/s.md", "c/s.md"]));
        let _ = c;
    })
    .await;
}

/// A skill that was computed with the rights of before is computed again, whichever came first.
#[tokio::test]
async fn rights_change_while_a_skill_is_computed() {
    with_stage(async |stage| {
        let [a, b, _] = three(&stage).await;
        let before = stage.store.registry_version().await.unwrap();
        set(&stage, &b, "bob", &["dora"]).await;
        assert_eq!(stage.open().await, names([]));
        let Found::Computed(facts, mut row) = denied(&b, &["new.js"]) else {
            unreachable!()
        };
        row.packages = Some("map".to_owned());
        row.registry = Some(before);
        let committed = stage
            .commit(&a, "s.md", Found::Computed(facts.clone(), row.clone()))
            .await;
        assert_eq!(committed.stale.len(), 1);
        assert_eq!(stage.open().await, names(["a/s.md"]));
        row.registry = Some(stage.store.registry_version().await.unwrap());
        let now = Found::Computed(facts, row);
        let order = stage
            .work(|_| (a.clone(), "s.md".to_owned(), now.clone()))
            .await;
        assert_eq!(order, ["a/s.md"]);
    })
    .await;
}

/// A module that others saw before its realm was known, and that is now denied to them: all of them look again.
#[tokio::test]
async fn a_denied_module_that_others_saw() {
    with_stage(async |stage| {
        let a = stage.owned("a", "alice", &[]).await;
        let b = stage.owned("b", "bob", &[]).await;
        for (at, found) in [("one.md", ReadState::Absent), ("two.md", ReadState::Absent)] {
            stage
                .commit(&a, at, computed("s", &[(id(&b, "m.js"), found)]))
                .await;
        }
        stage.commit(&a, "three.md", denied(&b, &["m.js"])).await;
        let open = stage.open().await;
        for edge in stage.broken().await {
            let source = edge.split(" -> ").next().unwrap();
            assert!(open.contains(source), "nobody looks at {edge}");
        }
    })
    .await;
}

/// What is archived is not worked on, and nobody else reads it; taken back, it is indexed and read again.
#[tokio::test]
async fn a_realm_is_archived_and_taken_back() {
    with_stage(async |stage| {
        let a = stage.owned("a", "alice", &[]).await;
        let b = stage.owned("b", "bob", &["*"]).await;
        stage.commit(&b, "m.js", computed("1", &[])).await;
        let skill = |found| computed("s", &[(id(&b, "m.js"), found)]);
        stage.commit(&a, "s.md", skill(read("1"))).await;
        stage.commit(&b, "s.md", skill(read("1"))).await;
        let queued = stage.change(&b, "queued.md").await;
        let running = stage.change(&b, "running.md").await;
        let running = stage.claim(running).await.unwrap();
        assert!(stage.store.archive_realm(b.id, true).await.unwrap());
        assert!(!stage.store.archive_realm(b.id, true).await.unwrap());
        let beat = stage.store.beat(&[running.lease], LONG).await.unwrap();
        assert_eq!(beat.cancelled, [running.lease]);
        assert!(stage.store.cancelled(running.lease).await.unwrap());
        let cancelled = stage.jobs(&[JobState::Cancelled]).await;
        assert!(cancelled.iter().any(|job| job.id == queued));
        assert_eq!(stage.open().await, names(["a/s.md"]));
        // Nothing of it is enqueued, and nothing mended.
        let change_seq = stage.store.next_change().await.unwrap();
        let job = NewJob {
            work: file(&b, "s.md"),
            class: JobClass::Interactive,
            change_seq,
            force: true,
            cause: Cause::Change,
        };
        let enqueued = stage.store.enqueue(&[job]).await.unwrap();
        assert_eq!((enqueued.new, enqueued.merged), (vec![], vec![]));
        let wanted = realmdex_store::ReindexRequest::of(b.id, "why".to_owned());
        let refused = stage.store.request_reindex(&wanted).await;
        assert!(matches!(refused, Err(StoreError::Archived)));
        stage
            .work(|_| (a.clone(), "s.md".to_owned(), denied(&b, &["m.js"])))
            .await;
        assert_eq!(stage.broken().await, names([]));
        // A module of it changes all the same: its skills stay as they are.
        stage.commit(&b, "m.js", computed("2", &[])).await;
        stage
            .commit(
                &b,
                "m.js",
                Found::Seen(realmdex_types::ContentDigest::of(b"3")),
            )
            .await;
        assert_eq!(stage.store.mend().await.unwrap(), 0);
        assert_eq!(
            stage
                .store
                .reindexes(Some(b.id), None, 9)
                .await
                .unwrap()
                .iter()
                .filter(|one| one.outcome.is_none())
                .count(),
            0
        );
        assert!(stage.store.archive_realm(b.id, false).await.unwrap());
        assert_eq!(stage.open().await, names(["a/s.md", "b/", "b/s.md"]));
        stage.store.finish_reindexes().await.unwrap();
        assert_eq!(stage.jobs(&OPEN).await.len(), 3);
    })
    .await;
}

/// The rule in the database and the rule in the code are one.
#[tokio::test]
async fn both_rules_say_the_same() {
    with_stage(async |stage| {
        for (name, owner, readers) in [
            ("a", "alice", vec![]),
            ("b", "bob", vec!["alice"]),
            ("c", "alice", vec!["*"]),
            ("d", "dora", vec!["bob", "alice"]),
            ("e", "alice", vec!["*"]),
            ("f", "*", vec![]),
            ("g", "gus", vec!["users"]),
            ("h", "users", vec![]),
        ] {
            let realm = stage.owned(name, owner, &readers).await;
            stage.commit(&realm, "m.js", computed("1", &[])).await;
        }
        let realms: Vec<RegisteredRealm> = stage.store.registry().await.unwrap().realms;
        let edges: Vec<_> = realms
            .iter()
            .map(|asked| (id(&asked.realm, "m.js"), read("1")))
            .collect();
        for reading in &realms {
            stage
                .commit(&reading.realm, "s.md", computed("s", &edges))
                .await;
        }
        stage
            .store
            .archive_realm(realms[4].realm.id, true)
            .await
            .unwrap();
        let realms: Vec<RegisteredRealm> = stage.store.registry().await.unwrap().realms;
        let mut expected = std::collections::BTreeSet::new();
        for reading in realms.iter().filter(|reading| !reading.realm.is_archived) {
            for asked in &realms {
                let is_own = asked.realm.id == reading.realm.id;
                if !is_own && !asked.lets_read(&reading.realm.owner) {
                    let name = |realm: &Realm| {
                        realm
                            .url
                            .as_str()
                            .trim_start_matches("https://realm.test/")
                            .to_owned()
                    };
                    let (reading, asked) = (name(&reading.realm), name(&asked.realm));
                    expected.insert(format!("{reading}s.md -> {asked}m.js"));
                }
            }
        }
        assert_eq!(stage.broken().await, expected);
    })
    .await;
}
