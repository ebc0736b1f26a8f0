//! What is told of a realm itself: `realmInfo` of Boxel's documents, and the headers of every answer below it.

use axum::Extension;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use realmdex_store::RegisteredRealm;
use realmdex_types::RealmUrl;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

use super::Public;
use super::answer::json_api;
use crate::access::Need;
use crate::schema;

pub(crate) const REALM_URL: HeaderName = HeaderName::from_static("x-boxel-realm-url");
pub(crate) const PUBLIC_READABLE: HeaderName =
    HeaderName::from_static("x-boxel-realm-public-readable");

/// Whether everyone may read a realm.
pub(crate) fn is_public(realm: &RegisteredRealm) -> bool {
    !realm.realm.is_archived && realm.readers.iter().any(|reader| reader == "*")
}

/// Who may read a realm.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Visibility {
    /// Its owner.
    Private,
    /// Some others too.
    Shared,
    /// Everyone.
    Public,
}

/// Boxel's `realmInfo`. What is null is not known here.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RealmInfo {
    /// The last segment of the realm's URL.
    name: String,
    #[serde(rename = "backgroundURL")]
    #[schema(schema_with = schema::null)]
    background_url: (),
    #[serde(rename = "iconURL")]
    #[schema(schema_with = schema::null)]
    icon_url: (),
    #[schema(schema_with = schema::null)]
    show_as_catalog: (),
    /// Who may read it.
    visibility: Visibility,
    /// Whose it is.
    realm_user_id: String,
    #[schema(schema_with = schema::null)]
    publishable: (),
    #[schema(schema_with = schema::null)]
    last_published_at: (),
    #[schema(schema_with = schema::null)]
    include_prerendered_default_realm_index: (),
}

/// A realm (JSON:API).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct RealmInfoDocument {
    data: RealmInfoResource,
}

/// JSON:API's resource.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct RealmInfoResource {
    /// The realm's URL.
    #[schema(value_type = String, format = "uri")]
    id: RealmUrl,
    /// `realm-info`
    #[serde(rename = "type")]
    kind: &'static str,
    attributes: RealmInfo,
}

/// Boxel's `realmInfo`. What it tells of a realm's looks is null here: nobody says it to us, and what a realm may be
/// published as is not ours to know. The name is the last segment of the realm's URL.
pub(crate) fn realm_info(realm: &RegisteredRealm) -> RealmInfo {
    let url = realm.realm.url.as_url();
    let segments = url.path_segments();
    let name = segments
        .and_then(|mut segments| segments.rfind(|segment| !segment.is_empty()))
        .or(url.host_str())
        .unwrap_or_default();
    let visibility = match realm.readers.as_slice() {
        readers if readers.iter().any(|reader| reader == "*") => Visibility::Public,
        [] => Visibility::Private,
        _ => Visibility::Shared,
    };
    RealmInfo {
        name: name.to_owned(),
        background_url: (),
        icon_url: (),
        show_as_catalog: (),
        visibility,
        realm_user_id: realm.realm.owner.clone(),
        publishable: (),
        last_published_at: (),
        include_prerendered_default_realm_index: (),
    }
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

/// What the realm is called, and for whom it is.
#[utoipa::path(
    get, path = "/_info", tag = "realm", operation_id = "realmInfo",
    responses(
        (status = 200, description = "The realm.", body = RealmInfoDocument, content_type = "application/vnd.api+json"),
    ),
)]
pub(super) async fn get(
    State(public): State<Public>,
    Extension(realm): Extension<Arc<RegisteredRealm>>,
    headers: HeaderMap,
) -> Response {
    if let Err(refusal) = public.access.permit(&realm, Need::Read, &headers).await {
        return refusal.into_response();
    }
    let document = RealmInfoDocument {
        data: RealmInfoResource {
            id: realm.realm.url.clone(),
            kind: "realm-info",
            attributes: realm_info(&realm),
        },
    };
    json_api(&realm, &document)
}
