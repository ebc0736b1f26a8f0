//! What happened to files lately, for those who follow. A file's moment is when something new of it was last written or
//! computed, by the database's clock. Moments are taken before they can be seen: one that is seen later may be earlier,
//! by as long as a transaction takes.

use chrono::{DateTime, Utc};
use realmdex_types::RealmUrl;

use crate::file::target_state;
use crate::{ChangeSeq, RealmId, Store, StoreError, TargetState};

/// When something happened to which file: in this order they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// When.
    pub at: DateTime<Utc>,
    /// The number of the file's row.
    pub file: i64,
}

impl Moment {
    /// Before everything that happened from then on.
    pub fn before(at: DateTime<Utc>) -> Self {
        Self { at, file: i64::MIN }
    }
}

/// A file that something happened to, as it is now.
#[derive(Clone, Debug)]
pub struct FileHappened {
    /// When.
    pub moment: Moment,
    /// Its realm.
    pub realm: RealmUrl,
    /// Its path there.
    pub path: String,
    /// What it was when it was last looked at.
    pub state: TargetState,
    /// The change that it was looked at for.
    pub change_seq: ChangeSeq,
    /// When its row was computed.
    pub indexed_at: Option<DateTime<Utc>>,
    /// Whether it could not be read the last time: its row is of before.
    pub is_degraded: bool,
}

impl Store {
    /// What time it is for the database.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn now(&self) -> Result<DateTime<Utc>, StoreError> {
        let now = sqlx::query_scalar!(r#"select clock_timestamp() as "now!""#)
            .fetch_one(&self.pool)
            .await?;
        Ok(now)
    }

    /// The moments after another one, in order.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn moments(&self, after: Moment, limit: i64) -> Result<Vec<Moment>, StoreError> {
        let rows = sqlx::query!(
            r#"select id, greatest(changed_at, indexed_at) as "at!" from files
               where realm_id is not null and greatest(changed_at, indexed_at) >= $1
                   and (greatest(changed_at, indexed_at), id) > ($1, $2)
               order by greatest(changed_at, indexed_at), id limit $3"#,
            after.at,
            after.file,
            limit
        )
        .fetch_all(&self.pool)
        .await?;
        let moments = rows.into_iter().map(|row| Moment {
            at: row.at,
            file: row.id,
        });
        Ok(moments.collect())
    }

    /// Files by the numbers of their rows, in the order of their moments.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn happened_to(&self, files: &[i64]) -> Result<Vec<FileHappened>, StoreError> {
        let rows = sqlx::query_as!(
            Row,
            r#"select files.id, greatest(changed_at, files.indexed_at) as "at!", realms.url, path as "path!", state,
                      digest, change_seq as "change_seq: ChangeSeq", files.indexed_at,
                      error is not null as "is_degraded!"
               from files join realms on realms.id = files.realm_id
               where files.id = any($1)
               order by 2, 1"#,
            files
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter().map(Row::read).collect()
    }

    /// What happened in a realm, or in all of them, after a moment, in order.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn happened(
        &self,
        realm: Option<RealmId>,
        after: Moment,
        limit: i64,
    ) -> Result<Vec<FileHappened>, StoreError> {
        let rows = sqlx::query_as!(
            Row,
            r#"select files.id, greatest(changed_at, files.indexed_at) as "at!", realms.url, path as "path!", state,
                      digest, change_seq as "change_seq: ChangeSeq", files.indexed_at,
                      error is not null as "is_degraded!"
               from files join realms on realms.id = files.realm_id
               where ($1::bigint is null or realm_id = $1) and greatest(changed_at, files.indexed_at) >= $2
                   and (greatest(changed_at, files.indexed_at), files.id) > ($2, $3)
               order by greatest(changed_at, files.indexed_at), files.id limit $4"#,
            realm as Option<RealmId>,
            after.at,
            after.file,
            limit
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter().map(Row::read).collect()
    }
}

struct Row {
    id: i64,
    at: DateTime<Utc>,
    url: String,
    path: String,
    state: String,
    digest: Option<Vec<u8>>,
    change_seq: ChangeSeq,
    indexed_at: Option<DateTime<Utc>>,
    is_degraded: bool,
}

impl Row {
    fn read(self) -> Result<FileHappened, StoreError> {
        Ok(FileHappened {
            moment: Moment {
                at: self.at,
                file: self.id,
            },
            realm: RealmUrl::parse(&self.url)
                .map_err(|error| StoreError::unreadable("a realm's URL", error))?,
            path: self.path,
            state: target_state(&self.state, self.digest.as_deref())?,
            change_seq: self.change_seq,
            indexed_at: self.indexed_at,
            is_degraded: self.is_degraded,
        })
    }
}
