//! One look at one file: read, compared, computed where it must be, and put into the words of the index.

use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, Utc};
use realmdex_source::Source;
use realmdex_store::{ChangeSeq, FileWrite, Found, Place, Realm, StoreError};
use realmdex_types::{ContentDigest, ModuleId, ReadState, RealmPath};

use crate::commit;
use crate::compute::compute;
use crate::enrich::Describer;
use crate::modules::ModuleGraph;
use crate::plan::{Reason, must_compute};

/// Everything that looks at files of one realm share.
#[derive(Debug)]
pub(crate) struct Eye {
    pub(crate) realm: Realm,
    pub(crate) source: Arc<dyn Source>,
    pub(crate) describer: Arc<Describer>,
    pub(crate) change_seq: ChangeSeq,
    /// The largest file that is read, in bytes.
    pub(crate) file_bytes: u64,
}

/// A file to look at.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) path: RealmPath,
    pub(crate) reason: Reason,
    /// What its row was computed from.
    pub(crate) before: Option<ContentDigest>,
}

/// What a look at a file of the realm came to.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) path: RealmPath,
    pub(crate) write: FileWrite,
}

impl Eye {
    pub(crate) async fn look(
        &self,
        graph: &Arc<ModuleGraph>,
        task: Task,
    ) -> Result<Look, StoreError> {
        let started = Instant::now();
        let read_at = Utc::now();
        let found = match self.source.read(&task.path, self.file_bytes).await {
            Err(error) => commit::failed(&error),
            Ok(file) => {
                let facts = commit::facts(&file);
                if must_compute(task.reason, task.before.as_ref(), &facts.digest) {
                    let realm = &self.realm.url;
                    let url = realm.file(&task.path);
                    let computed = compute(&self.describer, graph, realm, &url, &file.bytes).await;
                    let packages = self.describer.fingerprint().to_string();
                    commit::computed(facts, computed, &packages, started.elapsed())?
                } else {
                    Found::Present(facts)
                }
            }
        };
        let place = Place {
            realm: self.realm.id,
            path: task.path.clone(),
        };
        let module_id = self.id_of(&task.path);
        Ok(Look {
            path: task.path,
            write: self.write(module_id, Some(place), read_at, found),
        })
    }

    /// A look at a file that only others know of: no row is computed of it.
    pub(crate) async fn look_abroad(
        &self,
        graph: &ModuleGraph,
        module_id: ModuleId,
    ) -> Option<FileWrite> {
        let read_at = Utc::now();
        let found = match graph.state_of(&module_id).await {
            ReadState::Read { digest } => Found::Seen(digest),
            ReadState::Absent => Found::Absent,
            ReadState::Forbidden => Found::Forbidden {
                why: format!("{module_id} may not be read"),
            },
            // Nothing is known of it; whoever needs it says so.
            ReadState::Denied | ReadState::Refused | ReadState::Unreachable => return None,
        };
        Some(self.write(module_id, None, read_at, found))
    }

    pub(crate) fn id_of(&self, path: &RealmPath) -> ModuleId {
        self.describer.packages().id_of(&self.realm.url, path)
    }

    /// The path of a file of this realm by its id.
    pub(crate) fn path_of(&self, id: &ModuleId) -> Option<RealmPath> {
        self.describer.packages().path_in(&self.realm.url, id)
    }

    fn write(
        &self,
        module_id: ModuleId,
        place: Option<Place>,
        read_at: DateTime<Utc>,
        found: Found,
    ) -> FileWrite {
        FileWrite {
            module_id,
            place,
            change_seq: self.change_seq,
            lease: None,
            read_at,
            found,
        }
    }
}
