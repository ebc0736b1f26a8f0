//! `GET /_events`: what happens in all realms.

use std::time::Duration;

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use tokio::time::Instant;

use super::Operator;
use super::failure::Failure;
use crate::events::{self, Feed, FollowError, Permission, Stopping};

/// How long one stream lasts: who follows comes back, and shows the token again.
const LONGEST: Duration = Duration::from_secs(600);

impl From<FollowError> for Failure {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::TooMany => Self::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
            FollowError::Store(error) => error.into(),
        }
    }
}

/// Someone who had the token.
struct HadToken {
    until: Instant,
}

impl Permission for HadToken {
    async fn holds(&self) -> bool {
        Instant::now() < self.until
    }
}

/// What happens in all realms (server-sent events).
///
/// `index` when a file is something else now, `reindex` when a reindex gets on. A file may be told of twice, never
/// not at all. A stream ends after ten minutes: who comes back with `Last-Event-ID` misses nothing.
#[utoipa::path(
    get, path = "/_events", tag = "standing", operation_id = "events",
    params(("last-event-id" = Option<String>, Header, description = "The `id` of the last event that was told.")),
    responses((status = 200, description = "Events, as they happen: `IndexEvent` and `ReindexEvent` are their data.",
               content_type = "text/event-stream", body = String)),
)]
pub(super) async fn follow(
    State(operator): State<Operator>,
    stopping: Option<Extension<Stopping>>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let feed = Feed::begin(&operator.events, None, events::position(&headers)).await?;
    let permission = HadToken {
        until: Instant::now() + LONGEST,
    };
    let stopping = stopping
        .map(|Extension(stopping)| stopping)
        .unwrap_or_default();
    Ok(events::answer(feed, permission, &stopping))
}
