//! Jobs, as they are read.

use chrono::{DateTime, Utc};
use realmdex_types::{JobClass, JobKind, JobState, RealmPath};
use serde_json::Value;
use uuid::Uuid;

use crate::{ChangeSeq, JobId, RealmId, Store, StoreError};

/// A job that a worker has a lease on.
#[derive(Clone, Debug)]
pub struct ClaimedJob {
    /// The lease, without which nothing can be written for it.
    pub lease: Lease,
    /// What it is about.
    pub work: Work,
    /// The newest change that it is for.
    pub change_seq: ChangeSeq,
    /// Whether it computes even what has not changed.
    pub force: bool,
    /// How often it failed before.
    pub attempts: u32,
    /// Whether it runs with no neighbours, since its last worker was lost.
    pub is_alone: bool,
}

/// A worker's claim on a running job. It is void once the job is given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lease {
    /// The job.
    pub job: JobId,
    /// Changes with each claim.
    pub token: Uuid,
}

/// What a job is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// One file of a realm.
    IndexFile {
        /// The realm.
        realm: RealmId,
        /// Where the file lies, or lay.
        path: RealmPath,
    },
    /// A whole realm.
    FullReindex {
        /// The realm.
        realm: RealmId,
    },
    /// A tool call.
    ExecuteTool {
        /// The realm of the skill that declares the tool.
        realm: RealmId,
        /// What to call, and with what.
        call: Value,
    },
}

impl Work {
    pub(crate) fn kind(&self) -> JobKind {
        match self {
            Self::IndexFile { .. } => JobKind::IndexFile,
            Self::FullReindex { .. } => JobKind::FullReindex,
            Self::ExecuteTool { .. } => JobKind::ExecuteTool,
        }
    }

    pub(crate) fn realm(&self) -> RealmId {
        match self {
            Self::IndexFile { realm, .. }
            | Self::FullReindex { realm }
            | Self::ExecuteTool { realm, .. } => *realm,
        }
    }

    /// What queued jobs are merged by; none for what is never merged.
    pub(crate) fn coalesce_key(&self) -> Option<String> {
        match self {
            Self::IndexFile { realm, path } => Some(format!("file {} {path}", realm.0)),
            Self::FullReindex { realm } => Some(format!("realm {}", realm.0)),
            Self::ExecuteTool { .. } => None,
        }
    }

    pub(crate) fn stored(
        kind: &str,
        realm: Option<RealmId>,
        path: Option<String>,
        args: Value,
    ) -> Result<Self, StoreError> {
        let kind =
            JobKind::parse(kind).ok_or_else(|| StoreError::unreadable("a job's kind", kind))?;
        let realm = realm.ok_or_else(|| StoreError::unreadable("a job", "it has no realm"))?;
        Ok(match kind {
            JobKind::FullReindex => Self::FullReindex { realm },
            JobKind::ExecuteTool => Self::ExecuteTool { realm, call: args },
            JobKind::IndexFile => Self::IndexFile {
                realm,
                path: RealmPath::parse(&path.unwrap_or_default())
                    .map_err(|error| StoreError::unreadable("a path", error))?,
            },
        })
    }
}

/// A job as operators see it.
#[derive(Clone, Debug)]
pub struct JobRow {
    /// Its number.
    pub id: JobId,
    /// What it is about.
    pub work: Work,
    /// Who waits for it.
    pub class: JobClass,
    /// Where it is in its life.
    pub state: JobState,
    /// The newest change that it is for.
    pub change_seq: ChangeSeq,
    /// How often it failed.
    pub attempts: u32,
    /// When it may run.
    pub run_at: DateTime<Utc>,
    /// Who has it, or had it last.
    pub worker: Option<String>,
    /// Why it failed the last time.
    pub error: Option<String>,
    /// When it was enqueued.
    pub created_at: DateTime<Utc>,
    /// When it was last claimed.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
}

impl Store {
    /// Jobs in some states, the newest first.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn jobs(&self, states: &[JobState], limit: i64) -> Result<Vec<JobRow>, StoreError> {
        let states: Vec<String> = states
            .iter()
            .map(|state| state.as_str().to_owned())
            .collect();
        let rows = sqlx::query!(
            r#"select id as "id: JobId", kind, class, realm_id as "realm_id: RealmId", path, state,
                      change_seq as "change_seq: ChangeSeq", args, attempts, run_at, worker, error, created_at,
                      started_at, finished_at
               from jobs where state = any($1) order by id desc limit $2"#,
            &states,
            limit
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(JobRow {
                    id: row.id,
                    work: Work::stored(&row.kind, row.realm_id, row.path, row.args)?,
                    class: JobClass::parse(&row.class)
                        .ok_or_else(|| StoreError::unreadable("a job's class", row.class))?,
                    state: JobState::parse(&row.state)
                        .ok_or_else(|| StoreError::unreadable("a job's state", row.state))?,
                    change_seq: row.change_seq,
                    attempts: row.attempts.unsigned_abs(),
                    run_at: row.run_at,
                    worker: row.worker,
                    error: row.error,
                    created_at: row.created_at,
                    started_at: row.started_at,
                    finished_at: row.finished_at,
                })
            })
            .collect()
    }
}
