//! Two indexes of the same files, compared row by row: what the fleet wrote, and what one process writes afresh.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use sqlx::{Connection, PgConnection, Row};

/// What an index says, line by line: what is compared, by table and key.
pub type Rows = BTreeMap<(&'static str, String), String>;

/// A row per file that is there, without times; of one in error what was computed last says nothing.
const FILES: &str = "
    select module_id as key, jsonb_build_object(
        'state', state, 'digest', encode(digest, 'hex'), 'size', size, 'error', error,
        'document', case when error is null then document end, 'search', case when error is null then search end,
        'declared', case when error is null then tools_declared end,
        'stamped', case when error is null then tools_stamped end)::text as value
    from files where realm_id is not null and state <> 'absent'";

const FINDINGS: &str = "
    select concat(module_id, ' ', ordinal) as key, jsonb_build_object(
        'kind', kind, 'message', message, 'line', line, 'col', col, 'module', module, 'name', name)::text as value
    from findings join files on files.id = findings.file_id
    where realm_id is not null and state <> 'absent' and error is null";

const EDGES: &str = "
    select concat(source.module_id, ' -> ', target.module_id) as key,
        concat_ws(' ', edges.state, encode(edges.digest, 'hex')) as value
    from edges join files source on source.id = edges.source_id join files target on target.id = edges.target_id
    where source.realm_id is not null and source.state <> 'absent' and source.error is null";

/// Everything that is compared.
///
/// # Errors
/// Whatever the database says.
pub async fn rows(database: &str) -> anyhow::Result<Rows> {
    let mut connection = PgConnection::connect(database)
        .await
        .context("connecting to compare")?;
    let rows = rows_in(&mut connection).await?;
    connection.close().await?;
    Ok(rows)
}

async fn rows_in(connection: &mut PgConnection) -> Result<Rows, sqlx::Error> {
    let mut rows = Rows::new();
    for (table, query) in [("file", FILES), ("finding", FINDINGS), ("edge", EDGES)] {
        for row in sqlx::query(query).fetch_all(&mut *connection).await? {
            rows.insert((table, row.try_get("key")?), row.try_get("value")?);
        }
    }
    Ok(rows)
}

/// How many there are of each table.
pub fn counts(rows: &Rows) -> String {
    let of = |wanted: &str| rows.keys().filter(|(table, _)| *table == wanted).count();
    format!(
        "{} files, {} findings, {} edges",
        of("file"),
        of("finding"),
        of("edge")
    )
}

/// Where they differ, in words.
pub fn differences(fleet: &Rows, fresh: &Rows) -> Vec<String> {
    let keys: BTreeSet<_> = fleet.keys().chain(fresh.keys()).collect();
    keys.into_iter()
        .filter_map(|key| {
            let (table, name) = key;
            match (fleet.get(key), fresh.get(key)) {
                (Some(one), Some(other)) if one == other => None,
                (Some(one), Some(other)) => {
                    let (one, other) = around_the_first(one, other);
                    Some(format!("{table} {name}\n  fleet: {one}\n  fresh: {other}"))
                }
                (Some(one), None) => {
                    Some(format!("{table} {name}\n  the fleet alone: {}", cut(one)))
                }
                (None, Some(other)) => {
                    Some(format!("{table} {name}\n  fresh alone: {}", cut(other)))
                }
                (None, None) => None,
            }
        })
        .collect()
}

const SHOWN: usize = 160;

fn cut(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// Both texts from shortly before they part.
fn around_the_first(one: &str, other: &str) -> (String, String) {
    let same = one
        .chars()
        .zip(other.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let from = same.saturating_sub(40);
    let part = |text: &str| text.chars().skip(from).take(SHOWN).collect();
    (part(one), part(other))
}

/// Changes an index in every way that must be noticed.
const PLANTED: [&str; 6] = [
    "update files set search = '{}' where id = (select min(id) from files where search is not null)",
    "update files set tools_stamped = tools_stamped + 1
     where id = (select max(id) from files where tools_stamped is not null and error is null)",
    "delete from edges where (source_id, target_id) = (select source_id, target_id from edges
         join files on files.id = source_id where realm_id is not null and files.state <> 'absent' and error is null
         order by 1, 2 limit 1)",
    "update edges set state = 'absent', digest = null where (source_id, target_id) = (
         select source_id, target_id from edges join files on files.id = source_id
         where edges.state = 'read' and realm_id is not null and error is null order by 1 desc, 2 desc limit 1)",
    "update findings set message = message || '.' where (file_id, ordinal) = (select file_id, ordinal from findings
         join files on files.id = file_id where realm_id is not null and error is null order by 1, 2 limit 1)",
    "insert into files (module_id, realm_id, path, state, digest, change_seq, read_at, changed_at)
     select 'https://a.realm.test/planted', min(id), 'planted', 'present', sha256(''), 1, now(), now() from realms",
];

/// Plants differences into an index that is like another, one at a time. Answers those that are not noticed; each is
/// taken back.
///
/// # Errors
/// Whatever the database says.
pub async fn unnoticed(database: &str, other: &Rows) -> anyhow::Result<Vec<&'static str>> {
    let mut connection = PgConnection::connect(database).await?;
    let mut missed = Vec::new();
    for planted in PLANTED {
        let mut transaction = connection.begin().await?;
        sqlx::query(planted).execute(&mut *transaction).await?;
        if differences(&rows_in(&mut transaction).await?, other).is_empty() {
            missed.push(planted);
        }
        transaction.rollback().await?;
    }
    connection.close().await?;
    Ok(missed)
}
