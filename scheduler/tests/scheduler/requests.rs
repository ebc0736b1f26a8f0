//! Requests as they are counted, at both listeners.

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use prometheus::TextEncoder;
use realmdex_scheduler::operator::{self, Operator, OperatorToken};
use realmdex_scheduler::{Metrics, Wakes, access::Access, public, public::Public};
use tower::ServiceExt;

use crate::index::{counted, metrics, with_index};

async fn send(listener: &Router, method: &str, uri: &str) -> u16 {
    let request = Request::builder()
        .method(Method::from_bytes(method.as_bytes()).unwrap())
        .uri(uri)
        .body(Body::empty())
        .unwrap();
    listener
        .clone()
        .oneshot(request)
        .await
        .unwrap()
        .status()
        .as_u16()
}

/// How often something was answered, and whether it was timed as often or more.
fn answered(metrics: &Metrics, listener: &str, route: &str, method: &str, status: u16) -> f64 {
    let total = format!(
        "realmdex_http_requests_total{{listener=\"{listener}\",method=\"{method}\",route=\"{route}\",status=\"{status}\"}}"
    );
    let timed =
        format!("realmdex_http_request_seconds_count{{listener=\"{listener}\",route=\"{route}\"}}");
    let total = counted(metrics, &total).unwrap_or(0.0);
    assert!(counted(metrics, &timed).unwrap_or(0.0) >= total, "{timed}");
    total
}

#[tokio::test]
async fn requests_are_counted_by_their_routes() {
    with_index(async |index| {
        index.realm("a").await;
        index.private_realm("p").await;
        let metrics = metrics();
        let store = index.store.clone();
        let served = Public::new(
            store.clone(),
            Access::default(),
            metrics.clone(),
            Wakes::default(),
        );
        let served = public::router(served);
        let token = OperatorToken::new("s3cret").unwrap();
        let steered = operator::router(Operator::new(store, metrics.clone()).with_token(token));
        for (listener, method, uri, status, route, shown) in [
            ("public", "GET", "/a/_info", 200, "{realm}_info", "GET"),
            ("public", "GET", "/p/_info", 401, "{realm}_info", "GET"),
            (
                "public",
                "GET",
                "/p/any/path/whatever",
                401,
                "{realm}{file}",
                "GET",
            ),
            ("public", "HEAD", "/p/_other", 401, "{realm}{file}", "HEAD"),
            ("public", "GET", "/a/_infos", 502, "{realm}{file}", "GET"),
            ("public", "GET", "/_skills?q=x", 200, "/_skills", "GET"),
            (
                "public",
                "POST",
                "/_delegate-session",
                503,
                "/_delegate-session",
                "POST",
            ),
            (
                "public",
                "BREW",
                "/a/_reindex",
                405,
                "{realm}_reindex",
                "other",
            ),
            ("public", "GET", "/nowhere/at/all", 404, "none", "GET"),
            ("operator", "GET", "/_liveness", 204, "/_liveness", "GET"),
            ("operator", "GET", "/_jobs?realm=x", 401, "/_jobs", "GET"),
            ("operator", "DELETE", "/metrics", 405, "/metrics", "DELETE"),
            (
                "operator",
                "GET",
                "/_docs/anything/else",
                404,
                "/_docs/{*rest}",
                "GET",
            ),
            ("operator", "GET", "/a-path-of-ones-own", 401, "none", "GET"),
        ] {
            let router = if listener == "public" {
                &served
            } else {
                &steered
            };
            let before = answered(&metrics, listener, route, shown, status);
            let told = send(router, method, uri).await;
            assert_eq!(told, status, "{method} {uri}");
            let after = answered(&metrics, listener, route, shown, status);
            assert_eq!(after - before, 1.0, "{method} {uri}");
        }
        let text = TextEncoder::new()
            .encode_to_string(&metrics.registry().gather())
            .unwrap();
        for unbounded in ["whatever", "BREW", "nowhere", "ones-own", "anything"] {
            assert!(!text.contains(unbounded), "{unbounded}");
        }
    })
    .await;
}
