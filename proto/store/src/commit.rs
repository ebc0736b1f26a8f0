//! The way into the file rows: one transaction for a batch of files that were read.
//!
//! It locks in one order (module ids, ascending, the written rows before those they depend on), writes rows, edges and
//! findings, and answers which files are to be looked at again: those whose edges do not say what their targets are
//! now. A module that changes while a skill is computed is thus never lost, whether or not anyone announced it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use chrono::{DateTime, Utc};
use realmdex_types::{ContentDigest, Finding, JobClass, ModuleId, ReadState, RealmPath};
use serde_json::Value;
use sqlx::{Postgres, Transaction};

use crate::enqueue::{NewJob, enqueue};
use crate::job::{Lease, Work};
use crate::{ChangeSeq, FileId, JobId, RealmId, Store, StoreError, sanitise};

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
    /// The version that computed it.
    pub indexer: String,
    /// The package map it was computed under, where that mattered.
    pub packages: Option<String>,
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
    /// They are enqueued in the same transaction, as bulk work for this change.
    Enqueue(ChangeSeq),
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
        let void = end_jobs(&mut transaction, writes).await?;
        let batch = Batch::of(writes, &void);
        lock_written(&mut transaction, &batch).await?;
        let moved_away = give_up_names(&mut transaction, &batch).await?;
        let written = write_rows(&mut transaction, &batch).await?;
        let computed = batch.computed_among(&written);
        let gone = batch.gone_among(&written);
        let seen = replace_edges(&mut transaction, &computed, &gone).await?;
        replace_findings(&mut transaction, &computed, &gone).await?;
        let looked_at: Vec<i64> = written.values().map(|file| file.0).collect();
        let changed = [looked_at, moved_away, seen].concat();
        let (stale, moved) = look_again(&mut transaction, &changed).await?;
        let committed = Committed {
            refused: batch.refused(&written),
            written: written.len(),
            void,
            stale,
            moved,
        };
        if let Follow::Enqueue(change_seq) = follow {
            let jobs = follow_ups(&mut transaction, &committed, change_seq).await?;
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
            .with_max_times(8),
    )
    .when(StoreError::is_conflict)
    .notify(|error, after| tracing::info!(%error, ?after, "a transaction is tried again"))
    .await
}

/// Ends the jobs that the files were read by: done, they are gone. Answers the leases that were void.
async fn end_jobs(
    transaction: &mut Transaction<'_, Postgres>,
    writes: &[FileWrite],
) -> Result<Vec<Lease>, StoreError> {
    let leases: BTreeSet<Lease> = writes.iter().filter_map(|write| write.lease).collect();
    if leases.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = leases.iter().map(|lease| lease.job.0).collect();
    let tokens: Vec<uuid::Uuid> = leases.iter().map(|lease| lease.token).collect();
    let ended = sqlx::query_scalar!(
        r#"delete from jobs
           where id in (
                   select jobs.id from jobs
                   join unnest($1::bigint[], $2::uuid[]) as lease (job, token)
                       on lease.job = jobs.id and lease.token = jobs.lease_token
                   order by jobs.id for update of jobs)
               and state = 'running' and lease_token = any($2)
           returning id as "id: JobId""#,
        &ids,
        &tokens
    )
    .fetch_all(&mut **transaction)
    .await?;
    Ok(leases
        .into_iter()
        .filter(|lease| !ended.contains(&lease.job))
        .collect())
}

