//! Answers of one realm.

use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use realmdex_store::RegisteredRealm;
use serde::Serialize;

use super::realm_info::put_headers;
use super::{JSON_API, Problem};

/// A JSON document as Boxel writes it: two spaces for each level.
pub(crate) fn pretty(document: &impl Serialize) -> Bytes {
    // What has no map with other keys than text can always be written.
    serde_json::to_vec_pretty(document)
        .unwrap_or_default()
        .into()
}

/// A JSON:API document for someone who may read the realm.
pub(crate) fn json_api(realm: &RegisteredRealm, document: &impl Serialize) -> Response {
    let mut answer = pretty(document).into_response();
    answer.headers_mut().insert(CONTENT_TYPE, JSON_API);
    put_headers(realm, answer.headers_mut());
    answer
}

/// A problem of someone who may read the realm.
pub(crate) fn problem(realm: &RegisteredRealm, problem: Problem) -> Response {
    let mut answer = problem.into_response();
    put_headers(realm, answer.headers_mut());
    answer
}
