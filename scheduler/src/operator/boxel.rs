//! The routes that Boxel's operators and monitors know: `/_grafana-*`, `/_queue-status`, `/_skill-validation`.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use realmdex_store::{
    Cause, NewJob, Realm, ReindexRequest, ReindexRow, SkillCheck, StoreError, Work,
};
use realmdex_types::{JobClass, JobState, RealmUrl, ReindexOutcome};

use super::Operator;
use super::body::Asked;
use super::failure::Failure;
use super::wire::{
    GrafanaCompleteJobAsked, GrafanaFullReindexAnswer, GrafanaReindexAsked, QueueStatus,
    QueueStatusAttributes, QueueStatusResource, ReindexStats, SkillFailureAnswer, SkillValidation,
    SkillValidationAsked, SkillValidationAttributes, SkillValidationResource, ValidationStatus,
};
use crate::intake::IntakeError;
use crate::public::JSON_API;
use crate::settle::{until, until_seen};

/// How long a reindex is waited for.
const REINDEX_PATIENCE: Duration = Duration::from_secs(600);

/// How long skills are waited for that are looked at again.
const REFRESH_PATIENCE: Duration = Duration::from_secs(30);

/// Jobs in one transaction.
const PAGE: usize = 1000;

/// Why, for the ledger.
const REASON: &str = "an operator asked for it from Grafana";

/// Has every file of a realm indexed anew, and waits for it.
#[utoipa::path(
    post, path = "/_grafana-reindex", tag = "boxel", operation_id = "grafanaReindex", params(GrafanaReindexAsked),
    responses(
        (status = 200, description = "What it came to.", body = ReindexStats),
        (status = 202, description = "It goes on.", body = ReindexStats),
    ),
)]
pub(super) async fn reindex(
    State(operator): State<Operator>,
    Asked(asked): Asked<GrafanaReindexAsked>,
) -> Result<(StatusCode, Json<ReindexStats>), Failure> {
    let realm = realm(&operator, &asked.realm).await?;
    let id = request(&operator, &realm).await?;
    operator.wakes.dispatch.up();
    let store = &operator.store;
    let ended = until(REINDEX_PATIENCE, || async move {
        let row = reindex_row(store, id).await?;
        Ok::<_, Failure>(row.outcome.is_some())
    });
    ended.await?;
    let row = reindex_row(store, id).await?;
    let status = match row.outcome {
        None => StatusCode::ACCEPTED,
        Some(ReindexOutcome::Done) => StatusCode::OK,
        Some(outcome) => {
            let why = row.error.as_deref().unwrap_or("someone called it off");
            let words = format!(
                "the reindex of {} ended as {}: {why}",
                realm.url,
                outcome.as_str()
            );
            return Err(Failure::new(StatusCode::CONFLICT, words));
        }
    };
    let stats = ReindexStats {
        instances_indexed: 0,
        files_indexed: row.planned.unwrap_or_default().saturating_sub(row.open),
        instance_errors: 0,
        file_errors: store.unreadable_files(realm.id).await?,
        total_index_entries: store.holdings(realm.id).await?.files,
        reindex: id,
        outcome: row.outcome,
    };
    Ok((status, Json(stats)))
}

async fn reindex_row(store: &realmdex_store::Store, id: i64) -> Result<ReindexRow, Failure> {
    let rows = store.reindexes(None, Some(&[id]), 1).await?;
    rows.into_iter().next().ok_or_else(|| {
        Failure::new(
            StatusCode::CONFLICT,
            "the realm was removed while it was indexed",
        )
    })
}

async fn request(operator: &Operator, realm: &Realm) -> Result<i64, Failure> {
    let wanted = ReindexRequest {
        class: JobClass::Interactive,
        force: true,
        ..ReindexRequest::of(realm.id, REASON.to_owned())
    };
    match operator.store.request_reindex(&wanted).await {
        Err(StoreError::Archived) => Err(IntakeError::ArchivedRealm(realm.url.clone()).into()),
        requested => Ok(requested?),
    }
}

/// Has every file of every realm that is not archived indexed anew.
///
/// Answered once that is enqueued.
#[utoipa::path(
    post, path = "/_grafana-full-reindex", tag = "boxel", operation_id = "grafanaFullReindex",
    responses((status = 200, description = "It is enqueued.", body = GrafanaFullReindexAnswer)),
)]
pub(super) async fn full_reindex(
    State(operator): State<Operator>,
) -> Result<Json<GrafanaFullReindexAnswer>, Failure> {
    let mut realms = Vec::new();
    for realm in operator.store.realms().await? {
        let wanted = ReindexRequest {
            force: true,
            ..ReindexRequest::of(realm.id, REASON.to_owned())
        };
        match operator.store.request_reindex(&wanted).await {
            Ok(_) => realms.push(realm.url),
            Err(StoreError::Archived) => {}
            Err(error) => return Err(error.into()),
        }
    }
    operator.wakes.dispatch.up();
    Ok(Json(GrafanaFullReindexAnswer { realms }))
}

