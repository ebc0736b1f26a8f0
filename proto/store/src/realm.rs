//! Realms that are indexed.

use realmdex_types::RealmUrl;

use crate::{ChangeSeq, RealmId, Store, StoreError};

/// A realm that is indexed.
#[derive(Clone, Debug)]
pub struct Realm {
    /// Its row.
    pub id: RealmId,
    /// Its root.
    pub url: RealmUrl,
    /// Where its bytes are: a `file:`, `http:` or `https:` URL that ends in `/`.
    pub source: String,
}

impl Store {
    /// The realm of that URL, registered if it was not.
    ///
    /// # Errors
    /// [`StoreError::OtherSource`] where it is known from another place, and whatever the database says.
    pub async fn register_realm(&self, url: &RealmUrl, source: &str) -> Result<Realm, StoreError> {
        sqlx::query!(
            "insert into realms (url, source) values ($1, $2) on conflict (url) do nothing",
            url.as_str(),
            source
        )
        .execute(&self.pool)
        .await?;
        let row = sqlx::query!(
            r#"select id as "id: RealmId", source from realms where url = $1"#,
            url.as_str()
        )
        .fetch_one(&self.pool)
        .await?;
        let other = sqlx::query_scalar!(
            "select url from realms where source = $1 and url <> $2",
            source,
            url.as_str()
        )
        .fetch_optional(&self.pool)
        .await?;
        if let Some(known) = other {
            sqlx::query!(
                "delete from realms where id = $1 and not exists (select from files where realm_id = $1)",
                row.id as RealmId
            )
            .execute(&self.pool)
            .await?;
            return Err(StoreError::OtherUrl {
                source_url: source.to_owned(),
                known,
                given: url.to_string(),
            });
        }
        if row.source != source {
            return Err(StoreError::OtherSource {
                url: url.to_string(),
                known: row.source,
                given: source.to_owned(),
            });
        }
        Ok(Realm {
            id: row.id,
            url: url.clone(),
            source: row.source,
        })
    }

    /// All realms, by URL.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn realms(&self) -> Result<Vec<Realm>, StoreError> {
        let rows =
            sqlx::query!(r#"select id as "id: RealmId", url, source from realms order by url"#)
                .fetch_all(&self.pool)
                .await?;
        rows.into_iter()
            .map(|row| {
                let url = RealmUrl::parse(&row.url)
                    .map_err(|error| StoreError::unreadable("a realm's URL", error))?;
                Ok(Realm {
                    id: row.id,
                    url,
                    source: row.source,
                })
            })
            .collect()
    }

    /// Notes that a pass over the whole realm ended.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn realm_indexed(&self, realm: RealmId) -> Result<(), StoreError> {
        sqlx::query!(
            "update realms set indexed_at = now() where id = $1",
            realm as RealmId
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The number of the next change.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn next_change(&self) -> Result<ChangeSeq, StoreError> {
        let seq = sqlx::query_scalar!(r#"select nextval('change_seq') as "seq!: ChangeSeq""#)
            .fetch_one(&self.pool)
            .await?;
        Ok(seq)
    }
}
