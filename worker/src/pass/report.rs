//! What a pass came to.

use std::time::Duration;

use realmdex_source::SourceError;
use realmdex_store::StoreError;
use realmdex_types::RealmPath;
use thiserror::Error;

use crate::survey::{MassDelete, SurveyError};

/// What a pass over a realm came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassReport {
    /// Files that the realm's source lists.
    pub listed: usize,
    /// Files whose bytes were read; the others' size and time said that nothing changed.
    pub read: usize,
    /// Files whose rows were computed, by path.
    pub computed: Vec<RealmPath>,
    /// Those among them that are skills with tools.
    pub skills_computed: Vec<RealmPath>,
    /// Files that are gone, by path.
    pub removed: Vec<RealmPath>,
    /// Files that kept changing while they were indexed: the next pass takes them up.
    pub unsettled: Vec<RealmPath>,
    /// Files of other realms that depend on what changed: passes over those realms take them up.
    pub elsewhere: usize,
    /// How long it took.
    pub took: Duration,
}

/// Why a pass ended before its time. What was committed until then stays, and the next pass goes on from there.
#[derive(Debug, Error)]
pub enum PassError {
    /// The realm can't be listed completely.
    #[error("the realm can't be listed")]
    Listing(#[from] SourceError),
    /// Too much of the realm would go.
    #[error(transparent)]
    MassDelete(#[from] MassDelete),
    /// The index can't be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SurveyError> for PassError {
    fn from(error: SurveyError) -> Self {
        match error {
            SurveyError::Listing(error) => Self::Listing(error),
            SurveyError::Store(error) => Self::Store(error),
        }
    }
}

/// Whoever wants to know how a pass gets on.
pub trait Progress: Send + Sync {
    /// So many files more are to be looked at.
    fn planned(&self, files: usize);
    /// A file was looked at.
    fn done(&self, path: &RealmPath);
}

/// Nobody does.
#[derive(Clone, Copy, Debug)]
pub struct Quiet;

impl Progress for Quiet {
    fn planned(&self, _: usize) {}
    fn done(&self, _: &RealmPath) {}
}
