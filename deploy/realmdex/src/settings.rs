//! `realmdex config`: every setting of the fleet's roles, and what it means.

use std::process::ExitCode;

use crate::{answer, config};

/// `realmdex config`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex config > realmdex.toml        a file for --config, to be edited
  realmdex config --json                 names and defaults, for programs")]
pub(crate) struct Arguments {
    /// Print each setting's default as JSON: `{NAME: default}`.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.json {
        answer::print(&answer::json(&config::defaults()?)?)?;
    } else {
        answer::print(config::DEFAULTS)?;
    }
    Ok(ExitCode::SUCCESS)
}
