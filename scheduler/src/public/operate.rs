//! Having a realm worked on, for those who may write it: Boxel's routes `_reindex`, `_full-reindex`, `_invalidate` and
//! `_cancel-indexing-job`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode};
use axum::response::IntoResponse;
use realmdex_store::{Indexing, ReindexRequest};
use realmdex_types::{JobClass, RealmUrl};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::Url;
use utoipa::ToSchema;

use super::body::Body;
use super::caller::Writer;
use super::{Problem, Public};
use crate::intake::{Change, Intake, IntakeError, MAX_CHANGES};
use crate::plan::Plan;
use crate::reconcile::Reconciler;
use crate::settle::until_seen;

/// How long changes are waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// The number of the change, for who reads what it comes to.
const CHANGE_SEQ: HeaderName = HeaderName::from_static("x-realmdex-change-seq");

impl From<IntakeError> for Problem {
    fn from(error: IntakeError) -> Self {
        let status = match error {
            IntakeError::Store(error) => return error.into(),
            IntakeError::Path(_) => StatusCode::BAD_REQUEST,
            IntakeError::UnknownRealm(_) => StatusCode::NOT_FOUND,
            IntakeError::ArchivedRealm(_) => StatusCode::CONFLICT,
            IntakeError::TooMany { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        };
        Self::new(status, error.to_string())
    }
}

/// Has the realm looked through for what has changed.
///
/// Answered once that is enqueued.
#[utoipa::path(
    post, path = "/_reindex", tag = "realm", operation_id = "reindexRealm",
    responses((status = 204, description = "It is enqueued.")),
)]
pub(super) async fn reindex(
    writer: Writer,
    State(public): State<Public>,
) -> Result<StatusCode, Problem> {
    request(&writer, &public, false).await
}

/// Has every file of the realm indexed anew.
///
/// Answered once that is enqueued.
#[utoipa::path(
    post, path = "/_full-reindex", tag = "realm", operation_id = "fullReindexRealm",
    responses((status = 204, description = "It is enqueued.")),
)]
pub(super) async fn full_reindex(
    writer: Writer,
    State(public): State<Public>,
) -> Result<StatusCode, Problem> {
    request(&writer, &public, true).await
}

async fn request(writer: &Writer, public: &Public, force: bool) -> Result<StatusCode, Problem> {
    let wanted = ReindexRequest {
        class: JobClass::Interactive,
        force,
        ..ReindexRequest::of(writer.realm.realm.id, writer.reason())
    };
    public.store.request_reindex(&wanted).await?;
    public.wakes.dispatch.up();
    Ok(StatusCode::NO_CONTENT)
}

/// What is said to have changed.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct Invalidate {
    data: InvalidateData,
}

/// JSON:API's resource.
#[derive(Clone, Debug, Deserialize, ToSchema)]
struct InvalidateData {
    attributes: InvalidateAttributes,
}

/// Its attributes.
#[derive(Clone, Debug, Deserialize, ToSchema)]
struct InvalidateAttributes {
    /// URLs of files below the realm; of a folder with a slash at its end.
    urls: Vec<String>,
}

/// Says what changed in the realm.
///
/// Answered once it was looked at, together with the files that depend on it.
#[utoipa::path(
    post, path = "/_invalidate", tag = "realm", operation_id = "invalidate",
    request_body(content = Invalidate, content_type = "application/vnd.api+json"),
    responses(
        (status = 204, description = "All of it was looked at.",
         headers(("x-realmdex-change-seq" = i64, description = "The number of the change."))),
        (status = 202, description = "It was taken in, and takes longer than was waited for.",
         headers(("x-realmdex-change-seq" = i64, description = "The number of the change."))),
    ),
)]
pub(super) async fn invalidate(
    writer: Writer,
    State(public): State<Public>,
    Body(body): Body,
) -> Result<impl IntoResponse, Problem> {
    let request: Invalidate = json(&body)?;
    let realm = &writer.realm.realm;
    let plan = plan(&realm.url, &request.data.attributes.urls)?;
    let intake = Intake::new(
        public.store.clone(),
        Arc::clone(&public.metrics),
        public.wakes.clone(),
    );
    let taken = intake.carry_out(realm, &plan).await?;
    let files: Vec<_> = plan.files.into_iter().collect();
    let is_seen = until_seen(&public.store, realm.id, &files, taken.change_seq, PATIENCE).await?;
    let status = if is_seen {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::ACCEPTED
    };
    Ok((status, [(CHANGE_SEQ, taken.change_seq.to_string())]))
}

