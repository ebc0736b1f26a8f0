//! Jobs that someone calls off.

use sqlx::{Postgres, Transaction};

use crate::commit::again_on_conflict;
use crate::{JobId, RealmId, Store, StoreError};

/// What calling off did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cancelled {
    /// Jobs that had not begun, and never will.
    pub queued: usize,
    /// Jobs whose workers are told at their next beat.
    pub running: usize,
}

impl Store {
    /// Calls off a job. One that runs ends when its worker hears of it.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn cancel(&self, job: JobId) -> Result<Cancelled, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let cancelled = cancel_where(&mut transaction, Some(job), None).await?;
            transaction.commit().await?;
            Ok(cancelled)
        })
        .await
    }

    /// Calls off every open job of a realm, and its reindexes.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn cancel_realm(&self, realm: RealmId) -> Result<Cancelled, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let cancelled = cancel_all(&mut transaction, realm).await?;
            transaction.commit().await?;
            Ok(cancelled)
        })
        .await
    }
}

/// Calls off every open job of a realm, and its reindexes.
pub(crate) async fn cancel_all(
    transaction: &mut Transaction<'_, Postgres>,
    realm: RealmId,
) -> Result<Cancelled, StoreError> {
    let mut cancelled = cancel_where(transaction, None, Some(realm)).await?;
    // A listing that enqueues a page right now holds its job, which was waited for: its page is called off as well.
    loop {
        let more = cancel_where(transaction, None, Some(realm)).await?;
        cancelled.queued += more.queued;
        if more.queued == 0 {
            break;
        }
    }
    sqlx::query!(
        "update reindexes set outcome = 'cancelled', finished_at = now() where realm_id = $1 and outcome is null",
        realm as RealmId
    )
    .execute(&mut **transaction)
    .await?;
    Ok(cancelled)
}

async fn cancel_where(
    transaction: &mut Transaction<'_, Postgres>,
    job: Option<JobId>,
    realm: Option<RealmId>,
) -> Result<Cancelled, StoreError> {
    let states = sqlx::query_scalar!(
        r#"update jobs set
               state = case state when 'queued' then 'cancelled' else state end,
               finished_at = case state when 'queued' then now() end,
               offered_until = null,
               cancel_requested = true
           where id in (
                   select id from jobs
                   where ($1::bigint is null or id = $1) and ($2::bigint is null or realm_id = $2)
                       and state in ('queued', 'running')
                   order by coalesce_key, id for update)
               and state in ('queued', 'running')
           returning state"#,
        job as Option<JobId>,
        realm as Option<RealmId>
    )
    .fetch_all(&mut **transaction)
    .await?;
    let running = states.iter().filter(|state| *state == "running").count();
    Ok(Cancelled {
        queued: states.len() - running,
        running,
    })
}
