//! Runs tool modules where they can do no harm: a fresh WebAssembly instance per tool, with limits and without
//! any authority but what the host hands in.
//!
//! Two engines: [`ScriptSandbox`] only ever runs our own JavaScript engine, which in turn runs the modules of
//! realms; [`ComponentSandbox`] runs wasm tools that others compiled, with fewer proposals switched on.

mod answer;
mod compile;
mod component_tool;
mod console;
mod engine;
// Generated code has no docstrings.
#[allow(missing_docs, reason = "generated")]
mod engine_bindings;
mod epoch;
mod fault;
mod host;
mod limits;
mod script_tool;

pub use compile::{CompileFault, Compiler, compile_into_cache};
pub use component_tool::ComponentSandbox;
pub use engine::EngineError;
pub use fault::ToolFault;
pub use limits::SandboxLimits;
pub use script_tool::ScriptSandbox;

/// What a tool says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Its description; none where the tool class leaves it undefined.
    pub description: Option<String>,
    /// A JSON Schema of type `object`.
    pub parameters: serde_json::Value,
}