/// The jobs that look again: what moved, and what is stale. Who waited for the change has it already; what follows from
/// it is nobody's in particular.
async fn follow_ups(
    transaction: &mut Transaction<'_, Postgres>,
    committed: &Committed,
    change_seq: ChangeSeq,
) -> Result<Vec<NewJob>, StoreError> {
    let ids: Vec<String> = committed
        .stale
        .iter()
        .map(|file| &file.module_id)
        .chain(&committed.moved)
        .map(|id| id.as_str().to_owned())
        .collect();
    let files = sqlx::query!(
        r#"select realm_id as "realm!: RealmId", path as "path!", change_seq as "change_seq: ChangeSeq" from files
           where module_id = any($1) and realm_id is not null"#,
        &ids
    )
    .fetch_all(&mut **transaction)
    .await?;
    files
        .into_iter()
        .map(|file| {
            let path = RealmPath::parse(&file.path)
                .map_err(|error| StoreError::unreadable("a path", error))?;
            Ok(NewJob {
                work: Work::IndexFile {
                    realm: file.realm,
                    path,
                },
                class: JobClass::Bulk,
                // For no older change than the row was written for: what it writes would be refused.
                change_seq: change_seq.max(file.change_seq),
                force: false,
            })
        })
        .collect()
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

/// The columns of a batch, one vector each: the shape in which `unnest` takes many rows in one statement.
#[derive(Default)]
struct Columns {
    module_ids: Vec<String>,
    realms: Vec<Option<i64>>,
    paths: Vec<Option<String>>,
    states: Vec<String>,
    digests: Vec<Option<Vec<u8>>>,
    sizes: Vec<Option<i64>>,
    modified: Vec<Option<i64>>,
    created: Vec<Option<i64>>,
    seqs: Vec<i64>,
    read_at: Vec<DateTime<Utc>>,
    documents: Vec<Option<Value>>,
    searches: Vec<Option<Value>>,
    declared: Vec<Option<i32>>,
    stamped: Vec<Option<i32>>,
    durations: Vec<Option<i64>>,
    indexers: Vec<Option<String>>,
    packages: Vec<Option<String>>,
    errors: Vec<Option<String>>,
    retries: Vec<bool>,
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Columns {
    fn of(batch: &Batch<'_>) -> Self {
        let mut columns = Self::default();
        for write in batch.0.values() {
            columns.push(write);
        }
        columns
    }

    fn push(&mut self, write: &FileWrite) {
        let mut digest = None;
        let (state, facts, row) = match &write.found {
            Found::Computed(facts, row) => ("present", Some(facts), Some(row)),
            Found::Present(facts) => ("present", Some(facts), None),
            Found::Seen(seen) => {
                digest = Some(seen);
                ("present", None, None)
            }
            Found::Absent => ("absent", None, None),
            Found::Forbidden { .. } => ("forbidden", None, None),
            // The row keeps the state it has.
            Found::Failed { .. } => ("unread", None, None),
        };
        let (error, retry) = match &write.found {
            Found::Forbidden { why } => (Some(why), false),
            Found::Failed { why, transient } => (Some(why), *transient),
            _ => (None, row.is_some_and(|row| row.retry)),
        };
        let tools = row.and_then(|row| row.tools);
        let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        self.module_ids.push(write.module_id.as_str().to_owned());
        self.realms
            .push(write.place.as_ref().map(|place| place.realm.0));
        self.paths.push(
            write
                .place
                .as_ref()
                .map(|place| place.path.as_str().to_owned()),
        );
        self.states.push(state.to_owned());
        let digest = facts.map(|facts| &facts.digest).or(digest);
        self.digests
            .push(digest.map(|digest| digest.as_bytes().to_vec()));
        self.sizes.push(facts.map(|facts| signed(facts.size)));
        self.modified
            .push(facts.and_then(|facts| facts.modified.map(signed)));
        self.created
            .push(facts.and_then(|facts| facts.created.map(signed)));
        self.seqs.push(write.change_seq.0);
        self.read_at.push(write.read_at);
        self.documents
            .push(row.map(|row| sanitise::document(row.document.clone())));
        self.searches
            .push(row.map(|row| sanitise::document(row.search.clone())));
        self.declared
            .push(tools.map(|(declared, _)| count(declared)));
        self.stamped.push(tools.map(|(_, stamped)| count(stamped)));
        self.durations
            .push(row.map(|row| i64::try_from(row.took.as_millis()).unwrap_or(i64::MAX)));
        self.indexers.push(row.map(|row| row.indexer.clone()));
        self.packages.push(row.and_then(|row| row.packages.clone()));
        self.errors.push(error.map(|why| sanitise::message(why)));
        self.retries.push(retry);
    }
}

/// Upserts the rows. What was computed stays where nothing new was, but for a file that is gone.
async fn write_rows<'a>(
    transaction: &mut Transaction<'_, Postgres>,
    batch: &Batch<'a>,
) -> Result<Written<'a>, StoreError> {
    let columns = Columns::of(batch);
    let rows = sqlx::query!(
        r#"insert into files as f (
               module_id, realm_id, path, state, digest, size, modified, created, change_seq, read_at, changed_at,
               document, search, computed_from, computed_at, tools_declared, tools_stamped, indexed_at, duration_ms, indexer,
               packages, error, retry_at, retries)
           select module_id, realm_id, path, state, digest, size, modified, created, change_seq, read_at, read_at,
                  document, search, case when indexer is not null then digest end,
                  case when indexer is not null then read_at end, declared, stamped, case when indexer is not null then now() end, duration_ms,
                  indexer, packages, error, case when retry then now() + interval '5 seconds' end, 0
           from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bytea[], $6::bigint[], $7::bigint[],
                       $8::bigint[], $9::bigint[], $10::timestamptz[], $11::jsonb[], $12::jsonb[], $13::integer[],
                       $14::integer[], $15::bigint[], $16::text[], $17::text[], $18::text[], $19::boolean[])
               as w (module_id, realm_id, path, state, digest, size, modified, created, change_seq, read_at,
                     document, search, declared, stamped, duration_ms, indexer, packages, error, retry)
           order by module_id
           on conflict (module_id) do update set
               realm_id = coalesce(excluded.realm_id, f.realm_id),
               path = coalesce(excluded.path, f.path),
               state = case excluded.state when 'unread' then f.state else excluded.state end,
               digest = case excluded.state when 'unread' then f.digest else excluded.digest end,
               size = coalesce(excluded.size, f.size),
               modified = case when excluded.size is not null then excluded.modified else f.modified end,
               created = case when excluded.size is not null then excluded.created else f.created end,
               -- Who only saw it in passing did not do the work that the change asks for.
               change_seq = case when excluded.realm_id is null then f.change_seq else excluded.change_seq end,
               read_at = excluded.read_at,
               changed_at = case
                   when excluded.state <> 'unread'
                       and (excluded.state, excluded.digest) is distinct from (f.state, f.digest)
                   then clock_timestamp() else f.changed_at end,
               document = case when excluded.indexer is not null then excluded.document
                   when excluded.state = 'absent' then null else f.document end,
               search = case when excluded.indexer is not null then excluded.search
                   when excluded.state = 'absent' then null else f.search end,
               computed_from = case when excluded.indexer is not null then excluded.computed_from
                   when excluded.state = 'absent' then null else f.computed_from end,
               computed_at = case when excluded.indexer is not null then excluded.computed_at
                   when excluded.state = 'absent' then null else f.computed_at end,
               tools_declared = case when excluded.indexer is not null then excluded.tools_declared
                   when excluded.state = 'absent' then null else f.tools_declared end,
               tools_stamped = case when excluded.indexer is not null then excluded.tools_stamped
                   when excluded.state = 'absent' then null else f.tools_stamped end,
               indexed_at = coalesce(excluded.indexed_at, f.indexed_at),
               duration_ms = coalesce(excluded.duration_ms, f.duration_ms),
               indexer = case excluded.state when 'absent' then null else coalesce(excluded.indexer, f.indexer) end,
               packages = case when excluded.indexer is not null then excluded.packages
                   when excluded.state = 'absent' then null else f.packages end,
               error = excluded.error,
               retry_at = case when excluded.retry_at is not null
                   then now() + least(interval '1 hour', interval '5 seconds' * 2 ^ least(f.retries + 1, 10)) end,
               retries = case when excluded.retry_at is null then 0 else f.retries + 1 end
           where f.change_seq <= excluded.change_seq
           returning id as "id!: FileId", module_id as "module_id!""#,
        &columns.module_ids,
        &columns.realms as &[Option<i64>],
        &columns.paths as &[Option<String>],
        &columns.states,
        &columns.digests as &[Option<Vec<u8>>],
        &columns.sizes as &[Option<i64>],
        &columns.modified as &[Option<i64>],
        &columns.created as &[Option<i64>],
        &columns.seqs,
        &columns.read_at,
        &columns.documents as &[Option<Value>],
        &columns.searches as &[Option<Value>],
        &columns.declared as &[Option<i32>],
        &columns.stamped as &[Option<i32>],
        &columns.durations as &[Option<i64>],
        &columns.indexers as &[Option<String>],
        &columns.packages as &[Option<String>],
        &columns.errors as &[Option<String>],
        &columns.retries,
    )
    .fetch_all(&mut **transaction)
    .await?;
    Ok(rows
        .into_iter()
        .filter_map(|row| {
            let (id, _) = batch.0.get_key_value(row.module_id.as_str())?;
            Some((*id, row.id))
        })
        .collect())
}

