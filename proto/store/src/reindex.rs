//! Requests to index a whole realm. One is complete when the realm was listed and no open job of the realm is for the
//! listing or an older change: there is nothing to count, and nothing that could be miscounted.

use chrono::{DateTime, Utc};
use realmdex_types::{JobClass, RealmPath, RealmUrl, ReindexOutcome};
use sqlx::{Postgres, Transaction};

use crate::commit::again_on_conflict;
use crate::enqueue::{Cause, NewJob, enqueue};
use crate::job::{Lease, Work};
use crate::lease::{end, hold};
use crate::realm::next_change;
use crate::{ChangeSeq, JobId, RealmId, Store, StoreError};

/// A request to index a realm.
#[derive(Clone, Debug)]
pub struct ReindexRequest {
    /// The realm.
    pub realm: RealmId,
    /// Why, for the ledger.
    pub reason: String,
    /// Computes every file, whatever its row says.
    pub force: bool,
    /// Lets more than half of the realm's files go.
    pub allow_mass_delete: bool,
    /// Who waits for the listing; the files are bulk work.
    pub class: JobClass,
}

impl ReindexRequest {
    /// A request as bulk work, for what has changed.
    pub fn of(realm: RealmId, reason: String) -> Self {
        Self {
            realm,
            reason,
            force: false,
            allow_mass_delete: false,
            class: JobClass::Bulk,
        }
    }
}

/// What a listing is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The change that its jobs are for.
    pub change_seq: ChangeSeq,
    /// Computes every file, whatever its row says.
    pub force: bool,
    /// Lets more than half of the realm's files go.
    pub allow_mass_delete: bool,
}

/// A request, and how far it is.
#[derive(Clone, Debug)]
pub struct ReindexRow {
    /// Its number.
    pub id: i64,
    /// The realm.
    pub realm: RealmUrl,
    /// Why it was asked for.
    pub reason: String,
    /// Whether it computes every file.
    pub force: bool,
    /// When it was asked for.
    pub requested_at: DateTime<Utc>,
    /// When the realm was listed.
    pub listed_at: Option<DateTime<Utc>>,
    /// Files that the realm's source lists.
    pub listed: Option<u64>,
    /// Files that were to be looked at.
    pub planned: Option<u64>,
    /// Those of them, and of older changes, that are still to be.
    pub open: u64,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// How; none while it goes on.
    pub outcome: Option<ReindexOutcome>,
    /// Why it ended badly.
    pub error: Option<String>,
}

