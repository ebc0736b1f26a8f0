//! What the operator's listener tells of what is indexed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use realmdex_scheduler::operator::{Operator, router};
use realmdex_source::{FolderSource, OpenSource, Source};
use realmdex_store::{ComputedRow, FileFacts, Found, Realm};
use realmdex_types::{ContentDigest, FindingKind, ModuleId, ReadState};
use serde_json::{Value, json};

use crate::asking::get;
use crate::index::{Index, metrics, path, with_index};
use crate::rows::{finding, stamped, stamped_as, tool_finding};

fn operator(index: &Index) -> Operator {
    Operator::new(index.store.clone(), metrics())
}

/// Reads folders.
fn folders() -> OpenSource {
    Arc::new(|url| {
        let source: Arc<dyn Source> = Arc::new(FolderSource::at(&url.to_file_path().unwrap())?);
        Ok(source)
    })
}

/// Takes times out.
fn settled(mut value: Value) -> Value {
    for key in ["indexedAt", "retryAt"] {
        if value[key].is_string() {
            value[key] = "(a time)".into();
        }
    }
    value
}

#[tokio::test]
async fn a_file_is_told_as_the_index_has_it() {
    with_index(async |index| {
        let listener = router(operator(&index));
        let realm = index.realm("a").await;
        let wrong = tool_finding("./none.js", "none", "there is no such file");
        index
            .skill(&realm, "s/SKILL.md", &[stamped("m", "go")], &[wrong])
            .await;
        let failed = Found::Failed {
            why: "timed out".into(),
            transient: true,
        };
        index.wrote(&realm, "bad file.md", failed).await;

        let told = get(
            &listener,
            &format!("/_files?realm={}&path=s/SKILL.md", realm.url),
        )
        .await;
        assert_eq!(told.status, 200, "{told:?}");
        insta::assert_json_snapshot!("indexed_file", settled(told.body));
        let told = get(
            &listener,
            &format!("/_files?realm={}&path=bad%20file.md", realm.url),
        )
        .await;
        assert_eq!(told.status, 200, "{told:?}");
        insta::assert_json_snapshot!("indexed_failed_file", settled(told.body));

        let realm = realm.url.as_str();
        for (query, status, words) in [
            (
                format!("realm={realm}&path=none.md"),
                404,
                "none.md is not in the index of",
            ),
            (format!("realm={realm}"), 400, "missing field `path`"),
            (format!("realm={realm}&path=a%00b"), 400, "path"),
            (format!("realm={realm}&path=../x"), 400, "path"),
            (
                "realm=https://none.test/&path=a".into(),
                404,
                "is not registered",
            ),
        ] {
            let refused = get(&listener, &format!("/_files?{query}")).await;
            assert_eq!(refused.status, status, "{query}: {refused:?}");
            assert!(
                refused.body.to_string().contains(words),
                "{query}: {refused:?}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn all_of_a_realm_is_told() {
    with_index(async |index| {
        let listener = router(operator(&index));
        let realm = index.realm("a").await;
        let other = index.realm("b").await;
        let undefined = json!({"codeRef": {"module": "m", "name": "gone"}});
        let tools = [stamped_as("go_1", "m", "go"), undefined];
        let wrong = tool_finding("m", "gone", "no such export");
        index.skill(&realm, "one/SKILL.md", &tools, &[wrong]).await;
        let tools = [stamped_as("go_1", "n", "go")];
        index.skill(&realm, "two/SKILL.md", &tools, &[]).await;
        let warning = finding(FindingKind::SkillSpecWarning, "rename it");
        index.skill(&other, "SKILL.md", &[], &[warning]).await;
        let ask = async |route: &str, realm: &Realm| {
            let told = get(&listener, &format!("{route}?realm={}", realm.url)).await;
            assert_eq!(told.status, 200, "{route}: {told:?}");
            told.body
        };
        insta::assert_json_snapshot!("indexed_errors", ask("/_errors", &realm).await);
        insta::assert_json_snapshot!("indexed_definitions", ask("/_definitions", &realm).await);
        assert_eq!(
            ask("/_holdings", &realm).await,
            json!({"files": 2, "skills": 2, "toolsDeclared": 3, "toolsStamped": 2})
        );
        let files = ask("/_errors", &other).await["files"].clone();
        assert_eq!(files.as_array().unwrap().len(), 1, "{files}");
        for route in ["/_errors", "/_definitions", "/_holdings"] {
            let refused = get(&listener, route).await;
            assert_eq!(refused.status, 400, "{route}: {refused:?}");
            let refused = get(&listener, &format!("{route}?realm=https://none.test/")).await;
            assert_eq!(refused.status, 404, "{route}: {refused:?}");
        }
    })
    .await;
}

/// A realm in a folder with a skill that was computed from two of its files, and from one that is not there.
async fn computed(index: &Index, folder: &Path) -> Realm {
    fs::write(folder.join("SKILL.md"), "skill").unwrap();
    for module in ["a.js", "b.js"] {
        fs::write(folder.join(module), module).unwrap();
    }
    let place = format!("file://{}/", folder.canonicalize().unwrap().display());
    let realm = index.added("a", &place).await;
    let id = |at: &str| ModuleId::stored(realm.url.file(&path(at)).to_string());
    let read = |text: &str| ReadState::Read {
        digest: ContentDigest::of(text.as_bytes()),
    };
    let edges = BTreeMap::from([
        (id("a.js"), read("a.js")),
        (id("b.js"), read("b.js")),
        (id("c.js"), ReadState::Absent),
    ]);
    let row = |edges| {
        Box::new(ComputedRow {
            document: json!({"data": {
                "type": "file-meta", "id": "x", "attributes": {},
                "meta": {"adoptsFrom": {"module": "m", "name": "n"}}, "links": {"self": "x"},
            }}),
            search: json!({}),
            tools: None,
            findings: Vec::new(),
            edges,
            denied: BTreeMap::new(),
            indexer: "1".to_owned(),
            packages: None,
            registry: None,
            retry: false,
            took: Duration::from_millis(3),
        })
    };
    let facts = |text: &str| FileFacts {
        digest: ContentDigest::of(text.as_bytes()),
        size: text.len() as u64,
        modified: None,
        created: None,
    };
    for module in ["a.js", "b.js"] {
        let found = Found::Computed(facts(module), row(BTreeMap::new()));
        index.wrote(&realm, module, found).await;
    }
    let found = Found::Computed(facts("skill"), row(edges));
    index.wrote(&realm, "SKILL.md", found).await;
    realm
}

#[tokio::test]
async fn what_has_moved_is_told() {
    with_index(async |index| {
        let folder = tempfile::tempdir().unwrap();
        let realm = computed(&index, folder.path()).await;
        let why = async |listener: &Router, query: String| {
            let told = get(listener, &format!("/_why?{query}")).await;
            assert_eq!(told.status, 200, "{query}: {told:?}");
            settled(told.body)
        };
        let skill = format!("realm={}&path=SKILL.md", realm.url);
        let listener = router(operator(&index).with_sources(folders()));
        let moved = |told: &Value| -> Vec<(String, bool)> {
            let dependencies = told["dependencies"].as_array().unwrap();
            dependencies
                .iter()
                .map(|one| {
                    let name = one["id"].as_str().unwrap().rsplit('/').next().unwrap();
                    (name.to_owned(), one["hasMoved"].as_bool().unwrap())
                })
                .collect()
        };
        let named = |moved: [bool; 3]| -> Vec<(String, bool)> {
            let names = ["a.js", "b.js", "c.js"].map(str::to_owned);
            names.into_iter().zip(moved).collect()
        };
        let before = why(&listener, skill.clone()).await;
        assert_eq!(moved(&before), named([false; 3]), "{before}");
        assert_eq!(before["hasMoved"], false);

        fs::write(folder.path().join("a.js"), "edited").unwrap();
        fs::write(folder.path().join("c.js"), "new").unwrap();
        let after = why(&listener, skill.clone()).await;
        assert_eq!(moved(&after), named([true, false, true]), "{after}");
        insta::assert_json_snapshot!("indexed_why", after);

        // By its id, and from the other end.
        let module = why(&listener, format!("id={}a.js", realm.url)).await;
        assert_eq!(module["hasMoved"], true);
        let dependents = json!([{"id": format!("{}SKILL.md", realm.url), "isBroken": false}]);
        assert_eq!(module["dependents"], dependents);

        // Whoever reads no sources says what the index says.
        let blind = why(&router(operator(&index)), skill.clone()).await;
        assert_eq!(moved(&blind), named([false; 3]), "{blind}");
        assert_eq!(blind["dependencies"][0]["source"], Value::Null);

        for (query, status, words) in [
            ("", 400, "give either"),
            (&format!("realm={}", realm.url), 400, "give either"),
            (&format!("{skill}&id=x"), 400, "give either"),
            ("id=@acme/none.js", 404, "knows nothing of @acme/none.js"),
            ("id=a%00b", 404, "knows nothing of"),
            (
                &format!("realm={}&path=none.md", realm.url),
                404,
                "is not in the index of",
            ),
        ] {
            let refused = get(&listener, &format!("/_why?{query}")).await;
            assert_eq!(refused.status, status, "{query}: {refused:?}");
            assert!(refused.detail().contains(words), "{query}: {refused:?}");
        }
    })
    .await;
}
