//! Changes come in: the jobs for them, enqueued page by page.

use realmdex_types::{JobClass, RealmPath};

use crate::enqueue::{Cause, NewJob};
use crate::job::Work;
use crate::{ChangeSeq, RealmId, Store, StoreError};

/// Jobs in one transaction, so that no plan blocks a heartbeat.
const PAGE: usize = 1000;

/// What changed in a realm. What it is *now* decides, whatever happened to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files that were made, written or removed.
    pub files: Vec<RealmPath>,
    /// Folders that were removed or renamed: every file that is known below them is looked at.
    pub folders: Vec<RealmPath>,
}

/// What came of taking in changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenIn {
    /// The number of the change: a row of this or a later one has seen it.
    pub change_seq: ChangeSeq,
    /// Files that are looked at for it.
    pub files: usize,
    /// Those of them for which a job was queued already.
    pub merged: usize,
}

impl Store {
    /// Takes in changes.
    ///
    /// # Errors
    /// Whatever the database says. What was enqueued until then stays, and does no harm.
    pub async fn take_in(
        &self,
        realm: RealmId,
        changes: &Changes,
        class: JobClass,
    ) -> Result<TakenIn, StoreError> {
        let change_seq = self.next_change().await?;
        let mut paths = changes.files.clone();
        for folder in &changes.folders {
            paths.extend(self.known_below(realm, folder).await?);
        }
        paths.sort();
        paths.dedup();
        let mut merged = 0;
        for page in paths.chunks(PAGE) {
            let jobs: Vec<NewJob> = page
                .iter()
                .map(|path| NewJob {
                    work: Work::IndexFile {
                        realm,
                        path: path.clone(),
                    },
                    class,
                    change_seq,
                    force: false,
                    cause: Cause::Change,
                })
                .collect();
            merged += self.enqueue(&jobs).await?.merged.len();
        }
        Ok(TakenIn {
            change_seq,
            files: paths.len(),
            merged,
        })
    }

    /// The files of a realm that are known below a folder and not known to be gone, and those that are being looked at:
    /// what that finds may be older than the folder's end.
    ///
    /// # Errors
    /// Whatever the database says.
    async fn known_below(
        &self,
        realm: RealmId,
        folder: &RealmPath,
    ) -> Result<Vec<RealmPath>, StoreError> {
        let paths = sqlx::query_scalar!(
            r#"select path as "path!" from files
               where realm_id = $1 and starts_with(path, $2 || '/') and state <> 'absent'
               union
               select path from jobs
               where realm_id = $1 and starts_with(path, $2 || '/') and kind = 'index-file'
                   and state in ('queued', 'running')"#,
            realm as RealmId,
            folder.as_str()
        )
        .fetch_all(&self.pool)
        .await?;
        paths
            .iter()
            .map(|path| {
                RealmPath::parse(path).map_err(|error| StoreError::unreadable("a path", error))
            })
            .collect()
    }
}
