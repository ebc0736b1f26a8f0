//! `GET <realm>_mtimes`: Boxel's listing of a realm.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use realmdex_store::RegisteredRealm;
use realmdex_types::RealmUrl;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::problem::ErrorDocument;
use super::{Public, answer, sources};
use crate::access::Need;

/// A realm's files (JSON:API).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Mtimes {
    data: MtimesResource,
}

/// JSON:API's resource.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct MtimesResource {
    /// The realm's URL.
    #[schema(value_type = String, format = "uri")]
    id: RealmUrl,
    /// `mtimes`
    #[serde(rename = "type")]
    kind: &'static str,
    attributes: MtimesAttributes,
}

/// What is told of them.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct MtimesAttributes {
    /// By the file's URL when it was modified, in Unix seconds; null where its source does not tell.
    #[schema(value_type = HashMap<String, Option<u64>>)]
    mtimes: Map<String, Value>,
}

/// Every file's time.
///
/// Every file that the realm's source lists, with the time it was modified, in unix seconds. Of a source that can't be
/// listed completely nothing is told: a listing that is short looks like files that are gone.
#[utoipa::path(
    get, path = "/_mtimes", tag = "realm", operation_id = "mtimes",
    responses(
        (status = 200, description = "Every file's time.", body = Mtimes, content_type = "application/vnd.api+json"),
        (status = 502, description = "The realm's source does not list it.", body = ErrorDocument,
         content_type = "application/vnd.api+json"),
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
    let listed = match public.listing(&realm).await {
        Ok(listed) => listed,
        Err(error) => return answer::problem(&realm, sources::problem(&error)),
    };
    let served = public.realms.known();
    let mtimes = listed
        .iter()
        .filter(|file| !served.is_anothers(realm.realm.id, &file.path))
        .map(|file| {
            let url = realm.realm.url.file(&file.path);
            (url.into(), file.modified.into())
        })
        .collect();
    let document = Mtimes {
        data: MtimesResource {
            id: realm.realm.url.clone(),
            kind: "mtimes",
            attributes: MtimesAttributes { mtimes },
        },
    };
    answer::json_api(&realm, &document)
}
