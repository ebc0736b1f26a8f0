//! Jobs that someone calls off.

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
        self.cancel_where(Some(job), None).await
    }

    /// Calls off every open job of a realm.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn cancel_realm(&self, realm: RealmId) -> Result<Cancelled, StoreError> {
        self.cancel_where(None, Some(realm)).await
    }

    async fn cancel_where(
        &self,
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
                       order by id for update)
                   and state in ('queued', 'running')
               returning state"#,
            job as Option<JobId>,
            realm as Option<RealmId>
        )
        .fetch_all(&self.pool)
        .await?;
        let running = states.iter().filter(|state| *state == "running").count();
        Ok(Cancelled {
            queued: states.len() - running,
            running,
        })
    }
}
