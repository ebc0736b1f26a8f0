//! The edges of computed files, and the rows of what they lead to.

use std::collections::BTreeMap;

use realmdex_types::ReadState;
use sqlx::{Postgres, Transaction};

use super::{ComputedRow, Place};
use crate::{FileId, StoreError};

/// How often the rows of targets are made, while others take them away.
const TRIES: usize = 8;

/// What an edge stores of how its target was found.
fn edge_state(found: &ReadState) -> (&'static str, Option<Vec<u8>>) {
    match found {
        ReadState::Read { digest } => ("read", Some(digest.as_bytes().to_vec())),
        ReadState::Absent => ("absent", None),
        ReadState::Forbidden => ("forbidden", None),
        ReadState::Denied => ("denied", None),
        ReadState::Refused => ("refused", None),
        ReadState::Unreachable => ("unreachable", None),
    }
}

/// Answers the files outside of every realm of which the edges say something new.
pub(super) async fn replace_edges(
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
    let places: BTreeMap<&str, &Place> = computed
        .iter()
        .flat_map(|(_, row)| row.denied.iter().map(|(id, place)| (id.as_str(), place)))
        .collect();
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let seen = know_targets(transaction, &targets, &places).await?;
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
/// new its row is among the answers. One that was denied is its realm's, whether there is such a file or not: its edge
/// follows from the rights between two realms. A row that becomes its realm's is among the answers as well, and stays
/// what it was until the realm's job says otherwise: so other edges hold meanwhile.
async fn know_targets(
    transaction: &mut Transaction<'_, Postgres>,
    targets: &BTreeMap<&str, &ReadState>,
    places: &BTreeMap<&str, &Place>,
) -> Result<Vec<i64>, StoreError> {
    let (mut ids, mut states, mut digests) = (vec![], vec![], vec![]);
    let (mut realms, mut paths) = (vec![], vec![]);
    for (id, found) in targets {
        let place = places.get(id);
        realms.push(place.map(|place| place.realm.0));
        paths.push(place.map(|place| place.path.as_str().to_owned()));
        let (state, digest) = match edge_state(found) {
            ("read", digest) => ("present", digest),
            ("refused" | "unreachable" | "denied", _) => ("unread", None),
            other => other,
        };
        ids.push((*id).to_owned());
        states.push(state.to_owned());
        digests.push(digest);
    }
    // One that was forgotten just now, by whoever sweeps up or removes its realm, is gone once it can be locked: an edge
    // would be lost.
    let mut tries = 0..TRIES;
    while tries.next().is_some() {
        sqlx::query!(
            "insert into files (module_id, realm_id, path, state, digest, change_seq, read_at, changed_at)
             select module_id, place.realm_id, case when place.realm_id is not null then t.path end, state, digest, 0,
                    now(), clock_timestamp()
             from unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[], $5::text[])
                 as t (module_id, state, digest, realm_id, path)
             left join lateral (
                 select t.realm_id where exists (select from realms where realms.id = t.realm_id)
                     and not exists (select from files o where o.realm_id = t.realm_id and o.path = t.path)) place on true
             where not exists (select from files where files.module_id = t.module_id)
             order by module_id
             on conflict do nothing",
            &ids,
            &states,
            &digests as &[Option<Vec<u8>>],
            &realms as &[Option<i64>],
            &paths as &[Option<String>]
        )
        .execute(&mut **transaction)
        .await?;
        let kept = sqlx::query_scalar!(
            "select id from files where module_id = any($1) order by module_id for share",
            &ids
        )
        .fetch_all(&mut **transaction)
        .await?;
        if kept.len() == ids.len() {
            break;
        }
    }
    let mut seen = Vec::new();
    if !places.is_empty() {
        seen = sqlx::query_scalar!(
            "update files f set realm_id = t.realm_id, path = t.path
             from unnest($1::text[], $2::bigint[], $3::text[]) as t (module_id, realm_id, path)
             where f.module_id = t.module_id and f.realm_id is null and t.realm_id is not null
                 and exists (select from realms where realms.id = t.realm_id)
                 and not exists (select from files o where o.realm_id = t.realm_id and o.path = t.path)
             returning f.id",
            &ids,
            &realms as &[Option<i64>],
            &paths as &[Option<String>]
        )
        .fetch_all(&mut **transaction)
        .await?;
    }
    let news = sqlx::query_scalar!(
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
    seen.extend(news);
    Ok(seen)
}
