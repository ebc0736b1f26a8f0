//! Who may use the operator's listener.

use std::fmt;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

use super::Operator;
use super::failure::Failure;

/// What whoever asks must know.
#[derive(Clone)]
pub struct OperatorToken(String);

impl OperatorToken {
    /// Takes the token itself, without `Bearer`. White space around it is dropped: tokens are often read from files.
    /// None where nothing is left: an empty token would let in whoever sends one.
    pub fn new(token: impl AsRef<str>) -> Option<Self> {
        let token = token.as_ref().trim();
        (!token.is_empty()).then(|| Self(token.to_owned()))
    }

    /// Whether it is the one of an `Authorization` header (RFC 6750). Takes as long wherever the first difference is.
    fn is_in(&self, header: &[u8]) -> bool {
        let Some((scheme, given)) = header.split_at_checked(b"Bearer ".len()) else {
            return false;
        };
        let is_bearer = scheme.eq_ignore_ascii_case(b"Bearer ");
        let is_same: bool = given.trim_ascii().ct_eq(self.0.as_bytes()).into();
        is_bearer && is_same
    }
}

impl fmt::Debug for OperatorToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorToken(hidden)")
    }
}

/// Lets pass who has the token, or everyone where there is none.
pub(super) async fn ask_for_it(
    State(operator): State<Operator>,
    request: Request,
    next: Next,
) -> Response {
    let Some(token) = &operator.token else {
        return next.run(request).await;
    };
    let given = request.headers().get(AUTHORIZATION);
    if given.is_some_and(|given| token.is_in(given.as_bytes())) {
        return next.run(request).await;
    }
    let why = if given.is_some() {
        "the token is not this listener's"
    } else {
        "send the operator's token as `Authorization: Bearer …`"
    };
    let failure = Failure::new(StatusCode::UNAUTHORIZED, why);
    ([(WWW_AUTHENTICATE, "Bearer")], failure).into_response()
}
