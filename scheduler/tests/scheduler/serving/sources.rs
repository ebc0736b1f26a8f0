//! A realm's files as they are.

use axum::http::Method;
use serde_json::json;

use super::{FILE_META, with_site};

#[tokio::test]
async fn bytes_are_served_as_they_lie_there() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        let odd = [0_u8, 255, b'\r', b'\n', 0xC3];
        site.put("a", "odd.bin", odd);
        site.put("a", "über uns/SKILL.md", "# Über\n");
        site.put("a", "tool.gts", "export");
        site.put("a", "photo.png", "png");
        site.put("a", "empty.txt", "");
        for (uri, kind, bytes) in [
            ("/a/odd.bin", "application/octet-stream", &odd[..]),
            (
                "/a/%C3%BCber%20uns/SKILL.md",
                "text/markdown",
                "# Über\n".as_bytes(),
            ),
            ("/a/tool.gts", "text/typescript+glimmer", b"export"),
            ("/a/photo.png", "image/png", b"png"),
            ("/a/empty.txt", "text/plain", b""),
        ] {
            let answer = site.get(uri, &[]).await;
            assert_eq!(
                (answer.status, answer.header("content-type")),
                (200, kind),
                "{uri}"
            );
            assert_eq!(&answer.body[..], bytes, "{uri}");
            let kept = if kind == "image/png" {
                "public, max-age=60, must-revalidate"
            } else {
                "public, max-age=0"
            };
            assert_eq!(answer.header("cache-control"), kept, "{uri}");
            assert_eq!(answer.header("vary"), "Accept", "{uri}");
            assert_eq!(answer.header("accept-ranges"), "bytes", "{uri}");
            assert_eq!(
                answer.header("x-boxel-realm-url"),
                "https://realm.test/a/",
                "{uri}"
            );
            assert_eq!(
                answer.header("content-length"),
                bytes.len().to_string(),
                "{uri}"
            );
            assert!(answer.header("last-modified").ends_with(" GMT"), "{uri}");
            let head = site.send(Method::HEAD, uri, &[]).await;
            assert_eq!((head.status, head.body.len()), (200, 0), "{uri}");
            assert_eq!(
                head.header("content-length"),
                bytes.len().to_string(),
                "{uri}"
            );
            assert_eq!(head.header("etag"), answer.header("etag"), "{uri}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_accepted_decides() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        site.put("a", "a.md", "# A\n");
        for (accept, kind) in [
            (None, "text/markdown"),
            (Some("*/*"), "text/markdown"),
            (Some("text/html, */*;q=0.8"), "text/markdown"),
            (Some("application/vnd.card+source"), "text/markdown"),
            (Some(FILE_META), FILE_META),
            (
                Some("application/vnd.card.file-meta+json, */*;q=0.1"),
                FILE_META,
            ),
            (
                Some("image/webp,application/vnd.card.file-meta+json;q=0.1"),
                FILE_META,
            ),
            (
                Some("application/vnd.card.file-meta+json;q=0"),
                "text/markdown",
            ),
        ] {
            let headers: Vec<_> = accept
                .map(|accept| ("accept", accept))
                .into_iter()
                .collect();
            let answer = site.get("/a/a.md", &headers).await;
            assert_eq!(
                (answer.status, answer.header("content-type")),
                (200, kind),
                "{accept:?}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn parts_and_known_bytes() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        site.put("a", "a.txt", "0123456789");
        let whole = site.get("/a/a.txt", &[]).await;
        let tag = whole.header("etag").to_owned();
        let other = "\"other\"";
        for (headers, status, range, body) in [
            (vec![("range", "bytes=0-3")], 206, "bytes 0-3/10", "0123"),
            (vec![("range", "bytes=7-")], 206, "bytes 7-9/10", "789"),
            (vec![("range", "bytes=-2")], 206, "bytes 8-9/10", "89"),
            (vec![("range", "bytes=5-100")], 206, "bytes 5-9/10", "56789"),
            (vec![("range", "bytes=10-")], 416, "bytes */10", ""),
            (vec![("range", "bytes=3-1")], 200, "", "0123456789"),
            (vec![("range", "bytes=0-1,4-5")], 200, "", "0123456789"),
            (vec![("range", "pages=1")], 200, "", "0123456789"),
            (
                vec![("range", "bytes=0-3"), ("if-range", &tag)],
                206,
                "bytes 0-3/10",
                "0123",
            ),
            (
                vec![("range", "bytes=0-3"), ("if-range", other)],
                200,
                "",
                "0123456789",
            ),
            (vec![("if-none-match", &tag)], 304, "", ""),
            (vec![("if-none-match", "*")], 304, "", ""),
            (vec![("if-none-match", other)], 200, "", "0123456789"),
            (
                vec![("if-none-match", &tag), ("range", "bytes=0-3")],
                304,
                "",
                "",
            ),
            (
                vec![("if-none-match", other), ("range", "bytes=0-3")],
                206,
                "bytes 0-3/10",
                "0123",
            ),
        ] {
            let answer = site.get("/a/a.txt", &headers).await;
            assert_eq!(answer.status, status, "{headers:?}");
            assert_eq!(answer.header("content-range"), range, "{headers:?}");
            assert_eq!(answer.text(), body, "{headers:?}");
            assert_eq!(answer.header("etag"), tag, "{headers:?}");
        }
        // The same size and, it may be, the same second: other bytes all the same.
        site.put("a", "a.txt", "9876543210");
        assert_eq!(
            site.get("/a/a.txt", &[("if-none-match", &tag)])
                .await
                .status,
            200
        );
    })
    .await;
}

#[tokio::test]
async fn a_name_without_extension_leads_to_the_module() {
    with_site(|site| async move {
        site.realm_at("https://realm.test/my%20realm/", "a", &["*"])
            .await;
        site.realm_at("https://realm.test/my%20realm/sub/", "b", &["*"])
            .await;
        for at in [
            "all.gts",
            "all.ts",
            "all.js",
            "all.json",
            "two.gts",
            "two.json",
            "card.json",
            "über.ts",
            "exact",
            "exact.ts",
        ] {
            site.put("a", at, at);
        }
        site.put("a", "plain.mjs", "x");
        site.put("a", "sub/theirs.ts", "not ours");
        for (at, status, location) in [
            ("all", 302, "/my%20realm/all.js"),
            ("two", 302, "/my%20realm/two.gts"),
            ("card", 302, "/my%20realm/card.json"),
            ("%C3%BCber", 302, "/my%20realm/%C3%BCber.ts"),
            ("exact", 200, ""),
            ("all.gts", 200, ""),
            ("none", 404, ""),
            ("none.ts", 404, ""),
            ("two.js", 404, ""),
            // Only Boxel's own.
            ("plain", 404, ""),
            // That folder is another realm's.
            ("sub/theirs", 404, ""),
            ("sub/theirs.ts", 404, ""),
        ] {
            let answer = site.get(&format!("/my%20realm/{at}?noCache=1"), &[]).await;
            assert_eq!(
                (answer.status, answer.header("location")),
                (status, location),
                "{at}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn listings_are_complete_or_none() {
    with_site(|site| async move {
        let realm = site.realm("a", &["*"]).await;
        site.realm_at("https://realm.test/elsewhere/", "a/theirs", &["*"])
            .await;
        site.put("a", "b c.md", "x");
        site.put("a", "theirs/x.md", "x");
        site.put("a", ".gitignore", "hidden\n");
        site.put("a", "hidden", "x");
        let answer = site
            .get("/a/_mtimes", &[("accept", "application/vnd.api+json")])
            .await;
        assert_eq!(answer.header("content-type"), "application/vnd.api+json");
        let document = answer.json();
        let mtimes = document["data"]["attributes"]["mtimes"]
            .as_object()
            .unwrap();
        let urls: Vec<_> = mtimes.keys().collect();
        assert_eq!(
            urls,
            [
                "https://realm.test/a/.gitignore",
                "https://realm.test/a/b%20c.md"
            ]
        );
        assert!(
            mtimes
                .values()
                .all(|time| time.as_u64().unwrap() > 1_700_000_000)
        );
        assert_eq!(
            (&document["data"]["type"], &document["data"]["id"]),
            (&json!("mtimes"), &json!(realm.url))
        );
        std::fs::remove_dir_all(site.folder("a")).unwrap();
        assert_eq!(site.get("/a/_mtimes", &[]).await.status, 503);
        let info = site.get("/a/_info", &[]).await;
        insta::assert_json_snapshot!("info", info.json());
    })
    .await;
}

#[tokio::test]
async fn files_are_only_read_here() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        site.put("a", "a.md", "x");
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let answer = site.send(method.clone(), "/a/a.md", &[]).await;
            assert_eq!(
                (answer.status, answer.header("allow")),
                (405, "GET, HEAD, OPTIONS"),
                "{method}"
            );
        }
        assert_eq!(site.send(Method::POST, "/a/_mtimes", &[]).await.status, 405);
    })
    .await;
}
