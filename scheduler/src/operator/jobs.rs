//! `/_jobs`: work.

use axum::Json;
use axum::extract::State;
use realmdex_store::{Cancelled, JobFilter, JobId, JobRow, Work};

use super::Operator;
use super::body::{Asked, Body};
use super::failure::Failure;
use super::wire::{
    CancelRequest, CancelledAnswer, JobAnswer, JobsAnswer, JobsAsked, RetriedAnswer, RetryRequest,
    limit,
};
use crate::reconcile::Reconciler;

/// Jobs, the newest first.
#[utoipa::path(
    get, path = "/_jobs", tag = "jobs", operation_id = "jobs", params(JobsAsked),
    responses((status = 200, description = "Jobs.", body = JobsAnswer)),
)]
pub(super) async fn list(
    State(operator): State<Operator>,
    Asked(asked): Asked<JobsAsked>,
) -> Result<Json<JobsAnswer>, Failure> {
    let filter = JobFilter {
        id: asked.id.map(JobId::numbered),
        states: asked.state.map(|states| states.0).unwrap_or_default(),
        realm: operator.realm_if(asked.realm.as_ref()).await?,
    };
    let rows = operator.store.jobs(&filter, limit(asked.limit)).await?;
    let jobs = rows.into_iter().map(answer).collect();
    Ok(Json(JobsAnswer { jobs }))
}

fn answer(row: JobRow) -> JobAnswer {
    JobAnswer {
        id: row.id.number(),
        kind: row.work.kind(),
        class: row.class,
        state: row.state,
        realm: row.realm,
        path: match row.work {
            Work::IndexFile { path, .. } => Some(path),
            Work::FullReindex { .. } | Work::ExecuteTool { .. } => None,
        },
        change_seq: row.change_seq.number(),
        attempts: row.attempts,
        run_at: row.run_at,
        offered_until: row.offered_until,
        worker: row.worker,
        error: row.error,
        created_at: row.created_at,
        started_at: row.started_at,
        finished_at: row.finished_at,
    }
}

/// Calls off a job, or all of a realm.
#[utoipa::path(
    post, path = "/_jobs/cancel", tag = "jobs", operation_id = "cancelJobs", request_body = CancelRequest,
    responses((status = 200, description = "What was called off.", body = CancelledAnswer)),
)]
pub(super) async fn cancel(
    State(operator): State<Operator>,
    Body(request): Body<CancelRequest>,
) -> Result<Json<CancelledAnswer>, Failure> {
    let cancelled = match (request.id, &request.realm) {
        (Some(id), None) => operator.called_off(id).await?,
        (None, Some(url)) => {
            let realm = operator.realm(url).await?;
            operator.store.cancel_realm(realm.id).await?
        }
        _ => {
            return Err(Failure::bad(
                "give either `id`, the number of a job, or `realm`, whose jobs are all called off",
            ));
        }
    };
    operator.wakes.reconciler(Reconciler::Reindexes).up();
    Ok(Json(CancelledAnswer {
        queued: cancelled.queued,
        running: cancelled.running,
    }))
}

impl Operator {
    /// Calls off a job.
    pub(super) async fn called_off(&self, job: i64) -> Result<Cancelled, Failure> {
        let cancelled = self.store.cancel(JobId::numbered(job)).await?;
        self.wakes.reconciler(Reconciler::Reindexes).up();
        Ok(cancelled)
    }
}

/// Tries again what ended badly.
#[utoipa::path(
    post, path = "/_jobs/retry", tag = "jobs", operation_id = "retryJobs", request_body = RetryRequest,
    responses((status = 200, description = "How many are tried again.", body = RetriedAnswer)),
)]
pub(super) async fn retry(
    State(operator): State<Operator>,
    Body(request): Body<RetryRequest>,
) -> Result<Json<RetriedAnswer>, Failure> {
    let ids: Option<Vec<JobId>> = match (&request.ids, request.all) {
        (Some(ids), false) => Some(ids.iter().copied().map(JobId::numbered).collect()),
        (None, true) => None,
        _ => {
            return Err(Failure::bad(
                "give either `ids`, the numbers of jobs, or `all`: true for every dead and failed one",
            ));
        }
    };
    let retried = operator.store.redrive(ids.as_deref()).await?;
    operator.wakes.dispatch.up();
    Ok(Json(RetriedAnswer { retried }))
}
