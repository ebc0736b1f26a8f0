//! File-meta documents: what they say in each state of a file, and to whom they need not be sent again.

use std::time::{Duration, Instant};

use axum::http::Method;
use realmdex_store::{Found, Realm};
use realmdex_types::JobClass;
use serde_json::{Value, json};

use super::{FILE_META, Site, computed, facts, listener, skill, with_site};
use crate::index::eventually;
use realmdex_scheduler::public::Limits;

/// A document without what is new each time.
fn steady(mut document: Value) -> Value {
    let indexing = &mut document["data"]["meta"]["indexing"];
    for key in ["indexedAt", "changeSeq"] {
        if !indexing[key].is_null() {
            indexing[key] = format!("<{key}>").into();
        }
    }
    document
}

async fn document(site: &Site, uri: &str) -> Value {
    let answer = site.file_meta(uri).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn public_realm(site: &Site) -> Realm {
    let realm = site.realm("a", &["*"]).await;
    site.index
        .sql("update reindexes set outcome = 'done', finished_at = now()")
        .await;
    realm
}

#[tokio::test]
async fn of_an_indexed_skill() {
    with_site(|site| async move {
        let realm = public_realm(&site).await;
        site.index(
            &realm,
            "hello/SKILL.md",
            "text",
            skill("hello", "Says hello."),
        )
        .await;
        let answer = site.file_meta("/a/hello/SKILL.md").await;
        insta::assert_json_snapshot!("skill", steady(answer.json()));
        assert!(
            answer
                .text()
                .starts_with("{\n  \"data\": {\n    \"type\": \"file-meta\",\n")
        );
        assert!(answer.header("etag").starts_with('"'));
        insta::assert_json_snapshot!(
            "headers",
            answer.headers(&[
                "content-type",
                "x-boxel-realm-url",
                "x-boxel-realm-public-readable",
                "vary",
                "cache-control",
                "x-content-type-options",
                "content-security-policy",
                "referrer-policy",
                "access-control-allow-origin",
                "access-control-expose-headers",
            ])
        );
    })
    .await;
}

#[tokio::test]
async fn of_files_that_say_less() {
    with_site(|site| async move {
        let realm = public_realm(&site).await;
        site.put("a", "new.md", "# New\n");
        insta::assert_json_snapshot!(
            "unindexed",
            steady(without_times(document(&site, "/a/new.md").await))
        );
        // Its last good row stays, and is not shown.
        site.put("a", "bad.md", "# Bad\n");
        site.index(&realm, "bad.md", "# Good\n", json!({"title": "Good"}))
            .await;
        let why = "too large".to_owned();
        site.write(
            &realm,
            "bad.md",
            Found::Failed {
                why,
                transient: false,
            },
        )
        .await;
        insta::assert_json_snapshot!(
            "failed",
            steady(without_times(document(&site, "/a/bad.md").await))
        );
        // It is known that it is there, and nobody can read it now.
        site.index(&realm, "far.md", "# Far\n", json!({"title": "Far"}))
            .await;
        let why = "not allowed".to_owned();
        site.write(&realm, "far.md", Found::Forbidden { why }).await;
        assert_eq!(
            site.file_meta("/a/far.md").await.status,
            404,
            "the source says so"
        );
        site.index
            .sql("update realms set source = 'file:///nowhere/at/all/'")
            .await;
        site.index
            .sql("update registry set version = version + 1")
            .await;
        insta::assert_json_snapshot!("unreachable", steady(document(&site, "/a/far.md").await));
        assert_eq!(site.file_meta("/a/unknown.md").await.status, 503);
    })
    .await;
}

/// Without the times of a file that the test has only just made.
fn without_times(mut document: Value) -> Value {
    for key in ["lastModified", "createdAt"] {
        let time = &mut document["data"]["attributes"][key];
        assert!(time.as_u64().unwrap() > 1_700_000_000);
        *time = "<time>".into();
    }
    document
}

#[tokio::test]
async fn of_names_that_are_not_quite_a_files() {
    with_site(|site| async move {
        let realm = public_realm(&site).await;
        let nested = site
            .realm_at("https://realm.test/a/inner/", "inner", &["*"])
            .await;
        site.index(&realm, "tools/greet.gts", "export", json!({}))
            .await;
        site.index(&realm, "index.ts", "export", json!({})).await;
        site.index(&nested, "deep.md", "# Deep\n", json!({"title": "Deep"}))
            .await;
        insta::assert_json_snapshot!("alias", steady(document(&site, "/a/tools/greet").await));
        insta::assert_json_snapshot!("nested", steady(document(&site, "/a/inner/deep.md").await));
        for (uri, id, name) in [
            ("/a/", "https://realm.test/a/index", "index.ts"),
            ("/a", "https://realm.test/a/index", "index.ts"),
            (
                "/a/tools/greet.gts",
                "https://realm.test/a/tools/greet.gts",
                "greet.gts",
            ),
        ] {
            let document = document(&site, uri).await;
            let data = &document["data"];
            assert_eq!(
                (&data["id"], &data["links"]["self"]),
                (&json!(id), &json!(id)),
                "{uri}"
            );
            assert_eq!(data["attributes"]["name"], name, "{uri}");
        }
        // A file wins over the module of its name.
        site.index(&realm, "tools/greet", "text", json!({"title": "The file"}))
            .await;
        assert_eq!(
            document(&site, "/a/tools/greet").await["data"]["attributes"]["title"],
            "The file"
        );
    })
    .await;
}

#[tokio::test]
async fn of_a_file_in_a_package() {
    with_site(|site| async move {
        let realm = public_realm(&site).await;
        site.index(&realm, "tools/a b.ts", "export", json!({}))
            .await;
        site.index
            .sql("update files set module_id = '@acme/kit/tools/a%20b.ts'")
            .await;
        for (uri, id) in [
            ("/a/tools/a%20b.ts", "@acme/kit/tools/a%20b.ts"),
            ("/a/tools/a%20b", "@acme/kit/tools/a%20b"),
        ] {
            let document = document(&site, uri).await;
            assert_eq!(document["data"]["id"], id);
            assert_eq!(document["data"]["links"]["self"], id);
            assert_eq!(
                document["data"]["attributes"]["url"],
                "https://realm.test/a/tools/a%20b.ts"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_is_shown_that_is_not_there() {
    with_site(|site| async move {
        let realm = public_realm(&site).await;
        site.put("a", "_private.md", "# P\n");
        site.put("a", "card.json", "{}");
        site.put("a", ".gitignore", "hidden.md\n");
        site.put("a", "hidden.md", "# H\n");
        site.index(&realm, "gone.md", "# Gone\n", json!({})).await;
        site.write(&realm, "gone.md", Found::Absent).await;
        for uri in [
            "/a/_private.md",
            "/a/card.json",
            "/a/hidden.md",
            "/a/gone.md",
            "/a/none.md",
            "/a/folder/",
            "/b/x.md",
            "/",
        ] {
            let answer = site.file_meta(uri).await;
            assert_eq!(
                (answer.status, answer.header("content-type")),
                (404, "application/vnd.api+json"),
                "{uri}"
            );
            assert_eq!(answer.json()["errors"][0]["status"], "404", "{uri}");
        }
        // Once indexed, such files are shown like any other.
        site.index(&realm, "card.json", "{}", json!({})).await;
        assert_eq!(
            document(&site, "/a/card.json").await["data"]["meta"]["adoptsFrom"]["name"],
            "JsonFileDef"
        );
        // A file that comes back is there at once.
        site.put("a", "gone.md", "# Back\n");
        let back = document(&site, "/a/gone.md").await;
        assert_eq!(
            back["data"]["meta"]["indexing"]["reasons"],
            json!(["not-indexed"])
        );
    })
    .await;
}

#[tokio::test]
async fn every_answer_is_as_new_as_its_question() {
    with_site(|site| async move {
        let realm = public_realm(&site).await;
        for round in 0..20 {
            let title = format!("Round {round}");
            let seq = site
                .index(&realm, "a.md", &title, json!({"title": title}))
                .await;
            let document = document(&site, "/a/a.md").await;
            assert_eq!(document["data"]["attributes"]["title"], title);
            assert_eq!(
                document["data"]["meta"]["indexing"]["changeSeq"],
                seq.number()
            );
        }
        // Rights too, and realms.
        site.index
            .store
            .set_rights(realm.id, "owner", &[])
            .await
            .unwrap();
        assert_eq!(site.file_meta("/a/a.md").await.status, 401);
        site.index
            .store
            .set_rights(realm.id, "owner", &["*".to_owned()])
            .await
            .unwrap();
        assert_eq!(site.file_meta("/a/a.md").await.status, 200);
        site.index.store.remove_realm(realm.id).await.unwrap();
        assert_eq!(site.file_meta("/a/a.md").await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn a_hundred_at_once_are_each_answered_by_one_connection() {
    with_site(|mut site| async move {
        let realm = public_realm(&site).await;
        for number in 0..20 {
            let at = format!("{number}.md");
            site.index(&realm, &at, &at, json!({ "title": at })).await;
        }
        let store = site.index.store_of_one_connection().await;
        site.listener = listener(store.clone(), Limits::default());
        let asked: Vec<_> = (0..100)
            .map(|number| {
                let site = site.clone();
                tokio::task::spawn_local(async move {
                    let at = format!("{}.md", number % 25);
                    let answer = site.file_meta(&format!("/a/{at}")).await;
                    if number % 25 < 20 {
                        assert_eq!(answer.json()["data"]["attributes"]["title"], at);
                    } else {
                        assert_eq!(answer.status, 404);
                    }
                    assert_eq!(site.get("/_skills?q=x", &[]).await.status, 200);
                })
            })
            .collect();
        for asked in asked {
            asked.await.unwrap();
        }
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn whoever_goes_away_takes_nobody_along() {
    with_site(|site| async move {
        let realm = public_realm(&site).await;
        site.index(&realm, "a.md", "one", json!({"title": "One"}))
            .await;
        for round in 0..20 {
            let asked: Vec<_> = (0..20)
                .map(|_| {
                    let site = site.clone();
                    tokio::task::spawn_local(async move { site.file_meta("/a/a.md").await.status })
                })
                .collect();
            // Each time at another moment: the first of them is sending the statement for all, or has just sent it.
            for _ in 0..round {
                tokio::task::yield_now().await;
            }
            for (number, asked) in asked.into_iter().enumerate() {
                if number % 2 == 0 {
                    asked.abort();
                } else {
                    assert_eq!(asked.await.unwrap(), 200);
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_known_is_not_sent_again() {
    with_site(|site| async move {
        let realm = public_realm(&site).await;
        site.index(&realm, "a.md", "one", json!({"title": "One"}))
            .await;
        let first = site.file_meta("/a/a.md").await;
        let tag = first.header("etag").to_owned();
        assert!(first.header("last-modified").ends_with(" GMT"));
        for (known, status) in [
            (tag.as_str(), 304),
            (&format!("W/{tag}"), 304),
            (&format!("\"x\", {tag}"), 304),
            ("*", 304),
            ("\"x\"", 200),
            (tag.trim_matches('"'), 200),
        ] {
            let asked = [("accept", FILE_META), ("if-none-match", known)];
            let answer = site.get("/a/a.md", &asked).await;
            assert_eq!(answer.status, status, "{known}");
            assert_eq!(answer.header("etag"), tag, "{known}");
            assert_eq!(answer.body.is_empty(), status == 304, "{known}");
        }
        // Read again and found the same: the bytes of the answer are the same, and so is the tag.
        let asked = [("accept", FILE_META), ("if-none-match", tag.as_str())];
        site.index.sql("update files set read_at = now()").await;
        assert_eq!(site.get("/a/a.md", &asked).await.status, 304);
        site.index(&realm, "a.md", "two", json!({"title": "Two"}))
            .await;
        assert_eq!(site.get("/a/a.md", &asked).await.status, 200);
        let head = site
            .send(Method::HEAD, "/a/a.md", &[("accept", FILE_META)])
            .await;
        let full = site.file_meta("/a/a.md").await;
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(head.header("content-length"), full.body.len().to_string());
        assert_eq!(head.header("etag"), full.header("etag"));
    })
    .await;
}

#[tokio::test]
async fn staleness_is_told() {
    with_site(|site| async move {
        let realm = public_realm(&site).await;
        site.index(&realm, "a.md", "one", json!({})).await;
        let indexing =
            async || document(&site, "/a/a.md").await["data"]["meta"]["indexing"].clone();
        let told = |indexing: Value| {
            (
                indexing["stale"].clone(),
                indexing["degraded"].clone(),
                indexing["reasons"].clone(),
            )
        };
        assert_eq!(
            told(indexing().await),
            (json!(false), json!(false), json!([]))
        );
        site.index
            .enqueue(&realm, ["a.md".to_owned()], JobClass::Bulk)
            .await;
        assert_eq!(
            told(indexing().await),
            (json!(true), json!(false), json!(["change-pending"]))
        );
        site.index.sql("delete from jobs").await;
        site.write(&realm, "a.md", Found::Present(facts("two")))
            .await;
        assert_eq!(
            told(indexing().await),
            (json!(true), json!(false), json!(["outdated"]))
        );
        let Found::Computed(facts, mut row) = computed(&realm, "a.md", "two", json!({})) else {
            panic!("nothing was computed");
        };
        row.retry = true;
        site.write(&realm, "a.md", Found::Computed(facts, row))
            .await;
        assert_eq!(
            told(indexing().await),
            (json!(false), json!(true), json!(["incomplete"]))
        );
    })
    .await;
}

#[tokio::test]
async fn readers_wait_for_their_change() {
    with_site(|site| async move {
        let realm = public_realm(&site).await;
        site.index(&realm, "a.md", "one", json!({"title": "One"}))
            .await;
        for (wait, status) in [
            ("0", 200),
            ("1", 200),
            ("", 400),
            ("x", 400),
            ("-1", 400),
            ("1.5", 400),
        ] {
            assert_eq!(
                site.file_meta(&format!("/a/a.md?wait={wait}")).await.status,
                status,
                "{wait}"
            );
        }
        // Nothing is under way: nobody waits for what nobody does.
        assert_eq!(site.file_meta("/a/a.md?wait=1000000").await.status, 200);
        site.index
            .enqueue(
                &realm,
                ["a.md".to_owned(), "b.md".to_owned()],
                JobClass::Interactive,
            )
            .await;
        let asked = |uri: &'static str| {
            let site = site.clone();
            tokio::task::spawn_local(async move { site.file_meta(uri).await })
        };
        let (a, b) = (asked("/a/a.md?wait=1000000"), asked("/a/b.md?wait=1000000"));
        // They are under way before anything is written.
        let started = Instant::now();
        eventually("they wait", async || {
            started.elapsed() > Duration::from_millis(20)
        })
        .await;
        site.index(&realm, "a.md", "two", json!({"title": "Two"}))
            .await;
        site.index(&realm, "b.md", "two", json!({"title": "New"}))
            .await;
        site.index.sql("delete from jobs").await;
        assert_eq!(
            a.await.unwrap().json()["data"]["attributes"]["title"],
            "Two"
        );
        assert_eq!(
            b.await.unwrap().json()["data"]["attributes"]["title"],
            "New"
        );
        // What does not come is not waited for forever.
        site.index
            .enqueue(&realm, ["a.md".to_owned()], JobClass::Interactive)
            .await;
        let late = document(&site, "/a/a.md?wait=1000000").await;
        assert_eq!(late["data"]["meta"]["indexing"]["stale"], true);
    })
    .await;
}
