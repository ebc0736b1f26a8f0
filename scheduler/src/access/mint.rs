//! Making realm tokens.

use std::time::Duration;

use chrono::{DateTime, Utc};
use realmdex_store::{RegisteredRealm, StoreError};
use thiserror::Error;

use super::permission::{EVERYONE, USERS};
use super::{Access, Claims, Permission, permissions_of};

/// What a token is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Session {
    /// The user's own, for that long.
    Own(Duration),
    /// For whoever acts for the user: it is good for reading that one realm, for half an hour.
    Delegated,
}

/// How long someone acts for a user (Boxel's).
const DELEGATED: Duration = Duration::from_secs(30 * 60);

/// Why no token was made.
#[derive(Debug, Error)]
pub enum MintError {
    /// There is nothing to sign it with.
    #[error(
        "no realm tokens are made here: give the secret that signs them, in a file that realm_secret_file names"
    )]
    NoSecret,
    /// There can be no such user.
    #[error(
        "{0:?} is nobody's name: `*` and `users` stand for many, and have no token of their own"
    )]
    Nobody(String),
    /// The user may not read the realm.
    #[error("User {user} has no read access to {realm}")]
    NoRead {
        /// Whom it would be for.
        user: String,
        /// What it would be for.
        realm: String,
    },
    /// The index could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The cryptography failed.
    #[error("a token could not be signed")]
    Signing(#[from] jsonwebtoken::errors::Error),
}

/// A realm token that was made.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Minted {
    /// The token itself.
    pub(crate) token: String,
    /// What it is good for.
    pub(crate) permissions: Vec<Permission>,
    /// Until when.
    pub(crate) expires_at: DateTime<Utc>,
}

impl Access {
    /// Makes a realm token for a user, with the permissions that they have now: when those change, it no longer holds.
    pub(crate) async fn mint(
        &self,
        realm: &RegisteredRealm,
        user: &str,
        session: Session,
    ) -> Result<Minted, MintError> {
        let sessions = self.sessions.as_ref().ok_or(MintError::NoSecret)?;
        let is_name = !matches!(user.trim(), "" | EVERYONE | USERS);
        if !is_name || user.contains(char::is_control) {
            return Err(MintError::Nobody(user.to_owned()));
        }
        let permissions = granted(realm, user, session)?;
        let revoked_at = sessions.store.sessions_revoked_at(user).await?;
        let url = &realm.realm.url;
        let now = Utc::now();
        let lifetime = match session {
            Session::Own(lifetime) => lifetime,
            Session::Delegated => DELEGATED,
        };
        let ends_at = now.timestamp().saturating_add_unsigned(lifetime.as_secs());
        let named = permissions.iter().map(|one| one.as_str().to_owned());
        let claims = Claims {
            user: user.to_owned(),
            realm: Some(url.to_string()),
            permissions: Some(named.collect()),
            realm_server_url: Some(format!("{}/", url.as_url().origin().ascii_serialization())),
            delegated: session == Session::Delegated,
            iat: Some(issued_at(now, revoked_at)),
            exp: ends_at,
            nbf: None,
        };
        Ok(Minted {
            token: sessions.secret.sign(&claims)?,
            permissions,
            expires_at: DateTime::from_timestamp(ends_at, 0).unwrap_or(DateTime::<Utc>::MAX_UTC),
        })
    }
}

/// What the token says that the user may do.
fn granted(
    realm: &RegisteredRealm,
    user: &str,
    session: Session,
) -> Result<Vec<Permission>, MintError> {
    let all = permissions_of(realm, user);
    match session {
        Session::Own(_) => Ok(all),
        Session::Delegated if all.contains(&Permission::Read) => Ok(vec![Permission::Read]),
        Session::Delegated => Err(MintError::NoRead {
            user: user.to_owned(),
            realm: realm.realm.url.to_string(),
        }),
    }
}

/// When a token says that it was made, in Unix seconds: not before what was revoked, even within that second.
fn issued_at(now: DateTime<Utc>, revoked_at: Option<DateTime<Utc>>) -> i64 {
    let now = now.timestamp();
    let rounded_up =
        |at: DateTime<Utc>| at.timestamp() + i64::from(at.timestamp_subsec_micros() > 0);
    revoked_at.map_or(now, |at| now.max(rounded_up(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_token_is_later_than_what_was_revoked() {
        let at = |millis| DateTime::from_timestamp_millis(millis).unwrap();
        for (now, revoked_at, wanted) in [
            (5_900, None, 5),
            (5_900, Some(4_100), 5),
            (5_900, Some(5_000), 5),
            (5_900, Some(5_100), 6),
            (5_100, Some(5_900), 6),
            (5_900, Some(9_001), 10),
        ] {
            let made = issued_at(at(now), revoked_at.map(at));
            assert_eq!(made, wanted, "{now} {revoked_at:?}");
        }
    }
}
