//! The only way into the jobs: in the transaction of whatever asks for them.

use std::time::Duration;

use realmdex_types::{JobClass, RealmPath};
use serde_json::Value;
use sqlx::{Postgres, Transaction};

use crate::commit::again_on_conflict;
use crate::job::Work;
use crate::{ChangeSeq, JobId, RealmId, Store, StoreError};

/// Work to be done.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// What it is about.
    pub work: Work,
    /// Who waits for it.
    pub class: JobClass,
    /// The change that it is for.
    pub change_seq: ChangeSeq,
    /// Computes even what has not changed.
    pub force: bool,
    /// What asks for it.
    pub cause: Cause,
}

/// What asks for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Something new: a queued job that it merges into is due at once, its tries counted anew.
    Change,
    /// What others have become. A queued job that it merges into keeps its time: it may wait for a source to come back.
    FollowUp {
        /// When it is due, if it is new.
        after: Duration,
    },
}

impl NewJob {
    /// A file that is looked at again for what others have become: nobody in particular waits for it.
    pub(crate) fn follow_up(
        realm: RealmId,
        path: &str,
        change_seq: ChangeSeq,
    ) -> Result<Self, StoreError> {
        let path =
            RealmPath::parse(path).map_err(|error| StoreError::unreadable("a path", error))?;
        Ok(Self {
            work: Work::IndexFile { realm, path },
            class: JobClass::Bulk,
            change_seq,
            force: false,
            cause: Cause::FollowUp {
                after: Duration::ZERO,
            },
        })
    }
}

/// What came of enqueueing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enqueued {
    /// Jobs that are new.
    pub new: Vec<JobId>,
    /// Queued jobs that now do the work as well.
    pub merged: Vec<JobId>,
}

impl Store {
    /// Enqueues jobs in a transaction of their own.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn enqueue(&self, jobs: &[NewJob]) -> Result<Enqueued, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let enqueued = enqueue(&mut transaction, jobs).await?;
            transaction.commit().await?;
            Ok(enqueued)
        })
        .await
    }
}

/// Enqueues jobs. There is at most one *queued* job for a file or a realm: another merges into it, with the higher class
/// and the newer change. Where that raises its class it is offered again, so that an edit never waits behind the bulk
/// delivery that carried its twin. A job that already runs is left alone: what it read may be older than the change.
/// What is archived is not worked on. A file that took its workers along before is claimed alone.
pub(crate) async fn enqueue(
    transaction: &mut Transaction<'_, Postgres>,
    jobs: &[NewJob],
) -> Result<Enqueued, StoreError> {
    let mut columns = Columns::default();
    for job in merged(jobs) {
        columns.push(job);
    }
    let rows = sqlx::query!(
        r#"insert into jobs as j (kind, class, realm_id, path, coalesce_key, change_seq, force, args, run_at, was_lost)
           select kind, class, realm_id, path, coalesce_key, change_seq, force, args, now() + make_interval(secs => after),
                  exists (select from jobs dead where dead.coalesce_key = new.coalesce_key and dead.state = 'dead'
                          and dead.was_lost)
           from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
                       $7::boolean[], $8::jsonb[], $9::double precision[])
               as new (kind, class, realm_id, path, coalesce_key, change_seq, force, args, after)
           join realms on realms.id = new.realm_id and realms.archived_at is null
           order by coalesce_key
           on conflict (coalesce_key) where state = 'queued' and coalesce_key is not null do update set
               class = case when 'interactive' in (j.class, excluded.class) then 'interactive' else j.class end,
               change_seq = greatest(j.change_seq, excluded.change_seq),
               force = j.force or excluded.force,
               attempts = case when excluded.coalesce_key = any($10) then 0 else j.attempts end,
               run_at = case when excluded.coalesce_key = any($10) then least(j.run_at, now()) else j.run_at end,
               offered_until = case
                   when excluded.class = 'interactive' and j.class <> 'interactive' then null
                   else j.offered_until end,
               offers = case
                   when excluded.class = 'interactive' and j.class <> 'interactive' then 0 else j.offers end,
               cancel_requested = false
           returning id as "id!: JobId", (xmax = 0) as "is_new!""#,
        &columns.kinds,
        &columns.classes,
        &columns.realms,
        &columns.paths as &[Option<String>],
        &columns.keys as &[Option<String>],
        &columns.seqs,
        &columns.forces,
        &columns.args,
        &columns.after,
        &columns.changed,
    )
    .fetch_all(&mut **transaction)
    .await?;
    let mut enqueued = Enqueued::default();
    for row in rows {
        if row.is_new {
            enqueued.new.push(row.id);
        } else {
            enqueued.merged.push(row.id);
        }
    }
    Ok(enqueued)
}

/// Jobs of one statement that would merge, merged: a statement may touch a row only once.
fn merged(jobs: &[NewJob]) -> Vec<NewJob> {
    let mut by_key: std::collections::BTreeMap<String, NewJob> = std::collections::BTreeMap::new();
    let mut others = Vec::new();
    for job in jobs {
        let Some(key) = job.work.coalesce_key() else {
            others.push(job.clone());
            continue;
        };
        by_key
            .entry(key)
            .and_modify(|held| {
                held.change_seq = held.change_seq.max(job.change_seq);
                held.force |= job.force;
                if job.cause == Cause::Change {
                    held.cause = Cause::Change;
                }
                if job.class == JobClass::Interactive {
                    held.class = JobClass::Interactive;
                }
            })
            .or_insert_with(|| job.clone());
    }
    by_key.into_values().chain(others).collect()
}

#[derive(Default)]
struct Columns {
    kinds: Vec<String>,
    classes: Vec<String>,
    realms: Vec<i64>,
    paths: Vec<Option<String>>,
    keys: Vec<Option<String>>,
    seqs: Vec<i64>,
    forces: Vec<bool>,
    args: Vec<Value>,
    after: Vec<f64>,
    /// The keys of those that something new asks for.
    changed: Vec<String>,
}

impl Columns {
    fn push(&mut self, job: NewJob) {
        self.kinds.push(job.work.kind().as_str().to_owned());
        self.classes.push(job.class.as_str().to_owned());
        self.realms.push(job.work.realm().0);
        self.keys.push(job.work.coalesce_key());
        self.seqs.push(job.change_seq.0);
        self.forces.push(job.force);
        self.after.push(match job.cause {
            Cause::Change => {
                self.changed.extend(job.work.coalesce_key());
                0.0
            }
            Cause::FollowUp { after } => after.as_secs_f64(),
        });
        let (path, args) = match job.work {
            Work::IndexFile { path, .. } => (Some(path.to_string()), Value::Null),
            Work::FullReindex { .. } => (None, Value::Null),
            Work::ExecuteTool { call, .. } => (None, crate::sanitise::document(call)),
        };
        self.paths.push(path);
        self.args.push(args);
    }
}
