//! The way into the file rows: one transaction for a batch of files that were read.
//!
//! It locks in one order (module ids, ascending, the written rows before those they depend on), writes rows, edges and
//! findings, and answers which files are to be looked at again: those whose edges do not say what their targets are
//! now. A module that changes while a skill is computed is thus never lost, whether or not anyone announced it.

mod again;
mod edges;
mod findings;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use chrono::{DateTime, Utc};
use realmdex_types::{ContentDigest, Finding, JobClass, ModuleId, ReadState, RealmPath};
use serde_json::Value;
use sqlx::{Postgres, Transaction};

use crate::enqueue::enqueue;
use crate::job::Lease;
use crate::{ChangeSeq, FileId, JobId, RealmId, RegistryVersion, Store, StoreError};
use again::{follow_ups, look_again, under_an_older_map};
use edges::replace_edges;
use findings::replace_findings;
use rows::{give_up_names, write_rows};

/// One file as it was read, for the index to keep.
#[derive(Clone, Debug)]
pub struct FileWrite {
    /// Its canonical id.
    pub module_id: ModuleId,
    /// Where it lies; none for a file outside of every indexed realm, of which only the state is kept.
    pub place: Option<Place>,
    /// The change that it was read for. A row that was written for a later one is left alone.
    pub change_seq: ChangeSeq,
    /// The lease on the job that it was read by, which ends with the write; none where no job did. A void lease writes
    /// nothing.
    pub lease: Option<Lease>,
    /// When reading it began.
    pub read_at: DateTime<Utc>,
    /// What was found.
    pub found: Found,
}

/// Where a file of a realm lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its realm.
    pub realm: RealmId,
    /// Its path there.
    pub path: RealmPath,
}

/// What was found where a file should be.
#[derive(Clone, Debug)]
pub enum Found {
    /// It was read, and computed.
    Computed(FileFacts, Box<ComputedRow>),
    /// It was read; what was computed of it still holds.
    Present(FileFacts),
    /// It was read for another file's sake: nothing else is known of it.
    Seen(ContentDigest),
    /// There is certainly no such file: its row becomes a tombstone.
    Absent,
    /// It may not be read; its last good row stays.
    Forbidden {
        /// Who says so, and the mend.
        why: String,
    },
    /// It could not be read; its last good row stays.
    Failed {
        /// Why, and the mend.
        why: String,
        /// Whether trying again later may help.
        transient: bool,
    },
}

/// What is known of a file's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// Of its bytes.
    pub digest: ContentDigest,
    /// How many they are.
    pub size: u64,
    /// When it was last modified, in unix seconds, as its source tells.
    pub modified: Option<u64>,
    /// When it was created, likewise.
    pub created: Option<u64>,
}

/// What was computed of a file.
#[derive(Clone, Debug)]
pub struct ComputedRow {
    /// Its file-meta document.
    pub document: Value,
    /// Its search document.
    pub search: Value,
    /// For a skill: how many tools it declares, and how many of them are stamped.
    pub tools: Option<(usize, usize)>,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// Every other file it was computed from.
    pub edges: BTreeMap<ModuleId, ReadState>,
    /// Where those of them are that were denied.
    pub denied: BTreeMap<ModuleId, Place>,
    /// The version that computed it.
    pub indexer: String,
    /// The package map it was computed under, where that mattered.
    pub packages: Option<String>,
    /// The version of the realms and packages that is; none where they can't change meanwhile.
    pub registry: Option<RegistryVersion>,
    /// Whether something was missing that may be there later.
    pub retry: bool,
    /// How long it took.
    pub took: Duration,
}

/// What becomes of files that are to be looked at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// They are answered: whoever commits looks at them.
    Answer,
    /// They are enqueued in the same transaction: for whoever waited for the change where they are few, else as bulk
    /// work.
    Enqueue,
}

