//! From what was read and computed of a file to what the index is asked to write, and the writing.

use std::collections::BTreeMap;
use std::time::Duration;

use realmdex_source::{FileBytes, SourceError};
use realmdex_store::{
    Committed, ComputedRow, FileFacts, FileWrite, Follow, Found, Store, StoreError,
};
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

/// Files in one transaction.
pub(crate) const BATCH: usize = 64;

/// Bytes of files in one transaction; one file may be larger.
const BATCH_BYTES: u64 = 8 << 20;

/// Batches that are not too large for one statement.
pub(crate) fn by_size<T>(all: Vec<T>, write: impl Fn(&T) -> &FileWrite) -> Vec<Vec<T>> {
    let mut batches: Vec<Vec<T>> = Vec::new();
    let mut room = 0;
    for one in all {
        let size = match &write(&one).found {
            Found::Computed(facts, _) => facts.size,
            _ => 0,
        };
        match batches.last_mut() {
            Some(batch) if size <= room => batch.push(one),
            _ => {
                batches.push(vec![one]);
                room = BATCH_BYTES;
            }
        }
        room = room.saturating_sub(size);
    }
    batches
}

/// Writes a batch. Where the index refuses it, one by one: a file that can't be written keeps no other from it, and its
/// row says so.
pub(crate) async fn write(
    store: &Store,
    writes: Vec<FileWrite>,
    follow: Follow,
) -> Result<Vec<Committed>, StoreError> {
    let refused = match store.commit(&writes, follow).await {
        Ok(committed) => return Ok(vec![committed]),
        Err(error) if error.is_about_values() => error,
        Err(error) => return Err(error),
    };
    if let [write] = writes.as_slice() {
        tracing::error!(id = %write.module_id, error = ?refused, "the index refused a file");
        let failed = FileWrite {
            found: Found::Failed {
                why: format!("the index can't keep what was computed of it: {refused:?}"),
                transient: false,
            },
            ..write.clone()
        };
        return Ok(vec![store.commit(&[failed], follow).await?]);
    }
    let mut all = Vec::with_capacity(writes.len());
    for one in writes {
        all.extend(Box::pin(write(store, vec![one], follow)).await?);
    }
    Ok(all)
}
