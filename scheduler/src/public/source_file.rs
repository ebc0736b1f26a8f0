//! `GET <file>` as its bytes, just as they lie in the realm.

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, LAST_MODIFIED,
    LOCATION,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use realmdex_source::FileBytes;
use realmdex_store::RegisteredRealm;
use realmdex_types::{ContentDigest, EXECUTABLE_EXTENSIONS, RealmPath, content_type};

use super::conditional::{Part, http_date, is_known, part, tag_of};
use super::realm_info::is_public;
use super::{Problem, Public, sources};

const CREATED: HeaderName = HeaderName::from_static("x-created");

/// The bytes of a file for someone who may read the realm, or the way to the module that is meant.
pub(crate) async fn answer(
    public: &Public,
    realm: &RegisteredRealm,
    path: &RealmPath,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let missed = match public.read_file(realm, path).await {
        Ok(file) => return Ok(found(realm, path, file, headers)),
        Err(error) if error.is_not_found() => error,
        Err(error) => return Err(sources::problem(&error)),
    };
    if let Some(module) = module_meant(public, realm, path).await? {
        let target = realm.realm.url.file(&module);
        let target = HeaderValue::from_str(target.path())
            .map_err(|_| Problem::not_found("there is no such file"))?;
        return Ok((StatusCode::FOUND, [(LOCATION, target)]).into_response());
    }
    Err(sources::problem(&missed))
}

/// Boxel's fallback for a name without an extension: the first that there is of the modules, or else the card.
async fn module_meant(
    public: &Public,
    realm: &RegisteredRealm,
    path: &RealmPath,
) -> Result<Option<RealmPath>, Problem> {
    let is_module = |extension: &&str| path.as_str().ends_with(extension);
    if EXECUTABLE_EXTENSIONS.iter().any(is_module) {
        return Ok(None);
    }
    for extension in EXECUTABLE_EXTENSIONS.into_iter().chain([".json"]) {
        let Ok(candidate) = RealmPath::parse(&format!("{path}{extension}")) else {
            continue;
        };
        let is_there = public.has_file(realm, &candidate).await;
        if is_there.map_err(|error| sources::problem(&error))? {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

fn found(
    realm: &RegisteredRealm,
    path: &RealmPath,
    file: FileBytes,
    asked: &HeaderMap,
) -> Response {
    let kind = content_type(path.file_name());
    let tag = tag_of(&ContentDigest::of(&file.bytes));
    let bytes = Bytes::from(file.bytes);
    let size = bytes.len();
    let mut answer = if is_known(asked, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match part(asked, &tag, size) {
            Part::All => sent(StatusCode::OK, bytes, None),
            Part::Only(range) => {
                let said = format!("bytes {}-{}/{size}", range.start, range.end - 1);
                sent(StatusCode::PARTIAL_CONTENT, bytes.slice(range), Some(said))
            }
            Part::Unsatisfiable => {
                let said = format!("bytes */{size}");
                sent(StatusCode::RANGE_NOT_SATISFIABLE, Bytes::new(), Some(said))
            }
        }
    };
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(ETAG, tag);
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if kind.starts_with("image/") {
        let kept = match is_public(realm) {
            true => "public, max-age=60, must-revalidate",
            false => "private, max-age=60, must-revalidate",
        };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(kept));
    }
    for (name, time) in [(LAST_MODIFIED, file.modified), (CREATED, file.created)] {
        if let Some(date) = time.and_then(http_date) {
            headers.insert(name, date);
        }
    }
    answer
}

fn sent(status: StatusCode, bytes: Bytes, range: Option<String>) -> Response {
    let length = HeaderValue::from(bytes.len());
    let mut answer = (status, Body::from(bytes)).into_response();
    let headers = answer.headers_mut();
    headers.insert(CONTENT_LENGTH, length);
    if let Some(range) = range.and_then(|range| HeaderValue::try_from(range).ok()) {
        headers.insert(CONTENT_RANGE, range);
    }
    answer
}