/// What an edge stores of how its target was found.
fn edge_state(found: &ReadState) -> (&'static str, Option<Vec<u8>>) {
    match found {
        ReadState::Read { digest } => ("read", Some(digest.as_bytes().to_vec())),
        ReadState::Absent => ("absent", None),
        ReadState::Forbidden => ("forbidden", None),
        ReadState::Refused => ("refused", None),
        ReadState::Unreachable => ("unreachable", None),
    }
}

/// A file that goes by another id than before (its folder was mapped as a package, or no longer is) leaves its old row
/// behind as that of a file that is not there. Answers those rows.
async fn give_up_names(
    transaction: &mut Transaction<'_, Postgres>,
    batch: &Batch<'_>,
) -> Result<Vec<i64>, StoreError> {
    let (mut realms, mut paths, mut ids) = (vec![], vec![], vec![]);
    for write in batch.0.values() {
        if let Some(place) = &write.place {
            realms.push(place.realm.0);
            paths.push(place.path.as_str().to_owned());
            ids.push(write.module_id.as_str().to_owned());
        }
    }
    let old = sqlx::query_scalar!(
        "update files f
         set realm_id = null, path = null, state = 'absent', digest = null, document = null, search = null,
             computed_from = null, computed_at = null, tools_declared = null, tools_stamped = null, indexer = null,
             packages = null, error = null, retry_at = null, changed_at = clock_timestamp()
         from unnest($1::bigint[], $2::text[], $3::text[]) as w (realm, path, module_id)
         where f.realm_id = w.realm and f.path = w.path and f.module_id <> w.module_id
         returning f.id",
        &realms,
        &paths,
        &ids
    )
    .fetch_all(&mut **transaction)
    .await?;
    if !old.is_empty() {
        sqlx::query!("delete from edges where source_id = any($1)", &old)
            .execute(&mut **transaction)
            .await?;
        sqlx::query!("delete from findings where file_id = any($1)", &old)
            .execute(&mut **transaction)
            .await?;
    }
    Ok(old)
}

