//! `realmdex migrate`: the index's tables, made or brought up to date.

use std::process::ExitCode;

use anyhow::bail;

use super::{stopping, waiting};
use crate::answer;
use crate::config::Settings;

/// `realmdex migrate`
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  realmdex migrate --database postgres://realmdex@db.internal/realmdex

Every role does so at its start; this does it alone, before a fleet is rolled out.")]
pub(crate) struct Arguments {
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
    answer::print(&format!("the tables are up to date (Postgres {version})\n"))?;
    Ok(ExitCode::SUCCESS)
}
