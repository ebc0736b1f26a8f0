//! Requests that nobody sends who means well.

use axum::body::Body;
use axum::http::Request;
use chrono::Utc;
use realmdex_scheduler::Wakes;
use realmdex_scheduler::access::{Access, DelegationSecret};
use realmdex_scheduler::operator::{self, Operator};
use realmdex_scheduler::public::{Public, router};
use tower::ServiceExt;

use super::{FILE_META, with_site};
use crate::index::metrics;

#[tokio::test]
async fn nobody_leaves_a_realm() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        site.realm("p", &[]).await;
        site.put("a", "a.md", "fine");
        site.put("p", "secret.md", "s3cret");
        std::fs::write(site.folder("outside.md"), "s3cret").unwrap();
        std::os::unix::fs::symlink(site.folder("outside.md"), site.folder("a").join("link.md"))
            .unwrap();
        std::os::unix::fs::symlink(site.folder("p"), site.folder("a").join("other")).unwrap();
        for below in [
            "../outside.md",
            "../p/secret.md",
            "%2e%2e/outside.md",
            ".%2e/outside.md",
            "%2E%2E%2Foutside.md",
            "..%2foutside.md",
            "..%5coutside.md",
            "..\\outside.md",
            "x/../../outside.md",
            "%252e%252e/outside.md",
            "%252e%252e%252foutside.md",
            "%25252e%25252e/outside.md",
            "..%c0%afoutside.md",
            "%c0%ae%c0%ae/outside.md",
            "..;/outside.md",
            "//etc/passwd",
            "%2fetc%2fpasswd",
            "/a.md",
            "./a.md",
            "a.md%00",
            "a.md%00.png",
            "%00",
            "a.md%0d%0aset-cookie:x=1",
            "a.md%0a",
            "a.md%7f",
            "%",
            "%zz",
            "%ff%fe",
            "link.md",
            "other/secret.md",
            "a.md/",
            "a.md/..",
            "CON",
            "a.md::$DATA",
        ] {
            for accept in [FILE_META, "*/*"] {
                let Ok(request) = Request::get(format!("/a/{below}"))
                    .header("accept", accept)
                    .body(Body::empty())
                else {
                    // It can't even be written as a request's target.
                    continue;
                };
                let answer = site.ask(request).await;
                let status = answer.status;
                assert!(matches!(status, 400 | 404), "{below} {accept}: {status}");
                assert!(
                    !String::from_utf8_lossy(&answer.body).contains("s3cret"),
                    "{below}"
                );
                assert!(!answer.headers.contains_key("set-cookie"), "{below}");
            }
        }
        assert_eq!(site.get("/a/a.md", &[]).await.text(), "fine");
    })
    .await;
}

#[tokio::test]
async fn a_redirect_takes_nothing_along() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        site.put("a", "we ird%0d%0a?x#y.ts", "x");
        let answer = site.get("/a/we%20ird%250d%250a%3Fx%23y", &[]).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (302, "/a/we%20ird%250d%250a%3Fx%23y.ts")
        );
        assert_eq!(site.get(answer.header("location"), &[]).await.text(), "x");
    })
    .await;
}

#[tokio::test]
async fn stored_pages_do_nothing_here() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        for (at, kind) in [
            ("page.html", "text/html"),
            ("image.svg", "image/svg+xml"),
            ("script.js", "application/javascript"),
            ("unknown", "application/octet-stream"),
            ("feed.xml", "application/xml"),
        ] {
            site.put("a", at, "<script>alert(1)</script>");
            let answer = site.get(&format!("/a/{at}"), &[]).await;
            assert_eq!(answer.header("content-type"), kind, "{at}");
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{at}");
            assert_eq!(
                answer.header("content-security-policy"),
                "sandbox; default-src 'none'",
                "{at}"
            );
            assert_eq!(answer.header("referrer-policy"), "no-referrer", "{at}");
        }
        // Problems are no page either.
        let answer = site.get("/a/%3Cscript%3E.md", &[]).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (404, "application/vnd.api+json")
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    })
    .await;
}

