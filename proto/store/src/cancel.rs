//! Jobs that someone calls off.

use realmdex_types::{JobKind, JobState};
use sqlx::{Postgres, Transaction};

use crate::commit::again_on_conflict;
use crate::{JobId, RealmId, Store, StoreError};

/// States of jobs that are not ended.
const OPEN: &[JobState] = &[JobState::Queued, JobState::Running];

/// Kinds of jobs that index.
const INDEXING: &[JobKind] = &[JobKind::IndexFile, JobKind::FullReindex];

/// Which jobs that index a realm are called off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indexing {
    /// Those that run.
    Running,
    /// Those that wait as well, and the realm's reindexes with them.
    All,
}

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
            let cancelled = cancel_where(&mut transaction, Which::One(job)).await?;
            transaction.commit().await?;
            Ok(cancelled)
        })
        .await
    }

    /// Calls off the indexing of a realm; tool calls go on.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn cancel_indexing(
        &self,
        realm: RealmId,
        which: Indexing,
    ) -> Result<Cancelled, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let jobs = Which::Indexing(realm, which);
            let cancelled = cancel_with_pages(&mut transaction, jobs).await?;
            if which == Indexing::All {
                cancel_reindexes(&mut transaction, realm).await?;
            }
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
    let cancelled = cancel_with_pages(transaction, Which::AllOf(realm)).await?;
    cancel_reindexes(transaction, realm).await?;
    Ok(cancelled)
}

/// A listing that enqueues a page right now holds its job, which is waited for; then its page is called off as well.
async fn cancel_with_pages(
    transaction: &mut Transaction<'_, Postgres>,
    which: Which,
) -> Result<Cancelled, StoreError> {
    let mut cancelled = cancel_where(transaction, which).await?;
    loop {
        let more = cancel_where(transaction, which).await?;
        cancelled.queued += more.queued;
        if more.queued == 0 {
            return Ok(cancelled);
        }
    }
}

async fn cancel_reindexes(
    transaction: &mut Transaction<'_, Postgres>,
    realm: RealmId,
) -> Result<(), StoreError> {
    sqlx::query!(
        "update reindexes set outcome = 'cancelled', finished_at = now() where realm_id = $1 and outcome is null",
        realm as RealmId
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

#[derive(Clone, Copy)]
enum Which {
    One(JobId),
    AllOf(RealmId),
    Indexing(RealmId, Indexing),
}

async fn cancel_where(
    transaction: &mut Transaction<'_, Postgres>,
    which: Which,
) -> Result<Cancelled, StoreError> {
    let (job, realm, kinds, states): (_, _, &[JobKind], &[JobState]) = match which {
        Which::One(job) => (Some(job), None, &JobKind::ALL, OPEN),
        Which::AllOf(realm) => (None, Some(realm), &JobKind::ALL, OPEN),
        Which::Indexing(realm, Indexing::All) => (None, Some(realm), INDEXING, OPEN),
        Which::Indexing(realm, Indexing::Running) => {
            (None, Some(realm), INDEXING, &[JobState::Running])
        }
    };
    let kinds: Vec<String> = kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
    let states: Vec<String> = states
        .iter()
        .map(|state| state.as_str().to_owned())
        .collect();
    let states = sqlx::query_scalar!(
        r#"update jobs set
               state = case state when 'queued' then 'cancelled' else state end,
               finished_at = case state when 'queued' then now() end,
               offered_until = null,
               cancel_requested = true
           where id in (
                   select id from jobs
                   where ($1::bigint is null or id = $1) and ($2::bigint is null or realm_id = $2)
                       and kind = any($3) and state = any($4)
                   order by coalesce_key, id for update)
               and state = any($4)
           returning state"#,
        job as Option<JobId>,
        realm as Option<RealmId>,
        &kinds,
        &states
    )
    .fetch_all(&mut **transaction)
    .await?;
    let running = states.iter().filter(|state| *state == "running").count();
    Ok(Cancelled {
        queued: states.len() - running,
        running,
    })
}
