//! `realmdex config`: every setting of the fleet's roles, and what it means.

use std::process::ExitCode;

use crate::{answer, config};

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    answer::print(config::DEFAULTS)?;
    Ok(ExitCode::SUCCESS)
}
