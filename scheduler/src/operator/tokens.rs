//! `/_tokens`: who may come in here, and for what.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::Utc;
use realmdex_store::{NewToken, TokenRow};

use super::Operator;
use super::body::Body;
use super::failure::Failure;
use super::realms::name;
use super::token::{STORED_PREFIX, digest};
use super::wire::{
    Changed, Errors, TokenAnswer, TokenMade, TokenRequest, TokenRevokeRequest, TokenText,
    TokensAnswer,
};

/// Every stored token, without its text.
#[utoipa::path(
    get, path = "/_tokens", tag = "access", operation_id = "tokens",
    responses((status = 200, description = "Every token, by name.", body = TokensAnswer)),
)]
pub(super) async fn list(State(operator): State<Operator>) -> Result<Json<TokensAnswer>, Failure> {
    let tokens = operator.store.tokens().await?;
    let tokens = tokens.into_iter().map(answer).collect();
    Ok(Json(TokensAnswer { tokens }))
}

fn answer(row: TokenRow) -> TokenAnswer {
    TokenAnswer {
        name: row.name,
        scopes: row.scopes,
        created_at: row.created_at,
        expires_at: row.expires_at,
        last_used_at: row.last_used_at,
    }
}

/// Makes a token. Its text is told once.
#[utoipa::path(
    post, path = "/_tokens", tag = "access", operation_id = "makeToken", request_body = TokenRequest,
    responses(
        (status = 201, description = "It is made.", body = TokenMade),
        (status = 409, description = "There is one of that name.", body = Errors),
    ),
)]
pub(super) async fn make(
    State(operator): State<Operator>,
    Body(request): Body<TokenRequest>,
) -> Result<(StatusCode, Json<TokenMade>), Failure> {
    let name = name(&request.name)?;
    let mut scopes = request.scopes;
    scopes.sort_unstable();
    scopes.dedup();
    if scopes.is_empty() {
        return Err(Failure::bad(
            "a token that is good for nothing is of no use: give scopes of read, reindex, approve, admin",
        ));
    }
    if request.expires_at.is_some_and(|ends| ends <= Utc::now()) {
        return Err(Failure::bad("that time is over: give a later expiresAt"));
    }
    let text = random_text()?;
    let new = NewToken {
        name,
        digest: digest(&text.0),
        scopes,
        expires_at: request.expires_at,
    };
    let Some(row) = operator.store.add_token(&new).await? else {
        return Err(Failure::new(
            StatusCode::CONFLICT,
            format!(
                "there is a token {:?} already: revoke it with `realmdex tokens revoke`, or give another name",
                new.name
            ),
        ));
    };
    tracing::info!(token.name = row.name, token.scopes = ?row.scopes, "a token is made");
    let made = TokenMade {
        name: row.name,
        token: text,
        scopes: row.scopes,
        expires_at: row.expires_at,
    };
    Ok((StatusCode::CREATED, Json(made)))
}

/// 256 bits that nobody can guess.
fn random_text() -> Result<TokenText, Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("the system gives no random numbers: {error}"),
        )
    })?;
    Ok(TokenText(format!("{STORED_PREFIX}{}", hex::encode(bytes))))
}

/// Has a token hold no more.
#[utoipa::path(
    post, path = "/_tokens/revoke", tag = "access", operation_id = "revokeToken", request_body = TokenRevokeRequest,
    responses((status = 200, description = "Whether there was one.", body = Changed)),
)]
pub(super) async fn revoke(
    State(operator): State<Operator>,
    Body(request): Body<TokenRevokeRequest>,
) -> Result<Json<Changed>, Failure> {
    let has_changed = operator.store.revoke_token(&request.name).await?;
    if has_changed {
        tracing::info!(token.name = request.name, "a token is revoked");
    }
    Ok(Json(Changed { has_changed }))
}
