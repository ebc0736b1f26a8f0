//! What can't be done, in words (JSON:API 1.1, error objects).

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use realmdex_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

/// Of JSON:API's documents.
pub(crate) const JSON_API: HeaderValue = HeaderValue::from_static("application/vnd.api+json");

/// Why a request was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The status of the answer.
    pub status: StatusCode,
    /// What whoever asks can make of it.
    pub detail: String,
}

impl Problem {
    /// One in words.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { status, detail }
    }

    /// What was sent makes no sense (400).
    pub fn bad(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// Nobody knows who asks (401).
    pub fn unauthorized(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, detail)
    }

    /// There is no such thing, or none that whoever asks may know of (404).
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    /// The route does not take this method (405).
    pub(crate) fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "the method is not one of those in `Allow`",
        )
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        if error.is_about_values() {
            return Self::bad(error.to_string());
        }
        // Of the database's own words nobody outside learns anything.
        let shown = &error as &(dyn std::error::Error + 'static);
        tracing::warn!(error = shown, "not answered");
        match error.is_about_reaching() {
            true => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "the index can't be reached now",
            ),
            false => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the index can't be read: its log says why",
            ),
        }
    }
}

/// What could not be done (JSON:API 1.1).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ErrorDocument {
    /// Why.
    errors: [ErrorObject; 1],
}

/// Why something could not be done.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ErrorObject {
    /// The status of the answer.
    status: String,
    /// What that is called.
    title: &'static str,
    /// What went wrong, and how to mend it.
    detail: String,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let error = ErrorObject {
            status: self.status.as_u16().to_string(),
            title: self.status.canonical_reason().unwrap_or("Error"),
            detail: self.detail,
        };
        let document = ErrorDocument { errors: [error] };
        let mut answer = (self.status, Json(document)).into_response();
        answer.headers_mut().insert(header::CONTENT_TYPE, JSON_API);
        answer
    }
}
