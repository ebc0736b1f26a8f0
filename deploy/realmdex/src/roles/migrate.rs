//! `realmdex migrate`: the index's tables, made or brought up to date.

use std::process::ExitCode;

use anyhow::bail;
use serde_json::json;

use super::{stopping, waiting};
use crate::answer;
use crate::config::Settings;

/// `realmdex migrate`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex migrate --database postgres://realmdex@db.internal/realmdex
  realmdex migrate --config /etc/realmdex.toml --json

Every role does so at its start; this does it alone, before a fleet is rolled out.")]
pub(crate) struct Arguments {
    /// Print the answer as JSON: `{postgres}`, the server's version.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let config = arguments.settings.read()?;
    let stop = stopping::told()?;
    let Some(store) = waiting::store(&config.database, 1, &stop).await? else {
        bail!("told to stop before the database answered");
    };
    let version = store.version().await?;
    store.close().await;
    answer::print(&if arguments.json {
        answer::json(&json!({"postgres": version}))?
    } else {
        format!("the tables are up to date (Postgres {version})\n")
    })?;
    Ok(ExitCode::SUCCESS)
}