/// What a commit came to.
#[derive(Clone, Debug, Default)]
pub struct Committed {
    /// Files that were written; the others had been written for a later change, or their lease was void.
    pub written: usize,
    /// Leases that were void: another does the work.
    pub void: Vec<Lease>,
    /// Files whose rows had been written for a later change.
    pub refused: Vec<ModuleId>,
    /// Files whose rows do not follow from what their targets are now: to be computed again.
    pub stale: BTreeSet<StaleFile>,
    /// Files that were found otherwise than their rows say: to be read again, before those that are stale.
    pub moved: BTreeSet<ModuleId>,
}

/// A file to be computed again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StaleFile {
    /// Its realm.
    pub realm: RealmId,
    /// Its path there.
    pub path: RealmPath,
    /// Its id.
    pub module_id: ModuleId,
}

impl Store {
    /// Writes files, all or none. Of two for one file the later counts.
    ///
    /// # Errors
    /// Whatever the database says; a transaction that was in another's way is tried again first.
    pub async fn commit(
        &self,
        writes: &[FileWrite],
        follow: Follow,
    ) -> Result<Committed, StoreError> {
        again_on_conflict(|| self.commit_once(writes, follow)).await
    }

    async fn commit_once(
        &self,
        writes: &[FileWrite],
        follow: Follow,
    ) -> Result<Committed, StoreError> {
        let mut transaction = self.pool.begin().await?;
        let ended = end_jobs(&mut transaction, writes).await?;
        let batch = Batch::of(writes, &ended.void);
        lock_written(&mut transaction, &batch).await?;
        let moved_away = give_up_names(&mut transaction, &batch).await?;
        let written = write_rows(&mut transaction, &batch, &ended).await?;
        let computed = batch.computed_among(&written);
        let gone = batch.gone_among(&written);
        let seen = replace_edges(&mut transaction, &computed, &gone).await?;
        replace_findings(&mut transaction, &computed, &gone).await?;
        let looked_at: Vec<i64> = written.values().map(|file| file.0).collect();
        let changed = [looked_at, moved_away, seen].concat();
        let (mut stale, moved) = look_again(&mut transaction, &changed).await?;
        stale.extend(under_an_older_map(&mut transaction, &batch, &written).await?);
        let committed = Committed {
            refused: batch.refused(&written),
            written: written.len(),
            void: ended.void,
            stale,
            moved,
        };
        if follow == Follow::Enqueue {
            let own: BTreeSet<&str> = written.keys().copied().collect();
            let jobs = follow_ups(&mut transaction, &committed, &own, ended.class).await?;
            enqueue(&mut transaction, &jobs).await?;
        }
        transaction.commit().await?;
        Ok(committed)
    }
}

/// Does what another transaction was in the way of again, a few times.
pub(crate) async fn again_on_conflict<T, F: Future<Output = Result<T, StoreError>>>(
    work: impl FnMut() -> F,
) -> Result<T, StoreError> {
    work.retry(
        ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(Duration::from_millis(5))
            .with_max_delay(Duration::from_secs(1))
            .with_max_times(10),
    )
    .when(StoreError::is_conflict)
    .notify(|error, after| tracing::info!(%error, ?after, "a transaction is tried again"))
    .await
}

/// What became of the jobs of a batch.
struct Ended {
    /// Leases that were void.
    void: Vec<Lease>,
    /// The highest class among the others.
    class: JobClass,
    /// When the others were claimed.
    claimed: BTreeMap<JobId, DateTime<Utc>>,
}