/// Answers the files outside of every realm of which the edges say something new.
async fn replace_edges(
    transaction: &mut Transaction<'_, Postgres>,
    computed: &[(FileId, &ComputedRow)],
    gone: &[FileId],
) -> Result<Vec<i64>, StoreError> {
    let sources: Vec<i64> = computed
        .iter()
        .map(|(file, _)| file.0)
        .chain(gone.iter().map(|file| file.0))
        .collect();
    sqlx::query!("delete from edges where source_id = any($1)", &sources)
        .execute(&mut **transaction)
        .await?;
    let targets: BTreeMap<&str, &ReadState> = computed
        .iter()
        .flat_map(|(_, row)| row.edges.iter().map(|(id, found)| (id.as_str(), found)))
        .collect();
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let seen = know_targets(transaction, &targets).await?;
    let (mut from, mut to, mut states, mut digests) = (vec![], vec![], vec![], vec![]);
    for (file, row) in computed {
        for (id, found) in &row.edges {
            let (state, digest) = edge_state(found);
            from.push(file.0);
            to.push(id.as_str().to_owned());
            states.push(state.to_owned());
            digests.push(digest);
        }
    }
    sqlx::query!(
        "insert into edges (source_id, target_id, state, digest)
         select source_id, files.id, e.state, e.digest
         from unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[]) as e (source_id, module_id, state, digest)
         join files using (module_id)",
        &from,
        &to,
        &states,
        &digests as &[Option<Vec<u8>>]
    )
    .execute(&mut **transaction)
    .await?;
    Ok(seen)
}

/// Makes rows for targets that have none, as they were found, and keeps all of them from changing until the end. One
/// that is in no realm has nobody to read it for its own sake: what its dependents see of it counts, and where that is
/// new its row is among the answers.
async fn know_targets(
    transaction: &mut Transaction<'_, Postgres>,
    targets: &BTreeMap<&str, &ReadState>,
) -> Result<Vec<i64>, StoreError> {
    let (mut ids, mut states, mut digests) = (vec![], vec![], vec![]);
    for (id, found) in targets {
        let (state, digest) = match edge_state(found) {
            ("read", digest) => ("present", digest),
            ("refused" | "unreachable", _) => ("unread", None),
            other => other,
        };
        ids.push((*id).to_owned());
        states.push(state.to_owned());
        digests.push(digest);
    }
    sqlx::query!(
        "insert into files (module_id, state, digest, change_seq, read_at, changed_at)
         select module_id, state, digest, 0, now(), now()
         from unnest($1::text[], $2::text[], $3::bytea[]) as t (module_id, state, digest)
         where not exists (select from files where files.module_id = t.module_id)
         order by module_id
         on conflict (module_id) do nothing",
        &ids,
        &states,
        &digests as &[Option<Vec<u8>>]
    )
    .execute(&mut **transaction)
    .await?;
    sqlx::query!(
        "select id from files where module_id = any($1) order by module_id for share",
        &ids
    )
    .fetch_all(&mut **transaction)
    .await?;
    let seen = sqlx::query_scalar!(
        "update files f
         set state = t.state, digest = t.digest, read_at = now(), changed_at = clock_timestamp()
         from unnest($1::text[], $2::text[], $3::bytea[]) as t (module_id, state, digest)
         where f.module_id = t.module_id and f.realm_id is null and t.state <> 'unread'
             and (f.state, f.digest) is distinct from (t.state, t.digest)
         returning f.id",
        &ids,
        &states,
        &digests as &[Option<Vec<u8>>]
    )
    .fetch_all(&mut **transaction)
    .await?;
    Ok(seen)
}

