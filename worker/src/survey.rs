//! A whole realm: what its source lists, and what the index knows of it.

use realmdex_source::{Listed, Source, SourceError};
use realmdex_store::{KnownFile, Realm, Store, StoreError, TargetState};
use realmdex_types::RealmPath;
use thiserror::Error;

use crate::INDEXER_VERSION;
use crate::enrich::Describer;
use crate::plan::{self, ComputedBy, Planned, Reason};

/// A realm as its source lists it, and as the index has it.
#[derive(Debug)]
pub(crate) struct Survey {
    /// By path.
    pub(crate) listed: Vec<Listed>,
    /// Every file that has a row.
    pub(crate) known: Vec<KnownFile>,
    /// Those that had one and are another realm's now.
    given_up: Vec<RealmPath>,
    by: ComputedBy,
}

/// Why a realm could not be surveyed.
#[derive(Debug, Error)]
pub(crate) enum SurveyError {
    #[error(transparent)]
    Listing(#[from] SourceError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// So much of a realm would go that someone should say so first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{gone} of the {of} files in the index are no longer in the realm: if that is right, say --allow-mass-delete; if not, look at the realm's path or URL"
)]
pub struct MassDelete {
    /// Files that would go.
    pub gone: usize,
    /// Files that there are.
    pub of: usize,
}

pub(crate) async fn survey(
    store: &Store,
    describer: &Describer,
    realm: &Realm,
    source: &dyn Source,
) -> Result<Survey, SurveyError> {
    let id_of = |path: &RealmPath| describer.packages().id_of(&realm.url, path);
    let is_anothers = |path: &RealmPath| describer.packages().is_anothers(&realm.url, path);
    let mut listed = source.list().await?;
    listed.retain(|file| {
        if is_anothers(&file.path) {
            return false;
        }
        let is_kept = id_of(&file.path).may_exist();
        if !is_kept {
            tracing::warn!(path = %file.path, "left out: its name is longer than the index keeps");
        }
        is_kept
    });
    let known = store.known_files(realm.id).await?;
    let (given_up, mut known): (Vec<KnownFile>, Vec<KnownFile>) =
        known.into_iter().partition(|row| is_anothers(&row.path));
    for row in &mut known {
        // A folder that was mapped as a package, or no longer is.
        row.is_broken |= row.module_id != id_of(&row.path);
    }
    Ok(Survey {
        listed,
        known,
        given_up: given_up
            .into_iter()
            .filter(|row| row.state != TargetState::Absent)
            .map(|row| row.path)
            .collect(),
        by: ComputedBy {
            indexer: INDEXER_VERSION.to_owned(),
            packages: describer.fingerprint().to_string(),
        },
    })
}

impl Survey {
    /// Which files are to be looked at, and why.
    ///
    /// # Errors
    /// Where too much of the realm would go, and nobody said that it may.
    pub(crate) fn plan(&self, force: bool, allow_mass_delete: bool) -> Result<Planned, MassDelete> {
        match plan::takes_too_much(&self.listed, &self.known) {
            Some((gone, of)) if !allow_mass_delete => Err(MassDelete { gone, of }),
            _ => {
                let mut planned = plan::plan(&self.listed, &self.known, &self.by, force);
                let given_up = self.given_up.iter().cloned();
                planned.extend(given_up.map(|path| (path, Reason::Unlisted)));
                Ok(planned)
            }
        }
    }
}
