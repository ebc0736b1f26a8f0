//! Changes come in.

use std::sync::Arc;

use realmdex_store::{ChangeSeq, Realm, ReindexRequest, Store, StoreError};
use realmdex_types::{JobClass, RealmUrl};
use thiserror::Error;

use crate::plan::Plan;
pub use crate::plan::{Change, Operation};
use crate::{Metrics, Wakes};

/// Changes in one request: more are better told as a reindex, which lists the realm.
pub const MAX_CHANGES: usize = 10_000;

/// Why changes could not be taken in.
#[derive(Debug, Error)]
pub enum IntakeError {
    /// Something else than a path below a realm's root.
    #[error(
        "{0:?} is no path below the realm's root: give it without the realm's URL and a leading slash, and unescaped; a folder's ends in one slash"
    )]
    Path(String),
    /// Nothing of that URL is indexed.
    #[error("{0} is not registered: add it with `realmdex realms add`")]
    UnknownRealm(RealmUrl),
    /// The realm is not worked on.
    #[error("{0} is archived: take it back with `realmdex realms archive --undo`")]
    ArchivedRealm(RealmUrl),
    /// Too many at once.
    #[error(
        "{given} changes are more than the {MAX_CHANGES} of one request: send several requests, or ask for a reindex of the realm"
    )]
    TooMany {
        /// How many there were.
        given: usize,
    },
    /// The index could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What came of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenIn {
    /// The number of the change: a row of this or a later one has seen it.
    pub change_seq: ChangeSeq,
    /// Files that are looked at.
    pub files: usize,
    /// The reindex that lists the realm, where it is listed.
    pub listing: Option<i64>,
}

/// Takes changes in. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Intake {
    store: Store,
    metrics: Arc<Metrics>,
    wakes: Wakes,
}

impl Intake {
    /// Into a store. Whoever offers jobs is woken.
    pub fn new(store: Store, metrics: Arc<Metrics>, wakes: Wakes) -> Self {
        Self {
            store,
            metrics,
            wakes,
        }
    }

    /// The realm of that URL.
    ///
    /// # Errors
    /// [`IntakeError::UnknownRealm`], and whatever the database says.
    pub async fn realm(&self, url: &RealmUrl) -> Result<Realm, IntakeError> {
        let realm = self.store.realm(url).await?;
        realm.ok_or_else(|| IntakeError::UnknownRealm(url.clone()))
    }

    /// Takes in what is said to have changed in a realm.
    ///
    /// # Errors
    /// Where there are too many changes, one names nothing below the realm's root, the realm is archived, and whatever
    /// the database says. What was enqueued until then stays, and does no harm.
    pub async fn take_in(&self, realm: &Realm, changes: &[Change]) -> Result<TakenIn, IntakeError> {
        if changes.len() > MAX_CHANGES {
            return Err(IntakeError::TooMany {
                given: changes.len(),
            });
        }
        if realm.is_archived {
            return Err(IntakeError::ArchivedRealm(realm.url.clone()));
        }
        self.carry_out(realm, &Plan::of(changes)?).await
    }

    /// Enqueues what a plan says. People wait for it.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn carry_out(&self, realm: &Realm, plan: &Plan) -> Result<TakenIn, IntakeError> {
        let class = JobClass::Interactive;
        let taken = self.store.take_in(realm.id, &plan.changes(), class).await?;
        self.metrics.changes_taken_in(class, taken);
        self.wakes.dispatch.up();
        let mut listing = None;
        if let Some(reason) = &plan.listing {
            listing = Some(self.list(realm, reason.clone()).await?);
        }
        tracing::debug!(
            realm = %realm.url,
            change_seq = %taken.change_seq,
            files = taken.files,
            listing = plan.listing,
            "changes taken in"
        );
        Ok(TakenIn {
            change_seq: taken.change_seq,
            files: taken.files,
            listing,
        })
    }

    /// Has a realm listed: what has changed in it is looked at. Answers the reindex's number.
    ///
    /// # Errors
    /// Where the realm was archived or removed meanwhile, and whatever the database says.
    pub(crate) async fn list(&self, realm: &Realm, reason: String) -> Result<i64, IntakeError> {
        let wanted = ReindexRequest {
            class: JobClass::Interactive,
            ..ReindexRequest::of(realm.id, reason)
        };
        let listed = self.store.request_reindex(&wanted).await;
        self.wakes.dispatch.up();
        match listed {
            Err(StoreError::Archived) => Err(IntakeError::ArchivedRealm(realm.url.clone())),
            listed => Ok(listed?),
        }
    }
}
