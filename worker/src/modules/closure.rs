//! What a result was computed from: every file that was read, looked for or refused on the way.

use std::collections::{BTreeMap, BTreeSet};

use realmdex_types::{ModuleId, ReadState};
use serde::Serialize;

use super::Target;

/// One specifier as a module wrote it, and what it named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Lookup {
    /// The module that wrote it; none for the tool's own module.
    pub importer: Option<ModuleId>,
    /// As written.
    pub specifier: String,
    /// What it named; none where nothing was found.
    pub target: Option<Target>,
}

/// Everything that one description loaded, looked for and was refused: the source of a skill's edges and of a
/// cached definition's manifest.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Closure {
    /// Each file that was looked for, extension candidates before the hit included.
    pub files: BTreeMap<ModuleId, ReadState>,
    /// Each specifier that was resolved.
    pub lookups: BTreeSet<Lookup>,
    /// Whether a load was given up before it was known what it looked for: the record is not whole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}

impl Closure {
    /// The modules that were read.
    pub fn modules(&self) -> impl Iterator<Item = &ModuleId> {
        self.files
            .iter()
            .filter(|(_, state)| state.digest().is_some())
            .map(|(id, _)| id)
    }
}
