//! Modules are read with the rights of the realm's owner, whoever runs the fleet.

use serde_json::Value;

use crate::fleet::{Fleet, fleet, skill, tool};

#[tokio::test(flavor = "multi_thread")]
async fn a_private_realm_is_read_by_those_who_may() {
    fleet(async |fleet: Fleet| {
        let page = skill("https://b.test/tool");
        let files = [("SKILL.md", page.as_str())];
        let ann = fleet.realm_of("ann", "ann", &[], &files).await;
        fleet.realm_of("bob", "bob", &["*"], &files).await;
        let private = fleet
            .realm_of("b", "ann", &[], &[("tool.js", &tool("secret"))])
            .await;
        let worker = fleet.worker().await;
        fleet.settled().await;
        assert_eq!(fleet.described("ann", "SKILL.md").await, "secret");
        assert_eq!(fleet.described("bob", "SKILL.md").await, Value::Null);

        // Each change of rights does again what it touches, and nothing else.
        for (owner, readers, seen_by_ann, seen_by_bob) in [
            ("ann", vec!["bob".to_owned()], true, true),
            ("ann", vec![], true, false),
            ("ann", vec!["*".to_owned()], true, true),
            ("bob", vec![], false, true),
            ("ann", vec![], true, false),
        ] {
            let store = &fleet.store;
            store.set_rights(private.id, owner, &readers).await.unwrap();
            fleet.settled().await;
            for (realm, is_seen) in [("ann", seen_by_ann), ("bob", seen_by_bob)] {
                let expected = if is_seen {
                    "secret".into()
                } else {
                    Value::Null
                };
                let described = fleet.described(realm, "SKILL.md").await;
                assert_eq!(described, expected, "{realm}: {owner} {readers:?}");
            }
        }
        let files = [("ann", "SKILL.md"), ("bob", "SKILL.md"), ("b", "tool.js")];
        let rights = async {
            let readers = vec!["carla".to_owned()];
            let store = &fleet.store;
            store.set_rights(private.id, "ann", &readers).await.unwrap();
        };
        let touched = fleet.computed_by(&files, rights).await;
        assert!(touched.is_empty(), "nobody here is: {touched:?}");

        // Archived, it is nobody's to read; nor is it indexed.
        fleet.store.archive_realm(private.id, true).await.unwrap();
        fleet.settled().await;
        assert_eq!(fleet.described("ann", "SKILL.md").await, Value::Null);
        fleet.write("b", "tool.js", &tool("edited meanwhile"));
        fleet.changed(&private, &["tool.js"]).await;
        fleet.settled().await;
        fleet.store.archive_realm(private.id, false).await.unwrap();
        fleet.settled().await;
        assert_eq!(fleet.described("ann", "SKILL.md").await, "edited meanwhile");
        assert!(fleet.findings(ann.id).await.is_empty());
        worker.stop().await;
    })
    .await;
}
