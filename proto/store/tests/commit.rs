//! What a commit keeps, refuses and asks for, on a real Postgres.
#![allow(clippy::unwrap_used)]

mod database;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono::{DateTime, Utc};
use database::with_store;
use realmdex_store::{
    ChangeSeq, Committed, ComputedRow, FileFacts, FileWrite, Follow, Found, Place, Realm, Store,
    TargetState,
};
use realmdex_types::{
    CodeRef, ContentDigest, Finding, FindingKind, ModuleId, ReadState, RealmPath, RealmUrl,
};
use serde_json::{Value, json};

const REALM: &str = "https://realm.test/";

struct Index {
    store: Store,
    realm: Realm,
    seq: ChangeSeq,
}

fn id(path: &str) -> ModuleId {
    ModuleId::stored(format!("{REALM}{path}"))
}

fn read(bytes: &str) -> ReadState {
    ReadState::Read {
        digest: ContentDigest::of(bytes.as_bytes()),
    }
}

fn facts(bytes: &str) -> FileFacts {
    FileFacts {
        digest: ContentDigest::of(bytes.as_bytes()),
        size: bytes.len() as u64,
        modified: Some(7),
        created: Some(5),
    }
}

fn document(text: &str) -> Value {
    json!({"data": {
        "type": "file-meta", "id": "x", "attributes": {"text": text},
        "meta": {"adoptsFrom": {"module": "m", "name": "n"}}, "links": {"self": "x"},
    }})
}

fn row(edges: &[(&str, ReadState)]) -> ComputedRow {
    ComputedRow {
        document: document("good"),
        search: json!({"text": "good"}),
        tools: Some((2, 1)),
        findings: Vec::new(),
        edges: edges
            .iter()
            .map(|(path, found)| (id(path), found.clone()))
            .collect(),
        indexer: "1".to_owned(),
        packages: None,
        registry: None,
        denied: BTreeMap::new(),
        retry: false,
        took: Duration::from_millis(3),
    }
}

/// A module as its own reading finds it.
fn module(facts: FileFacts) -> Found {
    Found::Computed(facts, Box::new(row(&[])))
}

impl Index {
    async fn new(store: Store) -> Self {
        let realm = store
            .register_realm(&RealmUrl::parse(REALM).unwrap(), "file:///realm/")
            .await
            .unwrap();
        let seq = store.next_change().await.unwrap();
        Self { store, realm, seq }
    }

    fn write(&self, path: &str, found: Found) -> FileWrite {
        FileWrite {
            module_id: id(path),
            place: Some(Place {
                realm: self.realm.id,
                path: RealmPath::parse(path).unwrap(),
            }),
            change_seq: self.seq,
            lease: None,
            read_at: Utc::now(),
            found,
        }
    }

    fn computed(&self, path: &str, bytes: &str, edges: &[(&str, ReadState)]) -> FileWrite {
        self.write(path, Found::Computed(facts(bytes), Box::new(row(edges))))
    }

    async fn commit(&self, writes: &[FileWrite]) -> Committed {
        self.store.commit(writes, Follow::Answer).await.unwrap()
    }

    async fn state(&self, path: &str) -> Option<TargetState> {
        let row = self.store.file(&id(path)).await.unwrap();
        row.map(|row| row.state)
    }

    /// Broken edges, as `source -> target`.
    async fn broken(&self) -> Vec<String> {
        let broken = self.store.broken_edges(None).await.unwrap();
        let below = |id: &ModuleId| id.as_str().trim_start_matches(REALM).to_owned();
        broken
            .iter()
            .map(|edge| format!("{} -> {}", below(&edge.source), below(&edge.target)))
            .collect()
    }
}

fn stale(committed: &Committed) -> Vec<&str> {
    committed
        .stale
        .iter()
        .map(|file| file.path.as_str())
        .collect()
}

