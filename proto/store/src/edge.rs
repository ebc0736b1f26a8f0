//! What files depend on, and whether that still is what it was.

use chrono::{DateTime, Utc};
use realmdex_types::{ContentDigest, ModuleId, ReadState, RealmPath};

use crate::file::{TargetState, target_state};
use crate::{RealmId, Store, StoreError};

/// An edge that does not say what its target is now.
#[derive(Clone, Debug)]
pub struct BrokenEdge {
    /// The file that was computed.
    pub source: ModuleId,
    /// Its path, where it is a realm's.
    pub path: Option<String>,
    /// The file it was computed from.
    pub target: ModuleId,
    /// How that was found then.
    pub then: ReadState,
    /// What its row says now.
    pub now: TargetState,
}

/// A file that another was computed from.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// The file.
    pub target: ModuleId,
    /// Its realm, where it is in one.
    pub realm: Option<RealmId>,
    /// How it was found then.
    pub then: ReadState,
    /// What its row says now.
    pub now: TargetState,
    /// Whether the edge is broken.
    pub is_broken: bool,
    /// When the target's row last changed.
    pub changed_at: DateTime<Utc>,
}

/// An edge that leads out of a realm.
#[derive(Clone, Debug)]
pub struct ForeignEdge {
    /// The realm's file that was computed.
    pub path: RealmPath,
    /// The file elsewhere.
    pub target: ModuleId,
    /// How that was found then.
    pub then: ReadState,
}

/// A file that was computed from another.
#[derive(Clone, Debug)]
pub struct Dependent {
    /// Its id.
    pub source: ModuleId,
    /// Whether its edge is broken.
    pub is_broken: bool,
}

pub(crate) fn read_state(state: &str, digest: Option<&[u8]>) -> Result<ReadState, StoreError> {
    match (state, digest) {
        ("read", Some(bytes)) => Ok(ReadState::Read {
            digest: ContentDigest::try_from(bytes)
                .map_err(|error| StoreError::unreadable("a digest", error))?,
        }),
        ("absent", _) => Ok(ReadState::Absent),
        ("forbidden", _) => Ok(ReadState::Forbidden),
        ("denied", _) => Ok(ReadState::Denied),
        ("refused", _) => Ok(ReadState::Refused),
        ("unreachable", _) => Ok(ReadState::Unreachable),
        _ => Err(StoreError::unreadable("an edge's state", state)),
    }
}

impl Store {
    /// Every edge that does not say what its target is now, of a realm's files or of all files. The invariant holds when
    /// there is none.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn broken_edges(
        &self,
        realm: Option<RealmId>,
    ) -> Result<Vec<BrokenEdge>, StoreError> {
        let rows = sqlx::query!(
            r#"select source.module_id as "source!", source.path, target.module_id as "target!",
                      broken.edge_state as "edge_state!", broken.edge_digest, target.state as "target_state!",
                      target.digest as target_digest
               from broken_edges broken
               join files source on source.id = broken.source_id
               join files target on target.id = broken.target_id
               where $1::bigint is null or source.realm_id = $1
               order by source.module_id, target.module_id"#,
            realm as Option<RealmId>
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(BrokenEdge {
                    source: ModuleId::stored(row.source),
                    path: row.path,
                    target: ModuleId::stored(row.target),
                    then: read_state(&row.edge_state, row.edge_digest.as_deref())?,
                    now: target_state(&row.target_state, row.target_digest.as_deref())?,
                })
            })
            .collect()
    }

    /// How many edges a realm's files have, or all files.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn edge_count(&self, realm: Option<RealmId>) -> Result<u64, StoreError> {
        let count = sqlx::query_scalar!(
            r#"select count(*) as "count!" from edges join files source on source.id = edges.source_id
               where $1::bigint is null or source.realm_id = $1"#,
            realm as Option<RealmId>
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(count.unsigned_abs())
    }

    /// What a file was computed from, by id.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn dependencies_of(
        &self,
        module_id: &ModuleId,
    ) -> Result<Vec<Dependency>, StoreError> {
        let rows = sqlx::query!(
            r#"select target.module_id, target.realm_id as "realm?: RealmId", edges.state as edge_state,
                      edges.digest as edge_digest, target.state as target_state, target.digest as target_digest, target.changed_at,
                      exists (select from broken_edges broken where broken.source_id = edges.source_id
                              and broken.target_id = edges.target_id offset 0) as "is_broken!"
               from edges
               join files source on source.id = edges.source_id
               join files target on target.id = edges.target_id
               where source.module_id = $1
               order by target.module_id"#,
            module_id.as_str()
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(Dependency {
                    target: ModuleId::stored(row.module_id),
                    realm: row.realm,
                    then: read_state(&row.edge_state, row.edge_digest.as_deref())?,
                    now: target_state(&row.target_state, row.target_digest.as_deref())?,
                    is_broken: row.is_broken,
                    changed_at: row.changed_at,
                })
            })
            .collect()
    }

    /// What was computed from a file, by id.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn dependents_of(&self, module_id: &ModuleId) -> Result<Vec<Dependent>, StoreError> {
        let rows = sqlx::query!(
            r#"select source.module_id,
                      exists (select from broken_edges broken where broken.source_id = edges.source_id
                              and broken.target_id = edges.target_id offset 0) as "is_broken!"
               from edges
               join files source on source.id = edges.source_id
               join files target on target.id = edges.target_id
               where target.module_id = $1
               order by source.module_id"#,
            module_id.as_str()
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| Dependent {
                source: ModuleId::stored(row.module_id),
                is_broken: row.is_broken,
            })
            .collect())
    }

    /// What a realm's rows were computed from outside of it: nobody lists those files, so a pass over the realm reads them
    /// again.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn foreign_edges(&self, realm: RealmId) -> Result<Vec<ForeignEdge>, StoreError> {
        let rows = sqlx::query!(
            r#"select target.module_id, source.path as "path!", edges.state, edges.digest
               from edges
               join files source on source.id = edges.source_id
               join files target on target.id = edges.target_id
               where source.realm_id = $1 and target.realm_id is distinct from $1
               order by target.module_id"#,
            realm as RealmId
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(ForeignEdge {
                    path: RealmPath::parse(&row.path)
                        .map_err(|error| StoreError::unreadable("a path", error))?,
                    target: ModuleId::stored(row.module_id),
                    then: read_state(&row.state, row.digest.as_deref())?,
                })
            })
            .collect()
    }
}
