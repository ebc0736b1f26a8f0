//! Having a realm worked on.

use std::time::Duration;

use realmdex_store::{JobFilter, Realm, Work};
use realmdex_types::{JobClass, JobState};
use serde_json::json;

use crate::asking::{below, get, post, public};
use crate::index::{Index, eventually, url, with_index};

async fn states(index: &Index, realm: &Realm) -> Vec<(String, JobState)> {
    let filter = JobFilter {
        realm: Some(realm.id),
        ..JobFilter::default()
    };
    let jobs = index.store.jobs(&filter, 100).await.unwrap();
    let named = jobs.into_iter().map(|job| match job.work {
        Work::IndexFile { path, .. } => (path.to_string(), job.state),
        work => (work.kind().as_str().to_owned(), job.state),
    });
    let mut named: Vec<_> = named.collect();
    named.sort_by(|one, other| one.0.cmp(&other.0));
    named
}

#[tokio::test]
async fn realms_are_reindexed() {
    with_index(async |index| {
        let listener = public(&index);
        for (name, route, force) in [("a", "_reindex", false), ("b", "_full-reindex", true)] {
            let realm = index.open_realm(name).await;
            let answer = post(&listener, &below(&realm, route), "").await;
            assert_eq!((answer.status, &answer.body), (204, &json!("")), "{route}");
            let rows = index
                .store
                .reindexes(Some(realm.id), None, 10)
                .await
                .unwrap();
            let told: Vec<_> = rows
                .iter()
                .map(|row| (row.force, row.reason.as_str()))
                .collect();
            assert_eq!(told, [(force, "someone who may write asked for it")]);
            let filter = JobFilter {
                realm: Some(realm.id),
                ..JobFilter::default()
            };
            assert_eq!(
                index.store.jobs(&filter, 10).await.unwrap()[0].class,
                JobClass::Interactive
            );
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_said_to_have_changed_is_looked_at_first() {
    with_index(async |index| {
        let listener = public(&index);
        let realm = index.open_realm("a").await;
        let body = |urls: &[&str]| json!({"data": {"attributes": {"urls": urls}}}).to_string();
        let urls = [
            "https://realm.test/a/x.md",
            "https://realm.test/a/x.md?y",
            "https://realm.test/a/b%20c.md",
        ];
        let uri = below(&realm, "_invalidate");
        let asking = tokio::spawn({
            let (listener, uri, body) = (listener.clone(), uri.clone(), body(&urls));
            async move { post(&listener, &uri, body).await }
        });
        eventually("it is enqueued", async || {
            index.waiting(&realm).await.len() == 2
        })
        .await;
        assert!(!asking.is_finished());
        index.skill(&realm, "x.md", &[], &[]).await;
        let filter = JobFilter {
            realm: Some(realm.id),
            ..JobFilter::default()
        };
        let jobs = index.store.jobs(&filter, 10).await.unwrap();
        assert!(jobs.iter().all(|job| job.class == JobClass::Interactive));
        let seq = jobs[0].change_seq;
        for job in jobs {
            index.store.cancel(job.id).await.unwrap();
        }
        let answer = asking.await.unwrap();
        assert_eq!(answer.status, 204);
        assert_eq!(
            answer.header("x-realmdex-change-seq"),
            Some(seq.to_string().as_str())
        );
        // Nothing is nothing to wait for, and a folder's end is for the listing.
        for (urls, listings) in [
            (&[][..], 0),
            (&["https://realm.test/a/skills/"], 1),
            (&["https://realm.test/a/"], 1),
        ] {
            let answer = post(&listener, &uri, body(urls)).await;
            assert_eq!(answer.status, 204, "{urls:?}");
            assert_eq!(
                index.reasons(&realm).await.len(),
                listings,
                "{urls:?}: a listing joins an earlier one"
            );
        }
        for (body, words) in [
            ("", "the body is not what is asked for"),
            ("{", "the body is not what is asked for"),
            ("[]", "the body is not what is asked for"),
            ("{}", "missing field `data`"),
            (r#"{"data": {"attributes": {}}}"#, "missing field `urls`"),
            (
                r#"{"data": {"attributes": {"urls": "https://realm.test/a/x.md"}}}"#,
                "expected a sequence",
            ),
            (
                r#"{"data": {"attributes": {"urls": [7]}}}"#,
                "expected a string",
            ),
            (
                r#"{"data": {"attributes": {"urls": ["https://realm.test/b/x.md"]}}}"#,
                "is not in the realm",
            ),
            (
                r#"{"data": {"attributes": {"urls": ["x.md"]}}}"#,
                "is not in the realm",
            ),
        ] {
            let answer = post(&listener, &uri, body).await;
            assert!(
                answer.status == 400 && answer.detail().contains(words),
                "{body}: {answer:?}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn indexing_is_called_off() {
    with_index(async |index| {
        let listener = public(&index);
        let realm = index.open_realm("a").await;
        let uri = below(&realm, "_cancel-indexing-job");
        for array in ["[]", " [true]"] {
            let refused = post(&listener, &uri, array).await;
            assert_eq!(refused.status, 400, "{array}: {refused:?}");
        }
        post(&listener, &below(&realm, "_reindex"), "").await;
        index
            .sql(
                "insert into jobs (kind, class, realm_id, change_seq)
                 select 'execute-tool', 'calls', id, 1 from realms",
            )
            .await;
        let running = index
            .enqueue(&realm, ["running.md".to_owned()], JobClass::Bulk)
            .await;
        index
            .enqueue(&realm, ["waiting.md".to_owned()], JobClass::Bulk)
            .await;
        let claims = index
            .store
            .claim(&running, "w", Duration::from_secs(60))
            .await
            .unwrap();
        assert_eq!(claims.claimed.len(), 1);
        use JobState::{Cancelled, Queued, Running};
        let rows = [
            ("", Queued),
            ("{}", Queued),
            (r#"{"cancelPending": false}"#, Queued),
            (r#"{"cancelPending": true}"#, Cancelled),
        ];
        for (body, waiting) in rows {
            let answer = post(&listener, &uri, body).await;
            assert_eq!((answer.status, &answer.body), (204, &json!("")), "{body}");
            let wanted = [
                ("execute-tool", Queued),
                ("full-reindex", waiting),
                ("running.md", Running),
                ("waiting.md", waiting),
            ];
            let wanted = wanted.map(|(name, state)| (name.to_owned(), state));
            assert_eq!(states(&index, &realm).await, wanted, "{body}");
            let rows = index
                .store
                .reindexes(Some(realm.id), None, 1)
                .await
                .unwrap();
            assert_eq!(rows[0].outcome.is_some(), waiting == Cancelled);
        }
        let beat = index
            .store
            .beat(&[claims.claimed[0].lease], Duration::from_secs(60))
            .await
            .unwrap();
        assert_eq!(beat.cancelled.len(), 1, "the worker is told");
        for body in ["{", "7", r#"{"cancelPending": "yes"}"#] {
            let answer = post(&listener, &uri, body).await;
            assert!(
                answer.status == 400 && answer.detail().contains("the body is not"),
                "{body}: {answer:?}"
            );
        }
    })
    .await;
}

/// Of a realm that one may not read nothing is told, and nobody who may not has it worked on.
#[tokio::test]
async fn only_who_may_asks() {
    with_index(async |index| {
        let listener = public(&index);
        let readable = index.realm("readable").await;
        let private = index.private_realm("private").await;
        let routes = ["_reindex", "_full-reindex", "_invalidate", "_cancel-indexing-job"];
        for realm in [&readable, &private] {
            for route in routes {
                let body = json!({"data": {"attributes": {"urls": [url("x"), realm.url]}}, "cancelPending": true});
                let answer = post(&listener, &below(realm, route), body.to_string()).await;
                assert_eq!(answer.status, 401, "{route} of {}", realm.url);
                let answer = post(&listener, &below(realm, route), "nonsense").await;
                assert_eq!(answer.status, 401, "{route} of {}: rights come first", realm.url);
            }
            assert!(states(&index, realm).await.is_empty());
        }
        for (realm, status) in [(&readable, 200), (&private, 401)] {
            for query in ["", "?page[size]=nonsense", "?filter[type]=nonsense"] {
                let answer = get(&listener, &below(realm, &format!("_indexing-errors{query}"))).await;
                let status = if query.is_empty() || status == 401 { status } else { 400 };
                assert_eq!(answer.status, status, "{query} of {}", realm.url);
            }
        }
    })
    .await;
}