#[tokio::test]
async fn only_known_hosts_are_answered() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        site.realm_at("https://other.test/a/", "b", &["*"]).await;
        site.realm_at("http://port.test:8080/c/", "c", &["*"]).await;
        site.put("a", "which.md", "a");
        site.put("b", "which.md", "b");
        site.put("c", "which.md", "c");
        for (host, uri, status, body) in [
            ("realm.test", "/a/which.md", 200, "a"),
            ("REALM.test:443", "/a/which.md", 200, "a"),
            ("other.test", "/a/which.md", 200, "b"),
            ("port.test:8080", "/c/which.md", 200, "c"),
            ("port.test:8081", "/c/which.md", 421, ""),
            ("other.test", "/c/which.md", 404, ""),
            // By the path alone, where that is enough.
            ("localhost:4790", "/c/which.md", 200, "c"),
            ("127.0.0.1", "/c/which.md", 200, "c"),
            ("[::1]:4790", "/c/which.md", 200, "c"),
            ("localhost", "/a/which.md", 404, ""),
            ("evil.test", "/a/which.md", 421, ""),
            ("evil.test", "/_skills", 421, ""),
            ("localhost.evil.test", "/c/which.md", 421, ""),
            ("", "/c/which.md", 421, ""),
        ] {
            let answer = site.get(uri, &[("host", host)]).await;
            assert_eq!(answer.status, status, "{host} {uri}");
            if status == 200 {
                assert_eq!(answer.text(), body, "{host} {uri}");
            }
        }
        let two = Request::get("/c/which.md")
            .header("host", "localhost")
            .header("host", "port.test:8080");
        assert_eq!(site.ask(two.body(Body::empty()).unwrap()).await.status, 400);
        // The target's own host counts before the header's.
        let absolute = Request::get("http://evil.test/c/which.md").header("host", "localhost");
        assert_eq!(
            site.ask(absolute.body(Body::empty()).unwrap()).await.status,
            421
        );
    })
    .await;
}

/// Brackets without end are refused before they take the stack, at both listeners.
#[tokio::test]
async fn deep_bodies_are_refused() {
    with_site(|site| async move {
        let realm = site.realm("a", &["*"]).await;
        site.index
            .sql(&format!(
                "insert into realm_writers select id, '*' from realms where url = '{}';
                 update registry set version = version + 1",
                realm.url
            ))
            .await;
        let secret = DelegationSecret::new("both know it").unwrap();
        let access = Access::default().with_delegation(secret.clone());
        let public = Public::new(
            site.index.store.clone(),
            access,
            metrics(),
            Wakes::default(),
        );
        let public = router(public);
        let operator = operator::router(Operator::new(site.index.store.clone(), metrics()));
        let deep = 100_000;
        let now = Utc::now().timestamp_millis().to_string();
        for (listener, uri) in [
            (&public, "/a/_invalidate"),
            (&public, "/a/_cancel-indexing-job"),
            (&public, "/_delegate-session"),
            (&operator, "/_changes"),
            (&operator, "/_realms"),
            (&operator, "/_reindex"),
            (&operator, "/_tokens"),
        ] {
            // Small enough for every route.
            for open in ["[", "{\"data\":", "{\"unknown\":["] {
                let body = open.repeat(deep.min(60_000 / open.len()));
                let request = Request::post(uri)
                    .header("content-type", "application/json")
                    .header("x-boxel-delegation-timestamp", &now)
                    .header(
                        "x-boxel-delegation-signature",
                        secret.sign(&now, body.as_bytes()),
                    )
                    .body(Body::from(body))
                    .unwrap();
                let answer = listener.clone().oneshot(request).await.unwrap();
                let status = answer.status().as_u16();
                assert!(matches!(status, 400 | 422), "{uri} {open}: {status}");
            }
        }
    })
    .await;
}
