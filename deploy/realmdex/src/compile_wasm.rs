//! The child process that compiles a wasm tool under limits it sets on itself.

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use realmdex_worker::sandbox::{CompileFault, compile_into_cache};
use rlimit::Resource;

use crate::limits::Limits;

/// What the parent passes.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The cache folder.
    #[arg(long)]
    cache: PathBuf,
    /// Memory it may use, in bytes.
    #[arg(long)]
    memory: u64,
    /// Processor time it may use, in seconds.
    #[arg(long)]
    seconds: u64,
    /// The limits of the sandbox that will run it.
    #[command(flatten)]
    limits: Limits,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let limits = arguments.limits.in_effect()?.sandbox;
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(limits.component_bytes as u64 + 1)
        .read_to_end(&mut bytes)
        .context("reading the component from standard input")?;
    // Data, not address space: an engine reserves far more addresses than it ever uses.
    for (resource, limit, most) in [
        (Resource::DATA, arguments.memory, arguments.memory),
        // At the first we end by a signal that names the reason, at the second by one that does not.
        (
            Resource::CPU,
            arguments.seconds,
            arguments.seconds.saturating_add(1),
        ),
        (Resource::CORE, 0, 0),
    ] {
        resource
            .set(limit, most)
            .with_context(|| format!("limiting {resource:?} to {limit}"))?;
    }
    // The parent passes on what it reads here as the reason.
    if let Err(CompileFault::Refused(reason)) =
        compile_into_cache(&bytes, &limits, &arguments.cache)
    {
        eprintln!("{reason}");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
