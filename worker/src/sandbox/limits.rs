//! How much one description may use.

use std::time::Duration;

/// Limits on one description. Reaching one ends it with a message that names the limit.
#[derive(Clone, Debug)]
pub struct SandboxLimits {
    /// Time the guest itself may run; waiting for sources is not counted (see `LoadLimits::source_wait`).
    pub guest_time: Duration,
    /// Linear memory of the instance, in bytes.
    pub memory_bytes: usize,
    /// WebAssembly stack, in bytes.
    pub stack_bytes: usize,
    /// The definition as JSON text, in bytes.
    pub definition_bytes: usize,
    /// Instances that may exist at once.
    pub instances: u32,
    /// The largest wasm tool, in bytes.
    pub component_bytes: usize,
    /// Processor time that compiling a wasm tool may take, in whole seconds.
    pub compile_time: Duration,
    /// How much memory compiling a wasm tool may take, in bytes.
    pub compile_memory_bytes: u64,
}

impl Default for SandboxLimits {
    fn default() -> Self {
        Self {
            guest_time: Duration::from_secs(1),
            memory_bytes: 64 << 20,
            stack_bytes: 1 << 20,
            definition_bytes: 256 << 10,
            instances: 32,
            component_bytes: 8 << 20,
            compile_time: Duration::from_secs(20),
            compile_memory_bytes: 1 << 30,
        }
    }
}
