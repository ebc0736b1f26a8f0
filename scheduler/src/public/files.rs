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

use super::accept::{Face, face};
use super::answer::problem as told;
use super::file_meta::Asked;
use super::folders::{self, Folder};
use super::{Problem, Public, file_meta, realm_info, source_file};
use crate::access::Need;

/// What a request below a realm's root is about.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The file, if its path can be one's.
    pub(crate) file: Option<Asked>,
    /// The folder, if its path can be one's.
    pub(crate) folder: Option<Folder>,
}

/// The route of files whose names begin as other routes do.
pub(super) async fn get(
    State(public): State<Public>,
    Extension(realm): Extension<Arc<RegisteredRealm>>,
    Extension(target): Extension<Target>,
    request: Request,
) -> Response {
    let (head, _) = request.into_parts();
    answer(&public, &realm, target, &head).await
}

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
