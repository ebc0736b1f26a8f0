//! The rows of a batch, upserted in one statement.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{Postgres, Transaction};

use super::{Batch, Ended, FileWrite, Found, Written};
use crate::{FileId, StoreError, sanitise};

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
    /// When the reading began at the earliest, by the database's clock where that is known: what targets have changed
    /// since is told by it.
    since: Vec<DateTime<Utc>>,
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Columns {
    fn of(batch: &Batch<'_>, ended: &Ended) -> Self {
        let mut columns = Self::default();
        for write in batch.0.values() {
            columns.push(write);
            let claimed = write.lease.and_then(|lease| ended.claimed.get(&lease.job));
            columns
                .since
                .push(claimed.copied().unwrap_or(write.read_at));
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
pub(super) async fn write_rows<'a>(
    transaction: &mut Transaction<'_, Postgres>,
    batch: &Batch<'a>,
    ended: &Ended,
) -> Result<Written<'a>, StoreError> {
    let columns = Columns::of(batch, ended);
    let rows = sqlx::query!(
        r#"insert into files as f (
               module_id, realm_id, path, state, digest, size, modified, created, change_seq, read_at, changed_at,
               document, search, computed_from, computed_at, tools_declared, tools_stamped, indexed_at, duration_ms, indexer,
               packages, error, retry_at, retries)
           select module_id, realm_id, path, state, digest, size, modified, created, change_seq, read_at, clock_timestamp(),
                  document, search, case when indexer is not null then digest end,
                  case when indexer is not null then since end, declared, stamped, case when indexer is not null then now() end, duration_ms,
                  indexer, packages, error, case when retry then now() + interval '5 seconds' end, 0
           from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bytea[], $6::bigint[], $7::bigint[],
                       $8::bigint[], $9::bigint[], $10::timestamptz[], $11::jsonb[], $12::jsonb[], $13::integer[],
                       $14::integer[], $15::bigint[], $16::text[], $17::text[], $18::text[], $19::boolean[],
                       $20::timestamptz[])
               as w (module_id, realm_id, path, state, digest, size, modified, created, change_seq, read_at,
                     document, search, declared, stamped, duration_ms, indexer, packages, error, retry, since)
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
               -- That it can't be read any more, or can again, is news as well, if it is not just for a while.
               changed_at = case
                   when excluded.state <> 'unread'
                       and (excluded.state, excluded.digest) is distinct from (f.state, f.digest)
                   or (f.error is null or f.retry_at is not null)
                       <> (excluded.error is null or excluded.retry_at is not null)
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
        &columns.since,
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

/// A file that goes by another id than before (its folder was mapped as a package, or no longer is) leaves its old row
/// behind as that of a file that is not there. Answers those rows.
pub(super) async fn give_up_names(
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
