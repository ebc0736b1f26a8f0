//! Rows as they are served: many in one statement, and never older than the question.

use chrono::{DateTime, Utc};
use realmdex_types::{FileMetaDocument, ModuleId, RealmPath};
use serde_json::{Map, Value};

use crate::{ChangeSeq, FileId, RealmId, RegistryVersion, Store, StoreError};

/// A file that someone asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sought {
    /// Its realm.
    pub realm: RealmId,
    /// Its path there.
    pub path: RealmPath,
}

/// One version of a row: two that are equal say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowStamp {
    /// The row.
    pub file: FileId,
    /// The transaction that wrote it (`xmin`): 32 bits that begin anew after four thousand million, so that what is kept
    /// by it may not be kept for days.
    version: i64,
}

/// What a look at a file tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeenFile {
    /// Its row, where it has one.
    pub row: Option<SeenRow>,
    /// Whether a job of it is open.
    pub is_open: bool,
}

/// What a look at a file's row tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenRow {
    /// The row as it was seen.
    pub stamp: RowStamp,
    /// Whether there is such a file, as far as the row tells.
    pub is_there: bool,
    /// Whether what was computed of it may be shown: there is something, and the last reading did not fail.
    pub is_good: bool,
    /// The change that it was last read for.
    pub change_seq: ChangeSeq,
}

/// What a look at some rows tells, all as of one moment.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The version of the realms, readers and packages.
    pub registry: RegistryVersion,
    /// Each file that was asked for, in that order.
    pub files: Vec<SeenFile>,
}

/// Everything that is told of one file.
#[derive(Clone, Debug)]
pub struct ServedFile {
    /// The row as it was read.
    pub stamp: RowStamp,
    /// Its canonical id.
    pub module_id: ModuleId,
    /// Whether there is such a file, as far as the row tells.
    pub is_there: bool,
    /// Its file-meta document; none where there is nothing computed.
    pub document: Option<FileMetaDocument>,
    /// Its search document.
    pub search: Map<String, Value>,
    /// Its length in bytes.
    pub size: Option<u64>,
    /// When it was last modified, in unix seconds.
    pub modified: Option<u64>,
    /// When it was created, in unix seconds.
    pub created: Option<u64>,
    /// The change that it was last read for.
    pub change_seq: ChangeSeq,
    /// When its document was computed.
    pub indexed_at: Option<DateTime<Utc>>,
    /// Why it could not be read the last time.
    pub error: Option<String>,
    /// Whether something was missing that is looked for again.
    pub is_retried: bool,
    /// Whether it has other bytes now than its document was computed from.
    pub is_outdated: bool,
}

impl Store {
    /// Looks at files' rows and at the version of the registry, in one statement.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn look(&self, sought: &[Sought]) -> Result<Seen, StoreError> {
        let realms: Vec<i64> = sought.iter().map(|sought| sought.realm.0).collect();
        let paths: Vec<String> = sought
            .iter()
            .map(|sought| sought.path.as_str().to_owned())
            .collect();
        let rows = sqlx::query!(
            r#"select registry_version as "registry!: RegistryVersion", id as "id?: FileId", version as "version?",
                      change_seq as "change_seq?: ChangeSeq", is_there as "is_there!", is_good as "is_good!",
                      is_open as "is_open!"
               from look_at_files($1, $2)"#,
            &realms,
            &paths
        )
        .fetch_all(&self.pool)
        .await?;
        let registry = rows
            .first()
            .map(|row| row.registry)
            .ok_or_else(|| StoreError::unreadable("no registry", "its one row is missing"))?;
        let files = rows
            .into_iter()
            .take(sought.len())
            .map(|row| {
                let stamp = row.id.zip(row.version);
                let seen = stamp.zip(row.change_seq);
                SeenFile {
                    row: seen.map(|((file, version), change_seq)| SeenRow {
                        stamp: RowStamp { file, version },
                        is_there: row.is_there,
                        is_good: row.is_good,
                        change_seq,
                    }),
                    is_open: row.is_open,
                }
            })
            .collect();
        Ok(Seen { registry, files })
    }

    /// Everything that is told of a file; none where its row is gone.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn served_file(&self, file: FileId) -> Result<Option<ServedFile>, StoreError> {
        let row = sqlx::query!(
            r#"select module_id, f.xmin::text::bigint as "version!", state in ('present', 'forbidden') as "is_there!",
                      document, search, size, modified, created, change_seq as "change_seq: ChangeSeq", indexed_at,
                      error, retry_at is not null as "is_retried!",
                      (state = 'present' and digest is distinct from computed_from) as "is_outdated!"
               from files f where id = $1"#,
            file as FileId
        )
        .fetch_optional(&self.pool)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let document = row
            .document
            .map(serde_json::from_value)
            .transpose()
            .map_err(|error| StoreError::unreadable("a document", error))?;
        let search = match row.search {
            Some(Value::Object(search)) => search,
            _ => Map::new(),
        };
        Ok(Some(ServedFile {
            stamp: RowStamp {
                file,
                version: row.version,
            },
            module_id: ModuleId::stored(row.module_id),
            is_there: row.is_there,
            document,
            search,
            size: row.size.map(i64::unsigned_abs),
            modified: row.modified.map(i64::unsigned_abs),
            created: row.created.map(i64::unsigned_abs),
            change_seq: row.change_seq,
            indexed_at: row.indexed_at,
            error: row.error,
            is_retried: row.is_retried,
            is_outdated: row.is_outdated,
        }))
    }

    /// Whether nothing of a realm waits to be indexed, or is being indexed.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn is_settled(&self, realm: RealmId) -> Result<bool, StoreError> {
        let settled = sqlx::query_scalar!(
            r#"select not exists (select from jobs
                                  where realm_id = $1 and kind = 'index-file' and state in ('queued', 'running'))
                      and not exists (select from reindexes where realm_id = $1 and outcome is null) as "settled!""#,
            realm as RealmId
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(settled)
    }
}
