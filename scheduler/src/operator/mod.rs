//! The operator's listener: changes come in, and everything is looked at and steered.
//!
//! | route | |
//! |---|---|
//! | `POST /_changes` | says what changed in a realm |
//! | `GET`, `POST /_realms`, `POST /_realms/{rights,archive,remove}` | what is indexed |
//! | `GET`, `POST /_packages`, `POST /_packages/remove` | the package map |
//! | `POST /_reindex`, `GET /_reindexes` | whole realms |
//! | `GET /_jobs`, `POST /_jobs/{cancel,retry}` | work |
//! | `GET /_queue`, `GET /_verify` | how it stands |
//! | `GET /_events` | what happens, as it does |
//! | `POST /_grafana-{reindex,full-reindex,complete-job}` | the same by Boxel's names |
//! | `GET /_queue-status`, `GET /_skill-validation` | for Boxel's monitors |
//! | `GET /_openapi.json`, `GET /_docs/` | all of this, for machines and people; without a token |
//! | `GET /_liveness`, `GET /_readiness`, `GET /metrics` | for machines; without a token |
//!
//! Realms are named by their URL. What is sent and answered is in [`wire`]. What can't be done is answered as
//! `{"errors": [{"status", "title", "detail"}]}`.

mod body;
mod boxel;
mod changes;
mod events;
mod failure;
mod health;
mod jobs;
mod openapi;
mod packages;
mod realms;
mod reindexes;
mod serve;
mod standing;
mod token;
pub mod wire;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use realmdex_queue::Broker;
use realmdex_store::{Realm, Store};
use realmdex_types::RealmUrl;

use crate::intake::Intake;
use crate::{Events, Metrics, Wakes};
use failure::Failure;
pub use openapi::document;
pub use serve::serve;
pub use token::OperatorToken;

/// The largest request, in bytes: the changes of one have room in it.
const MAX_BODY: usize = 4 << 20;

/// What the routes work with. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Operator {
    store: Store,
    metrics: Arc<Metrics>,
    broker: Option<Broker>,
    wakes: Wakes,
    token: Option<OperatorToken>,
    events: Events,
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
            token: None,
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

    /// Asks for a token.
    #[must_use]
    pub fn with_token(mut self, token: OperatorToken) -> Self {
        self.token = Some(token);
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
    router_with(operator, Router::new())
}

/// All routes, and `more` of whoever serves them, behind the same token.
pub fn router_with(operator: Operator, more: Router<Operator>) -> Router {
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
        .route("/_grafana-reindex", post(boxel::reindex))
        .route("/_grafana-full-reindex", post(boxel::full_reindex))
        .route("/_grafana-complete-job", post(boxel::complete_job))
        .route("/_queue-status", get(boxel::queue_status))
        .route("/_skill-validation", get(boxel::skill_validation))
        .route("/_events", get(events::follow))
        .route("/_queue", get(standing::queue))
        .route("/_verify", get(standing::verify))
        .merge(more)
        .fallback(failure::no_such_route)
        .layer(axum::middleware::from_fn_with_state(
            operator.clone(),
            token::ask_for_it,
        ));
    Router::new()
        .route("/_liveness", get(health::liveness))
        .route("/_readiness", get(health::readiness))
        .route("/metrics", get(health::metrics))
        .merge(openapi::routes())
        .merge(guarded)
        .method_not_allowed_fallback(failure::no_such_method)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(operator)
}
