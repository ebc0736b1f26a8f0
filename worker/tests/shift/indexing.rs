//! Changes become rows, and what depends on them is done again: exactly that.

use realmdex_store::TargetState;
use serde_json::Value;

use crate::fleet::{Fleet, fleet, skill, tool, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_realm_is_indexed_and_kept_so() {
    fleet(async |fleet: Fleet| {
        let made = tool("one");
        let page = skill("./tool");
        let files = [
            ("SKILL.md", page.as_str()),
            ("tool.js", made.as_str()),
            ("a.txt", "a"),
        ];
        let realm = fleet.realm("a", &files).await;
        let worker = fleet.worker().await;
        fleet.settled().await;
        assert_eq!(fleet.described("a", "SKILL.md").await, "one");
        until!(
            "it is counted",
            worker.counted("realmdex_files_computed_total") == 3.0
        );

        fleet.write("a", "tool.js", &tool("two"));
        let taken = fleet.changed(&realm, &["tool.js"]).await;
        fleet.settled().await;
        assert_eq!(taken.files, 1);
        assert_eq!(fleet.described("a", "SKILL.md").await, "two");
        // The module and its skill, nothing else.
        until!(
            "it is counted",
            worker.counted("realmdex_files_computed_total") == 5.0
        );

        // What has not changed is read, and no more.
        let files = [("a", "SKILL.md"), ("a", "tool.js"), ("a", "a.txt")];
        let told = async { _ = fleet.changed(&realm, &["tool.js", "a.txt"]).await };
        let computed = fleet.computed_by(&files, told).await;
        assert!(computed.is_empty(), "{computed:?}");
        assert_eq!(worker.counted("realmdex_files_computed_total"), 5.0);

        fleet.remove("a", "tool.js");
        fleet.changed(&realm, &["tool.js"]).await;
        fleet.settled().await;
        assert_eq!(fleet.described("a", "SKILL.md").await, Value::Null);
        let row = fleet.row("a", "tool.js").await.unwrap();
        assert_eq!(row.state, TargetState::Absent);

        // Re-created under another extension.
        fleet.write("a", "tool.ts", &tool("three"));
        fleet.changed(&realm, &["tool.ts"]).await;
        fleet.settled().await;
        assert_eq!(fleet.described("a", "SKILL.md").await, "three");
        worker.stop().await;
    })
    .await;
}

/// A module three steps away, in another realm, is edited, removed, renamed and made again: exactly what depends on it is
/// done again.
#[tokio::test(flavor = "multi_thread")]
async fn exactly_what_depends_on_it() {
    fleet(async |fleet: Fleet| {
        let (near, far, other) = (
            skill("./near"),
            skill("https://b.test/deep/entry"),
            skill("./other"),
        );
        let a = [
            ("near/SKILL.md", near.as_str()),
            (
                "near/near.js",
                "export { default } from 'https://b.test/deep/middle.js';",
            ),
            ("far/SKILL.md", far.as_str()),
            ("other/SKILL.md", other.as_str()),
            ("other/other.js", &tool("other")),
        ];
        fleet.realm("a", &a).await;
        let last = tool("one");
        let b = [
            ("deep/entry.js", "export { default } from './middle.js';"),
            ("deep/middle.js", "export { default } from './last';"),
            ("deep/last.js", last.as_str()),
            // The same paths as in the other realm, and nothing to do with it.
            ("near/SKILL.md", other.as_str()),
            ("near/other.js", &tool("another")),
        ];
        let realm = fleet.realm("b", &b).await;
        let worker = fleet.worker().await;
        fleet.settled().await;
        let mut files: Vec<(&str, &str)> = a.iter().map(|(path, _)| ("a", *path)).collect();
        files.extend(b.iter().map(|(path, _)| ("b", *path)));
        files.push(("b", "deep/last.ts"));
        let skills = ["a/far/SKILL.md", "a/near/SKILL.md"];
        let both = async || {
            let near = fleet.described("a", "near/SKILL.md").await;
            (near, fleet.described("a", "far/SKILL.md").await)
        };
        let edit = async {
            fleet.write("b", "deep/last.js", &tool("two"));
            fleet.changed(&realm, &["deep/last.js"]).await;
        };
        let with = |file: &str| {
            skills
                .into_iter()
                .chain([file])
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(
            fleet.computed_by(&files, edit).await,
            with("b/deep/last.js")
        );
        assert_eq!(both().await, ("two".into(), "two".into()));
        let remove = async {
            fleet.remove("b", "deep/last.js");
            fleet.changed(&realm, &["deep/last.js"]).await;
        };
        let only: std::collections::BTreeSet<String> = skills.map(str::to_owned).into();
        assert_eq!(fleet.computed_by(&files, remove).await, only);
        assert_eq!(both().await, (Value::Null, Value::Null));
        let rename = async {
            fleet.write("b", "deep/last.ts", &tool("three"));
            fleet.changed(&realm, &["deep/last.ts"]).await;
        };
        assert_eq!(
            fleet.computed_by(&files, rename).await,
            with("b/deep/last.ts")
        );
        assert_eq!(both().await, ("three".into(), "three".into()));
        // It comes before the other by its extension.
        let shadow = async {
            fleet.write("b", "deep/last.js", &tool("four"));
            fleet.changed(&realm, &["deep/last.js"]).await;
        };
        assert_eq!(
            fleet.computed_by(&files, shadow).await,
            with("b/deep/last.js")
        );
        assert_eq!(both().await, ("four".into(), "four".into()));
        worker.stop().await;
    })
    .await;
}

/// A skill names a module of a realm that nobody has registered yet.
#[tokio::test(flavor = "multi_thread")]
async fn a_realm_that_is_registered_later() {
    fleet(async |fleet: Fleet| {
        let page = skill("https://b.test/tool");
        let realm = fleet.realm("a", &[("SKILL.md", page.as_str())]).await;
        let worker = fleet.worker().await;
        fleet.settled().await;
        assert_eq!(fleet.findings(realm.id).await.len(), 1);
        let other = fleet.realm("b", &[("tool.js", &tool("found"))]).await;
        fleet.settled().await;
        assert_eq!(fleet.described("a", "SKILL.md").await, "found");
        assert_eq!(fleet.findings(realm.id).await.len(), 0);
        fleet.store.remove_realm(other.id).await.unwrap();
        fleet.settled().await;
        assert_eq!(fleet.findings(realm.id).await.len(), 1);
        worker.stop().await;
    })
    .await;
}

/// Changes while the file is being indexed are not lost, however often it is written.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_written_all_the_time() {
    fleet(async |fleet: Fleet| {
        let realm = fleet.realm("a", &[("a.md", "0")]).await;
        let workers = [fleet.worker().await, fleet.worker().await];
        for number in 1..=50 {
            fleet.write("a", "a.md", &format!("number {number}"));
            fleet.changed(&realm, &["a.md"]).await;
        }
        fleet.settled().await;
        let document = fleet.row("a", "a.md").await.unwrap().document.unwrap();
        assert_eq!(document.data.attributes["content"], "number 50");
        for worker in workers {
            worker.stop().await;
        }
    })
    .await;
}

/// A package is announced under which skills look for their tools: they are computed anew under the new map.
#[tokio::test(flavor = "multi_thread")]
async fn a_package_that_is_mapped_later() {
    use realmdex_store::{Announcement, Package};
    fleet(async |fleet: Fleet| {
        let page = skill("@acme/tools/tool");
        fleet.realm("a", &[("SKILL.md", page.as_str())]).await;
        let worker = fleet.worker().await;
        fleet.settled().await;
        assert_eq!(fleet.described("a", "SKILL.md").await, Value::Null);
        let package = fleet.realm("tools", &[("tool.js", &tool("packed"))]).await;
        let announced = |version: &str| Announcement {
            package: Package::Root {
                prefix: "@acme/tools/".to_owned(),
                location: package.source.clone(),
            },
            version: Some(version.to_owned()),
            realm: Some(package.id),
        };
        assert!(fleet.store.announce_package(&announced("1")).await.unwrap());
        fleet.settled().await;
        assert_eq!(fleet.described("a", "SKILL.md").await, "packed");
        // A new version, deployed as a whole: nobody says which files changed.
        fleet.write("tools", "tool.js", &tool("newly packed"));
        assert!(!fleet.store.announce_package(&announced("2")).await.unwrap());
        until!("the package is read", {
            fleet.described("a", "SKILL.md").await == "newly packed"
        });
        fleet.settled().await;
        worker.stop().await;
    })
    .await;
}

/// A realm that lies within another, by its folder: each file is one realm's, whoever is indexed first.
#[tokio::test(flavor = "multi_thread")]
async fn a_realm_within_a_realm() {
    use realmdex_store::NewRealm;
    use realmdex_worker::modules::folder_location;
    fleet(async |fleet: Fleet| {
        let files = [("a.md", "a"), ("inner/b.md", "b"), ("inner/c.md", "c")];
        let outer = fleet.realm("a", &files).await;
        let worker = fleet.worker().await;
        fleet.settled().await;
        assert_eq!(fleet.store.holdings(outer.id).await.unwrap().files, 3);
        let new = NewRealm {
            url: Fleet::url("b"),
            source: folder_location(&fleet.path("a/inner")).unwrap().into(),
            owner: "operator".to_owned(),
            readers: vec!["*".to_owned()],
        };
        let (inner, _) = fleet.store.add_realm(&new).await.unwrap();
        fleet.settled().await;
        for _ in 0..2 {
            let held = async |id| fleet.store.holdings(id).await.unwrap().files;
            assert_eq!((held(outer.id).await, held(inner.id).await), (1, 2));
            assert!(fleet.row("b", "b.md").await.unwrap().document.is_some());
            assert_eq!(
                fleet.row("a", "inner/b.md").await.unwrap().state,
                TargetState::Absent
            );
            // Whoever says that it changed under its old name.
            fleet.changed(&outer, &["inner/b.md", "a.md"]).await;
            fleet.settled().await;
        }
        fleet.store.remove_realm(inner.id).await.unwrap();
        fleet.settled().await;
        assert_eq!(fleet.store.holdings(outer.id).await.unwrap().files, 3);
        worker.stop().await;
    })
    .await;
}
