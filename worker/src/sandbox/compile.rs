//! Compiling wasm tools. The compiler has no fuel and no clock, so what others wrote is compiled in a child process
//! under resource limits; the result reaches us through the engine's own cache.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use thiserror::Error;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use wasmtime::component::Component;

use super::SandboxLimits;
use super::engine::{Trust, engine};

/// Who compiles wasm tools.
#[derive(Clone, Debug)]
pub enum Compiler {
    /// A child process that reads the component from its standard input and calls [`compile_into_cache`] under the
    /// limits it is given: `program arguments… --cache DIR --memory BYTES --seconds N`.
    Child {
        /// The program; usually ourselves.
        program: PathBuf,
        /// Its first arguments.
        arguments: Vec<String>,
        /// The cache folder that the sandbox also uses.
        cache: PathBuf,
    },
    /// This process, without limits: for components one trusts.
    InProcess,
}

/// Why a wasm tool could not be compiled.
#[derive(Debug, Error)]
pub enum CompileFault {
    /// It took too long.
    #[error("compiling the wasm tool took longer than {seconds} s, the limit")]
    TimeLimit {
        /// The limit.
        seconds: u64,
    },
    /// The child ended in error: the component is no good, or needs more memory than it may.
    #[error("the wasm tool can't be compiled: {0}")]
    Refused(String),
    /// The child could not be run.
    #[error("cannot run the compiler process: {0}")]
    Child(#[from] std::io::Error),
}

impl Compiler {
    /// Compiles a component into the cache.
    pub(super) async fn compile(
        &self,
        bytes: &[u8],
        limits: &SandboxLimits,
    ) -> Result<(), CompileFault> {
        let Self::Child {
            program,
            arguments,
            cache,
        } = self
        else {
            return Ok(());
        };
        let seconds = limits.compile_time.as_secs();
        let mut child = Command::new(program)
            .args(arguments)
            .arg("--cache")
            .arg(cache)
            .args([
                "--memory",
                &limits.compile_memory_bytes.to_string(),
                "--seconds",
                &seconds.to_string(),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let input = child.stdin.take();
        let compiled = tokio::time::timeout(limits.compile_time, async {
            if let Some(mut input) = input {
                // A child that ended early closes its end; its exit says why.
                let _closed = input.write_all(bytes).await;
            }
            child.wait_with_output().await
        })
        .await
        .map_err(|_| CompileFault::TimeLimit { seconds })??;
        if compiled.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&compiled.stderr);
        let said: Vec<&str> = said.split_whitespace().collect();
        Err(CompileFault::Refused(if said.is_empty() {
            format!(
                "the compiler ended with {} (its limit is {} MiB of memory)",
                compiled.status,
                limits.compile_memory_bytes >> 20
            )
        } else {
            said.join(" ")
        }))
    }
}

/// Compiles a component of others, so that a sandbox with the same limits and cache finds it there. What the child
/// process does; it says the error on its standard error.
///
/// # Errors
/// When the engine can't be made or the component is invalid.
pub fn compile_into_cache(
    bytes: &[u8],
    limits: &SandboxLimits,
    cache: &Path,
) -> Result<(), CompileFault> {
    let engine = engine(Trust::OthersComponents, limits, Some(cache))
        .map_err(|error| CompileFault::Refused(error.to_string()))?;
    Component::new(&engine, bytes).map_err(|error| CompileFault::Refused(format!("{error:#}")))?;
    Ok(())
}
