//! `/_sessions`: tokens of realms' users.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::Operator;
use super::body::Body;
use super::failure::Failure;
use super::realms::name;
use super::wire::{
    Errors, SessionMade, SessionRequest, SessionRevokeRequest, SessionsRevoked, TokenText,
};
use crate::access::{MintError, Session};
use crate::intake::IntakeError;

/// How long a token holds where nobody says, and at most, in hours (Boxel's: a day, and a week for those who ask).
const HOURS: u32 = 24;
const MAX_HOURS: u32 = 7 * 24;

/// Makes a realm token for a user.
#[utoipa::path(
    post, path = "/_sessions", tag = "access", operation_id = "makeSession", request_body = SessionRequest,
    responses(
        (status = 201, description = "It is made.", body = SessionMade),
        (status = 403, description = "The user may not do anything there.", body = Errors),
    ),
)]
pub(super) async fn make(
    State(operator): State<Operator>,
    Body(request): Body<SessionRequest>,
) -> Result<(StatusCode, Json<SessionMade>), Failure> {
    let hours = request.hours.unwrap_or(HOURS);
    if !(1..=MAX_HOURS).contains(&hours) {
        return Err(Failure::bad(format!(
            "a session takes 1 to {MAX_HOURS} hours, not {hours}"
        )));
    }
    let registry = operator.store.registry().await?;
    let mut realms = registry.realms.iter();
    let realm = realms
        .find(|realm| realm.realm.url == request.realm)
        .ok_or_else(|| IntakeError::UnknownRealm(request.realm.clone()))?;
    let session = Session::Own(Duration::from_secs(u64::from(hours) * 3600));
    let made = operator.access.mint(realm, &request.user, session).await?;
    tracing::info!(user = request.user, realm = %request.realm, "a session is made");
    let answer = SessionMade {
        token: TokenText(made.token),
        user: request.user,
        realm: request.realm,
        permissions: made.permissions,
        expires_at: made.expires_at,
    };
    Ok((StatusCode::CREATED, Json(answer)))
}

impl From<MintError> for Failure {
    fn from(error: MintError) -> Self {
        let status = match error {
            MintError::Store(error) => return error.into(),
            MintError::NoSecret => StatusCode::SERVICE_UNAVAILABLE,
            MintError::Nobody(_) => StatusCode::BAD_REQUEST,
            MintError::NoRead { .. } => StatusCode::FORBIDDEN,
            MintError::Signing(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}

/// Has all tokens of a user hold no more.
#[utoipa::path(
    post, path = "/_sessions/revoke", tag = "access", operation_id = "revokeSessions", request_body = SessionRevokeRequest,
    responses((status = 200, description = "They hold no more.", body = SessionsRevoked)),
)]
pub(super) async fn revoke(
    State(operator): State<Operator>,
    Body(request): Body<SessionRevokeRequest>,
) -> Result<Json<SessionsRevoked>, Failure> {
    let user = name(&request.user)?;
    let revoked_at = operator.store.revoke_sessions(&user).await?;
    tracing::info!(user, "sessions are revoked");
    Ok(Json(SessionsRevoked { user, revoked_at }))
}
