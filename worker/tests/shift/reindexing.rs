//! Whole realms.

use realmdex_store::{ReindexRequest, ReindexRow};
use realmdex_types::ReindexOutcome;

use crate::fleet::{Fleet, fleet, skill, tool, until};

async fn row(fleet: &Fleet, id: i64) -> ReindexRow {
    let rows = fleet.store.reindexes(None, Some(&[id]), 1).await.unwrap();
    rows.into_iter().next().unwrap()
}

async fn ended(fleet: &Fleet, id: i64) -> ReindexRow {
    until!("the reindex ends", row(fleet, id).await.outcome.is_some());
    row(fleet, id).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reindex_looks_at_what_changed() {
    fleet(async |fleet: Fleet| {
        let (made, page) = (tool("one"), skill("./tool"));
        let mut files = vec![("SKILL.md", page.as_str()), ("tool.js", made.as_str())];
        let more: Vec<String> = (0..30).map(|n| format!("pages/{n}.md")).collect();
        files.extend(more.iter().map(|path| (path.as_str(), "page")));
        let realm = fleet.realm("a", &files).await;
        let worker = fleet.worker().await;
        fleet.settled().await;
        let computed = || worker.counted("realmdex_files_computed_total");
        until!("it is counted", computed() == 32.0);
        let mut before = computed();

        // Nobody said so.
        fleet.write("a", "tool.js", &tool("two"));
        fleet.remove("a", "pages/3.md");
        let wanted = ReindexRequest::of(realm.id, "test".to_owned());
        let id = fleet.store.request_reindex(&wanted).await.unwrap();
        let row = ended(&fleet, id).await;
        assert_eq!(
            (row.outcome, row.listed),
            (Some(ReindexOutcome::Done), Some(31))
        );
        fleet.settled().await;
        assert_eq!(fleet.described("a", "SKILL.md").await, "two");
        until!("it is counted", computed() - before == 2.0);
        before = computed();

        let forced = ReindexRequest {
            force: true,
            ..wanted.clone()
        };
        let id = fleet.store.request_reindex(&forced).await.unwrap();
        assert_eq!(ended(&fleet, id).await.planned, Some(31));
        fleet.settled().await;
        until!("it is counted", computed() - before == 31.0);

        // Most of it is gone: someone should say that this is right.
        std::fs::remove_dir_all(fleet.path("a").join("pages")).unwrap();
        let id = fleet.store.request_reindex(&wanted).await.unwrap();
        let row = ended(&fleet, id).await;
        assert_eq!(row.outcome, Some(ReindexOutcome::Stopped));
        assert!(row.error.unwrap().contains("--allow-mass-delete"));
        assert_eq!(fleet.store.holdings(realm.id).await.unwrap().files, 31);
        let allowed = ReindexRequest {
            allow_mass_delete: true,
            ..wanted.clone()
        };
        let id = fleet.store.request_reindex(&allowed).await.unwrap();
        assert_eq!(ended(&fleet, id).await.outcome, Some(ReindexOutcome::Done));
        assert_eq!(fleet.store.holdings(realm.id).await.unwrap().files, 2);

        // A root that is missing is no empty realm: it is tried again, and in the end failed.
        std::fs::remove_dir_all(fleet.path("a")).unwrap();
        let id = fleet.store.request_reindex(&allowed).await.unwrap();
        let row = ended(&fleet, id).await;
        assert_eq!(row.outcome, Some(ReindexOutcome::Failed));
        assert!(row.error.unwrap().contains("can't be listed"));
        assert_eq!(fleet.store.holdings(realm.id).await.unwrap().files, 2);
        worker.stop().await;
    })
    .await;
}
