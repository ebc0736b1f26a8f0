//! Whose sessions were revoked, and when.

use chrono::{DateTime, Utc};

use crate::{Store, StoreError};

impl Store {
    /// Revokes every token that a user was given so far, and answers since when. Tokens are not known one by one: each
    /// says when it was issued, to the second, and those issued from now on say a later one than is answered: so a second
    /// time within one second is later by another.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn revoke_sessions(&self, user: &str) -> Result<DateTime<Utc>, StoreError> {
        let revoked_at = sqlx::query_scalar!(
            "insert into revoked_sessions (username) values ($1)
             on conflict (username) do update set revoked_at = greatest(excluded.revoked_at,
                 date_trunc('second', revoked_sessions.revoked_at) + interval '1.001 seconds')
             returning revoked_at",
            user
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(revoked_at)
    }

    /// Since when a user's tokens have to have been issued to hold; none where they were never revoked.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn sessions_revoked_at(
        &self,
        user: &str,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        let revoked_at = sqlx::query_scalar!(
            "select revoked_at from revoked_sessions where username = $1",
            user
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(revoked_at)
    }
}
