//! Whether an index can be kept.

use std::path::Path;
use std::time::Instant;

use super::Outcome;
use crate::database::{Database, IndexPlace};

/// Opens an index: the one that is given by the environment, else an embedded one in a folder that goes again.
pub(super) async fn index() -> Outcome {
    let given = std::env::var("REALMDEX_DATABASE").ok();
    let (what, mend) = if given.is_some() {
        (
            "the database of REALMDEX_DATABASE",
            "start it, or correct or unset the variable",
        )
    } else {
        (
            "an embedded database",
            "give --database the URL of a Postgres instead, and report this",
        )
    };
    let started = Instant::now();
    match opened(given).await {
        Ok(version) => Outcome::ok(format!(
            "{what} keeps an index (Postgres {version}, opened in {} ms)",
            started.elapsed().as_millis()
        )),
        Err(error) => Outcome::fail(format!("{what} can't be opened: {error:#}"), mend),
    }
}

async fn opened(database: Option<String>) -> anyhow::Result<String> {
    let folder = std::env::temp_dir().join(format!("realmdex-doctor-{}", std::process::id()));
    let version = version_in(database, &folder).await;
    // There is none where a database was given.
    let _ = std::fs::remove_dir_all(&folder);
    version
}

async fn version_in(database: Option<String>, folder: &Path) -> anyhow::Result<String> {
    let place = IndexPlace {
        database,
        data: None,
    };
    let database = Database::open(&place, folder).await?;
    let version = database.store.version().await;
    database.close().await?;
    Ok(version?)
}
