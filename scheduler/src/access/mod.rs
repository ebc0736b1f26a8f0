//! Who may do what with a realm, by what a request says of whoever asks.

use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use realmdex_store::RegisteredRealm;

use crate::public::Problem;

/// What a request needs (Boxel's realm permissions).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Reads.
    Read,
    /// Changes the realm or has it worked on.
    Write,
}

/// Whoever asks, once they may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Nobody in particular: everyone may.
    Anyone,
    /// Someone who showed a token of theirs.
    User(String),
}

/// Why a request is not done.
#[derive(Debug)]
pub enum Refusal {
    /// A token is missing (401).
    NoToken,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Self::NoToken => Problem::unauthorized("Missing Authorization header").into_response(),
        }
    }
}

/// Decides who may do what. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Access {}

impl Access {
    /// Lets pass whoever may do that with a realm.
    ///
    /// # Errors
    /// [`Refusal`] for everyone else.
    pub async fn permit(
        &self,
        realm: &RegisteredRealm,
        need: Need,
        _headers: &HeaderMap,
    ) -> Result<Caller, Refusal> {
        match need {
            Need::Read if realm.readers.iter().any(|reader| reader == "*") => Ok(Caller::Anyone),
            Need::Write if realm.writers.iter().any(|writer| writer == "*") => Ok(Caller::Anyone),
            _ => Err(Refusal::NoToken),
        }
    }
}
