//! The documents that describe the listeners.

use std::path::Path;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use realmdex_scheduler::operator::{Operator, OperatorToken};
use realmdex_scheduler::{operator, public};
use serde_json::json;
use tower::ServiceExt;
use utoipa::openapi::OpenApi;

use crate::asking::{below, get, post};
use crate::index::{metrics, with_index};
use crate::serving::with_site;

/// How a document that is not current is made anew.
const MEND: &str = "RENEW_OPENAPI=1 cargo test -p realmdex-scheduler --test scheduler openapi";

/// What is checked in is what is served: whoever builds a client of it can rely on that.
#[test]
fn what_is_checked_in_is_current() {
    for (name, document) in [
        ("operator", operator::document()),
        ("public", public::document()),
    ] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("openapi/{name}.json"));
        let current = document.to_pretty_json().unwrap() + "\n";
        if std::env::var_os("RENEW_OPENAPI").is_some() {
            std::fs::write(&file, &current).unwrap();
        }
        let known = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            known == current,
            "{} is not current: run `{MEND}`",
            file.display()
        );
    }
}

/// The routes of a document.
fn routes(document: &OpenApi) -> Vec<(Method, String)> {
    let of = |path: &str, item: &utoipa::openapi::PathItem| {
        let methods = [
            (&item.get, Method::GET),
            (&item.head, Method::HEAD),
            (&item.post, Method::POST),
            (&item.delete, Method::DELETE),
        ];
        let there = methods
            .into_iter()
            .filter(|(operation, _)| operation.is_some());
        there
            .map(|(_, method)| (method, path.to_owned()))
            .collect::<Vec<_>>()
    };
    document
        .paths
        .paths
        .iter()
        .flat_map(|(path, item)| of(path, item))
        .collect()
}

#[tokio::test]
async fn what_is_described_is_there() {
    with_index(async |index| {
        let token = OperatorToken::new("s3cret").unwrap();
        let listener =
            operator::router(Operator::new(index.store.clone(), metrics()).with_token(token));
        for (method, path) in routes(&operator::document()) {
            let request = Request::builder()
                .method(&method)
                .uri(&path)
                .body(Body::empty());
            let status = listener
                .clone()
                .oneshot(request.unwrap())
                .await
                .unwrap()
                .status();
            let is_open = ["/_liveness", "/_readiness", "/metrics"].contains(&path.as_str());
            assert_eq!(status.as_u16() != 401, is_open, "{method} {path}: {status}");
            let request = Request::builder()
                .method(&method)
                .uri(&path)
                .header("authorization", "Bearer s3cret");
            let answer = listener
                .clone()
                .oneshot(request.body(Body::empty()).unwrap())
                .await
                .unwrap();
            assert!(
                ![404, 405].contains(&answer.status().as_u16()),
                "{method} {path}: {answer:?}"
            );
        }
        it_is_shown(&listener).await;
    })
    .await;
}

/// The document is served with a page that shows it, whose scripts are its own and may run.
async fn it_is_shown(listener: &Router) {
    let answer = get(listener, "/_openapi.json").await;
    assert_eq!(
        (answer.status, answer.body["openapi"].as_str()),
        (200, Some("3.1.0"))
    );
    let page = get(listener, "/_docs/").await;
    let says = |name| page.header(name).unwrap_or_default();
    assert_eq!((page.status, says("content-type")), (200, "text/html"));
    assert_eq!(says("x-content-type-options"), "nosniff");
    let policy = says("content-security-policy");
    assert!(
        policy.contains("script-src 'self';") && !policy.contains("sandbox"),
        "{policy}"
    );
    let page = page.body.as_str().unwrap();
    assert!(!page.contains("<script>"), "{page}");
    let script = get(listener, "/_docs/swagger-initializer.js").await;
    assert!(
        script.status == 200 && script.body.as_str().unwrap().contains("/_openapi.json"),
        "{script:?}"
    );
    let bundle = get(listener, "/_docs/swagger-ui-bundle.js").await;
    assert_eq!(
        (bundle.status, bundle.header("content-type")),
        (200, Some("text/javascript"))
    );
}

/// Every route of the public listener, of a realm that is all of its host, is described and there; and what is described
/// is told even where such a realm would have files of those names.
#[tokio::test]
async fn what_is_described_of_realms_is_there() {
    with_site(|site| async move {
        let realm = site.realm_at("https://realm.test/", "r", &["*"]).await;
        site.put("r", "a.md", "x");
        site.put("r", "_docs/index.html", "stored");
        site.put("r", "_openapi.json", "stored");
        site.index(&realm, "a.md", "x", json!({})).await;
        let document = public::document();
        for (method, path) in routes(&document) {
            let path = path.replace("{file}", "a.md");
            // Some answers never end: only how they begin is looked at.
            let request = Request::builder().method(&method).uri(&path);
            let request = request.body(Body::empty()).unwrap();
            let answer = site.listener.clone().oneshot(request).await.unwrap();
            assert!(
                ![404, 405].contains(&answer.status().as_u16()),
                "{method} {path}: {answer:?}"
            );
            let other = site.send(Method::PATCH, &path, &[]).await;
            assert_eq!(other.status, 405, "{method} {path}");
        }
        it_is_shown(&site.listener).await;
    })
    .await;
}

/// A body that is too large is refused as everything else is.
#[tokio::test]
async fn large_bodies_are_refused_in_our_documents() {
    with_index(async |index| {
        let realm = index.open_realm("a").await;
        let listener = crate::asking::public(&index);
        let large = vec![b' '; (1 << 20) + 1];
        for route in ["_invalidate", "_cancel-indexing-job"] {
            let answer = post(&listener, &below(&realm, route), large.clone()).await;
            assert_eq!(
                (answer.status, answer.header("content-type")),
                (413, Some("application/vnd.api+json")),
                "{route}: {answer:?}"
            );
        }
    })
    .await;
}