/// Ends the jobs that the files were read by: done, they are gone, and with them what ended badly for the same file
/// before.
async fn end_jobs(
    transaction: &mut Transaction<'_, Postgres>,
    writes: &[FileWrite],
) -> Result<Ended, StoreError> {
    let leases: BTreeSet<Lease> = writes.iter().filter_map(|write| write.lease).collect();
    if leases.is_empty() {
        return Ok(Ended {
            void: Vec::new(),
            class: JobClass::Bulk,
            claimed: BTreeMap::new(),
        });
    }
    let ids: Vec<i64> = leases.iter().map(|lease| lease.job.0).collect();
    let tokens: Vec<uuid::Uuid> = leases.iter().map(|lease| lease.token).collect();
    let ended = sqlx::query!(
        r#"delete from jobs
           where id = any(array(
                   select id from jobs where id = any($1) and coalesce(lease_token = any($2), false)
                   order by coalesce_key, id for update))
               and coalesce(state = 'running' and lease_token = any($2), false)
           returning id as "id: JobId", class, coalesce_key, change_seq, started_at"#,
        &ids,
        &tokens
    )
    .fetch_all(&mut **transaction)
    .await?;
    let (keys, changes): (Vec<String>, Vec<i64>) = ended
        .iter()
        .filter_map(|job| Some((job.coalesce_key.clone()?, job.change_seq)))
        .unzip();
    // Those that ended badly for a later change stay: this look may have been before it.
    sqlx::query!(
        "delete from jobs where state in ('dead', 'failed') and coalesce_key = any($1)
         and change_seq <= (select max(ended.change_seq) from unnest($1::text[], $2::bigint[]) as ended(key, change_seq)
                            where ended.key = jobs.coalesce_key)",
        &keys,
        &changes
    )
    .execute(&mut **transaction)
    .await?;
    let is_awaited = ended
        .iter()
        .any(|job| job.class == JobClass::Interactive.as_str());
    Ok(Ended {
        class: if is_awaited {
            JobClass::Interactive
        } else {
            JobClass::Bulk
        },
        claimed: ended
            .iter()
            .filter_map(|job| Some((job.id, job.started_at?)))
            .collect(),
        void: leases
            .into_iter()
            .filter(|lease| !ended.iter().any(|job| job.id == lease.job))
            .collect(),
    })
}

/// The writes by module id, in the order in which rows are locked.
struct Batch<'a>(BTreeMap<&'a str, &'a FileWrite>);

/// A row that was written, by the module id of its file.
type Written<'a> = BTreeMap<&'a str, FileId>;

impl<'a> Batch<'a> {
    fn of(writes: &'a [FileWrite], void: &[Lease]) -> Self {
        let is_void = |write: &FileWrite| write.lease.is_some_and(|lease| void.contains(&lease));
        Self(
            writes
                .iter()
                .filter(|write| !is_void(write))
                .map(|write| (write.module_id.as_str(), write))
                .collect(),
        )
    }

    fn ids(&self) -> Vec<String> {
        self.0.keys().map(|id| (*id).to_owned()).collect()
    }

    fn computed_among(&self, written: &Written<'a>) -> Vec<(FileId, &'a ComputedRow)> {
        written
            .iter()
            .filter_map(|(id, file)| match &self.0.get(id)?.found {
                Found::Computed(_, row) => Some((*file, row.as_ref())),
                _ => None,
            })
            .collect()
    }

    fn refused(&self, written: &Written<'a>) -> Vec<ModuleId> {
        self.0
            .iter()
            .filter(|(id, _)| !written.contains_key(*id))
            .map(|(_, write)| write.module_id.clone())
            .collect()
    }

    fn gone_among(&self, written: &Written<'a>) -> Vec<FileId> {
        let is_gone = |id: &str| {
            self.0
                .get(id)
                .is_some_and(|write| matches!(write.found, Found::Absent))
        };
        written
            .iter()
            .filter(|(id, _)| is_gone(id))
            .map(|(_, file)| *file)
            .collect()
    }
}

async fn lock_written(
    transaction: &mut Transaction<'_, Postgres>,
    batch: &Batch<'_>,
) -> Result<(), StoreError> {
    sqlx::query!(
        "select id from files where module_id = any($1) order by module_id for no key update",
        &batch.ids()
    )
    .fetch_all(&mut **transaction)
    .await?;
    Ok(())
}
