//! Definitions that were computed before. Like a compiler cache: an entry names every file that was looked for while
//! it was computed, and is valid while each is found as it was then.

use std::sync::Arc;

use moka::sync::Cache;
use realmdex_store::{DefinitionKey, Store, StoredDefinition};
use realmdex_types::ReadState;

use crate::modules::{Closure, ModuleGraph};

/// What is kept in memory, in bytes.
const IN_MEMORY: u64 = 32 << 20;

/// The cache: in memory, and in the index where there is one.
#[derive(Clone, Debug)]
pub struct DefinitionCache {
    memory: Cache<DefinitionKey, Arc<StoredDefinition>>,
    store: Option<Store>,
}

impl DefinitionCache {
    /// A cache that also asks, and tells, the index.
    pub fn new(store: Option<Store>) -> Self {
        Self {
            memory: Cache::builder()
                .max_capacity(IN_MEMORY)
                .weigher(weight)
                .build(),
            store,
        }
    }

    /// The entry, if it holds for the files as `graph` reads them.
    pub(super) async fn get(
        &self,
        key: &DefinitionKey,
        graph: &ModuleGraph,
    ) -> Option<Arc<StoredDefinition>> {
        let held = match self.memory.get(key) {
            Some(entry) => entry,
            None => self.fetch(key).await?,
        };
        for (id, found) in &held.manifest {
            if graph.state_of(id).await != *found {
                return None;
            }
        }
        Some(held)
    }

    async fn fetch(&self, key: &DefinitionKey) -> Option<Arc<StoredDefinition>> {
        let fetched = match self.store.as_ref()?.definition(key).await {
            Ok(fetched) => Arc::new(fetched?),
            Err(error) => {
                tracing::warn!(%error, "the definition cache was not asked");
                return None;
            }
        };
        self.memory.insert(*key, Arc::clone(&fetched));
        Some(fetched)
    }

    /// Keeps a definition, unless a file could not be read: then nobody knows what it would have been.
    pub(super) async fn put(
        &self,
        key: DefinitionKey,
        closure: &Closure,
        definition: &realmdex_types::Definition,
    ) {
        let is_known =
            |found: &ReadState| !matches!(found, ReadState::Unreachable | ReadState::Refused);
        if closure.is_cut || !closure.files.values().all(is_known) {
            return;
        }
        let entry = Arc::new(StoredDefinition {
            manifest: closure.files.clone(),
            definition: definition.clone(),
        });
        if let Some(store) = &self.store
            && let Err(error) = store.store_definition(&key, &entry).await
        {
            tracing::warn!(%error, "a definition was not stored");
        }
        self.memory.insert(key, entry);
    }
}

/// About how much an entry takes, in bytes.
fn weight(_: &DefinitionKey, entry: &Arc<StoredDefinition>) -> u32 {
    let manifest: usize = entry
        .manifest
        .keys()
        .map(|id| id.as_str().len() + 100)
        .sum();
    let schema = entry.definition.function().parameters.to_string().len();
    // A value takes a few times the room of its text.
    u32::try_from(manifest + 4 * schema).unwrap_or(u32::MAX)
}
