//! `GET <realm>/_indexing-errors`: everything that is wrong in a realm, one resource for each kind of thing and file.

mod asked;
pub(crate) mod collisions;
mod document;
mod places;
mod veil;

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use realmdex_store::{Wrong, WrongAsked};
use realmdex_types::RealmPath;

use super::caller::Reader;
use super::{JSON_API, Problem, Public};
use crate::access::Refusal;
use crate::settle::until_quiet;
use asked::{Asked, Cursor, Filter};
use document::{IndexingError, IndexingErrors, PageLinks, PageMeta, Told};
use places::Places;
use veil::veil;

/// How long is waited for what people wait for: whoever has just mended a file asks next whether that did it (as
/// Boxel's route does).
const PATIENCE: Duration = Duration::from_secs(2);

/// What is wrong in the realm.
///
/// By URL and type, one resource for each kind of thing that is wrong with a file. What changed just before is waited
/// for, a little.
#[utoipa::path(
    get, path = "/_indexing-errors", tag = "realm", operation_id = "indexingErrors", params(asked::Query),
    responses(
        (status = 200, description = "What is wrong.", body = IndexingErrors,
         content_type = "application/vnd.api+json"),
    ),
)]
pub(super) async fn list(
    reader: Reader,
    State(public): State<Public>,
    headers: HeaderMap,
    query: Result<Query<asked::Query>, QueryRejection>,
) -> Result<impl IntoResponse, Refusal> {
    let Query(query) = query.map_err(|refused| Problem::bad(refused.body_text()))?;
    let realm = &reader.realm.realm;
    let asked = query.of(&realm.url)?;
    let is_settled = until_quiet(&public.store, realm.id, PATIENCE).await?;
    let served = public.realms.known();
    let without = served.folders_of_others(realm.id);
    let is_anothers = |path: &str| {
        without
            .iter()
            .any(|folder| path.starts_with(folder.as_str()))
    };
    let mut shared = public.store.shared_names(realm.id).await?;
    shared.retain(|one| !is_anothers(&one.path));
    let collisions = collisions::of(&shared);
    let collided: Vec<String> = collisions.keys().cloned().collect();
    let (mut page, total) = match &asked.filter {
        Filter::Nothing => (Vec::new(), 0),
        Filter::Some { kinds, path } => {
            let after = asked.after.as_ref();
            let wrong = WrongAsked {
                kinds,
                path: path.as_ref().map(RealmPath::as_str),
                after: after.map(|cursor| (cursor.path.as_str(), cursor.kind)),
                // One more tells whether there is another page.
                limit: i64::from(asked.size) + 1,
                collided: &collided,
                without,
            };
            let found = public.store.wrong(realm.id, &wrong).await?;
            (found.page, found.total)
        }
    };
    let next = cut(&mut page, &asked)
        .map(|last| format!("{}_indexing-errors?{}", realm.url, query.after(&last)));
    let mut paths: Vec<&str> = page.iter().map(|wrong| wrong.path.as_str()).collect();
    paths.dedup();
    let mut files = public.store.wrong_files(realm.id, &paths).await?;
    let places = Places::of(&reader.realm, served.realms());
    let readable = public.access.reader_at_least(&headers).await?;
    for file in files.values_mut() {
        let findings = file.findings.iter_mut();
        let messages = findings.map(|finding| &mut finding.message);
        messages
            .chain(&mut file.error)
            .for_each(|message| places.told(message));
        // After that: a place that is told as a realm's URL may be hidden still.
        for finding in &mut file.findings {
            veil(finding, &realm.url, &served, &readable);
        }
    }
    let url_of = |path: &str| match RealmPath::parse(path) {
        Ok(path) => realm.url.file(&path).to_string(),
        Err(_) => format!("{}{path}", realm.url),
    };
    let data = page.iter().filter_map(|wrong| {
        let told = Told {
            url: url_of(&wrong.path),
            file: files.get(&wrong.path)?,
            collisions: collisions.get(&wrong.path).map_or(&[], Vec::as_slice),
            url_of: &url_of,
        };
        IndexingError::of(wrong.kind, wrong.kinds_of_file == 1, &told)
    });
    let answer = IndexingErrors {
        data: data.collect(),
        links: PageLinks { next },
        meta: PageMeta { total, is_settled },
    };
    Ok(([(CONTENT_TYPE, JSON_API)], Json(answer)))
}

/// Leaves what is on the page. Answers its last finding where others follow.
fn cut(page: &mut Vec<Wrong>, asked: &Asked) -> Option<Cursor> {
    let size = usize::from(asked.size);
    if page.len() <= size {
        return None;
    }
    page.truncate(size);
    page.last().map(|last| Cursor {
        path: last.path.clone(),
        kind: last.kind,
    })
}
