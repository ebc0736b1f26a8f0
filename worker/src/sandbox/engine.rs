//! How the two engines are configured.

use std::path::Path;

use thiserror::Error;
use wasmtime::{
    Cache, CacheConfig, Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig,
};

use super::SandboxLimits;

/// Why a sandbox can't be set up.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The engine refuses its configuration, or our own component.
    #[error("cannot set up the sandbox: {0:#}")]
    Wasmtime(wasmtime::Error),
    /// The clock thread can't be started.
    #[error("cannot start the sandbox's clock thread")]
    Clock(#[from] std::io::Error),
}

impl From<wasmtime::Error> for EngineError {
    fn from(error: wasmtime::Error) -> Self {
        Self::Wasmtime(error)
    }
}

/// Which code an engine is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Our own JavaScript engine: it needs the component model's async half.
    OurEngine,
    /// Components of others: without async, garbage collection, threads and the like.
    OthersComponents,
}

/// Makes an engine. Compiled code is kept in `cache`, a folder; without one it is compiled anew.
pub(super) fn engine(
    trust: Trust,
    limits: &SandboxLimits,
    cache: Option<&Path>,
) -> Result<Engine, EngineError> {
    let mut config = base_config(trust, limits, cache)?;
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(limits)));
    // The pool reserves terabytes of address space: small containers and `ulimit -v` refuse that.
    match Engine::new(&config) {
        Ok(engine) => Ok(engine),
        Err(error) => {
            tracing::info!(
                error = format!("{error:#}"),
                "no address space for pooled instances: allocating them on demand"
            );
            config.allocation_strategy(InstanceAllocationStrategy::OnDemand);
            Ok(Engine::new(&config)?)
        }
    }
}

fn base_config(
    trust: Trust,
    limits: &SandboxLimits,
    cache: Option<&Path>,
) -> Result<Config, EngineError> {
    let mut config = Config::new();
    let ours = trust == Trust::OurEngine;
    config
        .wasm_component_model(true)
        .wasm_component_model_async(ours)
        .wasm_gc(false)
        .wasm_function_references(false)
        .wasm_threads(false)
        .wasm_exceptions(false)
        .wasm_memory64(false)
        .memory_init_cow(true)
        .epoch_interruption(true)
        .max_wasm_stack(limits.stack_bytes)
        .async_stack_size(limits.stack_bytes + (1 << 20));
    if let Some(folder) = cache {
        let mut keep = CacheConfig::new();
        keep.with_directory(folder);
        config.cache(Some(Cache::new(keep)?));
    }
    Ok(config)
}

fn pool(limits: &SandboxLimits) -> PoolingAllocationConfig {
    // One instance of our engine is made of about a dozen core instances with three memories.
    let instances = limits.instances;
    let mut pool = PoolingAllocationConfig::default();
    pool.total_component_instances(instances)
        .total_core_instances(instances * 16)
        .total_memories(instances * 4)
        .total_tables(instances * 16)
        .total_stacks(instances * 2)
        .max_core_instances_per_component(32)
        .max_memories_per_component(4)
        .max_tables_per_component(32)
        .table_elements(20_000)
        .max_memory_size(limits.memory_bytes)
        .linear_memory_keep_resident(2 << 20)
        .table_keep_resident(64 << 10);
    pool
}
