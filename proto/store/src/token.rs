//! Tokens of operators. Nobody can read one here: of each only its SHA-256 is kept.

use chrono::{DateTime, Utc};
use realmdex_types::Scope;

use crate::{Store, StoreError};

/// A token to be kept.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// What it goes by.
    pub name: String,
    /// The SHA-256 of its text.
    pub digest: [u8; 32],
    /// What it is good for; at least one.
    pub scopes: Vec<Scope>,
    /// Until when it holds; none is for ever.
    pub expires_at: Option<DateTime<Utc>>,
}

/// A token, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRow {
    /// What it goes by.
    pub name: String,
    /// What it is good for.
    pub scopes: Vec<Scope>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Until when it holds; none is for ever.
    pub expires_at: Option<DateTime<Utc>>,
    /// When someone last came with it, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// As it is selected.
struct Row {
    name: String,
    scopes: Vec<String>,
    created_at: DateTime<Utc>,
    expires_at: Option<DateTime<Utc>>,
    last_used_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for TokenRow {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let scope = |name: &String| {
            Scope::parse(name).ok_or_else(|| StoreError::unreadable("a token's scope", name))
        };
        Ok(Self {
            scopes: row.scopes.iter().map(scope).collect::<Result<_, _>>()?,
            name: row.name,
            created_at: row.created_at,
            expires_at: row.expires_at,
            last_used_at: row.last_used_at,
        })
    }
}

impl Store {
    /// Keeps a token. None where another goes by its name.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn add_token(&self, new: &NewToken) -> Result<Option<TokenRow>, StoreError> {
        let scopes: Vec<String> = new
            .scopes
            .iter()
            .map(|scope| scope.as_str().to_owned())
            .collect();
        let row = sqlx::query_as!(
            Row,
            "insert into operator_tokens (name, digest, scopes, expires_at) values ($1, $2, $3, $4)
             on conflict (name) do nothing
             returning name, scopes, created_at, expires_at, last_used_at",
            new.name,
            &new.digest,
            &scopes,
            new.expires_at
        )
        .fetch_optional(&self.pool)
        .await?;
        row.map(TokenRow::try_from).transpose()
    }

    /// All tokens, by name.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn tokens(&self) -> Result<Vec<TokenRow>, StoreError> {
        let rows = sqlx::query_as!(
            Row,
            "select name, scopes, created_at, expires_at, last_used_at from operator_tokens order by name"
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter().map(TokenRow::try_from).collect()
    }

    /// Whether any token is kept, expired ones included.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn has_tokens(&self) -> Result<bool, StoreError> {
        let has =
            sqlx::query_scalar!(r#"select exists (select from operator_tokens) as "has_tokens!""#)
                .fetch_one(&self.pool)
                .await?;
        Ok(has)
    }

    /// Forgets a token: whoever comes with it is sent away from now on. Answers false where none goes by that name.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn revoke_token(&self, name: &str) -> Result<bool, StoreError> {
        let gone = sqlx::query!("delete from operator_tokens where name = $1", name)
            .execute(&self.pool)
            .await?;
        Ok(gone.rows_affected() > 0)
    }

    /// The token whose text has that SHA-256, whether it still holds or not, as someone comes with it. When that was is
    /// written at most once a minute.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn use_token(&self, digest: &[u8; 32]) -> Result<Option<TokenRow>, StoreError> {
        let row = sqlx::query_as!(
            Row,
            "with used as (
                 update operator_tokens set last_used_at = now()
                 where digest = $1 and (expires_at is null or expires_at > now())
                     and (last_used_at is null or last_used_at < now() - interval '1 minute')
             )
             select name, scopes, created_at, expires_at, last_used_at from operator_tokens where digest = $1",
            digest
        )
        .fetch_optional(&self.pool)
        .await?;
        row.map(TokenRow::try_from).transpose()
    }
}
