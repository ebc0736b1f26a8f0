//! Jobs that ended badly and are tried again, because someone says so.

use realmdex_types::JobClass;

use crate::commit::again_on_conflict;
use crate::enqueue::{Cause, NewJob, enqueue};
use crate::job::Work;
use crate::realm::next_change;
use crate::reindex::{ReindexRequest, request};
use crate::{JobId, RealmId, Store, StoreError};

impl Store {
    /// Enqueues jobs anew that failed, are dead or were called off: those of these numbers, or every dead and failed one.
    /// They start from zero, and a realm's listing is a request of its own. What is archived stays as it is. One that took its workers along is claimed alone again. Answers how many.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn redrive(&self, jobs: Option<&[JobId]>) -> Result<usize, StoreError> {
        let ids: Option<Vec<i64>> = jobs.map(|jobs| jobs.iter().map(|job| job.0).collect());
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let ended = sqlx::query!(
                r#"select id as "id: JobId", kind, realm_id as "realm_id: RealmId", path, args, class, force from jobs
                   where kind <> 'execute-tool'
                       and realm_id in (select id from realms where archived_at is null) and case
                       when $1::bigint[] is null then state in ('dead', 'failed')
                       else id = any($1) and state in ('dead', 'failed', 'cancelled') end
                   order by coalesce_key, id for update"#,
                ids.as_deref()
            )
            .fetch_all(&mut *transaction)
            .await?;
            if ended.is_empty() {
                return Ok(0);
            }
            let change_seq = next_change(&mut transaction).await?;
            let mut again = Vec::new();
            for job in &ended {
                let class = JobClass::parse(&job.class)
                    .ok_or_else(|| StoreError::unreadable("a job's class", &job.class))?;
                match Work::stored(&job.kind, job.realm_id, job.path.clone(), job.args.clone())? {
                    Work::FullReindex { realm } => {
                        let wanted = ReindexRequest {
                            realm,
                            reason: format!("job {} is tried again", job.id),
                            force: job.force,
                            allow_mass_delete: false,
                            class,
                        };
                        request(&mut transaction, &wanted).await?;
                    }
                    work => again.push(NewJob {
                        work,
                        class,
                        change_seq,
                        force: job.force,
                        cause: Cause::Change,
                    }),
                }
            }
            // Before the old ones go: those say which take their workers along.
            enqueue(&mut transaction, &again).await?;
            let ids: Vec<i64> = ended.iter().map(|job| job.id.0).collect();
            sqlx::query!("delete from jobs where id = any($1)", &ids)
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
            Ok(ids.len())
        })
        .await
    }
}
