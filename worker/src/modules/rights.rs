//! Whose rights modules are read with.

use std::collections::BTreeSet;
use std::sync::Arc;

/// The name of whoever runs this process, and may read whatever it can.
const OPERATOR: &str = "operator";

/// Whose rights modules are read with. What may not be read is not looked for: a public skill must not tell what a
/// private realm holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rights {
    reader: Arc<str>,
    /// Prefixes of roots.
    denied: Arc<BTreeSet<String>>,
}

impl Rights {
    /// Of someone who may not read what lies below these roots, given by their prefixes.
    pub fn of(reader: &str, denied: BTreeSet<String>) -> Self {
        Self {
            reader: reader.into(),
            denied: Arc::new(denied),
        }
    }

    /// Who it is: what one may read says nothing of what another may.
    pub(crate) fn reader(&self) -> &str {
        &self.reader
    }

    pub(super) fn deny(&self, prefix: &str) -> bool {
        self.denied.contains(prefix)
    }
}

/// Of whoever runs this process: nothing is denied.
impl Default for Rights {
    fn default() -> Self {
        Self::of(OPERATOR, BTreeSet::new())
    }
}
