//! Compiling wasm tools. The compiler has no fuel and no clock, so what others wrote is compiled in a child process
//! under resource limits; the result reaches us through the engine's own cache.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use thiserror::Error;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use wasmtime::component::Component;

use super::SandboxLimits;
use super::engine::{Trust, engine};

/// How much longer than its processor time a compilation may last: a busy machine has little time for each process.
const WAIT_TIMES: u32 = 60;

/// The signal that ends a process at the end of its processor time, on Linux and macOS.
const SIGXCPU: i32 = 24;

/// Who compiles wasm tools.
#[derive(Clone, Debug)]
pub enum Compiler {
    /// A child process that reads the component from its standard input and calls [`compile_into_cache`] under the
    /// limits it is given: `program arguments… --cache DIR --memory BYTES --seconds N`. Its seconds are those of a
    /// processor, and at their end SIGXCPU ends it.
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
    #[error("compiling the wasm tool took more than {seconds} s of processor time, the limit")]
    TimeLimit {
        /// The limit.
        seconds: u64,
    },
    /// It got nowhere, which may be the machine's fault.
    #[error("compiling the wasm tool did not end within {waited:?}")]
    Stalled {
        /// How long it was waited for.
        waited: Duration,
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
        // The system counts whole seconds.
        let seconds = limits.compile_time.as_millis().div_ceil(1000);
        let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
        let waited = limits.compile_time * WAIT_TIMES;
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
        let compiled = tokio::time::timeout(waited, async {
            if let Some(mut input) = input {
                // A child that ended early closes its end; its exit says why.
                let _closed = input.write_all(bytes).await;
            }
            child.wait_with_output().await
        })
        .await
        .map_err(|_| CompileFault::Stalled { waited })??;
        if compiled.status.success() {
            return Ok(());
        }
        if compiled.status.signal() == Some(SIGXCPU) {
            return Err(CompileFault::TimeLimit { seconds });
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
