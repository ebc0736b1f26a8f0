//! What is kept only for a while.

use std::time::Duration;

use chrono::Utc;

use crate::commit::again_on_conflict;
use crate::{Store, StoreError};

/// Rows in one statement.
const PAGE: i64 = 1000;

/// How long what is over is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Jobs that ended otherwise than by doing their work. Dead ones stay until someone looks into them.
    pub jobs: Duration,
    /// Rows of files that are gone and that nobody depends on: longer than the longest lease, or a late write would bring
    /// them back.
    pub tombstones: Duration,
    /// What became of requests to index a realm.
    pub reindexes: Duration,
    /// Definitions that were computed once.
    pub definitions: Duration,
}

impl Store {
    /// Removes a page of what was kept long enough. Answers how many rows; none when there is nothing left.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn forget(&self, keep: Retention) -> Result<u64, StoreError> {
        let now = Utc::now();
        let jobs = sqlx::query!(
            "delete from jobs where id in (
                 select id from jobs where finished_at < $1 and state in ('failed', 'cancelled', 'superseded', 'succeeded')
                 order by id limit $2)",
            now - keep.jobs,
            PAGE
        )
        .execute(&self.pool)
        .await?;
        // Someone may come to depend on one at this very moment.
        let tombstones = again_on_conflict(async || {
            let gone = sqlx::query!(
                "delete from files where id in (
                 select id from files f
                 where state = 'absent' and read_at < $1 and changed_at < $1
                     and not exists (select from edges where target_id = f.id)
                 order by module_id limit $2)
             and state = 'absent'",
                now - keep.tombstones,
                PAGE
            )
            .execute(&self.pool)
            .await?;
            Ok(gone)
        })
        .await?;
        let reindexes = sqlx::query!(
            "delete from reindexes where id in (select id from reindexes where finished_at < $1 order by id limit $2)",
            now - keep.reindexes,
            PAGE
        )
        .execute(&self.pool)
        .await?;
        let definitions = sqlx::query!(
            "delete from definitions where key in (select key from definitions where stored_at < $1 limit $2)",
            now - keep.definitions,
            PAGE
        )
        .execute(&self.pool)
        .await?;
        Ok([jobs, tombstones, reindexes, definitions]
            .iter()
            .map(sqlx::postgres::PgQueryResult::rows_affected)
            .sum())
    }
}
