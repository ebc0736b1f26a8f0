//! Mends the invariant: files whose rows do not follow from what their targets, or their own bytes, are now, and that
//! nothing is under way for.

use sqlx::{Postgres, Transaction};

use crate::commit::again_on_conflict;
use crate::enqueue::{NewJob, enqueue};
use crate::realm::next_change;
use crate::{RealmId, Store, StoreError};

/// Files in one transaction.
const PAGE: i64 = 1000;

impl Store {
    /// Enqueues, as bulk work, every file whose row does not follow from what its targets are, or from its own bytes, and
    /// that has no open job at either end; up to a page of them. One whose job ended badly, at either end, waits for
    /// whoever looks into that; one that could not be read for its time to be tried again, or for a change. Answers how many were enqueued.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn mend(&self) -> Result<usize, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let files = sqlx::query!(
                r#"with broken as materialized (
                       select source_id, target_id, is_about_rights from broken_edges
                   ),
                   uncovered as (
                       select source.realm_id, source.path
                       from broken
                       join files source on source.id = broken.source_id
                       join files target on target.id = broken.target_id
                       where source.realm_id is not null
                           and (broken.is_about_rights
                               or not exists (
                                   select from jobs
                                   where jobs.state in ('dead', 'failed') and jobs.coalesce_key
                                       = concat('file ', target.realm_id, ' ', target.path)))
                           and not exists (
                               select from jobs
                               where jobs.kind = 'index-file' and jobs.state in ('queued', 'running')
                                   and (jobs.realm_id, jobs.path) = (source.realm_id, source.path))
                           and not exists (
                               select from jobs
                               where jobs.kind = 'index-file' and jobs.state in ('queued', 'running')
                                   and (jobs.realm_id, jobs.path) = (target.realm_id, target.path))
                       union
                       select realm_id, path from files join realms on realms.id = files.realm_id
                       where realms.archived_at is null and state = 'present' and error is null
                           and digest is distinct from computed_from
                           and not exists (
                               select from jobs
                               where jobs.state in ('queued', 'running') and jobs.kind = 'index-file'
                                   and (jobs.realm_id, jobs.path) = (files.realm_id, files.path))
                   )
                   select realm_id as "realm!: RealmId", path as "path!" from uncovered
                   where not exists (select from jobs where jobs.state in ('dead', 'failed')
                                     and jobs.coalesce_key = concat('file ', uncovered.realm_id, ' ', uncovered.path))
                   order by 1, 2 limit $1"#,
                PAGE
            )
            .fetch_all(&mut *transaction)
            .await?;
            if files.is_empty() {
                return Ok(0);
            }
            let change_seq = next_change(&mut transaction).await?;
            let jobs = files
                .into_iter()
                .map(|file| NewJob::follow_up(file.realm, &file.path, change_seq))
                .collect::<Result<Vec<_>, StoreError>>()?;
            enqueue(&mut transaction, &jobs).await?;
            transaction.commit().await?;
            Ok(jobs.len())
        })
        .await
    }

    /// Enqueues files of which something could not be had and whose time to try again has come, up to a page of them. One
    /// whose job ended badly waits for whoever looks into that.
    /// Answers how many.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn retry_unsettled(&self) -> Result<usize, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            // Due again after a while even if the job is lost on the way: its commit says when next.
            let files = sqlx::query!(
                r#"update files set retry_at = now() + interval '10 minutes'
                   where id in (select id from files where retry_at <= now() and realm_id is not null
                                    and not exists (select from jobs where state in ('dead', 'failed')
                                        and coalesce_key = concat('file ', files.realm_id, ' ', files.path))
                                order by module_id limit $1 for no key update)
                   returning realm_id as "realm!: RealmId", path as "path!""#,
                PAGE
            )
            .fetch_all(&mut *transaction)
            .await?;
            if files.is_empty() {
                return Ok(0);
            }
            let change_seq = next_change(&mut transaction).await?;
            let jobs = files
                .into_iter()
                .map(|file| NewJob::follow_up(file.realm, &file.path, change_seq))
                .collect::<Result<Vec<_>, StoreError>>()?;
            enqueue(&mut transaction, &jobs).await?;
            transaction.commit().await?;
            Ok(jobs.len())
        })
        .await
    }
}

/// Looks again at a page of files that have a broken edge out of, or into, a realm; the reconciler finds the others.
pub(crate) async fn mend_edges_of(
    transaction: &mut Transaction<'_, Postgres>,
    realm: RealmId,
) -> Result<(), StoreError> {
    let files = sqlx::query!(
        r#"select distinct source.realm_id as "realm!: RealmId", source.path as "path!"
           from (
               select source_id from broken_edges join files on files.id = source_id where files.realm_id = $1
               union all
               select source_id from broken_edges join files on files.id = target_id where files.realm_id = $1
           ) broken
           join files source on source.id = broken.source_id
           where source.realm_id is not null
           order by 1, 2 limit $2"#,
        realm as RealmId,
        PAGE
    )
    .fetch_all(&mut **transaction)
    .await?;
    let files = files.into_iter().map(|file| (file.realm, file.path));
    look_again(transaction, files.collect()).await
}

/// The same for all edges that lead below what becomes a realm, or is none any more: what was found there before says
/// nothing of it.
pub(crate) async fn mend_edges_below(
    transaction: &mut Transaction<'_, Postgres>,
    url: &str,
) -> Result<(), StoreError> {
    let files = sqlx::query!(
        r#"select distinct source.realm_id as "realm!: RealmId", source.path as "path!"
           from files target
           join edges on edges.target_id = target.id
           join files source on source.id = edges.source_id
           where starts_with(target.module_id, $1) and source.realm_id is not null
           order by 1, 2"#,
        url
    )
    .fetch_all(&mut **transaction)
    .await?;
    let files = files.into_iter().map(|file| (file.realm, file.path));
    look_again(transaction, files.collect()).await
}

/// The same for all edges into some files, of which nobody will say what they are.
pub(crate) async fn mend_edges_into(
    transaction: &mut Transaction<'_, Postgres>,
    targets: &[i64],
) -> Result<(), StoreError> {
    let files = sqlx::query!(
        r#"select distinct source.realm_id as "realm!: RealmId", source.path as "path!"
           from edges
           join files source on source.id = edges.source_id
           where source.realm_id is not null and edges.target_id = any($1)
           order by 1, 2"#,
        targets
    )
    .fetch_all(&mut **transaction)
    .await?;
    let files = files.into_iter().map(|file| (file.realm, file.path));
    look_again(transaction, files.collect()).await
}

async fn look_again(
    transaction: &mut Transaction<'_, Postgres>,
    files: Vec<(RealmId, String)>,
) -> Result<(), StoreError> {
    if files.is_empty() {
        return Ok(());
    }
    let change_seq = next_change(transaction).await?;
    let jobs = files
        .iter()
        .map(|(realm, path)| NewJob::follow_up(*realm, path, change_seq))
        .collect::<Result<Vec<_>, StoreError>>()?;
    enqueue(transaction, &jobs).await?;
    Ok(())
}
