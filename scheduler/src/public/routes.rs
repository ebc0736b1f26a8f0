//! The routes themselves. What is not listed here is not served: the router, the metrics and the tests of privacy go by
//! this one table.

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::routing::{MethodRouter, get, post};

use super::{
    Place, Problem, Public, delegate, dependencies, events, files, indexing_errors, into_realm,
    mtimes, operate, readiness, realm_info, skills,
};

/// A route of the public listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Route {
    /// `/_skills`, below the listener's root, as the next one.
    Skills,
    /// `/_delegate-session`.
    DelegateSession,
    /// `_indexing-errors`, below a realm's root, as all that follow.
    IndexingErrors,
    /// `_events`.
    Events,
    /// `_reindex`.
    Reindex,
    /// `_full-reindex`.
    FullReindex,
    /// `_invalidate`.
    Invalidate,
    /// `_cancel-indexing-job`.
    CancelIndexing,
    /// `_info`.
    Info,
    /// `_mtimes`.
    Mtimes,
    /// `_readiness-check`.
    Readiness,
    /// `_dependencies`.
    Dependencies,
    /// Everything else below a realm's root.
    File,
}

impl Route {
    /// Every route.
    pub const ALL: [Self; 13] = [
        Self::Skills,
        Self::DelegateSession,
        Self::IndexingErrors,
        Self::Events,
        Self::Reindex,
        Self::FullReindex,
        Self::Invalidate,
        Self::CancelIndexing,
        Self::Info,
        Self::Mtimes,
        Self::Readiness,
        Self::Dependencies,
        Self::File,
    ];

    /// How it is written in lists and metrics: `{realm}` stands for a realm's root, which ends in a slash.
    pub fn template(self) -> &'static str {
        match self {
            Self::Skills => "/_skills",
            Self::DelegateSession => "/_delegate-session",
            Self::IndexingErrors => "{realm}_indexing-errors",
            Self::Events => "{realm}_events",
            Self::Reindex => "{realm}_reindex",
            Self::FullReindex => "{realm}_full-reindex",
            Self::Invalidate => "{realm}_invalidate",
            Self::CancelIndexing => "{realm}_cancel-indexing-job",
            Self::Info => "{realm}_info",
            Self::Mtimes => "{realm}_mtimes",
            Self::Readiness => "{realm}_readiness-check",
            Self::Dependencies => "{realm}_dependencies",
            Self::File => "{realm}{file}",
        }
    }

    /// The path below a realm's root; none for those of the listener itself, and for files.
    fn below_realm(self) -> Option<&'static str> {
        self.template()
            .strip_prefix("{realm}")
            .filter(|path| path.starts_with('_'))
    }

    /// The route that a request is for; none where nothing is served.
    pub(super) fn of(path: &str, place: Option<&Place>) -> Option<Self> {
        let is_it = |route: &Self| match route.below_realm() {
            Some(below) => place.is_some_and(|place| place.below == below),
            None => route.template() == path,
        };
        let named = Self::ALL.into_iter().find(is_it);
        named.or(place.map(|_| Self::File))
    }

    fn handler(self) -> MethodRouter<Public> {
        match self {
            Self::Skills => get(skills::get),
            Self::DelegateSession => {
                post(delegate::delegate).layer(DefaultBodyLimit::max(delegate::MAX_BODY))
            }
            Self::IndexingErrors => get(indexing_errors::list),
            Self::Events => get(events::follow),
            Self::Reindex => post(operate::reindex),
            Self::FullReindex => post(operate::full_reindex),
            Self::Invalidate => post(operate::invalidate),
            Self::CancelIndexing => post(operate::cancel_indexing),
            Self::Info => get(realm_info::get),
            Self::Mtimes => get(mtimes::get),
            Self::Readiness => get(readiness::get),
            Self::Dependencies => get(dependencies::get),
            Self::File => axum::routing::any(files::get),
        }
    }
}

/// The listener's own routes; what is none of them is for a realm.
pub(super) fn of_listener(public: &Public) -> Router {
    // Whoever is below has an `Extension<Arc<RegisteredRealm>>`, and the path below the realm's root as its own.
    let mut below =
        Router::new().fallback_service(Route::File.handler().with_state(public.clone()));
    // Its document and the page that shows it, which say nothing of what is indexed.
    let mut routes = Router::new().merge(crate::openapi::routes(super::document()));
    for route in Route::ALL {
        match (route, route.below_realm()) {
            (Route::File, _) => {}
            (route, Some(path)) => below = below.route(&format!("/{path}"), route.handler()),
            (route, None) => routes = routes.route(route.template(), route.handler()),
        }
    }
    let below: Router = below
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .with_state(public.clone());
    routes
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .fallback(async move |request: Request| into_realm(below, request).await)
        .with_state(public.clone())
}
