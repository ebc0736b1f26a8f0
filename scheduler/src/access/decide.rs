//! The decision itself: who may do what, by what is known.

use axum::http::Method;
use chrono::{DateTime, Utc};
use realmdex_store::RegisteredRealm;

use super::permission::{Permission, everyone_may, permissions_of};
use super::{Claims, Denial};

/// What a request needs (Boxel's realm permissions).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Learns only whether the realm is there: Boxel answers every `HEAD` without asking who sends it. Whoever is let in
    /// for this must be answered the same whatever the realm holds.
    Nothing,
    /// Reads.
    Read,
    /// Changes the realm or has it worked on.
    Write,
    /// Looks at, or says, who may do what.
    Owner,
}

impl Need {
    /// What requests of that method need, but for those that are about who may do what.
    pub fn of(method: &Method) -> Self {
        match method.as_str() {
            "HEAD" => Self::Nothing,
            "GET" | "QUERY" => Self::Read,
            // PUT, PATCH, POST and DELETE; and what nobody knows is no harmless reading.
            _ => Self::Write,
        }
    }

    fn permission(self) -> Option<Permission> {
        match self {
            Self::Nothing => None,
            Self::Read => Some(Permission::Read),
            Self::Write => Some(Permission::Write),
            Self::Owner => Some(Permission::RealmOwner),
        }
    }

    /// Whether everyone may do that with a realm: then no token is looked at, not even a wrong one.
    pub(super) fn is_everyones(self, realm: &RegisteredRealm) -> bool {
        self.permission()
            .is_none_or(|permission| everyone_may(realm, permission))
    }
}

/// Whoever asks, once they may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Nobody in particular: everyone may.
    Anyone,
    /// Someone who showed a token of theirs.
    User(String),
}

/// What a request shows of who sends it.
#[derive(Clone, Debug)]
pub enum Shown {
    /// Nothing that holds, and why not.
    Nothing(Denial),
    /// A token that is signed and in its time.
    Token {
        /// What it says.
        claims: Claims,
        /// When its user's sessions were last revoked.
        revoked_at: Option<DateTime<Utc>>,
    },
}

/// Who may do what with a realm, in Boxel's order: what everyone may; whether a token is there, signed, in its time and
/// not revoked; what delegated tokens may; what the realm's owner may; whether the token knows the user's permissions as
/// they are now; whether those are enough; and only then whether the realm is archived, so that strangers don't learn of
/// it.
///
/// # Errors
/// [`Denial`] for whoever may not.
pub fn decide(realm: &RegisteredRealm, need: Need, shown: &Shown) -> Result<Caller, Denial> {
    let caller = authorise(realm, need, shown)?;
    if realm.realm.is_archived {
        return Err(Denial::Archived);
    }
    Ok(caller)
}

fn authorise(realm: &RegisteredRealm, need: Need, shown: &Shown) -> Result<Caller, Denial> {
    let Some(needed) = need.permission() else {
        return Ok(Caller::Anyone);
    };
    if everyone_may(realm, needed) {
        return Ok(Caller::Anyone);
    }
    let (claims, revoked_at) = match shown {
        Shown::Nothing(why) => return Err(*why),
        Shown::Token { claims, revoked_at } => (claims, *revoked_at),
    };
    if claims.is_revoked(revoked_at) {
        return Err(Denial::SessionRevoked);
    }
    let caller = Caller::User(claims.user.clone());
    let now = permissions_of(realm, &claims.user);
    if claims.delegated {
        return match need {
            _ if !claims.is_for(&realm.realm.url) => Err(Denial::TokenInvalid),
            Need::Write | Need::Owner => Err(Denial::DelegatedReadOnly),
            _ if !now.contains(&Permission::Read) => Err(Denial::PermissionMismatch),
            Need::Read | Need::Nothing => Ok(caller),
        };
    }
    if claims.user == realm.realm.owner {
        return Ok(caller);
    }
    if !knows(claims, &now) {
        return Err(Denial::PermissionMismatch);
    }
    if !now.contains(&needed) {
        return Err(Denial::Insufficient);
    }
    Ok(caller)
}

/// Whether a token's list says exactly what the user may do now: else the client is to begin a new session.
fn knows(claims: &Claims, now: &[Permission]) -> bool {
    let Some(said) = &claims.permissions else {
        return false;
    };
    let mut said: Vec<&str> = said.iter().map(String::as_str).collect();
    said.sort_unstable();
    said.into_iter()
        .eq(now.iter().map(|permission| permission.as_str()))
}

/// Whether someone may read a realm among others, where nothing is asked of one realm in particular: a token says who
/// that is, and is good for what the user may read now, a delegated one for its own realm.
pub(super) fn may_read_among_others(realm: &RegisteredRealm, claims: Option<&Claims>) -> bool {
    if realm.realm.is_archived {
        return false;
    }
    let is_granted = |claims: &Claims| {
        let is_meant = !claims.delegated || claims.is_for(&realm.realm.url);
        is_meant && permissions_of(realm, &claims.user).contains(&Permission::Read)
    };
    everyone_may(realm, Permission::Read) || claims.is_some_and(is_granted)
}
