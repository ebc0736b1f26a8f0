//! The canonical identity of a module.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A module under the longest root that serves it, with its real extension: `@acme/tools/a.ts` or
/// `https://example.com/realm/a.gts`. Two spellings of one file are one id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ModuleId(String);

impl ModuleId {
    /// Makes an id of a root (a realm URL or a package prefix, ending in `/`) and a path below it.
    pub fn new(root: &str, path: &str) -> Self {
        debug_assert!(root.ends_with('/'), "a root ends in a slash: {root}");
        Self(format!("{root}{path}"))
    }

    /// An id that a guest hands back. It names what the guest was given, or nothing.
    pub fn from_guest(text: String) -> Self {
        Self(text)
    }

    /// An id that the index keeps.
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// Whether a file of this name may be there at all: none has NUL in its name, and the index keeps no longer ones.
    pub fn may_exist(&self) -> bool {
        self.0.len() <= Self::MAX_BYTES && !self.0.contains('\0')
    }

    /// The longest id of a file that is indexed, in bytes: a key of an index in Postgres takes no more.
    pub const MAX_BYTES: usize = 2_500;

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The file name's extension, with its dot; empty where it has none.
    pub fn extension(&self) -> &str {
        let name = self.0.rsplit('/').next().unwrap_or_default();
        name.rfind('.').map_or("", |at| &name[at..])
    }
}

impl fmt::Display for ModuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
