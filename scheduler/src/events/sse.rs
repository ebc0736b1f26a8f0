//! Server-sent events (WHATWG HTML, 9.2).

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{CACHE_CONTROL, HeaderName};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use futures::stream;
use realmdex_store::{FileHappened, ReindexRow, TargetState};
use realmdex_types::{RealmPath, RealmUrl, ReindexOutcome};
use serde::Serialize;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use super::{Feed, Happening, Position};
use crate::schema;

/// Between two signs of life, where nothing happens: proxies close what is silent.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// How long a follower may go on unasked while nothing happens.
const IDLE_CHECK: Duration = Duration::from_secs(5);

/// Where a follower was.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Tells that the listener stops: then streams end, which otherwise never would. Whoever serves puts it on every
/// request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stopping(pub(crate) CancellationToken);

/// Whether a follower may go on.
pub(crate) trait Permission: Send + Sync + 'static {
    /// Asks again.
    fn holds(&self) -> impl Future<Output = bool> + Send;

    /// Whether that may be told, while it holds.
    fn covers(&self, _happening: &Happening) -> bool {
        true
    }
}

/// A file that is something else now: the data of an `index` event.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IndexEvent {
    /// Its realm.
    #[schema(value_type = String, format = "uri")]
    realm: RealmUrl,
    /// Its path there.
    path: String,
    /// Its URL.
    #[schema(value_type = String, format = "uri")]
    url: String,
    /// What it is.
    state: FileState,
    /// Whether it could not be read: its row is of before.
    is_degraded: bool,
    /// The change that it was looked at for.
    change_seq: i64,
    /// When its row was computed.
    indexed_at: Option<DateTime<Utc>>,
}

/// What a file is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum FileState {
    /// Nobody has seen it, nor that it is not there.
    Unread,
    /// It is there.
    Present,
    /// There is no such file.
    Absent,
    /// It may not be read.
    Forbidden,
}

/// A reindex that got on: the data of a `reindex` event.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReindexEvent {
    /// Its number.
    id: i64,
    /// The realm.
    #[schema(value_type = String, format = "uri")]
    realm: RealmUrl,
    /// Files that the realm's source lists; none until it has.
    listed: Option<u64>,
    /// Files that were to be looked at.
    planned: Option<u64>,
    /// Those of them, and of older changes, that are still to be.
    open: u64,
    /// How it ended; none while it goes on.
    #[schema(schema_with = schema::outcome)]
    outcome: Option<ReindexOutcome>,
}

impl From<&FileHappened> for IndexEvent {
    fn from(file: &FileHappened) -> Self {
        let url = match RealmPath::parse(&file.path) {
            Ok(path) => file.realm.file(&path).to_string(),
            Err(_) => format!("{}{}", file.realm, file.path),
        };
        Self {
            realm: file.realm.clone(),
            path: file.path.clone(),
            url,
            state: match file.state {
                TargetState::Unread => FileState::Unread,
                TargetState::Present(_) => FileState::Present,
                TargetState::Absent => FileState::Absent,
                TargetState::Forbidden => FileState::Forbidden,
            },
            is_degraded: file.is_degraded,
            change_seq: file.change_seq.number(),
            indexed_at: file.indexed_at,
        }
    }
}

impl From<&ReindexRow> for ReindexEvent {
    fn from(row: &ReindexRow) -> Self {
        Self {
            id: row.id,
            realm: row.realm.clone(),
            listed: row.listed,
            planned: row.planned,
            open: row.open,
            outcome: row.outcome,
        }
    }
}

fn event(happening: &Happening) -> Event {
    let event = match happening {
        Happening::Index(file) => Event::default()
            .event("index")
            .id(Position(file.moment).text())
            .json_data(IndexEvent::from(file)),
        Happening::Reindex(row) => Event::default()
            .event("reindex")
            .json_data(ReindexEvent::from(row)),
    };
    // Names, numbers and times are always JSON.
    event.unwrap_or_else(|_| Event::default().comment("not told"))
}

/// Where a follower that comes back was. One that says nothing we know follows from now on.
pub(crate) fn position(headers: &HeaderMap) -> Option<Position> {
    Position::parse(headers.get(LAST_EVENT_ID)?.to_str().ok()?)
}

struct Following<P> {
    feed: Feed,
    permission: P,
    /// When it last was asked for, and how much may still be told for that: what had happened by then.
    checked: Instant,
    permitted: usize,
    stopping: CancellationToken,
}

impl<P: Permission> Following<P> {
    /// What comes next; none once the follower may not go on, or there is nothing more to be told.
    async fn next(&mut self) -> Option<Arc<Happening>> {
        loop {
            let next = tokio::select! {
                () = self.stopping.cancelled() => return None,
                () = tokio::time::sleep_until(self.checked + IDLE_CHECK) => None,
                next = self.feed.next() => match next {
                    Ok(next) => Some(next?),
                    Err(error) => {
                        let shown = &error as &(dyn std::error::Error + 'static);
                        tracing::warn!(error = shown, "a follower is told no more: it comes back");
                        return None;
                    }
                },
            };
            if next.is_some() && self.permitted > 0 {
                self.permitted -= 1;
            } else {
                if !self.permission.holds().await {
                    return None;
                }
                self.checked = Instant::now();
                self.permitted = match next {
                    Some(_) => self.feed.ready(),
                    None => self.permitted,
                };
            }
            if let Some(next) = next.filter(|next| self.permission.covers(next)) {
                return Some(next);
            }
        }
    }
}

/// Tells a follower what happens, as long as it may know.
pub(crate) fn answer(feed: Feed, permission: impl Permission, stopping: &Stopping) -> Response {
    let following = Following {
        feed,
        permission,
        checked: Instant::now(),
        permitted: 0,
        stopping: stopping.0.clone(),
    };
    let events = stream::unfold(following, async |mut following| {
        let next = following.next().await?;
        Some((Ok::<_, Infallible>(event(&next)), following))
    });
    let mut answer = Sse::new(events)
        .keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE))
        .into_response();
    let headers = answer.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Of proxies that hold back what they are sent (nginx's name for it).
    headers.insert(
        HeaderName::from_static("x-accel-buffering"),
        HeaderValue::from_static("no"),
    );
    answer
}
