//! `GET` and `HEAD` of a realm's files, as their document or as their bytes, and of its folders.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ALLOW, CONTENT_LENGTH};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use realmdex_store::RegisteredRealm;
use utoipa::openapi::schema::SchemaType;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::accept::{Face, face};
use super::answer::problem as told;
use super::document::FileMeta;
use super::file_meta::Asked;
use super::folders::{self, Folder};
use super::problem::ErrorDocument;
use super::{Problem, Public, file_meta, realm_info, source_file};
use crate::access::Need;

/// Bytes as they lie in a realm: of any media type, so that nothing is said of what they are.
struct StoredBytes;

impl PartialSchema for StoredBytes {
    fn schema() -> RefOr<Schema> {
        let anything = ObjectBuilder::new().schema_type(SchemaType::AnyValue);
        anything
            .description(Some("Bytes as they lie in the realm."))
            .build()
            .into()
    }
}

impl ToSchema for StoredBytes {}

/// What a request below a realm's root is about.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The file, if its path can be one's.
    pub(crate) file: Option<Asked>,
    /// The folder, if its path can be one's.
    pub(crate) folder: Option<Folder>,
}

/// A file: its document, or its bytes.
///
/// By `Accept` one or the other. A document tells what the index has of the file; of one that is not indexed it tells
/// what its name and bytes do, and says that it is degraded. Bytes are as they lie in the realm.
#[utoipa::path(
    get, path = "/{file}", tag = "files", operation_id = "file",
    params(
        ("file" = String, Path, example = "skills/SKILL.md",
         description = "The file's path below its realm: percent-encoded segments with plain slashes between them."),
        ("wait" = Option<i64>, Query, minimum = 0,
         description = "Of a document: waits up to 2 s until the file was looked at for the change of this number."),
        ("accept" = Option<String>, Header, example = "application/vnd.card.file-meta+json",
         description = "`application/vnd.card.file-meta+json` for the document. Of several, the first by weight that \
                        Boxel knows decides; the bytes are answered otherwise."),
        ("if-none-match" = Option<String>, Header, description = "Tags of what is known already."),
        ("range" = Option<String>, Header, example = "bytes=0-99",
         description = "Of bytes: the part that is wanted. Several parts at once are answered as all."),
        ("if-range" = Option<String>, Header, description = "The tag of what the part is of: else all is answered."),
    ),
    responses(
        (status = 200, description = "Its document, or its bytes in whatever media type its name says.", content(
             (FileMeta = "application/vnd.card.file-meta+json"),
             (StoredBytes = "*/*"),
         )),
        (status = 206, description = "A part of its bytes.", content((StoredBytes = "*/*")),
         headers(
             ("content-range" = String, description = "Which part."),
         )),
        (status = 302, description = "Bytes were asked for by a name without extension: the module, or else the card, of \
                                      that name.",
         headers(("location" = String, description = "Where it is: a path of this host."))),
        (status = 304, description = "It is known already."),
        (status = 416, description = "There is no such part. The body is empty.",
         headers(
             ("content-range" = String, description = "How many bytes there are."),
         )),
        (status = 422, description = "The file is larger than what is served.", body = ErrorDocument, content_type = "application/vnd.api+json"),
        (status = 502, description = "The realm's source does not give it.", body = ErrorDocument, content_type = "application/vnd.api+json"),
    ),
)]
pub(super) async fn get(
    State(public): State<Public>,
    Extension(realm): Extension<Arc<RegisteredRealm>>,
    Extension(target): Extension<Target>,
    request: Request,
) -> Response {
    let (head, _) = request.into_parts();
    answer(&public, &realm, target, &head).await
}

/// The same without a body.
#[utoipa::path(
    head, path = "/{file}", tag = "files", operation_id = "fileHead",
    params(
        ("file" = String, Path, example = "skills/SKILL.md",
         description = "The file's path below its realm: percent-encoded segments with plain slashes between them."),
        ("wait" = Option<i64>, Query, minimum = 0,
         description = "Of a document: waits up to 2 s until the file was looked at for the change of this number."),
        ("accept" = Option<String>, Header, example = "application/vnd.card.file-meta+json",
         description = "`application/vnd.card.file-meta+json` for the document. Of several, the first by weight that \
                        Boxel knows decides; the bytes are answered otherwise."),
        ("if-none-match" = Option<String>, Header, description = "Tags of what is known already."),
        ("range" = Option<String>, Header, example = "bytes=0-99",
         description = "Of bytes: the part that is wanted. Several parts at once are answered as all."),
        ("if-range" = Option<String>, Header, description = "The tag of what the part is of: else all is answered."),
    ),
    responses(
        (status = 200, description = "Its document, or its bytes in whatever media type its name says."),
        (status = 206, description = "A part of its bytes.",
         headers(
             ("content-range" = String, description = "Which part."),
         )),
        (status = 302, description = "Bytes were asked for by a name without extension: the module, or else the card, of \
                                      that name.",
         headers(("location" = String, description = "Where it is: a path of this host."))),
        (status = 304, description = "It is known already."),
        (status = 416, description = "There is no such part. The body is empty.",
         headers(
             ("content-range" = String, description = "How many bytes there are."),
         )),
        (status = 422, description = "The file is larger than what is served."),
        (status = 502, description = "The realm's source does not give it."),
    ),
)]
#[expect(
    dead_code,
    reason = "it describes `HEAD`, which is answered as `GET` is"
)]
pub(super) async fn head() {}

/// Answers a request for a file.
pub(super) async fn answer(
    public: &Public,
    realm: &RegisteredRealm,
    target: Target,
    head: &Parts,
) -> Response {
    let method = &head.method;
    if *method != Method::GET && *method != Method::HEAD {
        let mut refused = Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            format!("a file does not take {method}: it is changed where the realm's source is"),
        )
        .into_response();
        let allowed = HeaderValue::from_static("GET, HEAD, OPTIONS");
        refused.headers_mut().insert(ALLOW, allowed);
        return refused;
    }
    if let Err(refusal) = public.access.permit(realm, Need::Read, &head.headers).await {
        return refusal.into_response();
    }
    let Target { file, folder } = target;
    let answered = match (face(&head.headers), folder, file) {
        (Face::Listing, Some(folder), _) => folders::answer(public, realm, &folder).await,
        (_, _, None) => Err(Problem::not_found("there is no such file")),
        (Face::FileMeta, _, Some(asked)) => {
            let query = head.uri.query();
            file_meta::answer(public, realm, asked, query, &head.headers).await
        }
        (Face::Source | Face::Listing, _, Some(asked)) => {
            source_file::answer(public, realm, &asked.path, &head.headers).await
        }
    };
    let mut answered = match answered {
        Ok(answered) => answered,
        Err(problem) => told(realm, problem),
    };
    realm_info::put_headers(realm, answered.headers_mut());
    if *method == Method::HEAD {
        headless(answered)
    } else {
        answered
    }
}

/// The same answer without its body, whose length it still tells (RFC 9110, 9.3.2).
fn headless(answer: Response) -> Response {
    let (mut parts, body) = answer.into_parts();
    if let Some(length) = axum::body::HttpBody::size_hint(&body).exact()
        && parts.status != StatusCode::NOT_MODIFIED
    {
        parts
            .headers
            .entry(CONTENT_LENGTH)
            .or_insert(HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}
