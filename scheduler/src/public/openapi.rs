//! The public listener described. Paths are below a realm's root, but for those that say so.

use utoipa::OpenApi;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{HeaderBuilder, RefOr, Server, ServerBuilder, ServerVariableBuilder};

use super::problem::ErrorDocument;
use super::{
    delegate, dependencies, events, files, indexing_errors, mtimes, operate, readiness, realm_info,
    skills,
};
use crate::access::ArchivedDocument;
use crate::events::{IndexEvent, ReindexEvent};
use crate::openapi::{Refused, Told, complete, is_for_everyone, listener_root};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "realmdex: the public listener",
        description = "Realms are served below their URLs to whoever may read them. Of nested realms the longest root \
                       wins. Every answer may be read by scripts of any origin (CORS), and each says `nosniff` and a \
                       `Content-Security-Policy` by which no stored file is run. A request whose head is no HTTP \
                       (400) or too large (431) is answered without a body."
    ),
    paths(
        files::get,
        files::head,
        realm_info::get,
        mtimes::get,
        dependencies::get,
        readiness::get,
        indexing_errors::list,
        events::follow,
        operate::reindex,
        operate::full_reindex,
        operate::invalidate,
        operate::cancel_indexing,
        skills::get,
        delegate::delegate,
    ),
    components(schemas(ErrorDocument, ArchivedDocument, IndexEvent, ReindexEvent))
)]
struct Described;

const PROBLEM: &[Told] = &[Told::Document("application/vnd.api+json", "ErrorDocument")];

/// Of every route.
const ANY: [Refused; 5] = [
    Refused::new(400, "The request makes no sense.", PROBLEM),
    Refused::new(421, "Nothing is served under this host.", PROBLEM),
    Refused {
        headers: &[("retry-after", "How long to wait, in seconds.")],
        ..Refused::new(429, "Too many requests.", PROBLEM)
    },
    Refused::new(500, "It failed: the log says why.", PROBLEM),
    Refused::new(
        503,
        "It can't be answered now, or takes too long: try again.",
        PROBLEM,
    ),
];

/// Of those below a realm's root.
const NO_REALM: Refused = Refused::new(404, "There is no such realm, or no such file.", PROBLEM);

/// Of those below a realm's root that are not for everyone.
const NOT_PERMITTED: [Refused; 2] = [
    Refused {
        headers: &[
            ("www-authenticate", "`Bearer`."),
            (
                "x-boxel-realm-url",
                "The realm, for whoever gets a token for it.",
            ),
        ],
        ..Refused::new(
            401,
            "No token, or one that is bad, stale or revoked: in Boxel's words.",
            &[Told::Words],
        )
    },
    Refused {
        headers: &[
            (
                "x-boxel-realm-archived",
                "`true` where the realm is archived.",
            ),
            ("x-boxel-realm-url", "The realm, where it is archived."),
        ],
        ..Refused::new(
            403,
            "The token is good for less, in Boxel's words; or the realm is archived.",
            &[
                Told::Words,
                Told::Document("application/vnd.api+json", "ArchivedDocument"),
            ],
        )
    },
];

/// Headers of what a realm answers (`super::realm_info::put_headers`).
const OF_REALMS: [(&str, &str); 4] = [
    (
        "cache-control",
        "For whom it may be kept, and for how long.",
    ),
    ("vary", "What else than its URL decides which answer it is."),
    ("x-boxel-realm-url", "The realm."),
    (
        "x-boxel-realm-public-readable",
        "`true` where everyone may read it.",
    ),
];

/// Headers of a file that was found, besides.
const OF_FILES: [(&str, &str); 4] = [
    ("etag", "A strong tag of the answer."),
    (
        "last-modified",
        "When it was modified or indexed, where that is known.",
    ),
    (
        "x-created",
        "When its bytes came to be, where that is known.",
    ),
    ("accept-ranges", "`bytes`, where bytes are answered."),
];

/// Statuses by which a file is found.
const FOUND: [&str; 4] = ["200", "206", "304", "416"];

/// Of those that take a body.
const TOO_LARGE: Refused = Refused::new(413, "The body is too large.", PROBLEM);

/// The routes that lie below the listener's root, whatever realms there are.
const AT_LISTENER: [&str; 2] = ["/_skills", "/_delegate-session"];

fn refusals(path: &str, operation: &Operation) -> Vec<Refused> {
    let mut all = ANY.to_vec();
    if !AT_LISTENER.contains(&path) {
        all.push(NO_REALM);
        if !is_for_everyone(operation) {
            all.extend(NOT_PERMITTED);
        }
    } else if !is_for_everyone(operation) {
        all.push(NOT_PERMITTED[0].clone());
    }
    if operation.request_body.is_some() {
        all.push(TOO_LARGE);
    }
    all
}

/// Where most paths lie.
fn realm_root() -> Server {
    let root = ServerVariableBuilder::new()
        .default_value("/")
        .description(Some(
            "The realm's URL, or the path of that: `/` for a realm that is all of its host.",
        ));
    ServerBuilder::new()
        .url("{realm}")
        .description(Some("A realm's root."))
        .parameter("realm", root)
        .build()
}

/// Says which headers answers of realms have. Refusals say their own.
fn say_headers(document: &mut utoipa::openapi::OpenApi) {
    let of_realms = document.paths.paths.iter_mut();
    for (path, item) in of_realms.filter(|(path, _)| !AT_LISTENER.contains(&path.as_str())) {
        let operations = [&mut item.get, &mut item.head, &mut item.post];
        for operation in operations.into_iter().flatten() {
            for (status, response) in &mut operation.responses.responses {
                let RefOr::T(response) = response else {
                    continue;
                };
                let of_file = OF_FILES
                    .iter()
                    .filter(|_| path == "/{file}" && FOUND.contains(&status.as_str()));
                for (name, says) in of_file.chain(&OF_REALMS) {
                    let header = HeaderBuilder::new().description(Some(*says)).build();
                    response.headers.insert((*name).to_owned(), header.into());
                }
            }
        }
    }
}

/// The `OpenAPI` 3.1 document of the public listener.
pub fn document() -> utoipa::openapi::OpenApi {
    let mut document = Described::openapi();
    document.servers = Some(vec![realm_root()]);
    for path in AT_LISTENER {
        if let Some(item) = document.paths.paths.get_mut(path) {
            item.servers = Some(listener_root());
        }
    }
    say_headers(&mut document);
    let token = "A realm token; none where everyone has the right.";
    complete(&mut document, token, refusals);
    document
}
