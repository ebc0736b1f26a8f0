//! Beginning while the database may still be starting.

use std::time::Duration;

use anyhow::{Context, bail};
use backon::{ExponentialBuilder, Retryable};
use realmdex_store::{Store, StoreError};
use tokio_util::sync::CancellationToken;

/// How long to wait for a database that does not answer yet.
const PATIENCE: Duration = Duration::from_secs(60);

/// The store, its tables up to date.
pub(super) async fn store(
    url: &str,
    connections: u32,
    stop: &CancellationToken,
) -> anyhow::Result<Store> {
    if url.is_empty() {
        bail!("no database is given: say --database URL, or set REALMDEX_DATABASE");
    }
    let again = ExponentialBuilder::default()
        .with_max_delay(Duration::from_secs(2))
        .with_total_delay(Some(PATIENCE))
        .without_max_times();
    let connected = (async || {
        let store = Store::connect(url, connections).await?;
        store.migrate().await?;
        Ok(store)
    })
    .retry(again)
    .when(|error: &StoreError| error.is_about_reaching())
    .notify(|error, after| {
        let error = error as &(dyn std::error::Error + 'static);
        tracing::warn!(error, ?after, "the database is not there yet");
    });
    tokio::select! {
        connected = connected => Ok(connected?),
        () = stop.cancelled() => Err(anyhow::anyhow!("told to stop")).context("waiting for the database"),
    }
}
