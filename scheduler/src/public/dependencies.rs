//! `GET <realm>_dependencies?url=`: what a file was computed from.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use realmdex_store::{Dependency, RegisteredRealm, Sought, TargetState};
use realmdex_types::{EXECUTABLE_EXTENSIONS, ReadState, RealmPath};
use serde_json::{Value, json};

use super::served::{Served, path_in};
use super::{Problem, Public, answer};
use crate::access::{Need, Reader};

/// Boxel's document with one resource for the file, or none where nothing is known of it; `edges` is ours. Files of
/// realms that the one who asks may not read are left out.
pub(super) async fn get(
    State(public): State<Public>,
    Extension(realm): Extension<Arc<RegisteredRealm>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    if let Err(refusal) = public.access.permit(&realm, Need::Read, &headers).await {
        return refusal.into_response();
    }
    let reader = match public.access.reader_at_least(&headers).await {
        Ok(reader) => reader,
        Err(refusal) => return refusal.into_response(),
    };
    match listed(&public, &realm, query.as_deref(), &reader).await {
        Ok(document) => answer::json_api(&realm, &document),
        Err(problem) => answer::problem(&realm, problem),
    }
}

async fn listed(
    public: &Public,
    realm: &RegisteredRealm,
    query: Option<&str>,
    reader: &Reader,
) -> Result<Value, Problem> {
    let query = query.unwrap_or_default().as_bytes();
    let (_, url) = url::form_urlencoded::parse(query)
        .find(|(key, _)| key == "url")
        .ok_or_else(|| Problem::bad("`url` is missing: name a file of the realm by its URL"))?;
    let path = path_in(&realm.realm.url, &url)
        .ok_or_else(|| Problem::bad("`url` is not the URL of a file of this realm"))?;
    let served = public.realms.known();
    let found = match served.is_anothers(realm.realm.id, &path) {
        true => None,
        false => find(public, realm, path).await?,
    };
    let Some((path, row)) = found else {
        return Ok(json!({"data": []}));
    };
    let mut shown = public.store.dependencies_of(&row.module_id).await?;
    shown.retain(|edge| {
        let of = realm_of(&served, edge);
        of.is_none_or(|of| of.realm.id == realm.realm.id || reader.may_read(of))
    });
    let url = realm.realm.url.file(&path);
    Ok(json!({"data": [{
        "type": "dependencies",
        "id": url,
        "attributes": {
            "canonicalUrl": url,
            "realmUrl": realm.realm.url,
            "entryType": "file",
            "hasError": row.error.is_some(),
            "dependencies": shown.iter().map(|edge| edge.target.as_str()).collect::<Vec<_>>(),
            "edges": shown.iter().map(told).collect::<Vec<_>>(),
        },
    }]}))
}

/// The row of a file; as Boxel, that of the module too where the extension was left out.
async fn find(
    public: &Public,
    realm: &RegisteredRealm,
    path: RealmPath,
) -> Result<Option<(RealmPath, realmdex_store::ServedFile)>, Problem> {
    let aliases = EXECUTABLE_EXTENSIONS
        .iter()
        .filter_map(|extension| RealmPath::parse(&format!("{path}{extension}")).ok());
    let candidates: Vec<_> = std::iter::once(path.clone()).chain(aliases).collect();
    let sought = candidates.iter().map(|path| Sought {
        realm: realm.realm.id,
        path: path.clone(),
    });
    let seen = public.rows.look(sought.collect()).await?;
    let found = candidates.into_iter().zip(seen.files);
    let found = found
        .filter_map(|(path, seen)| Some((path, seen.row?)))
        .find(|(_, row)| row.is_there);
    let Some((path, seen)) = found else {
        return Ok(None);
    };
    let row = public.store.served_file(seen.stamp.file).await?;
    Ok(row.map(|row| (path, row)))
}

/// The realm of an edge's target: that of its row, or whichever its URL lies below.
fn realm_of<'a>(served: &'a Served, edge: &Dependency) -> Option<&'a Arc<RegisteredRealm>> {
    let of_row = edge.realm.and_then(|id| served.realm(id));
    of_row.or_else(|| served.realm_of(edge.target.as_str()))
}

fn told(edge: &Dependency) -> Value {
    let then = match &edge.then {
        ReadState::Read { .. } => "read",
        ReadState::Absent => "absent",
        ReadState::Forbidden => "forbidden",
        ReadState::Denied => "denied",
        ReadState::Refused => "refused",
        ReadState::Unreachable => "unreachable",
    };
    let now = match &edge.now {
        TargetState::Unread => "unread",
        TargetState::Present(_) => "present",
        TargetState::Absent => "absent",
        TargetState::Forbidden => "forbidden",
    };
    json!({
        "id": edge.target.as_str(),
        "state": then,
        "now": now,
        "isBroken": edge.is_broken,
    })
}