async fn replace_findings(
    transaction: &mut Transaction<'_, Postgres>,
    computed: &[(FileId, &ComputedRow)],
    gone: &[FileId],
) -> Result<(), StoreError> {
    let files: Vec<i64> = computed
        .iter()
        .map(|(file, _)| file.0)
        .chain(gone.iter().map(|file| file.0))
        .collect();
    sqlx::query!("delete from findings where file_id = any($1)", &files)
        .execute(&mut **transaction)
        .await?;
    let (mut ids, mut ordinals, mut kinds, mut messages) = (vec![], vec![], vec![], vec![]);
    let (mut lines, mut columns, mut modules, mut names, mut transient) =
        (vec![], vec![], vec![], vec![], vec![]);
    let counted =
        |number: Option<usize>| number.map(|number| i32::try_from(number).unwrap_or(i32::MAX));
    for (file, row) in computed {
        for (ordinal, finding) in (0_i32..).zip(&row.findings) {
            ids.push(file.0);
            ordinals.push(ordinal);
            kinds.push(finding.kind.as_str().to_owned());
            messages.push(sanitise::message(&finding.message));
            lines.push(counted(finding.line));
            columns.push(counted(finding.column));
            modules.push(
                finding
                    .tool
                    .as_ref()
                    .map(|tool| sanitise::message(&tool.module)),
            );
            names.push(
                finding
                    .tool
                    .as_ref()
                    .map(|tool| sanitise::message(&tool.name)),
            );
            transient.push(finding.transient);
        }
    }
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into findings (file_id, ordinal, kind, message, line, col, module, name, transient)
         select * from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::integer[], $6::integer[],
                              $7::text[], $8::text[], $9::boolean[])",
        &ids,
        &ordinals,
        &kinds,
        &messages,
        &lines as &[Option<i32>],
        &columns as &[Option<i32>],
        &modules as &[Option<String>],
        &names as &[Option<String>],
        &transient
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Which files are to be looked at again: those on either end of a broken edge that these have, and those whose own
/// bytes are others than their rows were computed from.
async fn look_again(
    transaction: &mut Transaction<'_, Postgres>,
    ids: &[i64],
) -> Result<(BTreeSet<StaleFile>, BTreeSet<ModuleId>), StoreError> {
    let broken = sqlx::query!(
        r#"select source.realm_id as "realm?: RealmId", source.path as source_path,
                  source.module_id as "source!", target.module_id as "target!", target.state as "target_state!",
                  broken.target_id = any($1) as "target_is_new!"
           from (
               select source_id, target_id from broken_edges where source_id = any($1)
               union
               select source_id, target_id from broken_edges where target_id = any($1)
           ) broken
           join files source on source.id = broken.source_id
           join files target on target.id = broken.target_id"#,
        ids
    )
    .fetch_all(&mut **transaction)
    .await?;
    let outdated = sqlx::query!(
        r#"select realm_id as "realm!: RealmId", path as "path!", module_id from files
           where id = any($1) and realm_id is not null and state = 'present'
               and digest is distinct from computed_from"#,
        ids
    )
    .fetch_all(&mut **transaction)
    .await?;
    let (mut stale, mut moved) = (BTreeSet::new(), BTreeSet::new());
    for edge in broken {
        // What this very transaction read needs no second look.
        if !edge.target_is_new {
            moved.insert(ModuleId::stored(edge.target));
        }
        let is_known = edge.target_state != "unread";
        if let (true, Some(realm), Some(path)) = (is_known, edge.realm, edge.source_path) {
            stale.insert(stale_file(realm, &path, edge.source)?);
        }
    }
    for file in outdated {
        stale.insert(stale_file(file.realm, &file.path, file.module_id)?);
    }
    Ok((stale, moved))
}

fn stale_file(realm: RealmId, path: &str, module_id: String) -> Result<StaleFile, StoreError> {
    Ok(StaleFile {
        realm,
        path: RealmPath::parse(path).map_err(|error| StoreError::unreadable("a path", error))?,
        module_id: ModuleId::stored(module_id),
    })
}
