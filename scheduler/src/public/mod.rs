//! The public listener: realms are served below their URL's path to whoever may read them.

mod caller;
mod delegate;
mod events;
mod indexing_errors;
mod openapi;
mod operate;
mod problem;
mod served;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::HOST;
use axum::http::uri::PathAndQuery;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use realmdex_store::Store;
use tower::ServiceExt;

use crate::access::Access;
use crate::{Events, Metrics, Wakes};
pub use delegate::DelegatedSession;
pub use openapi::document;
pub(crate) use problem::JSON_API;
pub use problem::Problem;
pub use served::{Served, ServedRealms};

/// What the routes work with. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Public {
    pub(crate) store: Store,
    pub(crate) realms: ServedRealms,
    pub(crate) access: Access,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) wakes: Wakes,
    pub(crate) events: Events,
}

impl Public {
    /// Serves what a store holds.
    pub fn new(store: Store, access: Access, metrics: Arc<Metrics>, wakes: Wakes) -> Self {
        Self {
            realms: ServedRealms::new(store.clone()),
            events: Events::new(store.clone()),
            store,
            access,
            metrics,
            wakes,
        }
    }

    /// Tells what happens where others in this process do: one of them looks for all.
    #[must_use]
    pub fn with_events(mut self, events: Events) -> Self {
        self.events = events;
        self
    }
}

/// All routes, to be served or called in process.
pub fn router(public: Public) -> Router {
    // Below a realm's root. Whoever is here has an `Extension<Arc<RegisteredRealm>>`, and the path below the root as its
    // own.
    let below: Router = Router::new()
        .route("/_indexing-errors", get(indexing_errors::list))
        .route("/_events", get(events::follow))
        .route("/_reindex", post(operate::reindex))
        .route("/_full-reindex", post(operate::full_reindex))
        .route("/_invalidate", post(operate::invalidate))
        .route("/_cancel-indexing-job", post(operate::cancel_indexing))
        .fallback(async || Problem::not_found("there is nothing here"))
        .with_state(public.clone());
    Router::new()
        .route(
            "/_delegate-session",
            post(delegate::delegate).layer(DefaultBodyLimit::max(delegate::MAX_BODY)),
        )
        .fallback(
            async move |State(public): State<Public>, request: Request| {
                into_realm(&public, below, request).await
            },
        )
        .with_state(public)
}

/// Finds the realm of a request, and asks its routes as if its root were the root of everything.
async fn into_realm(public: &Public, below: Router, mut request: Request) -> Response {
    let served = match public.realms.now().await {
        Ok(served) => served,
        Err(error) => return Problem::from(error).into_response(),
    };
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok())
        .map(str::to_ascii_lowercase);
    let Some((realm, path)) = served.find(host.as_deref(), request.uri().path()) else {
        return Problem::not_found("no realm is served here").into_response();
    };
    let target = match request.uri().query() {
        Some(query) => format!("/{path}?{query}"),
        None => format!("/{path}"),
    };
    let Ok(target) = PathAndQuery::try_from(target) else {
        return Problem::bad("this is no path").into_response();
    };
    let realm = Arc::clone(realm);
    *request.uri_mut() = target.into();
    request.extensions_mut().insert(realm);
    match below.oneshot(request).await {
        Ok(answer) => answer,
        Err(never) => match never {},
    }
}