#[tokio::test]
async fn a_row_is_read_back() {
    with_store(async |store| {
        let index = Index::new(store).await;
        let committed = index
            .commit(&[index.computed("a.md", "bytes", &[("m.js", read("m"))])])
            .await;
        assert_eq!(committed.written, 1);
        assert_eq!(stale(&committed), [""; 0]);
        assert_eq!(committed.moved, BTreeSet::new());
        let row = index.store.file(&id("a.md")).await.unwrap().unwrap();
        assert_eq!(row.state, TargetState::Present(ContentDigest::of(b"bytes")));
        assert_eq!(
            serde_json::to_value(row.document.unwrap()).unwrap(),
            document("good")
        );
        assert_eq!((row.modified, row.created), (Some(7), Some(5)));
        assert_eq!(row.duration_ms, Some(3));
        // What it depends on has a row as well, though nobody read it for its own sake.
        assert_eq!(
            index.state("m.js").await,
            Some(TargetState::Present(ContentDigest::of(b"m")))
        );
        let holdings = index.store.holdings(index.realm.id).await.unwrap();
        assert_eq!(
            (
                holdings.files,
                holdings.tools_declared,
                holdings.tools_stamped
            ),
            (1, 2, 1)
        );
        assert_eq!(index.broken().await, [""; 0]);
    })
    .await;
}

/// Each way in which a target can turn out otherwise than its dependents were computed from.
#[tokio::test]
async fn dependents_are_named_when_a_target_changes() {
    with_store(async |store| {
        let index = Index::new(store).await;
        let cases: [(&str, ReadState, Found, bool); 9] = [
            ("same", read("1"), module(facts("1")), false),
            ("changed", read("1"), module(facts("2")), true),
            (
                "seen",
                read("1"),
                Found::Seen(ContentDigest::of(b"2")),
                true,
            ),
            ("gone", read("1"), Found::Absent, true),
            (
                "locked",
                read("1"),
                Found::Forbidden { why: "no".into() },
                true,
            ),
            (
                "down",
                read("1"),
                Found::Failed {
                    why: "down".into(),
                    transient: true,
                },
                false,
            ),
            ("made", ReadState::Absent, module(facts("1")), true),
            ("opened", ReadState::Forbidden, module(facts("1")), true),
            ("back", ReadState::Unreachable, module(facts("1")), true),
        ];
        for (what, then, now, expected) in cases {
            let (skill, module) = (format!("{what}.md"), format!("{what}.js"));
            index
                .commit(&[index.computed(&skill, "s", &[(&module, then)])])
                .await;
            assert_eq!(index.broken().await, [""; 0], "{what}");
            let committed = index.commit(&[index.write(&module, now)]).await;
            let named: &[&str] = if expected { &[&skill] } else { &[] };
            // A module that was only seen is itself to be computed again as well.
            let mut skills = stale(&committed);
            skills.retain(|path| path.ends_with(".md"));
            assert_eq!(skills, named, "{what}");
            // The skill is computed again, and all is well.
            let found = match index.state(&module).await.unwrap() {
                TargetState::Present(digest) => ReadState::Read { digest },
                TargetState::Forbidden => ReadState::Forbidden,
                TargetState::Absent | TargetState::Unread => ReadState::Absent,
            };
            let committed = index
                .commit(&[index.computed(&skill, "s", &[(&module, found)])])
                .await;
            assert_eq!(stale(&committed), [""; 0], "{what}");
            assert_eq!(index.broken().await, [""; 0], "{what}");
        }
    })
    .await;
}

