//! `GET /_openapi.json` and `/_docs/`: the operator's listener described, for machines and people. It is told to
//! everyone: it says nothing of what is indexed.

use axum::{Json, Router};
use utoipa::OpenApi;
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::Operator;
use super::wire::{ErrorObject, Errors};
use super::{
    boxel, changes, definitions, errors, events, files, health, jobs, packages, realms, reindexes,
    sessions, standing, tokens, why,
};
use crate::events::{IndexEvent, ReindexEvent};
use crate::openapi::{Refusals, complete};

/// Where the document is.
const DOCUMENT: &str = "/_openapi.json";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "realmdex: the operator's listener",
        description = "Changes come in, and everything is looked at and steered. Realms are named by their URL."
    ),
    paths(
        changes::take_in,
        realms::list,
        realms::add,
        realms::set_rights,
        realms::archive,
        realms::remove,
        packages::list,
        packages::announce,
        packages::remove,
        reindexes::request,
        reindexes::list,
        jobs::list,
        jobs::cancel,
        jobs::retry,
        events::follow,
        standing::queue,
        standing::verify,
        files::one,
        files::holdings,
        errors::list,
        definitions::list,
        why::why,
        tokens::list,
        tokens::make,
        tokens::revoke,
        sessions::make,
        sessions::revoke,
        boxel::reindex,
        boxel::full_reindex,
        boxel::complete_job,
        boxel::queue_status,
        boxel::skill_validation,
        health::liveness,
        health::readiness,
        health::metrics,
    ),
    components(schemas(Errors, ErrorObject, IndexEvent, ReindexEvent))
)]
struct Described;

/// The `OpenAPI` 3.1 document of the operator's listener.
pub fn document() -> utoipa::openapi::OpenApi {
    let refusals = Refusals {
        content_type: "application/json",
        schema: "Errors",
    };
    let mut document = Described::openapi();
    complete(
        &mut document,
        &refusals,
        "The operator's token, where the listener asks for one.",
    );
    document
}

/// The document, and a page that shows it.
pub(super) fn routes() -> Router<Operator> {
    let document = document();
    let page = SwaggerUi::new("/_docs").config(Config::from(DOCUMENT));
    Router::new()
        .route(DOCUMENT, axum::routing::get(async || Json(document)))
        .merge(page)
}
