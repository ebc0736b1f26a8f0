//! A role's operator listener.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use prometheus::{Registry, TextEncoder};
use realmdex_queue::{Broker, BrokerState};
use realmdex_scheduler::operator::wire::Ready;
use realmdex_store::Store;
use tokio::net::TcpListener;

use crate::config::Config;

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Listens where the settings say.
pub(super) async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| {
        format!("listening on {address}: is another role there? Give this one another --listen")
    })
}

/// The text of the token that operators must send. Without one, only this machine may be listened on.
pub(super) fn token(config: &Config) -> anyhow::Result<Option<String>> {
    let Some(file) = config.token_file() else {
        if !config.listen.ip().is_loopback() {
            bail!(
                "listening on {} without a token would let everyone in: set token_file, or listen on 127.0.0.1",
                config.listen
            );
        }
        return Ok(None);
    };
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("reading the operators' token from {}", file.display()))?;
    if text.trim().is_empty() {
        bail!("the token file {} is empty", file.display());
    }
    Ok(Some(text.trim().to_owned()))
}

/// What a worker answers: how it is, and what it counts.
pub(super) fn of_worker(store: Store, broker: Broker, registry: Registry) -> Router {
    Router::new()
        .route("/_liveness", get(async || StatusCode::NO_CONTENT))
        .route(
            "/_readiness",
            get(async move || readiness(&store, &broker).await),
        )
        .route("/metrics", get(async move || metrics(&registry)))
}

async fn readiness(store: &Store, broker: &Broker) -> Response {
    let mut missing = Vec::new();
    match tokio::time::timeout(PATIENCE, store.version()).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => missing.push(format!("database: {error}")),
        Err(_) => missing.push(format!(
            "database: it did not answer within {} s",
            PATIENCE.as_secs()
        )),
    }
    match broker.state() {
        BrokerState::Ready => {}
        BrokerState::Blocked { why } => {
            missing.push(format!("broker: short of memory or disk: {why}"));
        }
        BrokerState::Down { why } => missing.push(format!("broker: can't be reached: {why}")),
    }
    let is_ready = missing.is_empty();
    let status = if is_ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(Ready { is_ready, missing })).into_response()
}

fn metrics(registry: &Registry) -> Response {
    match TextEncoder::new().encode_to_string(&registry.gather()) {
        Ok(text) => ([(CONTENT_TYPE, prometheus::TEXT_FORMAT)], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
