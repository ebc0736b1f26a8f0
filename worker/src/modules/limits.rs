//! How much may be loaded.

use std::time::Duration;

/// How much one description may load.
#[derive(Clone, Debug)]
pub struct LoadLimits {
    /// Bytes of one module's source.
    pub module_bytes: u64,
    /// Bytes of one wasm tool; see also `SandboxLimits::component_bytes`.
    pub component_bytes: u64,
    /// Modules in one closure.
    pub modules: usize,
    /// Bytes of source in one closure.
    pub closure_bytes: u64,
    /// Specifiers that one description may look up.
    pub lookups: usize,
    /// How long one description may wait for its sources altogether.
    pub source_wait: Duration,
}

impl Default for LoadLimits {
    fn default() -> Self {
        Self {
            module_bytes: 4 << 20,
            component_bytes: 8 << 20,
            modules: 1000,
            lookups: 10_000,
            closure_bytes: 32 << 20,
            source_wait: Duration::from_secs(30),
        }
    }
}

impl LoadLimits {
    /// How large a file with that extension may be, in bytes.
    pub(super) fn file_bytes(&self, extension: &str) -> u64 {
        match extension {
            ".wasm" => self.component_bytes,
            _ => self.module_bytes,
        }
    }

    /// The limit on a closure that so many modules of so many bytes are past, in words.
    pub(super) fn reached(&self, modules: usize, bytes: u64) -> Option<String> {
        if modules > self.modules {
            Some(format!("{} modules in a tool's closure", self.modules))
        } else if bytes > self.closure_bytes {
            Some(format!(
                "{} bytes of source in a tool's closure",
                self.closure_bytes
            ))
        } else {
            None
        }
    }
}
