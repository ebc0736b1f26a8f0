//! How much there is to do, for those who watch.

use realmdex_types::{JobClass, JobKind, JobState};

use crate::{Store, StoreError};

/// Jobs that are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Backlog {
    /// What they do.
    pub kind: JobKind,
    /// Who waits for them.
    pub class: JobClass,
    /// Where they are in their life.
    pub state: JobState,
    /// How many there are.
    pub jobs: u64,
    /// How long ago the oldest of them was enqueued, in seconds.
    pub oldest: f64,
}

impl Store {
    /// All jobs, counted.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn backlog(&self) -> Result<Vec<Backlog>, StoreError> {
        let rows = sqlx::query!(
            r#"select kind, class, state, count(*) as "jobs!",
                      coalesce(extract(epoch from now() - min(created_at)), 0)::double precision as "oldest!"
               from jobs group by kind, class, state"#
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(Backlog {
                    kind: JobKind::parse(&row.kind)
                        .ok_or_else(|| StoreError::unreadable("a job's kind", row.kind))?,
                    class: JobClass::parse(&row.class)
                        .ok_or_else(|| StoreError::unreadable("a job's class", row.class))?,
                    state: JobState::parse(&row.state)
                        .ok_or_else(|| StoreError::unreadable("a job's state", row.state))?,
                    jobs: row.jobs.unsigned_abs(),
                    oldest: row.oldest.max(0.0),
                })
            })
            .collect()
    }
}
