//! From what was read and computed of a file to what the index is asked to write.

use std::collections::BTreeMap;
use std::time::Duration;

use realmdex_source::{FileBytes, SourceError};
use realmdex_store::{ComputedRow, FileFacts, Found, StoreError};
use realmdex_types::{ContentDigest, ReadState};

use crate::INDEXER_VERSION;
use crate::compute::Computed;

/// What the index keeps of a file's bytes.
pub fn facts(file: &FileBytes) -> FileFacts {
    FileFacts {
        digest: ContentDigest::of(&file.bytes),
        size: file.bytes.len() as u64,
        modified: file.modified,
        created: file.created,
    }
}

/// What the index keeps of a file that was read and computed. `packages` is the fingerprint of the package map.
///
/// # Errors
/// When a document can't be written as JSON, which no document is.
pub fn computed(
    facts: FileFacts,
    computed: Computed,
    packages: &str,
    took: Duration,
) -> Result<Found, StoreError> {
    // A tool may well catch an import that did not answer, and describe itself without it.
    let is_unsettled = computed.is_cut
        || computed.findings.is_transient()
        || computed
            .read
            .values()
            .any(|found| *found == ReadState::Unreachable);
    let row = ComputedRow {
        document: serde_json::to_value(&computed.document).map_err(|error| {
            StoreError::Unreadable {
                what: "a document",
                why: error.to_string(),
            }
        })?,
        search: computed.search.into(),
        tools: computed.tools.map(|tools| (tools.declared, tools.stamped)),
        findings: computed.listed,
        edges: computed.read,
        indexer: INDEXER_VERSION.to_owned(),
        packages: computed.tools.map(|_| packages.to_owned()),
        registry: None,
        denied: BTreeMap::new(),
        retry: is_unsettled,
        took,
    };
    Ok(Found::Computed(facts, Box::new(row)))
}

/// What a failed reading says of a file: only a definite absence makes a tombstone.
pub fn failed(error: &SourceError) -> Found {
    match error {
        SourceError::NotFound { .. } => Found::Absent,
        SourceError::Forbidden { .. } => Found::Forbidden {
            why: error.to_string(),
        },
        SourceError::TooLarge { .. }
        | SourceError::Refused { .. }
        | SourceError::Unreachable { .. } => Found::Failed {
            why: error.to_string(),
            transient: error.is_transient(),
        },
    }
}
