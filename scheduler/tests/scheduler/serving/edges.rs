//! What a file was computed from, and whether a realm is ready.

use realmdex_types::{ContentDigest, JobClass, ReadState};
use serde_json::{Value, json};

use super::{computed, with_edges, with_limits, with_site};
use realmdex_scheduler::public::Limits;
use std::time::Duration;

#[tokio::test]
async fn edges_are_told_but_for_those_of_private_realms() {
    with_site(|site| async move {
        let realm = site.realm("a", &["*"]).await;
        let public = site.realm("b", &["*"]).await;
        let private = site.realm("c", &[]).await;
        for (realm, at) in [
            (&public, "m.js"),
            (&private, "secret.js"),
            (&realm, "own.js"),
        ] {
            site.index(realm, at, "m", json!({})).await;
        }
        let digest = ContentDigest::of(b"m");
        let read = || ReadState::Read { digest };
        let found = with_edges(
            computed(&realm, "s.md", "s", json!({})),
            &[
                ("https://realm.test/a/own.js", read()),
                ("https://realm.test/b/m.js", read()),
                ("https://realm.test/c/secret.js", read()),
                // Nothing is known of it but where it would be.
                ("https://realm.test/c/other.js", ReadState::Absent),
                ("@acme/kit/a.ts", ReadState::Unreachable),
            ],
        );
        site.write(&realm, "s.md", found).await;
        let asked = "/a/_dependencies?url=https%3A%2F%2Frealm.test%2Fa%2Fs.md";
        insta::assert_json_snapshot!("dependencies", site.get(asked, &[]).await.json());
        for (url, status, data) in [
            ("https://realm.test/a/none.md", 200, Some(json!([]))),
            // Of another realm, or no file's.
            ("https://realm.test/c/secret.js", 400, None),
            ("https://realm.test/b/m.js", 400, None),
            ("https://realm.test/a/", 400, None),
            ("https://realm.test/a/s.md?x", 400, None),
            ("s.md", 400, None),
            ("", 400, None),
        ] {
            let url: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
            let answer = site.get(&format!("/a/_dependencies?url={url}"), &[]).await;
            assert_eq!(answer.status, status, "{url}");
            if let Some(data) = data {
                assert_eq!(answer.json()["data"], data, "{url}");
            }
        }
        assert_eq!(site.get("/a/_dependencies", &[]).await.status, 400);
        let module = site
            .get("/a/_dependencies?url=https://realm.test/a/own", &[])
            .await
            .json();
        assert_eq!(
            module["data"][0]["attributes"]["canonicalUrl"],
            "https://realm.test/a/own.js"
        );
        assert_eq!(
            module["data"][0]["attributes"]["edges"],
            Value::Array(Vec::new())
        );
    })
    .await;
}

#[tokio::test]
async fn a_realm_is_ready_when_nothing_is_open() {
    let limits = Limits {
        readiness_budget: Duration::from_millis(1),
        ..Limits::default()
    };
    with_limits(limits, |site| async move {
        let realm = site.realm("a", &["*"]).await;
        site.realm("b", &[]).await;
        let asked = async || site.get("/a/_readiness-check", &[]).await;
        // Nobody has listed it yet.
        let answer = asked().await;
        assert_eq!(answer.status, 503);
        assert_eq!(
            (
                answer.header("retry-after"),
                answer.header("x-boxel-not-ready")
            ),
            ("1", "index")
        );
        site.index.sql("delete from jobs").await;
        site.index
            .sql("update reindexes set outcome = 'done', finished_at = now()")
            .await;
        assert_eq!(asked().await.status, 200);
        site.index
            .enqueue(&realm, ["a.md".to_owned()], JobClass::Bulk)
            .await;
        assert_eq!(asked().await.status, 503);
        // What ended badly is not waited for.
        site.index
            .sql("update jobs set state = 'dead', finished_at = now()")
            .await;
        assert_eq!(asked().await.status, 200);
        // For everyone, of every realm.
        assert_eq!(site.get("/b/_readiness-check", &[]).await.status, 200);
        assert_eq!(site.get("/none/_readiness-check", &[]).await.status, 404);
    })
    .await;
}
