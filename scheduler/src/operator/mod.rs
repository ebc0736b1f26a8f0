//! The operator's listener: changes come in, and everything is looked at and steered.
//!
//! | route | | scope |
//! |---|---|---|
//! | `POST /_changes` | says what changed in a realm | reindex |
//! | `GET /_realms` | what is indexed, and who may do what with it | read |
//! | `POST /_realms`, `/_realms/{rights,archive,remove}` | the same, to be changed | admin |
//! | `GET /_packages` | the package map | read |
//! | `POST /_packages`, `/_packages/remove` | the same, to be changed | admin |
//! | `POST /_reindex` | whole realms | reindex |
//! | `GET /_reindexes` | how far they are | read |
//! | `GET /_jobs` | work | read |
//! | `POST /_jobs/{cancel,retry}` | the same, to be steered | reindex |
//! | `GET /_queue`, `GET /_verify` | how it stands | read |
//! | `GET /_files`, `/_errors`, `/_definitions`, `/_holdings` | what is indexed: a file, and all of a realm | read |
//! | `GET /_why` | what a file was computed from, and what of that has moved | read |
//! | `GET`, `POST /_tokens`, `POST /_tokens/revoke` | who may come in here | admin |
//! | `POST /_sessions`, `/_sessions/revoke` | tokens of realms' users | admin |
//! | `GET /_events` | what happens, as it does | read |
//! | `POST /_grafana-{reindex,full-reindex,complete-job}` | reindexes and jobs by Boxel's names | reindex |
//! | `GET /_queue-status`, `GET /_skill-validation` | for Boxel's monitors | read |
//! | `GET /_openapi.json`, `GET /_docs/` | all of this, for machines and people | none |
//! | `GET /_liveness`, `GET /_readiness`, `GET /metrics` | for machines | none |
//!
//! Tokens are sent as `Authorization: Bearer …`. The configured one is good for everything, a stored one (`rdx_…`, of
//! which only the SHA-256 is kept) for its scopes: whoever may do something may read, and `admin` may do everything;
//! `reindex` and `approve` have nothing to do with each other. Without a configured token everyone who reaches the
//! listener is let in until the first one is stored, and again once the last one is revoked; one that has expired still
//! counts. Whoever locks themselves out comes in over the database (`realmdex tokens create … --database`).
//!
//! Realms are named by their URL. What is sent and answered is in [`wire`]. What can't be done is answered as
//! `{"errors": [{"status", "title", "detail"}]}`.

mod body;
mod boxel;
mod changes;
mod definitions;
mod errors;
mod events;
mod failure;
mod files;
mod health;
mod jobs;
mod openapi;
mod packages;
mod realms;
mod reindexes;
mod scope;
mod serve;
mod sessions;
mod standing;
mod token;
mod tokens;
mod whereabouts;
mod why;
pub mod wire;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::{get, post};
use realmdex_queue::Broker;
use realmdex_source::OpenSource;
use realmdex_store::{Realm, Store};
use realmdex_types::RealmUrl;

use crate::access::Access;
use crate::intake::Intake;
use crate::requests::{Listener, NO_ROUTE};
use crate::{Events, Metrics, Wakes};
pub use errors::findings;
use failure::Failure;
pub use openapi::document;
pub use serve::serve;
use token::Guard;
pub use token::OperatorToken;

/// The largest request, in bytes: the changes of one have room in it.
const MAX_BODY: usize = 4 << 20;

/// What the routes work with. Cheap to clone.
#[derive(Clone)]
pub struct Operator {
    store: Store,
    metrics: Arc<Metrics>,
    broker: Option<Broker>,
    wakes: Wakes,
    guard: Guard,
    access: Access,
    events: Events,
    /// What reads files as they are now; none where this process reads none.
    sources: Option<OpenSource>,
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operator").finish_non_exhaustive()
    }
}

impl Operator {
    /// With a store alone: no broker is looked at, nobody is woken, and everyone may do everything.
    pub fn new(store: Store, metrics: Arc<Metrics>) -> Self {
        Self {
            events: Events::new(store.clone()),
            store,
            metrics,
            broker: None,
            wakes: Wakes::default(),
            guard: Guard::Nobody,
            access: Access::default(),
            sources: None,
        }
    }

    /// Tells how a broker stands.
    #[must_use]
    pub fn with_broker(mut self, broker: Broker) -> Self {
        self.broker = Some(broker);
        self
    }

