//! What an operator answers, and what it refuses, in words.

use std::fmt::Display;

use axum::http::StatusCode;
use realmdex_scheduler::operator::wire::Errors;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why an operator did not do what it was asked.
#[derive(Debug, Error)]
pub(crate) enum AskError {
    /// It can't be reached; that may pass.
    #[error("the operator at {at} can't be reached: {why}; {mend}")]
    Unreachable {
        /// Its URL.
        at: String,
        /// What went wrong.
        why: String,
        /// What to do about it.
        mend: String,
    },
    /// It wants another token.
    #[error("the operator at {at} does not let us in: {detail}; {mend}")]
    NotLetIn {
        /// Its URL.
        at: String,
        /// What it says.
        detail: String,
        /// What to do about it.
        mend: String,
    },
    /// Something else listens there.
    #[error(
        "{at} does not answer as an operator does (status {status}): give the URL of the operator's listener of `realmdex scheduler` or `realmdex up`, of this version of realmdex"
    )]
    NoOperator {
        /// Its URL.
        at: String,
        /// The status of its answer.
        status: u16,
    },
    /// It says why not.
    #[error("{detail}")]
    Refused {
        /// The status of its answer.
        status: StatusCode,
        /// Why, and how to mend it.
        detail: String,
    },
    /// What was asked, or answered, is not what was meant.
    #[error("the operator's interface is not as expected: {why}; are both of the same version?")]
    Unreadable {
        /// What is wrong.
        why: String,
    },
}

impl AskError {
    pub(super) fn unreadable(why: impl Display) -> Self {
        Self::Unreadable {
            why: why.to_string(),
        }
    }

    /// Whether the same may be answered a moment later.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Refused { status, .. } => *status == StatusCode::SERVICE_UNAVAILABLE,
            Self::NotLetIn { .. } | Self::NoOperator { .. } | Self::Unreadable { .. } => false,
        }
    }
}

/// Reads an answer. None where it is not an operator's.
pub(super) fn read<T: DeserializeOwned>(
    status: StatusCode,
    body: &[u8],
) -> Option<Result<T, AskError>> {
    if status.is_success() {
        return Some(serde_json::from_slice(body).map_err(AskError::unreadable));
    }
    let errors: Errors = serde_json::from_slice(body).ok()?;
    let details: Vec<String> = errors.errors.into_iter().map(|one| one.detail).collect();
    Some(Err(AskError::Refused {
        status,
        detail: details.join("; "),
    }))
}
