//! A request's body, refused in a document of ours where it can't be taken.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;

use super::Problem;

/// All of a body, whatever it is said to be.
pub(super) struct Body(pub(super) Bytes);

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Bytes::from_request(request, state).await {
            Ok(bytes) => Ok(Self(bytes)),
            Err(refused) if refused.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "the body is larger than is taken here: send less at once",
            )),
            Err(_) => Err(Problem::bad("the body ended before it was all there")),
        }
    }
}
