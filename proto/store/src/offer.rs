//! Offers: jobs that are published and not yet claimed. The broker may lose what it was given, or be given it twice: an
//! offer lapses, and the job is due again.

use std::time::Duration;

use realmdex_types::JobClass;

use crate::commit::again_on_conflict;
use crate::{JobId, Store, StoreError};

/// How long an offer stands at first; each time it lapses the next stands longer, up to sixteen times that.
#[derive(Clone, Copy, Debug)]
pub struct OfferTime(pub Duration);

impl Store {
    /// How many offers of a class stand.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn standing_offers(&self, class: JobClass) -> Result<u64, StoreError> {
        let count = sqlx::query_scalar!(
            r#"select count(*) as "count!" from jobs
               where state = 'queued' and class = $1 and offered_until > now()"#,
            class.as_str()
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(count.unsigned_abs())
    }

    /// Takes up to `room` jobs of a class that are due, and notes them as offered; they are published after that, and if
    /// that fails withdrawn. The realms take turns, each with its oldest job first. Several may call this at once: a
    /// job is given to one of them.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn offer_due(
        &self,
        class: JobClass,
        room: u32,
        stands: OfferTime,
    ) -> Result<Vec<JobId>, StoreError> {
        // From realm to realm by the index, whatever the length of the queues: no scan over the backlog. What is due is
        // an array, found once: a subquery may be run for each row. What is asked of those rows stands in `coalesce`, so
        // that they are had by their ids: what the database thinks it knows of a queue's length is always out of date. A row that is held is being offered, claimed or merged: its turn comes again if it still is due.
        again_on_conflict(async || {
        let ids = sqlx::query_scalar!(
            r#"with recursive waiting as (
                   (select realm_id from jobs where state = 'queued' and class = $1 order by realm_id limit 1)
                   union all
                   select (select next.realm_id from jobs next
                           where next.state = 'queued' and next.class = $1 and next.realm_id > waiting.realm_id
                           order by next.realm_id limit 1)
                   from waiting where waiting.realm_id is not null
               ),
               due as (
                   select job.id, row_number() over (partition by waiting.realm_id order by job.run_at, job.id) as turn,
                          job.run_at
                   from waiting cross join lateral (
                       select id, run_at from jobs
                       where state = 'queued' and class = $1 and realm_id = waiting.realm_id and run_at <= now()
                           and (offered_until is null or offered_until <= now())
                       order by run_at, id limit $2
                   ) job
                   where waiting.realm_id is not null
               )
               update jobs
               set offered_until = now() + make_interval(secs => $3 * 2 ^ least(offers, 4)), offers = offers + 1
               where id = any(array(
                       select jobs.id from jobs
                       where jobs.id = any(array(select id from due order by turn, run_at, id limit $2))
                           and coalesce(state = 'queued' and class = $1 and run_at <= now()
                                        and (offered_until is null or offered_until <= now()), false)
                       order by coalesce_key, id for update skip locked))
               returning id as "id: JobId""#,
            class.as_str(),
            i64::from(room),
            stands.0.as_secs_f64()
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(ids)
        })
        .await
    }

    /// Withdraws offers that were not taken by the broker: the jobs are due again.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn withdraw_offers(&self, jobs: &[JobId]) -> Result<(), StoreError> {
        let ids: Vec<i64> = jobs.iter().map(|job| job.0).collect();
        again_on_conflict(async || {
        sqlx::query!(
            "update jobs set offered_until = null, offers = greatest(offers - 1, 0)
             where id = any(array(select id from jobs where id = any($1) order by coalesce_key, id for update))
                 and coalesce(state = 'queued', false)",
            &ids
        )
        .execute(&self.pool)
        .await?;
        Ok(())
        })
        .await
    }
}
