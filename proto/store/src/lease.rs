//! Leases: a worker's time-limited claims on jobs. A delivery is only a hint; who has the lease does the work.

use std::time::Duration;

use chrono::Utc;
use realmdex_types::{JobClass, ModuleId};
use sqlx::{Postgres, Transaction};

use crate::commit::again_on_conflict;
use crate::enqueue::{Cause, NewJob, enqueue};
use crate::job::{ClaimedJob, Lease, RowBefore, Work};
use crate::{ChangeSeq, JobId, RealmId, RegistryVersion, Store, StoreError, sanitise};

/// How often a job may take its worker along while it runs alone.
const LONE_LOSSES: i32 = 3;

/// What a claim brought.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// The realms and packages that they are for are at least of this version.
    pub registry: RegistryVersion,
    /// Jobs that are the worker's now.
    pub claimed: Vec<ClaimedJob>,
    /// Jobs whose last worker was lost: each is to be claimed alone, by a worker that has nothing else.
    pub alone: Vec<JobId>,
}

/// What a beat said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// Leases that are void: the job is another's, or ended.
    pub lost: Vec<Lease>,
    /// Leases on jobs that someone called off.
    pub cancelled: Vec<Lease>,
}

/// What reaping did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reaped {
    /// Jobs that are queued again.
    pub requeued: usize,
    /// Jobs that were called off, or whose queued twin does their work.
    pub superseded: usize,
    /// Jobs that took their worker along too often.
    pub dead: usize,
}

