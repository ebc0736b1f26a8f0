//! Who may use the operator's listener.

use std::fmt;
use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
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
        if names_another_machine(request.headers().get(HOST)) {
            let why = "without a token this listener is asked by a name of this machine only: 127.0.0.1, [::1] or localhost";
            return Failure::new(StatusCode::FORBIDDEN, why).into_response();
        }
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

/// Whether a page in a browser may be asking, by a name that it has made point here (DNS rebinding). Where a token is asked
/// for it has none to send. Who is in this process names no host.
fn names_another_machine(host: Option<&HeaderValue>) -> bool {
    let Some(host) = host else { return false };
    let host = host.to_str().unwrap_or_default();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = address
        .parse::<IpAddr>()
        .is_ok_and(|address| address.is_loopback());
    !is_loopback && !name.eq_ignore_ascii_case("localhost")
}
