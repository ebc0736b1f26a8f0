//! The child process that compiles a wasm tool under limits it sets on itself.

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use realmdex_worker::sandbox::{CompileFault, SandboxLimits, compile_into_cache};
use rlimit::Resource;

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
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let limits = SandboxLimits::default();
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(limits.component_bytes as u64 + 1)
        .read_to_end(&mut bytes)
        .context("reading the component from standard input")?;
    // Data, not address space: an engine reserves far more addresses than it ever uses.
    for (resource, limit) in [
        (Resource::DATA, arguments.memory),
        (Resource::CPU, arguments.seconds),
        (Resource::CORE, 0),
    ] {
        resource
            .set(limit, limit)
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