impl Store {
    /// Claims jobs by their ids: those that are queued and due, for as long as `lease`. What is not among the answers
    /// is someone else's, or done: its delivery is forgotten.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn claim(
        &self,
        hints: &[JobId],
        worker: &str,
        lease: Duration,
    ) -> Result<Claims, StoreError> {
        let ids: Vec<i64> = hints.iter().map(|job| job.0).collect();
        let (registry, claimed) = self.claim_where(&ids, false, worker, lease).await?;
        let taken: Vec<i64> = claimed.iter().map(|job| job.lease.job.0).collect();
        if taken.len() == ids.len() {
            return Ok(Claims {
                registry,
                claimed,
                alone: Vec::new(),
            });
        }
        let alone = sqlx::query_scalar!(
            r#"select id as "id: JobId" from jobs
               where id = any($1) and id <> all($2) and state = 'queued' and was_lost and run_at <= now()"#,
            &ids,
            &taken
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(Claims {
            registry,
            claimed,
            alone,
        })
    }

    /// Claims a job whose last worker was lost, for a worker that has nothing else.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn claim_alone(
        &self,
        job: JobId,
        worker: &str,
        lease: Duration,
    ) -> Result<Claims, StoreError> {
        let (registry, claimed) = self.claim_where(&[job.0], true, worker, lease).await?;
        Ok(Claims {
            registry,
            claimed,
            alone: Vec::new(),
        })
    }

    async fn claim_where(
        &self,
        ids: &[i64],
        was_lost: bool,
        worker: &str,
        lease: Duration,
    ) -> Result<(RegistryVersion, Vec<ClaimedJob>), StoreError> {
        // Locks are waited for and never skipped: a job that is being offered or merged is claimed after that. One
        // whose worker may be lost is given to whoever claims it alone. `offset 0` has the edges of these files looked
        // at, and not those of all.
        let rows = again_on_conflict(async || {
            let rows = sqlx::query!(
                r#"with claimed as (
                       update jobs
                       set state = 'running', worker = $3, lease_token = gen_random_uuid(),
                           lease_until = now() + make_interval(secs => $4), started_at = now(), offered_until = null,
                           offers = 0
                       where id = any(array(select id from jobs where id = any($1) order by coalesce_key, id for update))
                           and coalesce(state = 'queued' and was_lost = $2 and run_at <= now(), false)
                       returning id, lease_token, kind, class, realm_id, path, args, change_seq, force, attempts,
                           created_at)
                   select claimed.id as "id!: JobId", lease_token as "token!", kind as "kind!", class as "class!",
                          claimed.realm_id as "realm_id: RealmId", claimed.path, args as "args!",
                          claimed.change_seq as "change_seq!: ChangeSeq", force as "force!", attempts as "attempts!",
                          claimed.created_at as "created_at!",
                          files.module_id as "module_id?", files.state as "file_state?", files.computed_from,
                          files.indexer, files.packages,
                          (files.retry_at is not null or files.error is not null) as is_unsettled,
                          exists (select from broken_edges where source_id = files.id offset 0) as "is_broken!",
                          (select version from registry) as "registry!: RegistryVersion"
                   from claimed
                   left join files on files.realm_id = claimed.realm_id and files.path = claimed.path
                   order by claimed.id"#,
                ids,
                was_lost,
                worker,
                lease.as_secs_f64()
            )
            .fetch_all(&self.pool)
            .await?;
            Ok(rows)
        })
        .await?;
        let registry = rows.first().map(|row| row.registry).unwrap_or_default();
        let claimed = rows
            .into_iter()
            .map(|row| {
                let row_of_file = match (row.module_id, row.file_state) {
                    (Some(module_id), Some(state)) if state != "absent" && state != "unread" => {
                        Some(RowBefore {
                            module_id: ModuleId::stored(module_id),
                            computed_from: crate::file::digest(row.computed_from.as_deref())?,
                            indexer: row.indexer,
                            packages: row.packages,
                            is_unsettled: row.is_unsettled.unwrap_or_default(),
                            is_broken: row.is_broken,
                        })
                    }
                    _ => None,
                };
                Ok(ClaimedJob {
                    lease: Lease {
                        job: row.id,
                        token: row.token,
                    },
                    work: Work::stored(&row.kind, row.realm_id, row.path, row.args)?,
                    class: JobClass::parse(&row.class)
                        .ok_or_else(|| StoreError::unreadable("a job's class", row.class))?,
                    change_seq: row.change_seq,
                    force: row.force,
                    attempts: row.attempts.unsigned_abs(),
                    is_alone: was_lost,
                    created_at: row.created_at,
                    before: row_of_file,
                })
            })
            .collect::<Result<_, StoreError>>()?;
        Ok((registry, claimed))
    }

    /// Renews leases.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn beat(&self, leases: &[Lease], lease: Duration) -> Result<Beat, StoreError> {
        let tokens: Vec<uuid::Uuid> = leases.iter().map(|lease| lease.token).collect();
        let rows = again_on_conflict(async || {
            let rows = sqlx::query!(
                r#"update jobs set lease_until = now() + make_interval(secs => $2)
               where id = any(array(select id from jobs where state = 'running' and lease_token = any($1)
                                    order by coalesce_key, id for update))
                   and coalesce(state = 'running' and lease_token = any($1), false)
               returning lease_token as "token!", cancel_requested"#,
                &tokens,
                lease.as_secs_f64()
            )
            .fetch_all(&self.pool)
            .await?;
            Ok(rows)
        })
        .await?;
        let mut beat = Beat::default();
        for lease in leases {
            match rows.iter().find(|row| row.token == lease.token) {
                None => beat.lost.push(*lease),
                Some(row) if row.cancel_requested => beat.cancelled.push(*lease),
                Some(_) => {}
            }
        }
        Ok(beat)
    }

    /// Makes void what an earlier process held, by one that knows that it is the only one: its leases have run out, and its
    /// offers are gone with it.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn begin_alone(&self) -> Result<(), StoreError> {
        sqlx::query!(
            "update jobs
             set lease_until = case state when 'running' then now() end,
                 offered_until = null, offers = 0
             where state in ('queued', 'running')"
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Ends leases that ran out: the jobs are queued again, each to be claimed alone; one that has a queued twin ends,
    /// and the twin does its work; one that took its worker along too often while it ran alone is dead.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn reap(&self, spared: &[Lease]) -> Result<Reaped, StoreError> {
        let spared: Vec<uuid::Uuid> = spared.iter().map(|lease| lease.token).collect();
        again_on_conflict(|| self.reap_once(&spared)).await
    }

    async fn reap_once(&self, spared: &[uuid::Uuid]) -> Result<Reaped, StoreError> {
        let mut transaction = self.pool.begin().await?;
        let lost = sqlx::query!(
            r#"select id as "id: JobId", lease_token as "token!", was_lost, lone_losses,
                      kind = 'execute-tool' as "is_call!", coalesce_key
               from jobs where state = 'running' and lease_until < now() and lease_token <> all($1)
               order by coalesce_key, id for update"#,
            spared
        )
        .fetch_all(&mut *transaction)
        .await?;
        let mut reaped = Reaped::default();
        for job in lost {
            let lone_losses = job.lone_losses + i32::from(job.was_lost);
            let lease = Lease {
                job: job.id,
                token: job.token,
            };
            if job.is_call {
                // What it did is not known, and it is done once at most.
                let why = "its worker was lost while it ran: what it did is not known";
                end(&mut transaction, lease, "dead", Some(why)).await?;
                reaped.dead += 1;
            } else if lone_losses >= LONE_LOSSES {
                let why = "its worker was lost each time it ran, alone as well";
                // Its queued twin would do the same to whoever runs beside it.
                sqlx::query!(
                    "update jobs set was_lost = true where coalesce_key = $1 and state = 'queued'",
                    job.coalesce_key
                )
                .execute(&mut *transaction)
                .await?;
                sqlx::query!(
                    "update jobs set state = 'dead', lone_losses = $2, lease_token = null, lease_until = null,
                            error = $3, finished_at = now() where id = $1",
                    job.id as JobId,
                    lone_losses,
                    why
                )
                .execute(&mut *transaction)
                .await?;
                reaped.dead += 1;
            } else if requeue(&mut transaction, lease, Requeue::Lost { lone_losses }).await? {
                reaped.requeued += 1;
            } else {
                reaped.superseded += 1;
            }
        }
        transaction.commit().await?;
        Ok(reaped)
    }

    /// Gives a job back, to be run again after a while; its failures are counted, and too many make it dead. Answers
    /// false where the lease is void.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn retry(
        &self,
        lease: Lease,
        after: Duration,
        why: &str,
        tries: u32,
    ) -> Result<bool, StoreError> {
        again_on_conflict(|| self.retry_once(lease, after, why, tries)).await
    }

    async fn retry_once(
        &self,
        lease: Lease,
        after: Duration,
        why: &str,
        tries: u32,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.pool.begin().await?;
        let Some(attempts) = hold(&mut transaction, lease).await? else {
            return Ok(false);
        };
        let attempts = attempts + 1;
        if attempts.unsigned_abs() >= tries {
            end(&mut transaction, lease, "dead", Some(why)).await?;
            sqlx::query!(
                "update jobs set attempts = $2 where id = $1",
                lease.job as JobId,
                attempts
            )
            .execute(&mut *transaction)
            .await?;
        } else {
            let again = Requeue::Failed {
                attempts,
                after,
                why,
            };
            requeue(&mut transaction, lease, again).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Gives a job back unrun, as at shutdown: it is due at once, and nothing is counted. Answers false where the lease
    /// is void.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn release(&self, lease: Lease) -> Result<bool, StoreError> {
        again_on_conflict(|| self.release_once(lease)).await
    }

    async fn release_once(&self, lease: Lease) -> Result<bool, StoreError> {
        let mut transaction = self.pool.begin().await?;
        let is_held = hold(&mut transaction, lease).await?.is_some();
        if is_held {
            requeue(&mut transaction, lease, Requeue::Released).await?;
            transaction.commit().await?;
        }
        Ok(is_held)
    }

    /// Ends a job that would fail again. Answers false where the lease is void.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn fail(&self, lease: Lease, why: &str) -> Result<bool, StoreError> {
        self.end(lease, "failed", Some(why)).await
    }

    /// Ends a job that had nothing to write. Answers false where the lease is void.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn done(&self, lease: Lease) -> Result<bool, StoreError> {
        again_on_conflict(async || {
            let ended = sqlx::query!(
                "delete from jobs where id = $1 and lease_token = $2 and state = 'running'",
                lease.job as JobId,
                lease.token
            )
            .execute(&self.pool)
            .await?;
            Ok(ended.rows_affected() > 0)
        })
        .await
    }

    /// Ends a job that was called off. Answers false where the lease is void.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn cancelled(&self, lease: Lease) -> Result<bool, StoreError> {
        self.end(lease, "cancelled", None).await
    }

    async fn end(&self, lease: Lease, state: &str, why: Option<&str>) -> Result<bool, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let is_held = hold(&mut transaction, lease).await?.is_some();
            if is_held {
                end(&mut transaction, lease, state, why).await?;
                transaction.commit().await?;
            }
            Ok(is_held)
        })
        .await
    }
}

