//! The routes that Boxel's operators and monitors know.

use std::time::Duration;

use axum::Router;
use realmdex_scheduler::operator::{Operator, router};
use realmdex_store::{Found, JobFilter, JobId, Lease, Realm};
use realmdex_types::{Finding, FindingKind, JobState};
use serde_json::{Value, json};

use crate::asking::{Answer, get, post};
use crate::index::{Index, eventually, metrics, with_index};
use crate::rows::{finding, stamped, tool_finding};

fn listener(index: &Index) -> Router {
    router(Operator::new(index.store.clone(), metrics()))
}

async fn open(index: &Index, realm: &Realm) -> Vec<JobId> {
    let filter = JobFilter {
        realm: Some(realm.id),
        states: vec![JobState::Queued],
        ..JobFilter::default()
    };
    let jobs = index.store.jobs(&filter, 100).await.unwrap();
    jobs.into_iter().map(|job| job.id).collect()
}

/// Claims the one job of a realm.
async fn claimed(index: &Index, realm: &Realm) -> Lease {
    eventually("it is enqueued", async || {
        !open(index, realm).await.is_empty()
    })
    .await;
    let jobs = open(index, realm).await;
    let claims = index
        .store
        .claim(&jobs, "w", Duration::from_secs(60))
        .await
        .unwrap();
    claims.claimed[0].lease
}

fn asking(listener: &Router, uri: String) -> tokio::task::JoinHandle<Answer> {
    let listener = listener.clone();
    tokio::spawn(async move { post(&listener, &uri, "").await })
}

