//! Transpiled modules by the hash of their source.

use std::sync::Arc;

use moka::sync::Cache;
use realmdex_types::{ContentDigest, ModuleId};

use super::LoadError;
use crate::transpile::{Transpiled, transpile};

/// Keeps transpiled modules in memory, by content and language: the same bytes transpile the same, whatever their name.
#[derive(Clone, Debug)]
pub struct TranspileCache {
    modules: Cache<(ContentDigest, String), Arc<Transpiled>>,
}

impl TranspileCache {
    /// A cache that holds about `bytes` of code.
    pub fn new(bytes: u64) -> Self {
        let weigh = |_: &(ContentDigest, String), module: &Arc<Transpiled>| {
            u32::try_from(module.code.len()).unwrap_or(u32::MAX)
        };
        Self {
            modules: Cache::builder().max_capacity(bytes).weigher(weigh).build(),
        }
    }

    /// The module transpiled. `extension` tells the language.
    pub(super) async fn get(
        &self,
        id: &ModuleId,
        extension: &str,
        digest: &ContentDigest,
        source: String,
    ) -> Result<Arc<Transpiled>, LoadError> {
        let key = (*digest, extension.to_owned());
        if let Some(cached) = self.modules.get(&key) {
            return Ok(cached);
        }
        let name = id.to_string();
        let transpiled = tokio::task::spawn_blocking(move || transpile(&name, &source))
            .await
            .unwrap_or_else(|panicked| std::panic::resume_unwind(panicked.into_panic()))?;
        let transpiled = Arc::new(transpiled);
        self.modules.insert(key, Arc::clone(&transpiled));
        Ok(transpiled)
    }
}

impl Default for TranspileCache {
    fn default() -> Self {
        Self::new(64 << 20)
    }
}