/// Locks the job of a lease that is not void, and answers how often it failed.
pub(crate) async fn hold(
    transaction: &mut Transaction<'_, Postgres>,
    lease: Lease,
) -> Result<Option<i32>, StoreError> {
    let attempts = sqlx::query_scalar!(
        "select attempts from jobs where id = $1 and lease_token = $2 and state = 'running' for update",
        lease.job as JobId,
        lease.token
    )
    .fetch_optional(&mut **transaction)
    .await?;
    Ok(attempts)
}

pub(crate) async fn end(
    transaction: &mut Transaction<'_, Postgres>,
    lease: Lease,
    state: &str,
    why: Option<&str>,
) -> Result<(), StoreError> {
    sqlx::query!(
        "update jobs set state = $2, error = $3, lease_token = null, lease_until = null, finished_at = now()
         where id = $1",
        lease.job as JobId,
        state,
        why.map(sanitise::message)
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Why a job is queued again.
enum Requeue<'a> {
    /// Its worker was lost.
    Lost { lone_losses: i32 },
    /// It failed for a reason that passes.
    Failed {
        attempts: i32,
        after: Duration,
        why: &'a str,
    },
    /// It was not begun.
    Released,
}

/// Queues a running job again; answers false where it was called off, or a queued twin does its work instead.
async fn requeue(
    transaction: &mut Transaction<'_, Postgres>,
    lease: Lease,
    again: Requeue<'_>,
) -> Result<bool, StoreError> {
    let job = sqlx::query!(
        r#"select kind, class, realm_id as "realm_id: RealmId", path, args, change_seq as "change_seq: ChangeSeq",
                  force, attempts, was_lost, lone_losses, coalesce_key, cancel_requested,
                  exists (select from jobs twin where twin.coalesce_key = jobs.coalesce_key
                          and twin.state = 'queued') as "has_twin!"
           from jobs where id = $1"#,
        lease.job as JobId
    )
    .fetch_one(&mut **transaction)
    .await?;
    if job.cancel_requested {
        end(transaction, lease, "cancelled", None).await?;
        return Ok(false);
    }
    if job.has_twin {
        end(transaction, lease, "superseded", None).await?;
        let class = JobClass::parse(&job.class)
            .ok_or_else(|| StoreError::unreadable("a job's class", job.class))?;
        let twin = NewJob {
            work: Work::stored(&job.kind, job.realm_id, job.path, job.args)?,
            class,
            change_seq: job.change_seq,
            force: job.force,
            cause: Cause::FollowUp {
                after: Duration::ZERO,
            },
        };
        enqueue(transaction, &[twin]).await?;
        // Whoever asked for a realm to be listed is answered by the twin.
        sqlx::query!(
            "update reindexes set job_id = jobs.id from jobs
             where reindexes.job_id = $1 and outcome is null and jobs.coalesce_key = $2 and jobs.state = 'queued'",
            lease.job as JobId,
            job.coalesce_key
        )
        .execute(&mut **transaction)
        .await?;
        // What took a worker along may do so again under its twin's name.
        if let Requeue::Lost { lone_losses } = again {
            sqlx::query!(
                "update jobs set was_lost = true, lone_losses = greatest(lone_losses, $2)
                 where coalesce_key = $1 and state = 'queued'",
                job.coalesce_key,
                lone_losses
            )
            .execute(&mut **transaction)
            .await?;
        }
        return Ok(false);
    }
    let (attempts, after, why, was_lost, lone_losses) = match again {
        Requeue::Lost { lone_losses } => (
            job.attempts,
            Duration::ZERO,
            Some("its worker was lost"),
            true,
            lone_losses,
        ),
        Requeue::Failed {
            attempts,
            after,
            why,
        } => (attempts, after, Some(why), false, 0),
        Requeue::Released => (
            job.attempts,
            Duration::ZERO,
            None,
            job.was_lost,
            job.lone_losses,
        ),
    };
    let run_at = Utc::now() + after;
    sqlx::query!(
        "update jobs set state = 'queued', attempts = $2, run_at = case when $3 then now() else $4 end,
                error = coalesce($5, error), was_lost = $6, lone_losses = $7, lease_token = null,
                lease_until = null, offered_until = null, offers = 0
         where id = $1",
        lease.job as JobId,
        attempts,
        after.is_zero(),
        run_at,
        why.map(sanitise::message),
        was_lost,
        lone_losses
    )
    .execute(&mut **transaction)
    .await?;
    Ok(true)
}