#[tokio::test]
async fn a_realm_is_indexed_anew_and_waited_for() {
    with_index(async |index| {
        let listener = listener(&index);
        let realm = index.realm("a").await;
        index.skill(&realm, "s.md", &[], &[]).await;
        index.wrote(&realm, "bad.md", Found::Failed { why: "x".into(), transient: false }).await;
        for name in [realm.url.to_string(), "/a/".to_owned(), "a".to_owned()] {
            let asked = asking(&listener, format!("/_grafana-reindex?realm={name}"));
            let lease = claimed(&index, &realm).await;
            let listing = index.store.begin_listing(lease).await.unwrap().unwrap();
            assert!(listing.force);
            index.store.listed(lease, 2, 2).await.unwrap();
            assert!(!asked.is_finished());
            index.store.finish_reindexes().await.unwrap();
            let answer = asked.await.unwrap();
            let reindex = answer.body["reindex"].clone();
            let wanted = json!({
                "instancesIndexed": 0, "filesIndexed": 2, "instanceErrors": 0, "fileErrors": 1, "totalIndexEntries": 1,
                "reindex": reindex, "outcome": "done",
            });
            assert_eq!((answer.status, answer.body), (200, wanted));
        }
        // One that ends otherwise.
        let asked = asking(&listener, format!("/_grafana-reindex?realm={}", realm.url));
        let lease = claimed(&index, &realm).await;
        index.store.stop_reindex(lease, "too much would go").await.unwrap();
        let answer = asked.await.unwrap();
        assert_eq!(answer.status, 409);
        assert!(answer.detail().ends_with("ended as stopped: too much would go"), "{answer:?}");
        for (query, status, words) in [
            ("", 400, "missing field `realm`"),
            ("?realm=nowhere", 404, "is no registered realm"),
            ("?realm=https://nowhere.test/", 404, "is not registered"),
            ("?realm=a&force=1", 400, "unknown field"),
        ] {
            let answer = post(&listener, &format!("/_grafana-reindex{query}"), "").await;
            assert!(answer.status == status && answer.detail().contains(words), "{query}: {answer:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn all_realms_are_indexed_anew() {
    with_index(async |index| {
        let listener = listener(&index);
        let (a, b, gone) = (index.realm("a").await, index.realm("b").await, index.realm("gone").await);
        index.store.archive_realm(gone.id, true).await.unwrap();
        let answer = post(&listener, "/_grafana-full-reindex", "").await;
        assert_eq!((answer.status, answer.body), (200, json!({"realms": [a.url, b.url]})));
        let rows = index.store.reindexes(None, None, 10).await.unwrap();
        assert!(rows.len() == 2 && rows.iter().all(|row| row.force));
        let refused = post(&listener, &format!("/_grafana-reindex?realm={}", gone.url), "").await;
        assert!(refused.status == 409 && refused.detail().contains("is archived"), "{refused:?}");

        let pending = async || get(&listener, "/_queue-status").await;
        let status = |pending| {
            let attributes = json!({"pending": pending});
            json!({"data": {"type": "queue-status", "id": "queue-status", "attributes": attributes}})
        };
        let told = pending().await;
        assert_eq!(told.header("content-type"), Some("application/vnd.api+json"));
        assert_eq!((told.status, told.body), (200, status(2)));
        let job = open(&index, &a).await[0];
        for _ in 0..2 {
            let off = post(&listener, &format!("/_grafana-complete-job?job_id={job}"), "").await;
            assert_eq!((off.status, off.body), (204, json!("")));
        }
        claimed(&index, &b).await;
        assert_eq!(pending().await.body, status(1));
        for query in ["", "?reservation_id=7", "?job_id=7&reservation_id=7", "?job_id=x"] {
            let refused = post(&listener, &format!("/_grafana-complete-job{query}"), "").await;
            assert_eq!(refused.status, 400, "{query}");
        }
    })
    .await;
}

#[tokio::test]
async fn skills_are_validated() {
    with_index(async |index| {
        let listener = listener(&index);
        let realm = index.realm("a").await;
        let uri = format!("/_skill-validation?realm={}", realm.url);
        let validated = async |uri: &str| -> Value {
            let mut answer = get(&listener, uri).await;
            assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/vnd.api+json")));
            let data = &answer.body["data"];
            assert_eq!([&data["type"], &data["id"]], [&json!("skill-validation"), &json!(realm.url)]);
            let mut attributes = answer.body["data"]["attributes"].take();
            assert!(attributes["ageSeconds"].take().is_u64());
            attributes
        };
        let passing = |number: usize| {
            let (skills, tools) = (number, number);
            json!({"status": "pass", "skillsChecked": skills, "toolsChecked": tools, "failures": [], "ageSeconds": null})
        };
        assert_eq!(validated(&uri).await, passing(0));
        let (x, short) = (stamped("https://realm.test/a/x", "X"), finding(FindingKind::SkillSpecWarning, "short"));
        index.skill(&realm, "fine.md", std::slice::from_ref(&x), &[short]).await;
        assert_eq!(validated(&uri).await, passing(1));
        let far = Finding { transient: true, ..tool_finding("https://far.test/y", "Y", "no answer") };
        let gone = tool_finding("https://realm.test/a/gone", "Gone", "no such module");
        let tools = [json!({"codeRef": {}}), json!({}), x];
        index.skill(&realm, "b c.md", &tools, &[gone, far]).await;
        index.skill(&realm, "locked.md", &[], &[tool_finding("m", "n", "of before")]).await;
        index.wrote(&realm, "locked.md", Found::Forbidden { why: "it says 403".into() }).await;
        let b = "https://realm.test/a/b%20c.md";
        let failing = json!({
            "status": "fail", "skillsChecked": 3, "toolsChecked": 4, "ageSeconds": null,
            "failures": [
                {"skill": b, "module": "https://realm.test/a/gone", "name": "Gone", "error": "no such module"},
                {"skill": b, "module": "https://far.test/y", "name": "Y", "error": "no answer"},
                {"skill": "https://realm.test/a/locked.md", "module": "", "name": "", "error": "it says 403"},
            ],
        });
        assert_eq!(validated(&uri).await, failing);
        assert_eq!(validated("/_skill-validation?realm=a&refresh=false").await, failing);
        // Every skill is looked at first.
        let refreshed = tokio::spawn({
            let (listener, uri) = (listener.clone(), format!("{uri}&refresh=true"));
            async move { get(&listener, &uri).await }
        });
        eventually("all are looked at", async || index.waiting(&realm).await.len() == 3).await;
        let filter = JobFilter { realm: Some(realm.id), ..JobFilter::default() };
        for job in index.store.jobs(&filter, 10).await.unwrap() {
            index.store.cancel(job.id).await.unwrap();
        }
        assert_eq!(refreshed.await.unwrap().status, 200);
        let refused = get(&listener, "/_skill-validation?realm=a&refresh=perhaps").await;
        assert_eq!(refused.status, 400);
    })
    .await;
}
