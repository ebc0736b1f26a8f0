//! `GET <realm>_mtimes`: Boxel's listing of a realm.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use realmdex_store::RegisteredRealm;
use serde_json::{Map, json};

use super::{Public, answer, sources};
use crate::access::Need;

/// Every file that the realm's source lists, with the time it was modified, in unix seconds. Of a source that can't be
/// listed completely nothing is told: a listing that is short looks like files that are gone.
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
    let mtimes: Map<_, _> = listed
        .iter()
        .filter(|file| !served.is_anothers(realm.realm.id, &file.path))
        .map(|file| {
            let url = realm.realm.url.file(&file.path);
            (url.into(), file.modified.into())
        })
        .collect();
    let document = json!({"data": {
        "id": realm.realm.url,
        "type": "mtimes",
        "attributes": {"mtimes": mtimes},
    }});
    answer::json_api(&realm, &document)
}
