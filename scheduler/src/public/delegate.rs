//! `POST /_delegate-session`: a token for whoever acts for a user.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use chrono::Utc;
use realmdex_types::RealmUrl;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;
use utoipa::ToSchema;

use super::body::Body;
use super::problem::ErrorDocument;
use super::{Problem, Public};
use crate::access::{MintError, Permission, Session};
use crate::operator::wire::TokenText;

/// The largest request, in bytes: a user's name and a realm's URL have room in it.
pub(super) const MAX_BODY: usize = 64 << 10;

/// Whom to act for, and where.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DelegationRequest {
    /// The user.
    pub on_behalf_of: String,
    /// The realm.
    #[schema(value_type = String, format = "uri")]
    pub realm: RealmUrl,
}

/// A token, and what it is good for.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct DelegatedSession {
    /// The token.
    pub token: TokenText,
    /// The realm.
    #[schema(value_type = String, format = "uri")]
    pub realm: RealmUrl,
    /// What it is good for there.
    pub permissions: Vec<Permission>,
}

/// Gives whoever proves that they act for users a token that reads one realm as the user may (Boxel's). The path is below
/// the listener's root.
#[utoipa::path(
    post, path = "/_delegate-session", tag = "access", operation_id = "delegateSession", security(()),
    request_body(content = DelegationRequest, description = "Signed as it is sent: the header below is of these bytes."),
    params(
        ("x-boxel-delegation-timestamp" = String, Header, description = "Now, in milliseconds since 1970; ±60 s."),
        ("x-boxel-delegation-signature" = String, Header,
            description = "HMAC-SHA256 of the timestamp, a dot and the body, in hex."),
    ),
    responses(
        (status = 200, description = "A token for 30 minutes.", body = DelegatedSession),
        (status = 401, description = "The signature is none, wrong or old.", body = ErrorDocument,
         content_type = "application/vnd.api+json"),
        (status = 403, description = "The user may not read the realm.", body = ErrorDocument,
         content_type = "application/vnd.api+json"),
        (status = 503, description = "Nobody acts for users here, or it can't be answered now.", body = ErrorDocument,
         content_type = "application/vnd.api+json"),
    ),
)]
pub(super) async fn delegate(
    State(public): State<Public>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<Json<DelegatedSession>, Problem> {
    let Some(secret) = public.access.delegation() else {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "nobody acts for users here: give the secret that both sides know, in a file that delegation_secret_file names",
        ));
    };
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    secret
        .check(
            header("x-boxel-delegation-timestamp"),
            header("x-boxel-delegation-signature"),
            &body,
            Utc::now(),
        )
        .map_err(|unproven| Problem::unauthorized(unproven.to_string()))?;
    let (user, url) = asked(&body)?;
    let refused = || {
        let detail = format!("User {user} has no read access to {url}");
        Problem::new(StatusCode::FORBIDDEN, detail)
    };
    let served = public.realms.now().await?;
    // One that is not there is one that nobody may read.
    let realm = served.by_url(&url).ok_or_else(refused)?;
    let minted = public.access.mint(realm, &user, Session::Delegated).await;
    match minted {
        Ok(minted) => {
            tracing::info!(user, realm = %url, "a session is delegated");
            Ok(Json(DelegatedSession {
                token: TokenText(minted.token),
                realm: url,
                permissions: minted.permissions,
            }))
        }
        Err(error) => {
            tracing::warn!(user, realm = %url, %error, "no session is delegated");
            Err(match error {
                MintError::Nobody(_) | MintError::NoRead { .. } => refused(),
                MintError::Store(error) => error.into(),
                MintError::NoSecret => {
                    Problem::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
                }
                MintError::Signing(_) => {
                    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
                }
            })
        }
    }
}

/// The user and the realm that a body names.
fn asked(body: &[u8]) -> Result<(String, RealmUrl), Problem> {
    let value: Value =
        serde_json::from_slice(body).map_err(|_| Problem::bad("the body is no JSON"))?;
    let text = |name: &str| match value.get(name).and_then(Value::as_str) {
        Some(text) if !text.is_empty() => Ok(text.to_owned()),
        _ => Err(Problem::bad(format!(
            "{name} is missing: send {{\"onBehalfOf\": a user, \"realm\": a URL}}"
        ))),
    };
    let (user, realm) = (text("onBehalfOf")?, text("realm")?);
    let refused = || Problem::bad(format!("{realm:?} is no realm's URL"));
    let mut url = Url::parse(&realm).map_err(|_| refused())?;
    // Boxel leaves both out of account.
    url.set_query(None);
    url.set_fragment(None);
    let url = RealmUrl::parse(url.as_str()).map_err(|_| refused())?;
    Ok((user, url))
}
