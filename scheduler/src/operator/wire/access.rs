//! Tokens of operators, and sessions of realms' users.

use std::fmt;

use chrono::{DateTime, Utc};
use realmdex_types::{RealmUrl, Scope};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wire;
use crate::access::Permission;
use crate::schema;

/// A token's text: whoever has it may do what it is good for. It is told once, and never logged.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct TokenText(pub String);

impl fmt::Debug for TokenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenText(hidden)")
    }
}

wire! {
    /// `GET /_tokens`
    TokensAnswer {
        /// Every token, by name.
        tokens: Vec<TokenAnswer>,
    }

    /// A token, without its text: nobody knows that but whom it was given to.
    TokenAnswer {
        /// What it goes by.
        name: String,
        /// What it is good for.
        #[schema(schema_with = schema::scopes)]
        scopes: Vec<Scope>,
        /// When it was made.
        created_at: DateTime<Utc>,
        /// Until when it holds; for ever if nothing is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at: Option<DateTime<Utc>>,
        /// When someone last came with it, to the minute.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_used_at: Option<DateTime<Utc>>,
    }

    /// `POST /_tokens`
    TokenRequest {
        /// What it is to go by.
        #[schema(min_length = 1)]
        name: String,
        /// What it is to be good for; at least one.
        #[schema(schema_with = schema::wanted_scopes)]
        scopes: Vec<Scope>,
        /// Until when it is to hold; for ever if nothing is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at: Option<DateTime<Utc>>,
    }

    /// A token that was made. Its text is told here and never again.
    TokenMade {
        /// What it goes by.
        name: String,
        /// What to send as `Authorization: Bearer …`.
        token: TokenText,
        /// What it is good for.
        #[schema(schema_with = schema::scopes)]
        scopes: Vec<Scope>,
        /// Until when it holds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at: Option<DateTime<Utc>>,
    }

    /// `POST /_tokens/revoke`
    TokenRevokeRequest {
        /// What it goes by.
        name: String,
    }

    /// `POST /_sessions`
    SessionRequest {
        /// Whom the token is for.
        #[schema(min_length = 1)]
        user: String,
        /// The realm that it is for.
        #[schema(value_type = String, format = "uri")]
        realm: RealmUrl,
        /// For how long it is to hold: 24 if nothing is said, a week (168) at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 168)]
        hours: Option<u32>,
    }

    /// A realm token that was made: it says what the user may do now, and holds until that changes.
    SessionMade {
        /// What to send as `Authorization: Bearer …`.
        token: TokenText,
        /// Whom it is for.
        user: String,
        /// The realm that it is for.
        #[schema(value_type = String, format = "uri")]
        realm: RealmUrl,
        /// What the user may do there.
        permissions: Vec<Permission>,
        /// Until when it holds.
        expires_at: DateTime<Utc>,
    }

    /// `POST /_sessions/revoke`
    SessionRevokeRequest {
        /// Whose tokens, of all realms, are to hold no more.
        #[schema(min_length = 1)]
        user: String,
    }

    /// Tokens that hold no more.
    SessionsRevoked {
        /// Whose.
        user: String,
        /// Those made before then.
        revoked_at: DateTime<Utc>,
    }
}
