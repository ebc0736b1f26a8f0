//! `GET /_openapi.json` and `/_docs/`: the operator's listener described, for machines and people. It is told to
//! everyone: it says nothing of what is indexed.

use utoipa::OpenApi;
use utoipa::openapi::path::Operation;

use super::wire::{ErrorObject, Errors};
use super::{
    boxel, changes, definitions, errors, events, files, health, jobs, packages, realms, reindexes,
    sessions, standing, tokens, why,
};
use crate::events::{IndexEvent, ReindexEvent};
use crate::openapi::{Refused, Told, complete, is_for_everyone};

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

const ERRORS: &[Told] = &[Told::Document("application/json", "Errors")];

/// Of every route that may ask for a token.
const GUARDED: [Refused; 5] = [
    Refused::new(400, "The request makes no sense.", ERRORS),
    Refused {
        headers: &[("www-authenticate", "`Bearer`.")],
        ..Refused::new(401, "Nobody knows who asks.", ERRORS)
    },
    Refused::new(403, "The token is good for other things.", ERRORS),
    Refused::new(500, "It failed: the log says why.", ERRORS),
    Refused::new(503, "The index can't be reached now.", ERRORS),
];

/// Of those that take a body.
const TAKING: [Refused; 3] = [
    Refused::new(413, "The body is too large.", ERRORS),
    Refused::new(415, "The body is not said to be JSON.", ERRORS),
    Refused::new(422, "The body is JSON, and not what is taken here.", ERRORS),
];

/// Of those that are about one realm, file or job.
const UNKNOWN: Refused = Refused::new(
    404,
    "There is no such realm, or nothing of it is indexed.",
    ERRORS,
);

const NAMING: [&str; 17] = [
    "/_changes",
    "/_realms/rights",
    "/_realms/archive",
    "/_realms/remove",
    "/_reindex",
    "/_reindexes",
    "/_jobs",
    "/_jobs/cancel",
    "/_verify",
    "/_files",
    "/_holdings",
    "/_errors",
    "/_definitions",
    "/_why",
    "/_sessions",
    "/_grafana-reindex",
    "/_skill-validation",
];

/// Of those that what there is can be in the way of.
const IN_THE_WAY: Refused = Refused::new(
    409,
    "What there is stands in the way, such as that the realm is archived: the answer says what.",
    ERRORS,
);

const STRUGGLING: [&str; 8] = [
    "/_changes",
    "/_realms",
    "/_realms/remove",
    "/_packages",
    "/_reindex",
    "/_tokens",
    "/_grafana-reindex",
    "/_skill-validation",
];

fn refusals(path: &str, operation: &Operation) -> Vec<Refused> {
    if is_for_everyone(operation) {
        return Vec::new();
    }
    let mut all = GUARDED.to_vec();
    if operation.request_body.is_some() {
        all.extend(TAKING);
    }
    if NAMING.contains(&path) {
        all.push(UNKNOWN);
    }
    if STRUGGLING.contains(&path) {
        all.push(IN_THE_WAY);
    }
    all
}

/// The `OpenAPI` 3.1 document of the operator's listener.
pub fn document() -> utoipa::openapi::OpenApi {
    let mut document = Described::openapi();
    let token = "The operator's token, where the listener asks for one.";
    complete(&mut document, token, refusals);
    document
}
