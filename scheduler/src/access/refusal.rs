//! Why a request is not done, as Boxel's clients know it.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use realmdex_store::StoreError;
use realmdex_types::RealmUrl;
use serde::Serialize;
use utoipa::ToSchema;

use crate::public::{JSON_API, Problem};

const REALM_URL: HeaderName = HeaderName::from_static("x-boxel-realm-url");
const REALM_ARCHIVED: HeaderName = HeaderName::from_static("x-boxel-realm-archived");

/// Why someone may not. 401 is no, a bad, a stale or a revoked token; 403 is one that is good for less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denial {
    /// Who asks is not said (401).
    MissingHeader,
    /// The token's time is over (401).
    TokenExpired,
    /// It is no token, was not signed here, or is for another realm (401).
    TokenInvalid,
    /// The user's sessions were revoked since (401).
    SessionRevoked,
    /// The user's permissions are others now than the token says (401).
    PermissionMismatch,
    /// Whoever acts for a user reads, and no more (403).
    DelegatedReadOnly,
    /// The user may do less than that (403).
    Insufficient,
    /// Nobody may: the realm is archived (403).
    Archived,
}

impl Denial {
    /// The status of the answer.
    pub fn status(self) -> StatusCode {
        match self {
            Self::MissingHeader
            | Self::TokenExpired
            | Self::TokenInvalid
            | Self::SessionRevoked
            | Self::PermissionMismatch => StatusCode::UNAUTHORIZED,
            Self::DelegatedReadOnly | Self::Insufficient | Self::Archived => StatusCode::FORBIDDEN,
        }
    }

    /// The words that Boxel's clients compare with.
    pub fn message(self) -> &'static str {
        match self {
            Self::MissingHeader => "Missing Authorization header",
            Self::TokenExpired => "Token expired",
            Self::TokenInvalid => "Token invalid",
            Self::SessionRevoked => "Session revoked",
            Self::PermissionMismatch => {
                "User permissions in the JWT payload do not match the server's permissions"
            }
            Self::DelegatedReadOnly => "Delegated sessions are read-only",
            Self::Insufficient => "Insufficient permissions to perform this action",
            Self::Archived => "Realm Archived",
        }
    }
}

/// On the answer to a request that showed what nobody here has signed: whoever sends many of them guesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess;

/// Why a request is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Whoever sent it may not.
    Denied {
        /// Why not.
        denial: Denial,
        /// The realm that it is about; none where it is about several.
        realm: Option<RealmUrl>,
    },
    /// Something else is in the way.
    Problem(Problem),
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Problem(error.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (denial, realm) = match self {
            Self::Denied { denial, realm } => (denial, realm),
            Self::Problem(problem) => return problem.into_response(),
        };
        let status = denial.status();
        let mut answer = match denial {
            Denial::Archived => archived(realm.as_ref()),
            _ => (status, denial.message()).into_response(),
        };
        if denial == Denial::TokenInvalid {
            answer.extensions_mut().insert(Guess);
        }
        let headers = answer.headers_mut();
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        // Clients learn the realm of a URL from that, to get a token for it; to those who have one it is not told again.
        if status == StatusCode::UNAUTHORIZED || denial == Denial::Archived {
            let url = realm.and_then(|realm| HeaderValue::from_str(realm.as_str()).ok());
            if let Some(url) = url {
                headers.insert(REALM_URL, url);
            }
        }
        answer
    }
}

/// What is answered of an archived realm to those who could read it before (Boxel's).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ArchivedDocument {
    /// Why.
    errors: [ArchivedError; 1],
}

/// That a realm is archived (JSON:API 1.1).
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ArchivedError {
    /// `403`
    status: &'static str,
    /// `archived`
    code: &'static str,
    /// What that is called.
    title: &'static str,
    /// Which realm.
    detail: String,
}

fn archived(realm: Option<&RealmUrl>) -> Response {
    let detail = match realm {
        Some(realm) => format!("Realm {realm} is archived"),
        None => "The realm is archived".to_owned(),
    };
    let error = ArchivedError {
        status: "403",
        code: "archived",
        title: Denial::Archived.message(),
        detail,
    };
    let headers = [
        (header::CONTENT_TYPE, JSON_API),
        (REALM_ARCHIVED, HeaderValue::from_static("true")),
    ];
    let document = ArchivedDocument { errors: [error] };
    (StatusCode::FORBIDDEN, headers, Json(document)).into_response()
}
