//! Who may do what with a realm, by what a request says of whoever asks.
//!
//! ```text
//! request ─► may everyone? ─► signature and time ─► revoked since? ─► decide ─► Caller
//!                                (no I/O)           (one query)       (no I/O)
//! ```
//!
//! Tokens and rules are Boxel's, so that its clients work unchanged. Left out are what needs Matrix, `_session` and
//! `/_server-session` (tokens are made by `realmdex sessions create` or `/_delegate-session` here), and
//! `X-Boxel-Assume-User`, a right of Boxel's own service users.

mod claims;
mod decide;
mod delegation;
mod mint;
mod permission;
mod refusal;

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use chrono::{DateTime, Utc};
use realmdex_store::{RegisteredRealm, Store, StoreError};

pub use claims::{Claims, RealmSecret};
pub use decide::{Caller, Need, Shown, decide};
pub use delegation::{DelegationSecret, Unproven};
pub use mint::{MintError, Session};
pub use permission::{Permission, permissions_of};
pub(crate) use refusal::{ArchivedDocument, Guess};
pub use refusal::{Denial, Refusal};

/// Decides who may do what. By default there are no tokens: what everyone may do is all that is done. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Access {
    sessions: Option<Arc<Sessions>>,
    delegation: Option<DelegationSecret>,
}

/// What tokens are made and checked with.
#[derive(Debug)]
struct Sessions {
    secret: RealmSecret,
    store: Store,
}

impl Access {
    /// Takes tokens that are signed with a secret, unless a store says that they were revoked, and makes such.
    #[must_use]
    pub fn with_sessions(mut self, store: Store, secret: RealmSecret) -> Self {
        self.sessions = Some(Arc::new(Sessions { secret, store }));
        self
    }

    /// Lets whoever knows a secret act for users.
    #[must_use]
    pub fn with_delegation(mut self, secret: DelegationSecret) -> Self {
        self.delegation = Some(secret);
        self
    }

    /// What those prove themselves with who act for users.
    pub(crate) fn delegation(&self) -> Option<&DelegationSecret> {
        self.delegation.as_ref()
    }

    /// Lets pass whoever may do that with a realm, as its rights are now.
    ///
    /// # Errors
    /// [`Refusal`] for everyone else.
    pub async fn permit(
        &self,
        realm: &RegisteredRealm,
        need: Need,
        headers: &HeaderMap,
    ) -> Result<Caller, Refusal> {
        let shown = match need.is_everyones(realm) {
            true => Shown::Nothing(Denial::MissingHeader),
            false => self.shown(headers, Utc::now()).await?,
        };
        decide(realm, need, &shown).map_err(|denial| {
            tracing::debug!(realm = %realm.realm.url, ?need, ?denial, "not permitted");
            let realm = Some(realm.realm.url.clone());
            Refusal::Denied { denial, realm }
        })
    }

    /// Who asks about several realms at once: each of them is then asked for by [`Reader::may_read`].
    ///
    /// # Errors
    /// [`Refusal`] for a token that does not hold; whoever shows none reads what everyone may.
    pub async fn reader(&self, headers: &HeaderMap) -> Result<Reader, Refusal> {
        let refused = |denial| Refusal::Denied {
            denial,
            realm: None,
        };
        match self.shown(headers, Utc::now()).await? {
            Shown::Nothing(Denial::MissingHeader) => Ok(Reader { claims: None }),
            Shown::Nothing(denial) => Err(refused(denial)),
            Shown::Token { claims, revoked_at } if claims.is_revoked(revoked_at) => {
                Err(refused(Denial::SessionRevoked))
            }
            Shown::Token { claims, .. } => Ok(Reader {
                claims: Some(claims),
            }),
        }
    }

    /// The same, where everyone may read what is asked about, and a token that does not hold only opens nothing more.
    ///
    /// # Errors
    /// Where the index can't be asked.
    pub async fn reader_at_least(&self, headers: &HeaderMap) -> Result<Reader, Refusal> {
        match self.reader(headers).await {
            Err(Refusal::Denied { .. }) => Ok(Reader { claims: None }),
            reader => reader,
        }
    }

    /// What a request shows. The store is asked only about whoever shows a token that holds.
    async fn shown(&self, headers: &HeaderMap, now: DateTime<Utc>) -> Result<Shown, StoreError> {
        let given = headers.get(AUTHORIZATION);
        let Some(header) = given.filter(|header| !header.is_empty()) else {
            return Ok(Shown::Nothing(Denial::MissingHeader));
        };
        let Some(sessions) = &self.sessions else {
            return Ok(Shown::Nothing(Denial::TokenInvalid));
        };
        Ok(match sessions.secret.read(header, now) {
            Err(denial) => Shown::Nothing(denial),
            Ok(claims) => Shown::Token {
                revoked_at: sessions.store.sessions_revoked_at(&claims.user).await?,
                claims,
            },
        })
    }
}

/// Who asks about several realms at once.
#[derive(Clone, Debug)]
pub struct Reader {
    claims: Option<Claims>,
}

impl Reader {
    /// Whether they may read that one. A token says who asks and is good for whatever that user may read now; the list
    /// of permissions in it, which is about one realm, is not compared with. A delegated one is good for its own realm.
    /// Nobody reads an archived one.
    pub fn may_read(&self, realm: &RegisteredRealm) -> bool {
        decide::may_read_among_others(realm, self.claims.as_ref())
    }
}