/// Calls off a job. One that has ended already is none.
#[utoipa::path(
    post, path = "/_grafana-complete-job", tag = "boxel", operation_id = "grafanaCompleteJob",
    params(GrafanaCompleteJobAsked),
    responses((status = 204, description = "It is called off.")),
)]
pub(super) async fn complete_job(
    State(operator): State<Operator>,
    Asked(asked): Asked<GrafanaCompleteJobAsked>,
) -> Result<StatusCode, Failure> {
    let (Some(id), None) = (asked.job_id, asked.reservation_id) else {
        return Err(Failure::bad(
            "give `job_id`, the number of a job, and nothing else: workers' claims have no numbers here",
        ));
    };
    operator.called_off(id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How many jobs there are to do.
#[utoipa::path(
    get, path = "/_queue-status", tag = "boxel", operation_id = "queueStatus",
    responses((status = 200, description = "How many.", body = QueueStatus, content_type = "application/vnd.api+json")),
)]
pub(super) async fn queue_status(
    State(operator): State<Operator>,
) -> Result<impl IntoResponse, Failure> {
    let backlog = operator.store.backlog().await?;
    let is_open = |state| matches!(state, JobState::Queued | JobState::Running);
    let open = backlog.iter().filter(|jobs| is_open(jobs.state));
    let name = || "queue-status".to_owned();
    let answer = QueueStatus {
        data: QueueStatusResource {
            kind: name(),
            id: name(),
            attributes: QueueStatusAttributes {
                pending: open.map(|jobs| jobs.jobs).sum(),
            },
        },
    };
    Ok(([(CONTENT_TYPE, JSON_API)], Json(answer)))
}

/// Whether every skill's tools can be called, as the index says.
///
/// What fails is also in the realm's `_indexing-errors`.
#[utoipa::path(
    get, path = "/_skill-validation", tag = "boxel", operation_id = "skillValidation", params(SkillValidationAsked),
    responses(
        (status = 200, description = "Whether they can.", body = SkillValidation,
         content_type = "application/vnd.api+json"),
    ),
)]
pub(super) async fn skill_validation(
    State(operator): State<Operator>,
    Asked(asked): Asked<SkillValidationAsked>,
) -> Result<impl IntoResponse, Failure> {
    let realm = realm(&operator, &asked.realm).await?;
    if asked.refresh.unwrap_or(false) {
        look_again(&operator, &realm).await?;
    }
    let check = operator.store.skill_check(realm.id).await?;
    let answer = SkillValidation {
        data: SkillValidationResource {
            kind: "skill-validation".to_owned(),
            attributes: validation(&realm.url, check),
            id: realm.url,
        },
    };
    Ok(([(CONTENT_TYPE, JSON_API)], Json(answer)))
}

/// Has every skill of a realm computed again, and waits for that.
async fn look_again(operator: &Operator, realm: &Realm) -> Result<(), Failure> {
    if realm.is_archived {
        return Err(IntakeError::ArchivedRealm(realm.url.clone()).into());
    }
    let skills = operator.store.skill_paths(realm.id).await?;
    let change_seq = operator.store.next_change().await?;
    for page in skills.chunks(PAGE) {
        let jobs: Vec<NewJob> = page
            .iter()
            .map(|path| NewJob {
                work: Work::IndexFile {
                    realm: realm.id,
                    path: path.clone(),
                },
                class: JobClass::Interactive,
                change_seq,
                force: true,
                cause: Cause::Change,
            })
            .collect();
        operator.store.enqueue(&jobs).await?;
    }
    operator.wakes.dispatch.up();
    let seen = until_seen(
        &operator.store,
        realm.id,
        &skills,
        change_seq,
        REFRESH_PATIENCE,
    );
    if !seen.await? {
        tracing::warn!(realm = %realm.url, "skills are yet to be looked at: their validation is of before");
    }
    Ok(())
}

fn validation(realm: &RealmUrl, check: SkillCheck) -> SkillValidationAttributes {
    let failures: Vec<SkillFailureAnswer> = check
        .failures
        .into_iter()
        .map(|failure| {
            let (module, name) = match failure.tool {
                Some(tool) => (tool.module, tool.name),
                None => Default::default(),
            };
            SkillFailureAnswer {
                skill: realm.file(&failure.path).to_string(),
                module,
                name,
                error: failure.message,
            }
        })
        .collect();
    SkillValidationAttributes {
        status: match failures.is_empty() {
            true => ValidationStatus::Pass,
            false => ValidationStatus::Fail,
        },
        skills_checked: check.skills,
        tools_checked: check.tools,
        failures,
        age_seconds: check.age.as_secs(),
    }
}

/// The realm of a URL, or the one whose URL has that path.
async fn realm(operator: &Operator, named: &str) -> Result<Realm, Failure> {
    if let Ok(url) = RealmUrl::parse(named) {
        return operator.realm(&url).await;
    }
    let path = format!("/{}/", named.trim_matches('/')).replace("//", "/");
    let mut realms = operator.store.realms().await?;
    realms.retain(|realm| realm.url.as_url().path() == path);
    match <[Realm; 1]>::try_from(realms) {
        Ok([realm]) => Ok(realm),
        Err(realms) if realms.is_empty() => Err(Failure::new(
            StatusCode::NOT_FOUND,
            format!("{named:?} is no registered realm: give its URL"),
        )),
        Err(_) => Err(Failure::bad(format!(
            "{named:?} is the path of several realms: give a URL"
        ))),
    }
}
