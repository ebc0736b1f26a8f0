//! What a commit leaves to be looked at again.

use std::collections::BTreeSet;

use realmdex_types::{ModuleId, RealmPath};
use sqlx::{Postgres, Transaction};

use super::{Committed, StaleFile};
use crate::enqueue::NewJob;
use crate::{ChangeSeq, RealmId, StoreError};

/// Which files are to be looked at again: those on either end of a broken edge that these have, and those whose own
/// bytes are others than their rows were computed from.
pub(super) async fn look_again(
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

/// The jobs that look again: what moved, and what is stale. Who waited for the change has it already; what follows from
/// it is nobody's in particular.
pub(super) async fn follow_ups(
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
            // For no older change than the row was written for: what it writes would be refused.
            let change_seq = change_seq.max(file.change_seq);
            NewJob::follow_up(file.realm, &file.path, change_seq)
        })
        .collect()
}
