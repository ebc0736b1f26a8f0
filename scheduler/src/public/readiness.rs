//! `GET <realm>_readiness-check`: whether a realm's index says what the realm is.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use realmdex_store::RegisteredRealm;
use tokio::time::Instant;

use super::problem::ErrorDocument;
use super::{Problem, Public};

/// How long a request is held (Boxel's budget): whoever polls asks again.
const BUDGET: Duration = Duration::from_secs(10);

/// How often it is looked.
const LOOK: Duration = Duration::from_millis(100);

const NOT_READY: HeaderName = HeaderName::from_static("x-boxel-not-ready");

/// Whether nothing waits to be indexed.
///
/// For everyone, as in Boxel: load balancers and tests ask. It tells nothing but whether work is open. 200 once none is,
/// or 503 when the budget is spent; what ended badly counts as done.
#[utoipa::path(
    get, path = "/_readiness-check", tag = "realm", operation_id = "readinessCheck", security(()),
    responses(
        (status = 200, description = "Nothing waits."),
        (status = 503, description = "Something does, or the index can't be reached now.", body = ErrorDocument,
         content_type = "application/vnd.api+json",
         headers(
             ("retry-after" = Option<u32>, description = "When to ask again, in seconds."),
             ("x-boxel-not-ready" = Option<String>, description = "`index`, where files are still to be indexed."),
         )),
    ),
)]
pub(super) async fn get(
    State(public): State<Public>,
    Extension(realm): Extension<Arc<RegisteredRealm>>,
) -> Result<Response, Problem> {
    let end = Instant::now() + public.limits.readiness_budget.min(BUDGET);
    while !public.store.is_settled(realm.realm.id).await? {
        if Instant::now() >= end {
            let mut answer = Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "files of the realm are still to be indexed",
            )
            .into_response();
            let headers = answer.headers_mut();
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            headers.insert(NOT_READY, HeaderValue::from_static("index"));
            return Ok(answer);
        }
        tokio::time::sleep(LOOK).await;
    }
    Ok(StatusCode::OK.into_response())
}
