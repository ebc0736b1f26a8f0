//! What a commit leaves to be looked at again.

use std::collections::BTreeSet;
use std::time::Duration;

use realmdex_types::{JobClass, ModuleId, RealmPath};
use sqlx::{Postgres, Transaction};

use super::{Batch, Committed, Found, StaleFile, Written};
use crate::enqueue::{Cause, NewJob};
use crate::realm::next_change;
use crate::{RealmId, StoreError, registry};

/// How many files may follow from a change that someone waits for, and be waited for as well: more would be in the way
/// of others' changes.
const AWAITED: usize = 64;

/// When a file is looked at again that was only just written: what it depends on may be settled by then.
const SETTLING: Duration = Duration::from_millis(200);

/// Which files are to be looked at again: those on either end of a broken edge that these have, and those whose own
/// bytes are others than their rows were computed from.
pub(super) async fn look_again(
    transaction: &mut Transaction<'_, Postgres>,
    ids: &[i64],
) -> Result<(BTreeSet<StaleFile>, BTreeSet<ModuleId>), StoreError> {
    let broken = sqlx::query!(
        r#"select source.realm_id as "realm?: RealmId", source.path as source_path,
                  source.module_id as "source!", target.module_id as "target!", target.state as "target_state!",
                  broken.is_about_rights as "is_about_rights!",
                  broken.target_id = any($1) as "target_is_new!",
                  broken.target_id <> all($1) and exists (
                      select from jobs where state in ('dead', 'failed')
                          and coalesce_key = concat('file ', target.realm_id, ' ', target.path))
                  and not exists (
                      select from jobs where state in ('queued', 'running') and kind = 'index-file'
                          and (jobs.realm_id, jobs.path) = (target.realm_id, target.path)) as "target_is_given_up!"
           from (
               select source_id, target_id, is_about_rights from broken_edges where source_id = any($1)
               union
               select source_id, target_id, is_about_rights from broken_edges where target_id = any($1)
           ) broken
           join files source on source.id = broken.source_id
           join files target on target.id = broken.target_id"#,
        ids
    )
    .fetch_all(&mut **transaction)
    .await?;
    let outdated = sqlx::query!(
        r#"select realm_id as "realm!: RealmId", path as "path!", module_id from files
           where id = any($1) and realm_id is not null and state = 'present' and error is null
               and digest is distinct from computed_from"#,
        ids
    )
    .fetch_all(&mut **transaction)
    .await?;
    let (mut stale, mut moved) = (BTreeSet::new(), BTreeSet::new());
    for edge in broken {
        // Nobody will say what it is until someone looks into that.
        if edge.target_is_given_up && !edge.is_about_rights {
            continue;
        }
        // What this very transaction read needs no second look; nor does a file that rights alone are about.
        if !edge.target_is_new && !edge.is_about_rights {
            moved.insert(ModuleId::stored(edge.target));
        }
        let is_known = edge.target_state != "unread" || edge.is_about_rights;
        if let (true, Some(realm), Some(path)) = (is_known, edge.realm, edge.source_path) {
            stale.insert(stale_file(realm, &path, edge.source)?);
        }
    }
    for file in outdated {
        stale.insert(stale_file(file.realm, &file.path, file.module_id)?);
    }
    Ok((stale, moved))
}

/// Files whose tools were computed under realms and packages that have changed since.
pub(super) async fn under_an_older_map(
    transaction: &mut Transaction<'_, Postgres>,
    batch: &Batch<'_>,
    written: &Written<'_>,
) -> Result<Vec<StaleFile>, StoreError> {
    let under_a_map = written.keys().filter_map(|id| {
        let write = batch.0.get(id)?;
        match (&write.found, &write.place) {
            (Found::Computed(_, row), Some(place)) if row.packages.is_some() => {
                Some((row.registry?, *write, place))
            }
            _ => None,
        }
    });
    let under_a_map: Vec<_> = under_a_map.collect();
    if under_a_map.is_empty() {
        return Ok(Vec::new());
    }
    let now = registry::held_version(transaction).await?;
    Ok(under_a_map
        .into_iter()
        .filter(|(version, _, _)| *version < now)
        .map(|(_, write, place)| StaleFile {
            realm: place.realm,
            path: place.path.clone(),
            module_id: write.module_id.clone(),
        })
        .collect())
}

fn stale_file(realm: RealmId, path: &str, module_id: String) -> Result<StaleFile, StoreError> {
    Ok(StaleFile {
        realm,
        path: RealmPath::parse(path).map_err(|error| StoreError::unreadable("a path", error))?,
        module_id: ModuleId::stored(module_id),
    })
}

/// The jobs that look again: what moved, and what is stale. They are for a change of their own: what is read for it
/// replaces whatever was read before now. `own` are the files that were just written.
pub(super) async fn follow_ups(
    transaction: &mut Transaction<'_, Postgres>,
    committed: &Committed,
    own: &BTreeSet<&str>,
    class: JobClass,
) -> Result<Vec<NewJob>, StoreError> {
    let ids: Vec<String> = committed
        .stale
        .iter()
        .map(|file| &file.module_id)
        .chain(&committed.moved)
        .map(|id| id.as_str().to_owned())
        .collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let files = sqlx::query!(
        r#"select module_id, realm_id as "realm!: RealmId", path as "path!" from files
           where module_id = any($1) and realm_id is not null"#,
        &ids
    )
    .fetch_all(&mut **transaction)
    .await?;
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let change_seq = next_change(transaction).await?;
    let class = if files.len() > AWAITED {
        JobClass::Bulk
    } else {
        class
    };
    files
        .iter()
        .map(|file| {
            let after = if own.contains(file.module_id.as_str()) {
                SETTLING
            } else {
                Duration::ZERO
            };
            Ok(NewJob {
                class,
                cause: Cause::FollowUp { after },
                ..NewJob::follow_up(file.realm, &file.path, change_seq)?
            })
        })
        .collect()
}
