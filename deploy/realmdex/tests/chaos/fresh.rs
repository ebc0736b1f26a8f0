//! The index that a single process makes of the same files.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::fleet::Settings;
use crate::realm::URLS;

/// How often both realms are gone over: what one realm knows of the other's files is looked at again by the next pass.
const PASSES: usize = 6;

/// Indexes both realms into a database until nothing changes.
///
/// # Errors
/// When a pass fails, or there is always something that changes.
pub async fn index(
    settings: &Settings,
    database: &str,
    roots: &[PathBuf; 2],
) -> anyhow::Result<()> {
    for pass in 1..=PASSES {
        let mut has_changed = false;
        for (root, url) in roots.iter().zip(URLS) {
            has_changed |= index_once(settings, database, root, url, pass).await?;
        }
        if !has_changed {
            return Ok(());
        }
    }
    anyhow::bail!("a single process finds something changed in each of {PASSES} passes")
}

async fn index_once(
    settings: &Settings,
    database: &str,
    root: &Path,
    url: &str,
    pass: usize,
) -> anyhow::Result<bool> {
    let mut arguments = vec!["index", "--url", url, "--allow-mass-delete"];
    // Only now is each realm known to the other: what was not there before was nobody's.
    if pass == 2 {
        arguments.push("--force");
    }
    arguments.push("--json");
    let output = settings
        .command(&arguments)
        .arg(root)
        .env("REALMDEX_DATABASE", database)
        .output()
        .await
        .context("starting the binary")?;
    ensure!(
        output.status.success(),
        "index {url}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said: Value = serde_json::from_slice(&output.stdout)?;
    Ok(["computed", "removed", "unsettled"].iter().any(|list| {
        said["files"][list]
            .as_array()
            .is_none_or(|files| !files.is_empty())
    }))
}
