//! Who may use the operator's listener.

use std::fmt;
use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use chrono::Utc;
use realmdex_store::Store;
use realmdex_types::Scope;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::Operator;
use super::failure::Failure;
use super::scope::needed;

/// What texts of stored tokens begin with, so that people and programs that look for leaked ones know them.
pub(super) const STORED_PREFIX: &str = "rdx_";

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

    /// Whether it is the one given. Takes as long wherever the first difference is.
    fn is(&self, given: &[u8]) -> bool {
        given.ct_eq(self.0.as_bytes()).into()
    }
}

impl fmt::Debug for OperatorToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorToken(hidden)")
    }
}

/// Who is let in.
#[derive(Clone, Debug)]
pub(super) enum Guard {
    /// Everyone: whoever asks is in this process.
    Nobody,
    /// Whoever has a stored token; everyone, as long as none is stored.
    OnceStored,
    /// Whoever has this token, which is good for everything, or a stored one.
    Configured(OperatorToken),
}

/// Why someone is not let in.
#[derive(Debug)]
enum KeptOut {
    /// Nobody knows who that is (401).
    Unknown(String),
    /// They may do other things (403).
    Lacking(Scope),
    /// It is not known now.
    Failed(Failure),
}

impl IntoResponse for KeptOut {
    fn into_response(self) -> Response {
        match self {
            Self::Unknown(why) => {
                let failure = Failure::new(StatusCode::UNAUTHORIZED, why);
                ([(WWW_AUTHENTICATE, "Bearer")], failure).into_response()
            }
            Self::Lacking(scope) => Failure::new(
                StatusCode::FORBIDDEN,
                format!(
                    "this needs a token with the scope `{}`, and that token has not got it: `realmdex tokens create` makes one",
                    scope.as_str()
                ),
            )
            .into_response(),
            Self::Failed(failure) => failure.into_response(),
        }
    }
}

/// Lets pass who may do what is asked for.
pub(super) async fn ask_for_it(
    State(operator): State<Operator>,
    request: Request,
    next: Next,
) -> Response {
    let scope = needed(request.method(), request.uri().path());
    let given = request.headers().get(AUTHORIZATION);
    if given.is_none() && operator.guard.is_fooled_by(request.headers().get(HOST)) {
        let why = "without a token this listener is asked by a name of this machine only: 127.0.0.1, [::1] or localhost";
        return Failure::new(StatusCode::FORBIDDEN, why).into_response();
    }
    match operator.guard.let_in(&operator.store, given, scope).await {
        Ok(()) => next.run(request).await,
        Err(kept_out) => kept_out.into_response(),
    }
}

impl Guard {
    /// Whether a page in a browser may be asking, by a name that it has made point here (DNS rebinding). Where a token
    /// is asked for it has none to send. Who is in this process names no host.
    fn is_fooled_by(&self, host: Option<&HeaderValue>) -> bool {
        let Some(host) = host.filter(|_| matches!(self, Self::OnceStored)) else {
            return false;
        };
        let host = host.to_str().unwrap_or_default();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let address = name.trim_start_matches('[').trim_end_matches(']');
        let is_loopback = address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        !is_loopback && !name.eq_ignore_ascii_case("localhost")
    }

    async fn let_in(
        &self,
        store: &Store,
        header: Option<&HeaderValue>,
        scope: Scope,
    ) -> Result<(), KeptOut> {
        let given = header.and_then(bearer);
        match (self, given) {
            (Self::Nobody, _) => return Ok(()),
            (Self::Configured(token), Some(given)) if token.is(given) => return Ok(()),
            _ => {}
        }
        if let Some(given) = given.filter(|given| given.starts_with(STORED_PREFIX.as_bytes())) {
            let known = store.use_token(&digest(given)).await.map_err(failed)?;
            if let Some(token) = known {
                if let Some(ended) = token.expires_at.filter(|ends| *ends <= Utc::now()) {
                    return Err(KeptOut::Unknown(format!(
                        "the token held until {}: make another with `realmdex tokens create`",
                        ended.format("%F %T UTC")
                    )));
                }
                let has_it = token.scopes.iter().any(|had| had.includes(scope));
                return has_it.then_some(()).ok_or(KeptOut::Lacking(scope));
            }
        }
        if matches!(self, Self::OnceStored) && !store.has_tokens().await.map_err(failed)? {
            return Ok(());
        }
        Err(KeptOut::Unknown(match header {
            Some(_) => "the token is not this listener's".to_owned(),
            None => "send the operator's token as `Authorization: Bearer …`".to_owned(),
        }))
    }
}

fn failed(error: realmdex_store::StoreError) -> KeptOut {
    KeptOut::Failed(error.into())
}

/// The token of an `Authorization` header (RFC 6750).
fn bearer(header: &HeaderValue) -> Option<&[u8]> {
    let (scheme, given) = header.as_bytes().split_at_checked(b"Bearer ".len())?;
    scheme
        .eq_ignore_ascii_case(b"Bearer ")
        .then(|| given.trim_ascii())
}

/// What is kept of a token: it is too random to be guessed from that.
pub(super) fn digest(text: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256::digest(text).into()
}
