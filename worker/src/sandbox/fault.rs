//! How a description fails.

use std::sync::Arc;

use thiserror::Error;
use wasmtime::Trap;

use super::{CompileFault, SandboxLimits};
use crate::modules::LoadError;

/// Why a tool has no definition. The text is for the skill's author.
#[derive(Clone, Debug, Error)]
pub enum ToolFault {
    /// A module could not be loaded.
    #[error(transparent)]
    Load(#[from] Arc<LoadError>),
    /// The tool, or a module it imports, threw; or it exports no such tool. The tool's own words.
    #[error("{0}")]
    Thrown(String),
    /// Model providers would refuse the definition.
    #[error("{0}")]
    Refused(String),
    /// It ran for too long.
    #[error(
        "describing the tool took longer than {millis} ms of computing, the limit: look for a loop that does not end"
    )]
    TimeLimit {
        /// The limit.
        millis: u128,
    },
    /// It took too much memory.
    #[error("describing the tool took more than {mebibytes} MiB of memory, the limit")]
    MemoryLimit {
        /// The limit.
        mebibytes: usize,
    },
    /// It called too deep.
    #[error(
        "describing the tool used more than {kibibytes} KiB of stack, the limit: look for a recursion that does not end"
    )]
    StackLimit {
        /// The limit.
        kibibytes: usize,
    },
    /// What it said is too long.
    #[error("the tool's definition has {bytes} bytes, more than the limit of {limit}")]
    DefinitionLimit {
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// It waits for something that never comes.
    #[error("the tool never finished describing itself: it awaits a promise that nothing settles")]
    NeverSettled,
    /// A wasm tool that is no component with our interface.
    #[error("{0}")]
    NotATool(String),
    /// A wasm tool that can't be compiled.
    #[error(transparent)]
    Compile(#[from] Arc<CompileFault>),
    /// The sandbox itself failed.
    #[error("the sandbox failed: {0}")]
    Sandbox(String),
}

impl ToolFault {
    /// Whether trying again later may help.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Load(error) => error.is_transient(),
            Self::Compile(fault) => matches!(
                fault.as_ref(),
                CompileFault::Child(_) | CompileFault::Stalled { .. }
            ),
            Self::Sandbox(_) => true,
            _ => false,
        }
    }

    /// What a trap means in terms of the limits.
    pub(super) fn from_trap(
        error: &wasmtime::Error,
        limits: &SandboxLimits,
        memory_denied: bool,
    ) -> Self {
        if memory_denied {
            return Self::memory(limits);
        }
        match error.downcast_ref::<Trap>() {
            Some(Trap::Interrupt) => Self::TimeLimit {
                millis: limits.guest_time.as_millis(),
            },
            Some(Trap::StackOverflow) => Self::StackLimit {
                kibibytes: limits.stack_bytes >> 10,
            },
            Some(Trap::NoAsyncResult | Trap::AsyncDeadlock) => Self::NeverSettled,
            _ if format!("{error:#}").contains("failed to produce a result") => Self::NeverSettled,
            Some(trap) => Self::Thrown(format!("the tool's code trapped: {trap}")),
            None => Self::Sandbox(format!("{error:#}")),
        }
    }

    pub(super) fn memory(limits: &SandboxLimits) -> Self {
        Self::MemoryLimit {
            mebibytes: limits.memory_bytes >> 20,
        }
    }
}
