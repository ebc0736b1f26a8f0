//! Folders of realms, as Boxel's `realm pull` and `realm status` list them.

use axum::http::Method;
use serde_json::json;

use super::{Answer, Site, with_site};

const LISTING: &str = "application/vnd.api+json";

async fn listed(site: &Site, uri: &str) -> Answer {
    site.get(uri, &[("accept", LISTING)]).await
}

#[tokio::test]
async fn each_folder_tells_what_lies_in_it() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        for at in [
            "README.md",
            "skills/one/SKILL.md",
            "skills/notes.md",
            "Reading List/on rivers & lakes.md",
            "ignored/x.md",
        ] {
            site.put("a", at, "text");
        }
        site.put("a", ".gitignore", "ignored/\n");
        let modified = std::fs::metadata(site.folder("a").join("README.md")).unwrap();
        let modified = modified
            .modified()
            .unwrap()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap()
            .as_secs();

        let root = listed(&site, "/a/").await;
        let told = [
            "content-type",
            "x-boxel-realm-url",
            "x-boxel-realm-public-readable",
            "vary",
        ];
        let told = told.map(|name| root.header(name).to_owned());
        assert_eq!(
            (root.status, told.each_ref().map(String::as_str)),
            (200, [LISTING, "https://realm.test/a/", "true", "Accept"])
        );
        let document = root.json();
        assert_eq!(document["data"]["id"], "https://realm.test/a/");
        assert_eq!(document["data"]["type"], "directory");
        let entries = &document["data"]["relationships"];
        assert_eq!(
            entries["README.md"],
            json!({
                "links": {"related": "https://realm.test/a/README.md"},
                "meta": {"kind": "file", "lastModified": modified},
            })
        );
        assert_eq!(
            entries["Reading List/"],
            json!({
                "links": {"related": "https://realm.test/a/Reading%20List/"},
                "meta": {"kind": "directory"},
            })
        );
        let head = site.send(Method::HEAD, "/a/", &[("accept", LISTING)]).await;
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(head.header("content-length"), root.body.len().to_string());

        for (uri, names) in [
            ("/a", "README.md Reading List/ skills/"),
            ("/a/", "README.md Reading List/ skills/"),
            ("/a/skills/", "notes.md one/"),
            ("/a/skills/one/", "SKILL.md"),
            ("/a/Reading%20List/", "on rivers & lakes.md"),
        ] {
            let answer = listed(&site, uri).await;
            let document = answer.json();
            let entries = document["data"]["relationships"].as_object().unwrap();
            let mut found: Vec<&str> = entries.keys().map(String::as_str).collect();
            found.retain(|name| *name != ".gitignore");
            assert_eq!(found.join(" "), names, "{uri}");
        }
        for uri in [
            "/a/nowhere/",
            "/a/ignored/",
            "/a/skill/",
            "/a/README.md/",
            "/a/skills//",
            "/a/skills/%2e%2e/",
            "/a/skills%2Fone/",
        ] {
            let answer = listed(&site, uri).await;
            assert_eq!(answer.status, 404, "{uri}: {}", answer.text());
        }
        // Without that type it is the file that is meant.
        assert_eq!(site.get("/a/skills/", &[]).await.status, 404);
        assert_eq!(listed(&site, "/a/README.md").await.text(), "text");
    })
    .await;
}

#[tokio::test]
async fn a_realm_without_files_is_empty_and_one_that_is_missing_is_not() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        let answer = listed(&site, "/a/").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["data"]["relationships"], json!({}));
        // Whoever pulls with `--delete` would take a short listing for files that are gone.
        std::fs::remove_dir_all(site.folder("a")).unwrap();
        assert_eq!(listed(&site, "/a/").await.status, 503);
    })
    .await;
}

#[tokio::test]
async fn folders_are_told_of_only_to_readers_of_their_realm() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        site.put("a", "mine/x.md", "x");
        site.put("a", "hidden/secret.md", "x");
        site.realm_at("https://realm.test/a/hidden/", "b", &[])
            .await;
        site.put("b", "deep/secret.md", "x");
        let around = listed(&site, "/a/").await;
        assert!(!around.text().contains("hidden"), "{}", around.text());
        for uri in ["/a/hidden/", "/a/hidden/deep/", "/a/hidden/nowhere/"] {
            let answer = listed(&site, uri).await;
            assert_eq!(
                (answer.status, answer.text()),
                (401, "Missing Authorization header"),
                "{uri}"
            );
        }
    })
    .await;
}
