//! `GET <realm>_dependencies?url=`: what a file was computed from.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use realmdex_store::{Dependency, RegisteredRealm, Sought, TargetState};
use realmdex_types::{EXECUTABLE_EXTENSIONS, ReadState, RealmPath, RealmUrl};
use serde::Serialize;
use url::Url;
use utoipa::ToSchema;

use super::served::{Served, path_in};
use super::{Problem, Public, answer};
use crate::access::{Need, Reader};

/// What a file was computed from (JSON:API).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Dependencies {
    /// One resource, or none where nothing is known of the file.
    data: Vec<DependenciesResource>,
}

/// JSON:API's resource.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct DependenciesResource {
    /// `dependencies`
    #[serde(rename = "type")]
    kind: &'static str,
    /// The file's URL.
    #[schema(value_type = String, format = "uri")]
    id: Url,
    attributes: DependenciesAttributes,
}

/// What is told of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DependenciesAttributes {
    /// The file's URL, with its extension.
    #[schema(value_type = String, format = "uri")]
    canonical_url: Url,
    /// Its realm.
    #[schema(value_type = String, format = "uri")]
    realm_url: RealmUrl,
    /// `file`
    entry_type: &'static str,
    /// Whether it could not be read the last time.
    has_error: bool,
    /// What it was computed from, by id.
    dependencies: Vec<String>,
    /// The same, and how each was found.
    edges: Vec<Edge>,
}

/// Something that a file was computed from.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Edge {
    /// Its id: a URL, or a package's module.
    id: String,
    /// How it was found then.
    state: Then,
    /// What it is now, as far as the index knows.
    now: Now,
    /// Whether the one does not follow from the other.
    is_broken: bool,
}

/// How something was found.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Then {
    /// Its bytes were read.
    Read,
    /// It was not there.
    Absent,
    /// Its source did not give it.
    Forbidden,
    /// The realm's owner might not read it.
    Denied,
    /// It was too large, or nothing that is loaded.
    Refused,
    /// Its source did not answer.
    Unreachable,
}

/// What something is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Now {
    /// Nobody has looked.
    Unread,
    /// It is there.
    Present,
    /// It is not.
    Absent,
    /// Its source does not give it.
    Forbidden,
}

/// What a file was computed from.
///
/// Boxel's document with one resource for the file, or none where nothing is known of it; `edges` is ours. Files of
/// realms that the one who asks may not read are left out.
#[utoipa::path(
    get, path = "/_dependencies", tag = "realm", operation_id = "dependencies",
    params(("url" = String, Query, format = "uri", description = "The URL of a file of the realm.")),
    responses(
        (status = 200, description = "What it was computed from.", body = Dependencies,
         content_type = "application/vnd.api+json"),
    ),
)]
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
) -> Result<Dependencies, Problem> {
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
        return Ok(Dependencies { data: Vec::new() });
    };
    let mut shown = public.store.dependencies_of(&row.module_id).await?;
    shown.retain(|edge| {
        let of = realm_of(&served, edge);
        of.is_none_or(|of| of.realm.id == realm.realm.id || reader.may_read(of))
    });
    let url = realm.realm.url.file(&path);
    let resource = DependenciesResource {
        kind: "dependencies",
        id: url.clone(),
        attributes: DependenciesAttributes {
            canonical_url: url,
            realm_url: realm.realm.url.clone(),
            entry_type: "file",
            has_error: row.error.is_some(),
            dependencies: shown.iter().map(|edge| edge.target.to_string()).collect(),
            edges: shown.iter().map(told).collect(),
        },
    };
    Ok(Dependencies {
        data: vec![resource],
    })
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

fn told(edge: &Dependency) -> Edge {
    Edge {
        id: edge.target.to_string(),
        state: match &edge.then {
            ReadState::Read { .. } => Then::Read,
            ReadState::Absent => Then::Absent,
            ReadState::Forbidden => Then::Forbidden,
            ReadState::Denied => Then::Denied,
            ReadState::Refused => Then::Refused,
            ReadState::Unreachable => Then::Unreachable,
        },
        now: match &edge.now {
            TargetState::Unread => Now::Unread,
            TargetState::Present(_) => Now::Present,
            TargetState::Absent => Now::Absent,
            TargetState::Forbidden => Now::Forbidden,
        },
        is_broken: edge.is_broken,
    }
}
