//! Whether what was asked for has been done: for those who wait for it, who ask now and then and hold nothing
//! meanwhile.

use realmdex_types::{JobClass, RealmPath};

use crate::{ChangeSeq, RealmId, Store, StoreError};

impl Store {
    /// The number of the newest change that anyone has taken in.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn newest_change(&self) -> Result<ChangeSeq, StoreError> {
        let seq = sqlx::query_scalar!(r#"select last_value as "seq!: ChangeSeq" from change_seq"#)
            .fetch_one(&self.pool)
            .await?;
        Ok(seq)
    }

    /// How many of some files of a realm are yet to be looked at for a change. A file that was looked at for a later
    /// one is not among them.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn unseen_files(
        &self,
        realm: RealmId,
        paths: &[RealmPath],
        change: ChangeSeq,
    ) -> Result<u64, StoreError> {
        let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
        let number = sqlx::query_scalar!(
            r#"select count(*) as "number!" from jobs
               where realm_id = $1 and kind = 'index-file' and state in ('queued', 'running') and path = any($2)
                   and not exists (
                       select from files
                       where files.realm_id = $1 and files.path = jobs.path and files.change_seq >= $3)"#,
            realm as RealmId,
            &paths,
            change as ChangeSeq
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(number.unsigned_abs())
    }

    /// How many files of a realm people wait for, up to a change; those that are tried again later are not among them.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn awaited_files(
        &self,
        realm: RealmId,
        change: ChangeSeq,
    ) -> Result<u64, StoreError> {
        let number = sqlx::query_scalar!(
            r#"select count(*) as "number!" from jobs
               where realm_id = $1 and kind = 'index-file' and state in ('queued', 'running') and class = $2
                   and change_seq <= $3 and run_at <= now()"#,
            realm as RealmId,
            JobClass::Interactive.as_str(),
            change as ChangeSeq
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(number.unsigned_abs())
    }
}
