//! File rows, as they are read.

use chrono::{DateTime, Utc};
use realmdex_types::{ContentDigest, FileMetaDocument, ModuleId, RealmPath};
use serde_json::Value;

use crate::{RealmId, Store, StoreError};

/// What is known of a file itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetState {
    /// Nobody has seen it, nor that it is not there.
    Unread,
    /// It has bytes of this digest.
    Present(ContentDigest),
    /// There is no such file.
    Absent,
    /// It may not be read.
    Forbidden,
}

pub(crate) fn target_state(state: &str, digest: Option<&[u8]>) -> Result<TargetState, StoreError> {
    match (state, digest) {
        ("unread", _) => Ok(TargetState::Unread),
        ("present", Some(bytes)) => ContentDigest::try_from(bytes)
            .map(TargetState::Present)
            .map_err(|error| StoreError::unreadable("a digest", error)),
        ("absent", _) => Ok(TargetState::Absent),
        ("forbidden", _) => Ok(TargetState::Forbidden),
        _ => Err(StoreError::unreadable("a file's state", state)),
    }
}

/// What a pass over a realm needs to know of a file it has a row of.
#[derive(Clone, Debug)]
pub struct KnownFile {
    /// Where it lies.
    pub path: RealmPath,
    /// The id it goes by.
    pub module_id: ModuleId,
    /// What it was when it was last looked at.
    pub state: TargetState,
    /// The digest of the bytes that its row was computed from.
    pub computed_from: Option<ContentDigest>,
    /// Its length in bytes.
    pub size: Option<u64>,
    /// When it was last modified, in unix seconds.
    pub modified: Option<u64>,
    /// When it was last looked at.
    pub read_at: DateTime<Utc>,
    /// The version that computed its row; none where there is nothing computed.
    pub indexer: Option<String>,
    /// The package map its row was computed under, where that mattered.
    pub packages: Option<String>,
    /// Whether it could not be read the last time, or something was missing that may be there now.
    pub is_unsettled: bool,
    /// Whether its row does not follow from what it, or a file it was computed from, is now.
    pub is_broken: bool,
}

/// One file's row.
#[derive(Clone, Debug)]
pub struct FileRow {
    /// What it was when it was last looked at.
    pub state: TargetState,
    /// Its file-meta document; none where there is nothing computed.
    pub document: Option<FileMetaDocument>,
    /// When that was computed.
    pub indexed_at: Option<DateTime<Utc>>,
    /// How long that took, in milliseconds.
    pub duration_ms: Option<i64>,
    /// Why it could not be read the last time.
    pub error: Option<String>,
    /// When something that was missing is looked for again.
    pub retry_at: Option<DateTime<Utc>>,
    /// When it was last modified, in unix seconds.
    pub modified: Option<u64>,
    /// When it was created, in unix seconds.
    pub created: Option<u64>,
}

/// How much a realm holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Files that are there.
    pub files: u64,
    /// Skills among them, with tools or without.
    pub skills: u64,
    /// Tools that they declare.
    pub tools_declared: u64,
    /// Tools that have a definition.
    pub tools_stamped: u64,
}

/// A skill and its tools as stamped.
#[derive(Clone, Debug)]
pub struct StampedSkill {
    /// Its path below its realm.
    pub path: String,
    /// The entries of its list.
    pub tools: Vec<Value>,
}

pub(crate) fn digest(bytes: Option<&[u8]>) -> Result<Option<ContentDigest>, StoreError> {
    bytes
        .map(ContentDigest::try_from)
        .transpose()
        .map_err(|error| StoreError::unreadable("a digest", error))
}

fn unsigned(number: i64) -> u64 {
    number.unsigned_abs()
}

impl Store {
    /// Every file of a realm that has a row, tombstones included.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn known_files(&self, realm: RealmId) -> Result<Vec<KnownFile>, StoreError> {
        let rows = sqlx::query!(
            r#"select path as "path!", module_id, state, digest, computed_from, size, modified, read_at, indexer, packages,
                      (retry_at is not null or error is not null) as "is_unsettled!",
                      (files.id in (select source_id from broken_edges)
                       or (state = 'present' and digest is distinct from computed_from)) as "is_broken!"
               from files where realm_id = $1 order by path"#,
            realm as RealmId
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(KnownFile {
                    path: RealmPath::parse(&row.path)
                        .map_err(|error| StoreError::unreadable("a path", error))?,
                    module_id: ModuleId::stored(row.module_id),
                    state: target_state(&row.state, row.digest.as_deref())?,
                    computed_from: digest(row.computed_from.as_deref())?,
                    size: row.size.map(unsigned),
                    modified: row.modified.map(unsigned),
                    read_at: row.read_at,
                    indexer: row.indexer,
                    packages: row.packages,
                    is_unsettled: row.is_unsettled,
                    is_broken: row.is_broken,
                })
            })
            .collect()
    }

    /// One file's row; none where nobody knows of it.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn file(&self, module_id: &ModuleId) -> Result<Option<FileRow>, StoreError> {
        let row = sqlx::query!(
            "select state, digest, document, indexed_at, duration_ms, error, retry_at, modified, created
             from files where module_id = $1",
            module_id.as_str()
        )
        .fetch_optional(&self.pool)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let document = row
            .document
            .map(serde_json::from_value)
            .transpose()
            .map_err(|error| StoreError::unreadable("a document", error))?;
        Ok(Some(FileRow {
            state: target_state(&row.state, row.digest.as_deref())?,
            document,
            indexed_at: row.indexed_at,
            duration_ms: row.duration_ms,
            error: row.error,
            retry_at: row.retry_at,
            modified: row.modified.map(unsigned),
            created: row.created.map(unsigned),
        }))
    }

    /// Every skill of a realm that declares tools, with its tools as stamped, by path.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn stamped_skills(&self, realm: RealmId) -> Result<Vec<StampedSkill>, StoreError> {
        let rows = sqlx::query!(
            r#"select path as "path!", document #> '{data,attributes,frontmatter,tools}' as tools
               from files
               where realm_id = $1 and state = 'present' and tools_declared is not null
               order by path"#,
            realm as RealmId
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| StampedSkill {
                path: row.path,
                tools: match row.tools {
                    Some(Value::Array(tools)) => tools,
                    _ => Vec::new(),
                },
            })
            .collect())
    }

    /// The files of a realm, or of all realms, whose rows were computed from other bytes than they have now, and do not
    /// say why.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn outdated_files(
        &self,
        realm: Option<RealmId>,
    ) -> Result<Vec<ModuleId>, StoreError> {
        let ids = sqlx::query_scalar!(
            "select module_id from files
             where realm_id is not null and state = 'present' and error is null
                 and digest is distinct from computed_from and ($1::bigint is null or realm_id = $1)
             order by module_id",
            realm as Option<RealmId>
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(ids.into_iter().map(ModuleId::stored).collect())
    }

    /// How much a realm holds.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn holdings(&self, realm: RealmId) -> Result<Holdings, StoreError> {
        let row = sqlx::query!(
            r#"select count(*) as "files!",
                      count(*) filter (where tools_declared is not null
                                       or path ~ '(^|/)SKILL\.md$') as "skills!",
                      coalesce(sum(tools_declared), 0)::bigint as "declared!",
                      coalesce(sum(tools_stamped), 0)::bigint as "stamped!"
               from files where realm_id = $1 and state in ('present', 'forbidden')"#,
            realm as RealmId
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(Holdings {
            files: unsigned(row.files),
            skills: unsigned(row.skills),
            tools_declared: unsigned(row.declared),
            tools_stamped: unsigned(row.stamped),
        })
    }
}