/// A module that changed while a skill was computed: the skill's commit sees it, though nobody announced the change.
#[tokio::test]
async fn what_changed_meanwhile_is_seen_by_the_dependents_commit() {
    with_store(async |store| {
        let index = Index::new(store).await;
        index
            .commit(&[index.write("m.js", module(facts("1")))])
            .await;
        let committed = index
            .commit(&[index.computed("s.md", "s", &[("m.js", read("2"))])])
            .await;
        assert_eq!(stale(&committed), ["s.md"]);
        assert_eq!(committed.moved, BTreeSet::from([id("m.js")]));
        assert_eq!(index.broken().await, ["s.md -> m.js"]);
        // Reading the module mends it.
        let committed = index
            .commit(&[index.write("m.js", module(facts("2")))])
            .await;
        assert_eq!(stale(&committed), [""; 0]);
        assert_eq!(index.broken().await, [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn a_row_is_never_overwritten_by_an_older_change() {
    with_store(async |store| {
        let old = Index::new(store).await;
        let new = Index {
            store: old.store.clone(),
            realm: old.realm.clone(),
            seq: old.store.next_change().await.unwrap(),
        };
        new.commit(&[new.computed("a.md", "new", &[("m.js", read("new"))])])
            .await;
        let committed = old
            .commit(&[
                old.computed("a.md", "old", &[("m.js", read("old"))]),
                old.write("b.md", Found::Absent),
            ])
            .await;
        assert_eq!(committed.written, 1, "only the tombstone of b.md");
        assert_eq!(
            old.state("a.md").await,
            Some(TargetState::Present(ContentDigest::of(b"new")))
        );
        assert_eq!(old.broken().await, [""; 0]);
    })
    .await;
}

/// Only a definite absence takes a row away.
#[tokio::test]
async fn the_last_good_row_stays() {
    with_store(async |store| {
        let index = Index::new(store).await;
        let cases = [
            (
                "down",
                Found::Failed {
                    why: "no answer".into(),
                    transient: true,
                },
                true,
            ),
            (
                "large",
                Found::Failed {
                    why: "too large".into(),
                    transient: false,
                },
                true,
            ),
            ("locked", Found::Forbidden { why: "401".into() }, true),
            ("gone", Found::Absent, false),
        ];
        for (path, found, stays) in cases {
            index.commit(&[index.computed(path, "1", &[])]).await;
            index.commit(&[index.write(path, found)]).await;
            let row = index.store.file(&id(path)).await.unwrap().unwrap();
            assert_eq!(row.document.is_some(), stays, "{path}");
            assert_eq!(row.error.is_some(), stays, "{path}");
            assert_eq!(row.retry_at.is_some(), path == "down", "{path}");
        }
        let told = index.store.findings(index.realm.id).await.unwrap();
        let told: Vec<_> = told
            .iter()
            .map(|one| (one.path.as_str(), one.finding.kind, one.finding.transient))
            .collect();
        let kind = FindingKind::IndexingError;
        assert_eq!(
            told,
            [
                ("down", kind, true),
                ("large", kind, false),
                ("locked", kind, false)
            ]
        );
    })
    .await;
}

/// Retries come later each time, and are over when it works.
#[tokio::test]
async fn retries_are_spaced() {
    with_store(async |store| {
        let index = Index::new(store).await;
        let down = || Found::Failed {
            why: "down".into(),
            transient: true,
        };
        let mut waits: Vec<i64> = Vec::new();
        for _ in 0..12 {
            index.commit(&[index.write("a.md", down())]).await;
            let row = index.store.file(&id("a.md")).await.unwrap().unwrap();
            let until: DateTime<Utc> = row.retry_at.unwrap();
            waits.push((until - Utc::now()).num_seconds());
        }
        assert!(waits.is_sorted(), "{waits:?}");
        assert!(
            waits[0] <= 5 && waits[11] > 3500 && waits[11] <= 3600,
            "{waits:?}"
        );
        index.commit(&[index.computed("a.md", "1", &[])]).await;
        let row = index.store.file(&id("a.md")).await.unwrap().unwrap();
        assert_eq!((row.retry_at, row.error), (None, None));
    })
    .await;
}

/// What Postgres refuses is mended before it is asked: NUL, and messages of megabytes.
#[tokio::test]
async fn whatever_a_tool_says_is_stored() {
    with_store(async |store| {
        let index = Index::new(store).await;
        let mut hostile = row(&[]);
        hostile.document["data"]["attributes"] = json!({"a\0b": ["c\0d"]});
        hostile.search = json!({"\0": "\0"});
        hostile.findings = vec![Finding {
            kind: FindingKind::ToolSchemaError,
            message: format!("\0{}", "é".repeat(4 << 20)),
            line: Some(usize::MAX),
            column: None,
            tool: Some(CodeRef {
                module: "m\0".to_owned(),
                name: "n".repeat(8 << 20),
            }),
            transient: false,
        }];
        let found = Found::Computed(facts("1"), Box::new(hostile));
        index.commit(&[index.write("a.md", found)]).await;
        let row = index.store.file(&id("a.md")).await.unwrap().unwrap();
        let attributes = row.document.unwrap().data.attributes;
        assert_eq!(attributes["a\u{fffd}b"], json!(["c\u{fffd}d"]));
        let told = index.store.findings(index.realm.id).await.unwrap();
        let finding = &told[0].finding;
        assert!(finding.message.starts_with("\u{fffd}é"));
        assert!(finding.message.len() < 100_000);
        let tool = finding.tool.as_ref().unwrap();
        assert_eq!(tool.module, "m\u{fffd}");
        assert!(tool.name.len() < 100_000);
    })
    .await;
}

/// Two writers whose files depend on each other's, in opposite order, many times: both end, and the edges say what is.
#[tokio::test(flavor = "multi_thread")]
async fn writers_in_each_others_way_both_end() {
    with_store(async |store| {
        let index = Index::new(store).await;
        let writer = |own: &'static str, other: &'static str| {
            let (store, realm, seq) = (index.store.clone(), index.realm.clone(), index.seq);
            tokio::spawn(async move {
                let index = Index { store, realm, seq };
                for round in 0..40 {
                    let names: Vec<_> = (0..8).map(|n| format!("{own}{n}.md")).collect();
                    let targets: Vec<_> = (0..8).map(|n| format!("{other}{n}.md")).collect();
                    let edges: Vec<_> = targets
                        .iter()
                        .map(|target| (target.as_str(), read("stable")))
                        .collect();
                    let writes: Vec<_> = names
                        .iter()
                        .map(|name| index.computed(name, "stable", &edges))
                        .collect();
                    let committed = index.commit(&writes).await;
                    assert_eq!(stale(&committed), [""; 0], "round {round}");
                }
            })
        };
        let (a, b) = tokio::join!(writer("a", "b"), writer("b", "a"));
        a.unwrap();
        b.unwrap();
        assert_eq!(index.broken().await, [""; 0]);
        assert_eq!(index.store.edge_count(None).await.unwrap(), 128);
    })
    .await;
}

/// Several workers come upon the same new files at the same moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn new_files_may_be_written_by_several_at_once() {
    with_store(async |store| {
        let index = Index::new(store).await;
        for round in 0..60 {
            let writer = |_| {
                let (store, realm, seq) = (index.store.clone(), index.realm.clone(), index.seq);
                tokio::spawn(async move {
                    let index = Index { store, realm, seq };
                    let names: Vec<_> = (0..4).map(|n| format!("{round}/{n}.md")).collect();
                    let writes: Vec<_> = names
                        .iter()
                        .map(|name| index.computed(name, "same", &[]))
                        .collect();
                    index.commit(&writes).await;
                })
            };
            let writers: Vec<_> = (0..4).map(writer).collect();
            for writer in writers {
                writer.await.unwrap();
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_tombstone_has_no_edges_and_no_findings() {
    with_store(async |store| {
        let index = Index::new(store).await;
        let mut with_finding = row(&[("m.js", read("1"))]);
        with_finding.findings = vec![Finding {
            kind: FindingKind::SkillSpecWarning,
            message: "name".to_owned(),
            line: None,
            column: None,
            tool: None,
            transient: false,
        }];
        let found = Found::Computed(facts("1"), Box::new(with_finding));
        index.commit(&[index.write("a.md", found)]).await;
        index.commit(&[index.write("a.md", Found::Absent)]).await;
        assert_eq!(index.store.edge_count(None).await.unwrap(), 0);
        assert!(
            index
                .store
                .findings(index.realm.id)
                .await
                .unwrap()
                .is_empty()
        );
        let known = index.store.known_files(index.realm.id).await.unwrap();
        assert_eq!(known[0].state, TargetState::Absent);
        assert_eq!(known[0].indexer, None);
    })
    .await;
}

/// A file that others were computed from, and that has changed since its own row was: both are to be done.
#[tokio::test]
async fn a_row_of_other_bytes_is_outdated() {
    with_store(async |store| {
        let index = Index::new(store).await;
        index.commit(&[index.computed("m.js", "1", &[])]).await;
        assert_eq!(index.store.outdated_files(None).await.unwrap(), []);
        let seen = FileWrite {
            place: None,
            ..index.write("m.js", Found::Seen(ContentDigest::of(b"2")))
        };
        index.commit(&[seen]).await;
        assert_eq!(
            index.store.outdated_files(None).await.unwrap(),
            [id("m.js")]
        );
        let known = index.store.known_files(index.realm.id).await.unwrap();
        assert!(known[0].is_broken);
        assert_eq!(known[0].size, Some(1), "only its state was seen");
    })
    .await;
}

#[tokio::test]
async fn a_realm_has_one_source() {
    with_store(async |store| {
        let url = RealmUrl::parse(REALM).unwrap();
        let first = store.register_realm(&url, "file:///a/").await.unwrap();
        let again = store.register_realm(&url, "file:///a/").await.unwrap();
        assert_eq!(first.id, again.id);
        let error = store.register_realm(&url, "file:///b/").await.unwrap_err();
        assert!(
            error
                .to_string()
                .contains("from file:///a/, not from file:///b/")
        );
    })
    .await;
}
