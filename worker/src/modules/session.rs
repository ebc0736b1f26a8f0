//! What one description has loaded so far.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use realmdex_types::ModuleId;

use super::closure::{Closure, Lookup};
use super::files::LoadResult;
use super::lookup::Resolved;
use super::{LoadError, LoadLimits};

/// What one description has loaded so far, and the record of it.
#[derive(Debug, Default)]
pub(crate) struct Session {
    closure: Closure,
    /// Modules that the guest has been given.
    pub(super) seen: HashSet<ModuleId>,
    /// Bytes of their source.
    pub(super) bytes: u64,
    /// Time spent waiting for sources.
    pub(super) waited: Duration,
}

impl Session {
    /// The record of the description.
    pub(crate) fn into_closure(self) -> Closure {
        self.closure
    }

    /// Notes that a load was given up unrecorded.
    pub(super) fn cut(&mut self) {
        self.closure.is_cut = true;
    }

    /// Records a specifier, what it named, and every file that was looked for on the way.
    ///
    /// # Errors
    /// When there are more of them than one description may look up: they are kept, so there must be an end.
    pub(super) fn record(
        &mut self,
        importer: Option<&ModuleId>,
        resolved: &Resolved,
        limits: &LoadLimits,
    ) -> LoadResult<()> {
        if self.closure.lookups.len() >= limits.lookups {
            return Err(Arc::new(LoadError::TooManyLookups {
                limit: limits.lookups,
            }));
        }
        self.closure.files.extend(resolved.probed.iter().cloned());
        self.closure.lookups.insert(Lookup {
            importer: importer.cloned(),
            specifier: resolved.specifier.clone(),
            target: resolved.target.as_ref().ok().cloned(),
        });
        Ok(())
    }
}
