//! Jobs, as they are read.

use chrono::{DateTime, Utc};
use realmdex_types::{ContentDigest, JobClass, JobKind, JobState, ModuleId, RealmPath, RealmUrl};
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
    /// Who waits for it.
    pub class: JobClass,
    /// The newest change that it is for.
    pub change_seq: ChangeSeq,
    /// Whether it computes even what has not changed.
    pub force: bool,
    /// How often it failed before.
    pub attempts: u32,
    /// Whether it runs with no neighbours, since its last worker was lost.
    pub is_alone: bool,
    /// When it was enqueued.
    pub created_at: DateTime<Utc>,
    /// The row of the file that it is about, when it was claimed; none where nothing is known of it, or it was gone.
    pub before: Option<RowBefore>,
}

/// What a file's row says before it is looked at again.
#[derive(Clone, Debug)]
pub struct RowBefore {
    /// The id it goes by.
    pub module_id: ModuleId,
    /// The digest of the bytes that its row was computed from.
    pub computed_from: Option<ContentDigest>,
    /// The version that computed its row; none where there is nothing computed.
    pub indexer: Option<String>,
    /// The package map its row was computed under, where that mattered.
    pub packages: Option<String>,
    /// Whether it could not be read the last time, or something was missing that may be there now.
    pub is_unsettled: bool,
    /// Whether an edge of it does not say what its target is.
    pub is_broken: bool,
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
    /// What kind of work it is.
    pub fn kind(&self) -> JobKind {
        match self {
            Self::IndexFile { .. } => JobKind::IndexFile,
            Self::FullReindex { .. } => JobKind::FullReindex,
            Self::ExecuteTool { .. } => JobKind::ExecuteTool,
        }
    }

    /// The realm it is for.
    pub fn realm(&self) -> RealmId {
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
    /// Its realm.
    pub realm: RealmUrl,
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
    /// Until when it is offered.
    pub offered_until: Option<DateTime<Utc>>,
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

/// Which jobs are asked for; what is left out does not matter.
#[derive(Clone, Debug, Default)]
pub struct JobFilter {
    /// By number.
    pub id: Option<JobId>,
    /// By state; none is every state.
    pub states: Vec<JobState>,
    /// By realm.
    pub realm: Option<RealmId>,
}

impl Store {
    /// Jobs, the newest first.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn jobs(&self, filter: &JobFilter, limit: i64) -> Result<Vec<JobRow>, StoreError> {
        let states: Vec<String> = filter
            .states
            .iter()
            .map(|state| state.as_str().to_owned())
            .collect();
        let rows = sqlx::query!(
            r#"select jobs.id as "id: JobId", kind, class, realm_id as "realm_id: RealmId", realms.url, path, state,
                      change_seq as "change_seq: ChangeSeq", args, attempts, run_at, offered_until, worker, error,
                      jobs.created_at, started_at, finished_at
               from jobs join realms on realms.id = jobs.realm_id
               where ($1::bigint is null or jobs.id = $1) and (cardinality($2::text[]) = 0 or state = any($2))
                   and ($3::bigint is null or jobs.realm_id = $3)
               order by jobs.id desc limit $4"#,
            filter.id as Option<JobId>,
            &states,
            filter.realm as Option<RealmId>,
            limit
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(JobRow {
                    id: row.id,
                    work: Work::stored(&row.kind, row.realm_id, row.path, row.args)?,
                    realm: RealmUrl::parse(&row.url)
                        .map_err(|error| StoreError::unreadable("a realm's URL", error))?,
                    class: JobClass::parse(&row.class)
                        .ok_or_else(|| StoreError::unreadable("a job's class", row.class))?,
                    state: JobState::parse(&row.state)
                        .ok_or_else(|| StoreError::unreadable("a job's state", row.state))?,
                    change_seq: row.change_seq,
                    attempts: row.attempts.unsigned_abs(),
                    run_at: row.run_at,
                    offered_until: row.offered_until,
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
