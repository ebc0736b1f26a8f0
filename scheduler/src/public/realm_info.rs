//! What is told of a realm itself: `realmInfo` of Boxel's documents, and the headers of every answer below it.

use axum::Extension;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use realmdex_store::RegisteredRealm;
use serde_json::{Value, json};
use std::sync::Arc;

use super::Public;
use super::answer::json_api;
use crate::access::Need;

pub(crate) const REALM_URL: HeaderName = HeaderName::from_static("x-boxel-realm-url");
pub(crate) const PUBLIC_READABLE: HeaderName =
    HeaderName::from_static("x-boxel-realm-public-readable");

/// Whether everyone may read a realm.
pub(crate) fn is_public(realm: &RegisteredRealm) -> bool {
    !realm.realm.is_archived && realm.readers.iter().any(|reader| reader == "*")
}

/// Boxel's `realmInfo`. What it tells of a realm's looks is null here: nobody says it to us, and what a realm may be
/// published as is not ours to know. The name is the last segment of the realm's URL.
pub(crate) fn realm_info(realm: &RegisteredRealm) -> Value {
    let url = realm.realm.url.as_url();
    let segments = url.path_segments();
    let name = segments
        .and_then(|mut segments| segments.rfind(|segment| !segment.is_empty()))
        .or(url.host_str())
        .unwrap_or_default();
    let visibility = match realm.readers.as_slice() {
        readers if readers.iter().any(|reader| reader == "*") => "public",
        [] => "private",
        _ => "shared",
    };
    json!({
        "name": name,
        "backgroundURL": null,
        "iconURL": null,
        "showAsCatalog": null,
        "visibility": visibility,
        "realmUserId": realm.realm.owner,
        "publishable": null,
        "lastPublishedAt": null,
        "includePrerenderedDefaultRealmIndex": null,
    })
}

/// Says of an answer which realm it is from, and for whom it may be kept. Only for those who may read the realm.
pub(crate) fn put_headers(realm: &RegisteredRealm, headers: &mut HeaderMap) {
    if let Ok(url) = HeaderValue::from_str(realm.realm.url.as_str()) {
        headers.insert(REALM_URL, url);
    }
    let for_whom = if is_public(realm) {
        headers.insert(PUBLIC_READABLE, HeaderValue::from_static("true"));
        "public, max-age=0"
    } else {
        "private, max-age=0"
    };
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static(for_whom));
    headers
        .entry(VARY)
        .or_insert(HeaderValue::from_static("Accept"));
}

/// `GET <realm>_info`.
pub(super) async fn get(
    State(public): State<Public>,
    Extension(realm): Extension<Arc<RegisteredRealm>>,
    headers: HeaderMap,
) -> Response {
    if let Err(refusal) = public.access.permit(&realm, Need::Read, &headers).await {
        return refusal.into_response();
    }
    let document = json!({"data": {
        "id": realm.realm.url,
        "type": "realm-info",
        "attributes": realm_info(&realm),
    }});
    json_api(&realm, &document)
}
