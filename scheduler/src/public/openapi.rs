//! The public listener described. Paths are below a realm's root, but for those that say so.

use utoipa::OpenApi;

use super::problem::ErrorDocument;
use super::{delegate, events, indexing_errors, operate};
use crate::events::{IndexEvent, ReindexEvent};
use crate::openapi::{Refusals, complete};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "realmdex: the public listener",
        description = "Realms are served below their URLs to whoever may read them."
    ),
    paths(
        delegate::delegate,
        indexing_errors::list,
        events::follow,
        operate::reindex,
        operate::full_reindex,
        operate::invalidate,
        operate::cancel_indexing,
    ),
    components(schemas(ErrorDocument, IndexEvent, ReindexEvent))
)]
struct Described;

/// The `OpenAPI` 3.1 document of the public listener.
pub fn document() -> utoipa::openapi::OpenApi {
    let refusals = Refusals {
        content_type: "application/vnd.api+json",
        schema: "ErrorDocument",
    };
    let mut document = Described::openapi();
    let token = "A realm token; none where everyone has the right.";
    complete(&mut document, &refusals, token);
    document
}
