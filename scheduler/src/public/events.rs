//! `GET <realm>/_events`: what happens in a realm, told to those who may read it, as long as they may.

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use realmdex_types::{RealmPath, RealmUrl};

use super::caller::Reader;
use super::{Problem, Public};
use crate::access::Need;
use crate::events::{self, Feed, FollowError, Happening, Permission, Stopping};

impl From<FollowError> for Problem {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::TooMany => Self::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
            FollowError::Store(error) => error.into(),
        }
    }
}

/// Someone who may read a realm: that may end.
struct MayRead {
    public: Public,
    realm: RealmUrl,
    headers: HeaderMap,
}

impl Permission for MayRead {
    async fn holds(&self) -> bool {
        let Ok(served) = self.public.realms.now().await else {
            return false;
        };
        let Some(realm) = served.by_url(&self.realm) else {
            return false;
        };
        let permitted = self.public.access.permit(realm, Need::Read, &self.headers);
        permitted.await.is_ok()
    }

    /// Not of files that have become another realm's, though their rows are still this one's.
    fn covers(&self, happening: &Happening) -> bool {
        let Happening::Index(file) = happening else {
            return true;
        };
        let served = self.public.realms.known();
        let realm = served.by_url(&self.realm).map(|realm| realm.realm.id);
        let path = RealmPath::parse(&file.path);
        realm
            .zip(path.ok())
            .is_some_and(|(realm, path)| !served.is_anothers(realm, &path))
    }
}

/// What happens in the realm (server-sent events).
///
/// `index` when a file is something else now, `reindex` when a reindex gets on. A file may be told of twice, never
/// not at all. The stream ends when whoever follows may not read the realm any more.
#[utoipa::path(
    get, path = "/_events", tag = "realm", operation_id = "realmEvents",
    params(("last-event-id" = Option<String>, Header, description = "The `id` of the last event that was told.")),
    responses((status = 200, description = "Events, as they happen: `IndexEvent` and `ReindexEvent` are their data.",
               content_type = "text/event-stream", body = String)),
)]
pub(super) async fn follow(
    reader: Reader,
    State(public): State<Public>,
    stopping: Option<Extension<Stopping>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let realm = reader.realm.realm.clone();
    let url = realm.url.clone();
    let feed = Feed::begin(&public.events, Some(realm), events::position(&headers)).await?;
    let permission = MayRead {
        public,
        realm: url,
        headers,
    };
    let stopping = stopping
        .map(|Extension(stopping)| stopping)
        .unwrap_or_default();
    Ok(events::answer(feed, permission, &stopping))
}
