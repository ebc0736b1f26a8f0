//! The chaos run. Two realms are edited by a script while a fleet indexes them and its workers, schedulers, broker and
//! database are killed, stopped and cut off. In the end its index must be exactly what a single process makes of the same
//! files. `deploy/chaos --help` tells how to run it; with no arguments it is the short form, as one of the tests.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what came of it is told on standard output"
)]
#![allow(clippy::expect_used, reason = "a failed expect is a failed run")]

mod arguments;
mod compare;
mod fleet;
mod fresh;
mod mischief;
mod operator;
mod realm;
mod run;
mod script;
mod services;
mod settle;
mod tally;
mod texts;
mod tree;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};

use arguments::Form;
use services::RunFolder;

fn main() -> ExitCode {
    let Some(form) = arguments::form() else {
        return ExitCode::SUCCESS;
    };
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chaos");
    // Outlives everything that is started below it, panics included.
    let mut folder = match RunFolder::make(&shared) {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!("chaos: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    println!("chaos: {form}, in {}", folder.path().display());
    let differences = match whole(&form, folder.path()) {
        Ok(differences) => differences,
        Err(error) => {
            println!("chaos: {error:#}");
            folder.keep();
            println!(
                "failed: {form}; what is left of it is in {}",
                folder.path().display()
            );
            return ExitCode::FAILURE;
        }
    };
    if form.is_kept || differences > 0 {
        folder.keep();
        println!(
            "{form}; what is left of it is in {}",
            folder.path().display()
        );
    }
    println!("differences: {differences}");
    if differences == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The whole run; answers how many differences there are. No process of it goes on when this returns.
fn whole(form: &Form, folder: &Path) -> anyhow::Result<usize> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("starting a runtime")?;
    let ended = runtime.block_on(async {
        let mut terminated = signal(SignalKind::terminate())?;
        tokio::select! {
            ended = run::run(form, folder) => ended,
            _ = tokio::signal::ctrl_c() => anyhow::bail!("interrupted"),
            _ = terminated.recv() => anyhow::bail!("terminated"),
        }
    });
    // With its tasks go the processes that they hold.
    runtime.shutdown_timeout(Duration::from_secs(10));
    ended
}