    /// Wakes a scheduler in this process.
    #[must_use]
    pub fn with_wakes(mut self, wakes: Wakes) -> Self {
        self.wakes = wakes;
        self
    }

    /// Asks for a token: this one, or a stored one.
    #[must_use]
    pub fn with_token(mut self, token: OperatorToken) -> Self {
        self.guard = Guard::Configured(token);
        self
    }

    /// Asks for a stored token, once there are any.
    #[must_use]
    pub fn with_stored_tokens(mut self) -> Self {
        self.guard = Guard::OnceStored;
        self
    }

    /// Makes sessions of realms' users.
    #[must_use]
    pub fn with_access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Reads files as they are now, where someone asks what has moved.
    #[must_use]
    pub fn with_sources(mut self, open: OpenSource) -> Self {
        self.sources = Some(open);
        self
    }

    /// Where it tells what happens.
    pub fn events(&self) -> Events {
        self.events.clone()
    }

    fn intake(&self) -> Intake {
        let metrics = Arc::clone(&self.metrics);
        Intake::new(self.store.clone(), metrics, self.wakes.clone())
    }

    async fn realm(&self, url: &RealmUrl) -> Result<Realm, Failure> {
        Ok(self.intake().realm(url).await?)
    }

    /// The realm that a list is limited to.
    async fn realm_if(
        &self,
        url: Option<&RealmUrl>,
    ) -> Result<Option<realmdex_store::RealmId>, Failure> {
        Ok(match url {
            Some(url) => Some(self.realm(url).await?.id),
            None => None,
        })
    }

    /// Realms, rights or packages are others now.
    fn registry_changed(&self) {
        self.wakes.registry.up();
        self.wakes.dispatch.up();
    }
}

/// All routes, to be served or called in process.
pub fn router(operator: Operator) -> Router {
    let guarded = Router::new()
        .route("/_changes", post(changes::take_in))
        .route("/_realms", get(realms::list).post(realms::add))
        .route("/_realms/rights", post(realms::set_rights))
        .route("/_realms/archive", post(realms::archive))
        .route("/_realms/remove", post(realms::remove))
        .route("/_packages", get(packages::list).post(packages::announce))
        .route("/_packages/remove", post(packages::remove))
        .route("/_reindex", post(reindexes::request))
        .route("/_reindexes", get(reindexes::list))
        .route("/_jobs", get(jobs::list))
        .route("/_jobs/cancel", post(jobs::cancel))
        .route("/_jobs/retry", post(jobs::retry))
        .route("/_tokens", get(tokens::list).post(tokens::make))
        .route("/_tokens/revoke", post(tokens::revoke))
        .route("/_sessions", post(sessions::make))
        .route("/_sessions/revoke", post(sessions::revoke))
        .route("/_grafana-reindex", post(boxel::reindex))
        .route("/_grafana-full-reindex", post(boxel::full_reindex))
        .route("/_grafana-complete-job", post(boxel::complete_job))
        .route("/_queue-status", get(boxel::queue_status))
        .route("/_skill-validation", get(boxel::skill_validation))
        .route("/_events", get(events::follow))
        .route("/_queue", get(standing::queue))
        .route("/_verify", get(standing::verify))
        .route("/_files", get(files::one))
        .route("/_holdings", get(files::holdings))
        .route("/_errors", get(errors::list))
        .route("/_definitions", get(definitions::list))
        .route("/_why", get(why::why))
        .fallback(failure::no_such_route)
        .layer(axum::middleware::from_fn_with_state(
            operator.clone(),
            token::ask_for_it,
        ));
    Router::new()
        .route("/_liveness", get(health::liveness))
        .route("/_readiness", get(health::readiness))
        .route("/metrics", get(health::metrics))
        .merge(crate::openapi::routes(document()))
        .merge(guarded)
        .method_not_allowed_fallback(failure::no_such_method)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(axum::middleware::from_fn_with_state(
            operator.clone(),
            count,
        ))
        .with_state(operator)
}

/// Counts what is answered, by the route that it was asked of.
async fn count(
    State(operator): State<Operator>,
    route: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let (begun, method) = (Instant::now(), request.method().clone());
    let answered = next.run(request).await;
    let route = route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
    let requests = &operator.metrics.requests;
    requests.count(
        Listener::Operator,
        route,
        &method,
        answered.status(),
        begun.elapsed(),
    );
    answered
}
