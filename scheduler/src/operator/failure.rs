//! What can't be done, in words.

use axum::Json;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use realmdex_store::StoreError;
use realmdex_types::in_words;

use super::wire::{ErrorObject, Errors};
use crate::intake::IntakeError;

/// Why a request was not done.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    detail: String,
}

impl Failure {
    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            status,
            detail: detail.into(),
        }
    }

    /// What was sent makes no sense.
    pub(super) fn bad(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::Archived => StatusCode::CONFLICT,
            StoreError::OtherSource { .. } | StoreError::OtherUrl { .. } => StatusCode::CONFLICT,
            error if error.is_about_values() => StatusCode::BAD_REQUEST,
            StoreError::Connect(_) | StoreError::Statement(_) => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, in_words(&error))
    }
}

impl From<IntakeError> for Failure {
    fn from(error: IntakeError) -> Self {
        let status = match error {
            IntakeError::Store(error) => return error.into(),
            IntakeError::Path(_) => StatusCode::BAD_REQUEST,
            IntakeError::UnknownRealm(_) => StatusCode::NOT_FOUND,
            IntakeError::ArchivedRealm(_) => StatusCode::CONFLICT,
            IntakeError::TooMany { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        };
        Self::new(status, error.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        if self.status.is_server_error() {
            tracing::warn!(
                status = self.status.as_u16(),
                detail = self.detail,
                "not done"
            );
        }
        let error = ErrorObject {
            status: self.status.as_u16().to_string(),
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            detail: self.detail,
        };
        let errors = Errors {
            errors: vec![error],
        };
        (self.status, Json(errors)).into_response()
    }
}

pub(super) async fn no_such_route(uri: Uri) -> Failure {
    Failure::new(
        StatusCode::NOT_FOUND,
        format!("there is no {} here", uri.path()),
    )
}

pub(super) async fn no_such_method(method: Method, uri: Uri) -> Failure {
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{} does not take {method}", uri.path()),
    )
}
