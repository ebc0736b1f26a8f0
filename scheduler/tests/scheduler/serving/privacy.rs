//! What nobody learns without the right.

use axum::http::Method;
use realmdex_store::Realm;
use serde_json::json;

use super::{FILE_META, Site, skill, with_site};

const SECRET: &str = "s3cret";

async fn private_realm(site: &Site) -> Realm {
    let realm = site.realm("p", &["someone"]).await;
    site.put("p", "secret.md", SECRET);
    site.put("p", "tool.ts", SECRET);
    site.index(&realm, "secret.md", SECRET, skill(SECRET, SECRET))
        .await;
    site.index(&realm, "tool.ts", SECRET, json!({"title": SECRET}))
        .await;
    realm
}

#[tokio::test]
async fn a_private_realm_answers_strangers_the_same_whatever_they_ask_for() {
    with_site(|site| async move {
        private_realm(&site).await;
        let (there, not_there) = ("/p/secret.md", "/p/none.md");
        for (uri, other) in [
            (there, not_there),
            ("/p/tool", "/p/nothing"),
            ("/p/secret.md?wait=1", "/p/none.md?wait=1"),
            ("/p/", "/p/index.html"),
            ("/p/_info", "/p/_mtimes"),
            (
                "/p/_dependencies?url=https://realm.test/p/secret.md",
                "/p/_dependencies?url=https://realm.test/p/none.md",
            ),
            ("/p/_dependencies", "/p/_dependencies?url=nonsense"),
        ] {
            for accept in [FILE_META, "*/*"] {
                for method in [Method::GET, Method::HEAD] {
                    let headers = [
                        ("accept", accept),
                        ("range", "bytes=0-1"),
                        ("if-none-match", "*"),
                    ];
                    let answers = [
                        site.send(method.clone(), uri, &headers).await,
                        site.send(method.clone(), other, &headers).await,
                    ];
                    let [one, other] = answers
                        .each_ref()
                        .map(|answer| (answer.status, answer.body.clone(), answer.headers.clone()));
                    assert_eq!(one, other, "{method} {uri} {accept}");
                    assert_eq!(one.0, 401, "{method} {uri} {accept}");
                    assert!(!format!("{one:?}").contains(SECRET));
                    assert!(!one.2.contains_key("x-boxel-realm-public-readable"));
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_private_realm_is_in_nobodys_list() {
    with_site(|site| async move {
        let open = site.realm("o", &["*"]).await;
        site.index(&open, "open.md", "1", skill("open", "For all."))
            .await;
        private_realm(&site).await;
        for uri in ["/_skills", "/_skills?q=s3cret"] {
            let answer = site.get(uri, &[]).await;
            assert!(
                !answer.text().contains("/p/") && !answer.text().contains("secret.md"),
                "{uri}"
            );
        }
        // A wrong token opens nothing.
        let wrong = [("authorization", "Bearer wrong"), ("accept", FILE_META)];
        assert_eq!(site.get("/p/secret.md", &wrong).await.status, 401);
        // Nor does a realm around it show what is its own.
        let around = site.realm_at("https://realm.test/", "root", &["*"]).await;
        site.put("root", "p/secret.md", "a stranger's");
        assert_eq!(site.get("/p/secret.md", &[]).await.status, 401);
        let listed = site.get("/_mtimes", &[]).await;
        assert!(!listed.text().contains("/p/"), "{}", listed.text());
        assert_eq!(listed.json()["data"]["id"], json!(around.url));
    })
    .await;
}

#[tokio::test]
async fn files_that_become_a_private_realms_are_shown_no_more() {
    with_site(|site| async move {
        let around = site.realm("a", &["*"]).await;
        site.put("a", "inner/secret.md", SECRET);
        site.index(&around, "inner/secret.md", SECRET, skill(SECRET, SECRET))
            .await;
        let uris = ["/a/inner/secret.md", "/_skills", "/a/_mtimes"];
        for uri in uris {
            assert!(
                site.file_meta(uri).await.text().contains("secret.md"),
                "{uri}"
            );
        }
        // By the place of its bytes alone: its URL is elsewhere.
        site.realm_at("https://other.test/hidden/", "a/inner", &[])
            .await;
        for uri in uris
            .into_iter()
            .chain(["/a/_dependencies?url=https://realm.test/a/inner/secret.md"])
        {
            for accept in [FILE_META, "*/*"] {
                let answer = site.get(uri, &[("accept", accept)]).await;
                let text = answer.text();
                assert!(
                    !text.contains("secret.md") && !text.contains(SECRET),
                    "{uri}: {text}"
                );
            }
        }
        assert_eq!(site.get("/a/inner/secret.md", &[]).await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn an_archived_realm_is_nobodys() {
    with_site(|site| async move {
        let realm = site.realm("a", &["*"]).await;
        site.put("a", "a.md", SECRET);
        site.index(&realm, "a.md", SECRET, skill(SECRET, SECRET))
            .await;
        site.index
            .store
            .archive_realm(realm.id, true)
            .await
            .unwrap();
        assert!(!site.get("/_skills", &[]).await.text().contains(SECRET));
    })
    .await;
}
