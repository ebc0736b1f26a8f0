//! Describes tools that are wasm components of others, by the WIT interface `realmdex:tools/tool`.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::Semaphore;
use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Store, StoreLimitsBuilder};

use super::compile::Compiler;
use super::engine::{EngineError, Trust, engine};
use super::epoch::{GuestClock, start_ticking};
use super::host::MemoryLimits;
use super::{Described, SandboxLimits, ToolFault, answer};

mod bindings {
    wasmtime::component::bindgen!({
        path: "../proto/types/wit",
        world: "tool-component",
        imports: { default: async },
        exports: { default: async },
    });
}

/// Describes wasm tools. Compiling is left to a [`Compiler`], since it has no limits of its own.
#[derive(Debug)]
pub struct ComponentSandbox {
    engine: Engine,
    compiler: Compiler,
    limits: SandboxLimits,
    /// One permit for each instance that the pool has room for.
    room: Semaphore,
}

impl ComponentSandbox {
    /// An engine for components of others. What `compiler` compiles it takes from `cache` (a folder).
    ///
    /// # Errors
    /// When this machine can't run it.
    pub fn new(
        limits: SandboxLimits,
        cache: Option<&Path>,
        compiler: Compiler,
    ) -> Result<Self, EngineError> {
        let engine = engine(Trust::OthersComponents, &limits, cache)?;
        start_ticking(&engine)?;
        Ok(Self {
            engine,
            compiler,
            room: Semaphore::new(limits.instances as usize),
            limits,
        })
    }

    /// Describes the tool `name` of a component.
    ///
    /// # Errors
    /// When it is no tool component, or fails, or reaches a limit.
    pub async fn describe(
        &self,
        bytes: &[u8],
        name: &str,
        times: u32,
    ) -> Result<Described, ToolFault> {
        let limits = SandboxLimits {
            guest_time: self.limits.guest_time * times,
            ..self.limits.clone()
        };
        if bytes.len() > limits.component_bytes {
            return Err(ToolFault::NotATool(format!(
                "the wasm tool has {} bytes, more than the limit of {}",
                bytes.len(),
                limits.component_bytes
            )));
        }
        self.compiler
            .compile(bytes, &limits)
            .await
            .map_err(Arc::new)?;
        let component = Component::new(&self.engine, bytes).map_err(not_a_component)?;
        let _room = self.room.acquire().await;
        let mut store = Store::new(
            &self.engine,
            MemoryLimits {
                within: StoreLimitsBuilder::new()
                    .memory_size(limits.memory_bytes)
                    .build(),
                denied: false,
            },
        );
        store.limiter(|limits| limits);
        GuestClock::default().arm(&mut store, limits.guest_time);
        let linker = Linker::new(&self.engine);
        let pre = linker
            .instantiate_pre(&component)
            .map_err(imports_something)?;
        let pre = bindings::ToolComponentPre::new(pre).map_err(no_tool_interface)?;
        let tool = pre
            .instantiate_async(&mut store)
            .await
            .map_err(|trap| ToolFault::from_trap(&trap, &limits, store.data().denied))?;
        let described = tool
            .realmdex_tools_tool()
            .call_describe(&mut store, name)
            .await;
        let denied = store.data().denied;
        let description = described
            .map_err(|trap| wrong_answer(ToolFault::from_trap(&trap, &limits, denied)))?
            .map_err(answer::thrown)?;
        answer::of_component(description.description, &description.input_schema, &limits)
    }
}

/// Once a component runs, whatever is no trap is its own doing: pointers and texts that lead nowhere.
fn wrong_answer(fault: ToolFault) -> ToolFault {
    match fault {
        ToolFault::Sandbox(why) => ToolFault::NotATool(format!(
            "the wasm tool answers what its interface does not allow: {why}"
        )),
        fault => fault,
    }
}

fn not_a_component(error: wasmtime::Error) -> ToolFault {
    ToolFault::NotATool(format!(
        "not a WebAssembly component that can be run here: {error:#}"
    ))
}

fn imports_something(error: wasmtime::Error) -> ToolFault {
    ToolFault::NotATool(format!("a wasm tool may import nothing: {error:#}"))
}

fn no_tool_interface(error: wasmtime::Error) -> ToolFault {
    ToolFault::NotATool(format!(
        "the component does not export the interface realmdex:tools/tool@0.1.0: {error:#}"
    ))
}