impl Store {
    /// Asks for a realm to be indexed. It joins an earlier request only if that has not begun to list. Answers the
    /// request's number.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn request_reindex(&self, wanted: &ReindexRequest) -> Result<i64, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let id = request(&mut transaction, wanted).await?;
            transaction.commit().await?;
            Ok(id)
        })
        .await
    }

    /// Begins to list a realm: what is asked for from now on is another request. None where the lease is void.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn begin_listing(&self, lease: Lease) -> Result<Option<Listing>, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            if hold(&mut transaction, lease).await?.is_none() {
                return Ok(None);
            }
            let change_seq = next_change(&mut transaction).await?;
            let asked = sqlx::query!(
                r#"with begun as (
                       update reindexes set change_seq = $2 where job_id = $1 and outcome is null
                       returning force, allow_mass_delete)
                   select coalesce(bool_or(force), false)
                              or (select force from jobs where id = $1) as "force!",
                          coalesce(bool_or(allow_mass_delete), false) as "allow_mass_delete!" from begun"#,
                lease.job as JobId,
                change_seq as ChangeSeq
            )
            .fetch_one(&mut *transaction)
            .await?;
            transaction.commit().await?;
            Ok(Some(Listing {
                change_seq,
                force: asked.force,
                allow_mass_delete: asked.allow_mass_delete,
            }))
        })
        .await
    }

    /// Enqueues a page of what was listed. Answers false where the lease is void or the job called off, and then does
    /// nothing.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn plan_page(
        &self,
        lease: Lease,
        realm: RealmId,
        paths: &[RealmPath],
        listing: Listing,
    ) -> Result<bool, StoreError> {
        let jobs: Vec<NewJob> = paths
            .iter()
            .map(|path| NewJob {
                work: Work::IndexFile {
                    realm,
                    path: path.clone(),
                },
                class: JobClass::Bulk,
                change_seq: listing.change_seq,
                force: listing.force,
                cause: Cause::Change,
            })
            .collect();
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            if hold(&mut transaction, lease).await?.is_none() {
                return Ok(false);
            }
            let is_called_off = sqlx::query_scalar!(
                "select cancel_requested from jobs where id = $1",
                lease.job as JobId
            )
            .fetch_one(&mut *transaction)
            .await?;
            if is_called_off {
                return Ok(false);
            }
            enqueue(&mut transaction, &jobs).await?;
            transaction.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Notes that a realm was listed, and ends the job that did it. Answers false where the lease is void.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn listed(
        &self,
        lease: Lease,
        listed: usize,
        planned: usize,
    ) -> Result<bool, StoreError> {
        let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            if hold(&mut transaction, lease).await?.is_none() {
                return Ok(false);
            }
            sqlx::query!(
                "update reindexes set listed_at = now(), listed = $2, planned = $3
                 where job_id = $1 and outcome is null",
                lease.job as JobId,
                count(listed),
                count(planned)
            )
            .execute(&mut *transaction)
            .await?;
            // What ended badly before is made good.
            sqlx::query!(
                "with ended as (delete from jobs where id = $1 returning coalesce_key)
                 delete from jobs
                 where state in ('dead', 'failed') and coalesce_key in (select coalesce_key from ended)",
                lease.job as JobId
            )
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Stops a reindex that someone must look at first. Answers false where the lease is void.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn stop_reindex(&self, lease: Lease, why: &str) -> Result<bool, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            if hold(&mut transaction, lease).await?.is_none() {
                return Ok(false);
            }
            sqlx::query!(
                "update reindexes set outcome = 'stopped', finished_at = now(), error = $2
                 where job_id = $1 and outcome is null",
                lease.job as JobId,
                crate::sanitise::message(why)
            )
            .execute(&mut *transaction)
            .await?;
            end(&mut transaction, lease, "failed", Some(why)).await?;
            transaction.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Ends the requests that are complete, and those whose listing never will be. Answers how many.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn finish_reindexes(&self) -> Result<usize, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let complete = sqlx::query_scalar!(
                r#"update reindexes r set outcome = 'done', finished_at = now()
                   where outcome is null and listed_at is not null and not exists (
                       select from jobs
                       where jobs.realm_id = r.realm_id and jobs.kind = 'index-file'
                           and jobs.state in ('queued', 'running') and jobs.change_seq <= r.change_seq)
                   returning realm_id as "realm: RealmId""#
            )
            .fetch_all(&mut *transaction)
            .await?;
            let realms: Vec<i64> = complete.iter().map(|realm| realm.0).collect();
            sqlx::query!(
                "update realms set indexed_at = now() where id = any($1)",
                &realms
            )
            .execute(&mut *transaction)
            .await?;
            let stuck = sqlx::query!(
                "update reindexes r
                 set outcome = case when j.state in ('cancelled', 'superseded') then 'cancelled' else 'failed' end,
                     finished_at = now(),
                     error = case when j.state = 'superseded' then 'a later request does its work'
                         when j.state is null then 'its job is gone'
                         else coalesce(j.error, 'its job ended as ' || j.state) end
                 from reindexes open left join jobs j on j.id = open.job_id
                 where open.id = r.id and r.outcome is null and r.listed_at is null
                     and (j.state is null or j.state not in ('queued', 'running'))"
            )
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            Ok(complete.len() + usize::try_from(stuck.rows_affected()).unwrap_or(usize::MAX))
        })
        .await
    }

    /// Requests, the newest first: of one realm or of all, by number where some are given.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn reindexes(
        &self,
        realm: Option<RealmId>,
        ids: Option<&[i64]>,
        limit: i64,
    ) -> Result<Vec<ReindexRow>, StoreError> {
        let rows = sqlx::query!(
            r#"select r.id, realms.url, reason, force, requested_at, listed_at, listed, planned, finished_at, outcome,
                      error, case when outcome is null then (
                          select count(*) from jobs
                          where jobs.realm_id = r.realm_id and jobs.kind = 'index-file'
                              and jobs.state in ('queued', 'running') and jobs.change_seq <= r.change_seq)
                      else 0 end as "open!"
               from reindexes r join realms on realms.id = r.realm_id
               where ($1::bigint is null or r.realm_id = $1) and ($2::bigint[] is null or r.id = any($2))
               order by r.id desc limit $3"#,
            realm as Option<RealmId>,
            ids as Option<&[i64]>,
            limit
        )
        .fetch_all(&self.pool)
        .await?;
        let count = |number: Option<i32>| number.map(|number| u64::from(number.unsigned_abs()));
        rows.into_iter()
            .map(|row| {
                Ok(ReindexRow {
                    id: row.id,
                    realm: RealmUrl::parse(&row.url)
                        .map_err(|error| StoreError::unreadable("a realm's URL", error))?,
                    reason: row.reason,
                    force: row.force,
                    requested_at: row.requested_at,
                    listed_at: row.listed_at,
                    listed: count(row.listed),
                    planned: count(row.planned),
                    open: row.open.unsigned_abs(),
                    finished_at: row.finished_at,
                    outcome: row
                        .outcome
                        .map(|outcome| {
                            ReindexOutcome::parse(&outcome)
                                .ok_or_else(|| StoreError::unreadable("an outcome", outcome))
                        })
                        .transpose()?,
                    error: row.error,
                })
            })
            .collect()
    }
}

/// Asks for a realm to be indexed, in the transaction of whatever is the reason.
pub(crate) async fn request(
    transaction: &mut Transaction<'_, Postgres>,
    wanted: &ReindexRequest,
) -> Result<i64, StoreError> {
    let change_seq = next_change(transaction).await?;
    let job = NewJob {
        work: Work::FullReindex {
            realm: wanted.realm,
        },
        class: wanted.class,
        change_seq,
        force: wanted.force,
        cause: Cause::Change,
    };
    let enqueued = enqueue(transaction, &[job]).await?;
    let job = enqueued.new.into_iter().chain(enqueued.merged).next();
    let job = job.ok_or(StoreError::Archived)?;
    let joined = sqlx::query_scalar!(
        "update reindexes set force = force or $2, allow_mass_delete = allow_mass_delete or $3
         where id = (select id from reindexes where job_id = $1 and outcome is null order by id limit 1)
         returning id",
        job as JobId,
        wanted.force,
        wanted.allow_mass_delete
    )
    .fetch_optional(&mut **transaction)
    .await?;
    if let Some(id) = joined {
        return Ok(id);
    }
    let id = sqlx::query_scalar!(
        "insert into reindexes (realm_id, job_id, reason, force, allow_mass_delete)
         values ($1, $2, $3, $4, $5) returning id",
        wanted.realm as RealmId,
        job as JobId,
        crate::sanitise::message(&wanted.reason),
        wanted.force,
        wanted.allow_mass_delete
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(id)
}
