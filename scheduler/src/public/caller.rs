//! Whoever asks for something below a realm, let in or not before any handler runs: a handler that takes one of these
//! can't tell anything to someone who may not know it.

use std::sync::Arc;

use axum::extract::{Extension, FromRequestParts};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use realmdex_store::RegisteredRealm;

use super::{Problem, Public};
use crate::access::{Caller, Need};

/// Someone who may read the realm.
pub(super) struct Reader {
    pub(super) realm: Arc<RegisteredRealm>,
}

/// Someone who may have the realm worked on.
pub(super) struct Writer {
    pub(super) realm: Arc<RegisteredRealm>,
    pub(super) caller: Caller,
}

impl Writer {
    /// Why something is done, for the ledger.
    pub(super) fn reason(&self) -> String {
        match &self.caller {
            Caller::User(name) => format!("{name} asked for it"),
            _ => "someone who may write asked for it".to_owned(),
        }
    }
}

impl FromRequestParts<Public> for Reader {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, public: &Public) -> Result<Self, Response> {
        let (realm, _) = permitted(parts, public, Need::Read).await?;
        Ok(Self { realm })
    }
}

impl FromRequestParts<Public> for Writer {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, public: &Public) -> Result<Self, Response> {
        let (realm, caller) = permitted(parts, public, Need::Write).await?;
        Ok(Self { realm, caller })
    }
}

async fn permitted(
    parts: &mut Parts,
    public: &Public,
    need: Need,
) -> Result<(Arc<RegisteredRealm>, Caller), Response> {
    let found: Result<Extension<Arc<RegisteredRealm>>, _> =
        Extension::from_request_parts(parts, public).await;
    let Ok(Extension(realm)) = found else {
        return Err(Problem::not_found("no realm is served here").into_response());
    };
    match public.access.permit(&realm, need, &parts.headers).await {
        Ok(caller) => Ok((realm, caller)),
        Err(refusal) => Err(refusal.into_response()),
    }
}
