//! What a request asks of whoever sends it.

use axum::http::Method;
use realmdex_types::Scope;

/// The scope that a request needs. What is not named here is an operator's who may do everything, unless it only reads:
/// a route that is new is never open by mistake.
pub(super) fn needed(method: &Method, path: &str) -> Scope {
    let reads = method == Method::GET || method == Method::HEAD;
    match path {
        // Who may come in, and since when.
        "/_tokens" => Scope::Admin,
        _ if reads => Scope::Read,
        "/_changes"
        | "/_reindex"
        | "/_jobs/cancel"
        | "/_jobs/retry"
        | "/_grafana-reindex"
        | "/_grafana-full-reindex"
        | "/_grafana-complete-job" => Scope::Reindex,
        _ => Scope::Admin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_needs_a_scope() {
        for (method, path, wanted) in [
            (Method::GET, "/_realms", Scope::Read),
            (Method::HEAD, "/_jobs", Scope::Read),
            (Method::GET, "/_whatever", Scope::Read),
            (Method::GET, "/_why", Scope::Read),
            (Method::POST, "/_answer", Scope::Admin),
            (Method::POST, "/_changes", Scope::Reindex),
            (Method::POST, "/_reindex", Scope::Reindex),
            (Method::POST, "/_jobs/cancel", Scope::Reindex),
            (Method::POST, "/_jobs/retry", Scope::Reindex),
            (Method::POST, "/_realms", Scope::Admin),
            (Method::POST, "/_realms/rights", Scope::Admin),
            (Method::POST, "/_packages", Scope::Admin),
            (Method::GET, "/_tokens", Scope::Admin),
            (Method::HEAD, "/_tokens", Scope::Admin),
            (Method::POST, "/_tokens", Scope::Admin),
            (Method::POST, "/_tokens/revoke", Scope::Admin),
            (Method::POST, "/_sessions", Scope::Admin),
            (Method::POST, "/_sessions/revoke", Scope::Admin),
            (Method::POST, "/_whatever", Scope::Admin),
            (Method::DELETE, "/_changes/", Scope::Admin),
        ] {
            assert_eq!(needed(&method, path), wanted, "{method} {path}");
        }
    }
}