/// What URLs come to: files, folders, or the realm's root, for which it is listed.
fn plan(realm: &RealmUrl, urls: &[String]) -> Result<Plan, Problem> {
    if urls.len() > MAX_CHANGES {
        let given = urls.len();
        return Err(IntakeError::TooMany { given }.into());
    }
    let mut changes = Vec::new();
    let mut is_root = false;
    for text in urls.iter().collect::<BTreeSet<_>>() {
        let foreign = || {
            Problem::bad(format!(
                "{text:?} is not in the realm: give URLs below {realm}"
            ))
        };
        let mut url = Url::parse(text).map_err(|_| foreign())?;
        url.set_query(None);
        url.set_fragment(None);
        if url == *realm.as_url() {
            is_root = true;
            continue;
        }
        let is_folder = url.path().ends_with('/');
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty();
        }
        let path = realm.path_of(&url).ok_or_else(foreign)?;
        changes.push(Change {
            path: if is_folder {
                format!("{path}/")
            } else {
                path.to_string()
            },
            operation: None,
        });
    }
    let mut plan = Plan::of(&changes)?;
    if is_root {
        plan.list(|| "its root was said to have changed".to_owned());
    }
    Ok(plan)
}

/// Which jobs are called off.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CancelIndexing {
    /// Those too that have not begun.
    #[serde(default)]
    cancel_pending: bool,
}

/// Calls off the jobs that index the realm.
///
/// Without a body: those that run.
#[utoipa::path(
    post, path = "/_cancel-indexing-job", tag = "realm", operation_id = "cancelIndexing",
    request_body(content = Option<CancelIndexing>, content_type = "application/json"),
    responses(
        (status = 204, description = "They are called off."),
    ),
)]
pub(super) async fn cancel_indexing(
    writer: Writer,
    State(public): State<Public>,
    Body(body): Body,
) -> Result<StatusCode, Problem> {
    let request: Option<CancelIndexing> = if body.trim_ascii().is_empty() {
        None
    } else {
        json(&body)?
    };
    let which = match request.unwrap_or_default().cancel_pending {
        true => Indexing::All,
        false => Indexing::Running,
    };
    let realm = &writer.realm.realm;
    let cancelled = public.store.cancel_indexing(realm.id, which).await?;
    public.wakes.reconciler(Reconciler::Reindexes).up();
    tracing::info!(
        realm = %realm.url,
        queued = cancelled.queued,
        running = cancelled.running,
        "indexing is called off"
    );
    Ok(StatusCode::NO_CONTENT)
}

/// A body, whatever it is said to be.
fn json<T: DeserializeOwned>(body: &Bytes) -> Result<T, Problem> {
    // `serde` would take an array for the fields of an object, in their order.
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(Problem::bad(
            "the body is not what is asked for here: it is an array, and an object is wanted",
        ));
    }
    serde_json::from_slice(body)
        .map_err(|error| Problem::bad(format!("the body is not what is asked for here: {error}")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// URLs, and the files, folders and listing that they come to.
    #[test]
    fn urls_come_to_a_plan() {
        type Row = (
            &'static [&'static str],
            &'static [&'static str],
            &'static [&'static str],
            bool,
        );
        let rows: [Row; 6] = [
            (&[], &[], &[], false),
            (&["https://r.test/a/b%20c.md"], &["b c.md"], &[], false),
            (
                &["https://r.test/a/x.md?v=1", "https://r.test/a/x.md#y"],
                &["x.md"],
                &[],
                false,
            ),
            (&["https://r.test/a/b/"], &[], &["b"], true),
            (&["https://r.test/a/"], &[], &[], true),
            (&["https://r.test/a/b/../c.md"], &["c.md"], &[], false),
        ];
        let realm = RealmUrl::parse("https://r.test/a/").unwrap();
        for (urls, files, folders, is_listed) in rows {
            let texts: Vec<String> = urls.iter().map(ToString::to_string).collect();
            let plan = plan(&realm, &texts).unwrap();
            let words = |paths: &BTreeSet<realmdex_types::RealmPath>| -> Vec<String> {
                paths.iter().map(ToString::to_string).collect()
            };
            let got = (
                words(&plan.files),
                words(&plan.folders),
                plan.listing.is_some(),
            );
            let wanted = (
                files.iter().map(ToString::to_string).collect(),
                folders.iter().map(ToString::to_string).collect(),
                is_listed,
            );
            assert_eq!(got, wanted, "{urls:?}");
        }
        for foreign in [
            "x.md",
            "https://r.test/b/x.md",
            "https://r.test/a",
            "https://r.test/a/../b/x.md",
            "https://r.test/a/x%2Fy.md",
            "https://r.test/a//",
            "file:///etc/passwd",
            "mailto:x",
            "",
        ] {
            let refused = plan(&realm, &[foreign.to_owned()]).unwrap_err();
            assert!(refused.detail.contains("not in the realm"), "{foreign}");
        }
    }
}
