//! What a result was computed from: every file that was read, looked for or refused on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use realmdex_types::ModuleId;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Target;

/// The SHA-256 of a module's bytes, in hex.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct ContentDigest(String);

impl ContentDigest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(
            Sha256::digest(bytes)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        )
    }

    /// The digest as hex.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a file was found when it was looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ReadState {
    /// Its bytes were read and had this digest.
    Read {
        /// SHA-256 in hex.
        digest: ContentDigest,
    },
    /// It was not there.
    Absent,
    /// It may not be read with the rights in use. To the module that asked it looks absent.
    Forbidden,
    /// Its source did not answer.
    Unreachable,
}

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
}

impl Closure {
    /// The modules that were read.
    pub fn modules(&self) -> impl Iterator<Item = &ModuleId> {
        self.files
            .iter()
            .filter(|(_, state)| matches!(state, ReadState::Read { .. }))
            .map(|(id, _)| id)
    }
}
