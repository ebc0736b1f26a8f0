//! For machines that watch: whether it lives, whether it can work, and what it counts.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use realmdex_queue::BrokerState;
use realmdex_types::in_words;

use super::Operator;
use super::failure::Failure;
use super::wire::Ready;

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// It answers, so it lives.
pub(super) async fn liveness() -> StatusCode {
    StatusCode::NO_CONTENT
}

pub(super) async fn readiness(State(operator): State<Operator>) -> Response {
    let mut words = Vec::new();
    match tokio::time::timeout(PATIENCE, operator.store.version()).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => words.push(format!("database: {}", in_words(&error))),
        Err(_) => words.push(format!(
            "database: it did not answer within {} s",
            PATIENCE.as_secs()
        )),
    }
    match operator.broker.as_ref().map(realmdex_queue::Broker::state) {
        None | Some(BrokerState::Ready) => {}
        Some(BrokerState::Blocked { why }) => {
            words.push(format!("broker: short of memory or disk: {why}"));
        }
        Some(BrokerState::Down { why }) => words.push(format!("broker: can't be reached: {why}")),
    }
    let is_ready = words.is_empty();
    let status = if is_ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let answer = Ready {
        is_ready,
        missing: words,
    };
    (status, Json(answer)).into_response()
}

pub(super) async fn metrics(State(operator): State<Operator>) -> Result<Response, Failure> {
    // Without the database the rest is still worth knowing.
    match tokio::time::timeout(PATIENCE, operator.store.backlog()).await {
        Ok(Ok(backlog)) => operator.metrics.backlog(&backlog),
        Ok(Err(error)) => tracing::warn!(
            error = &error as &(dyn std::error::Error + 'static),
            "the depth of the queues is not known"
        ),
        Err(_) => tracing::warn!("the depth of the queues is not known: the database is slow"),
    }
    let text = operator
        .metrics
        .text()
        .map_err(|error| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(([(CONTENT_TYPE, prometheus::TEXT_FORMAT)], text).into_response())
}
