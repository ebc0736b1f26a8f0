//! The public listener: realms are served below their URL's path to whoever may read them.
//!
//! | route | |
//! |---|---|
//! | `GET <realm><file>` | a file's document (`Accept: application/vnd.card.file-meta+json`) or its bytes |
//! | `GET <realm><folder>/` | what lies in a folder (`Accept: application/vnd.api+json`) |
//! | `GET <realm>_info` | what the realm is called, and for whom it is |
//! | `GET <realm>_mtimes` | every file's time, for whoever mirrors the realm |
//! | `GET <realm>_dependencies?url=` | what a file was computed from |
//! | `GET <realm>_readiness-check` | whether nothing waits to be indexed; for everyone |
//! | `GET <realm>_indexing-errors` | what is wrong in the realm |
//! | `GET <realm>_events` | what happens in it, as it does |
//! | `POST <realm>_reindex`, `_full-reindex`, `_invalidate`, `_cancel-indexing-job` | has it worked on |
//! | `POST /_delegate-session` | a token for whoever acts for a user |
//! | `GET /_skills?q=` | skills of all realms that the one who asks may read |
//! | `GET /_openapi.json`, `GET /_docs/` | all of this, for machines and people |
//!
//! A request passes the `guard` first: its rate, its host, and one look at the index, by which realms and rights are as
//! of now. What can't be done is answered as a [`Problem`].

mod accept;
mod answer;
mod body;
mod caller;
mod conditional;
mod delegate;
mod dependencies;
mod document;
mod events;
mod file_meta;
mod files;
mod folders;
mod guard;
pub(crate) mod indexing_errors;
mod limits;
mod listings;
mod mtimes;
mod openapi;
mod operate;
mod problem;
mod rate;
mod readiness;
mod realm_info;
mod routes;
mod rows;
mod serve;
mod served;
mod skills;
mod source_file;
mod sources;

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::uri::PathAndQuery;
use axum::response::{IntoResponse, Response};
use realmdex_source::OpenSource;
use realmdex_store::Store;
use tower::ServiceExt;

use crate::access::Access;
use crate::sources::Sources;
use crate::{Events, Metrics, Wakes};
pub use delegate::DelegatedSession;
use guard::Place;
pub use limits::Limits;
use listings::Listings;
pub use openapi::document;
pub(crate) use problem::JSON_API;
pub use problem::Problem;
use rate::Rate;
pub use routes::Route;
use rows::Rows;
pub use serve::{Connections, serve};
pub use served::{Served, ServedRealms};

/// What the routes work with. Cheap to clone: each request does, several times.
#[derive(Clone, Debug)]
pub struct Public(Arc<Parts>);

/// The parts of [`Public`].
#[derive(Clone, Debug)]
pub struct Parts {
    pub(crate) store: Store,
    pub(crate) realms: ServedRealms,
    pub(crate) rows: Rows,
    pub(crate) pages: file_meta::Pages,
    pub(crate) sources: Sources,
    listings: Listings,
    pub(crate) access: Access,
    pub(crate) limits: Limits,
    rate: Rate,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) wakes: Wakes,
    pub(crate) events: Events,
}

impl Deref for Public {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Public {
    /// Serves what a store holds. Sources are not read unless it is said how.
    pub fn new(store: Store, access: Access, metrics: Arc<Metrics>, wakes: Wakes) -> Self {
        let rows = Rows::new(store.clone());
        let limits = Limits::default();
        Self(Arc::new(Parts {
            events: Events::new(store.clone()),
            realms: ServedRealms::new(store.clone(), rows.clone()),
            rows,
            pages: file_meta::Pages::default(),
            sources: Sources::none(),
            listings: Listings::default(),
            rate: Rate::of(&limits),
            limits,
            store,
            access,
            metrics,
            wakes,
        }))
    }

    /// Reads realms' sources like this.
    #[must_use]
    pub fn with_sources(mut self, open: OpenSource) -> Self {
        Arc::make_mut(&mut self.0).sources = Sources::new(open);
        self
    }

    /// Keeps to these limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        let parts = Arc::make_mut(&mut self.0);
        parts.rate = Rate::of(&limits);
        parts.limits = limits;
        self
    }

    /// Tells what happens where others in this process do: one of them looks for all.
    #[must_use]
    pub fn with_events(mut self, events: Events) -> Self {
        Arc::make_mut(&mut self.0).events = events;
        self
    }
}

/// All routes, to be served or called in process.
pub fn router(public: Public) -> Router {
    let routes = routes::of_listener(&public);
    guard::guarded(public, routes)
}

/// Asks the routes of the realm that a request is for, as if its root were the root of everything.
async fn into_realm(below: Router, mut request: Request) -> Response {
    let Some(Place { realm, below: path }) = request.extensions_mut().remove::<Place>() else {
        return Problem::not_found("no realm is served here").into_response();
    };
    let target = match request.uri().query() {
        Some(query) => format!("/{path}?{query}"),
        None => format!("/{path}"),
    };
    let Ok(target) = PathAndQuery::try_from(target) else {
        return Problem::bad("this is no path").into_response();
    };
    *request.uri_mut() = target.into();
    request.extensions_mut().insert(Arc::clone(&realm));
    let mut answer = match below.oneshot(request).await {
        Ok(answer) => answer,
        Err(never) => match never {},
    };
    // Refusals say what may be told to strangers themselves.
    if !matches!(
        answer.status(),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN
    ) {
        realm_info::put_headers(&realm, answer.headers_mut());
    }
    answer
}
