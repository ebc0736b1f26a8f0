//! Beginning while the database may still be starting, or be restarted.

use std::time::Duration;

use anyhow::bail;
use backon::{ExponentialBuilder, Retryable};
use realmdex_store::{Store, StoreError};
use realmdex_types::in_words;
use realmdex_worker::registry::RegistryError;
use tokio_util::sync::CancellationToken;

/// How long to wait for a database that does not answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The store, its tables up to date; none when told to stop meanwhile.
///
/// # Errors
/// When the database does not answer for a minute, or refuses.
pub(super) async fn store(
    url: &str,
    connections: u32,
    stop: &CancellationToken,
) -> anyhow::Result<Option<Store>> {
    if url.is_empty() {
        bail!("no database is given: say --database URL, or set REALMDEX_DATABASE");
    }
    let connect = async || {
        let store = Store::connect(url, connections).await?;
        store.migrate().await?;
        Ok::<_, StoreError>(store)
    };
    Ok(patiently(stop, connect, StoreError::is_about_reaching).await?)
}

/// What can only be had of a database that answers; none when told to stop meanwhile.
///
/// # Errors
/// The last error, once it is another one or a minute has passed.
pub(super) async fn registry<T, R>(
    stop: &CancellationToken,
    read: impl FnMut() -> R,
) -> Result<Option<T>, RegistryError>
where
    R: Future<Output = Result<T, RegistryError>>,
{
    let is_about_reaching = |error: &RegistryError| match error {
        RegistryError::Store(error) => error.is_about_reaching(),
        RegistryError::Map(_) => false,
    };
    patiently(stop, read, is_about_reaching).await
}

async fn patiently<T, E, A>(
    stop: &CancellationToken,
    attempt: impl FnMut() -> A,
    is_about_reaching: impl FnMut(&E) -> bool,
) -> Result<Option<T>, E>
where
    E: std::error::Error + 'static,
    A: Future<Output = Result<T, E>>,
{
    let again = ExponentialBuilder::default()
        .with_max_delay(Duration::from_secs(2))
        .with_total_delay(Some(PATIENCE))
        .without_max_times();
    let attempts = attempt
        .retry(again)
        .when(is_about_reaching)
        .notify(|error, after| {
            let error = in_words(error);
            tracing::warn!(error, ?after, "the database is not there yet");
        });
    tokio::select! {
        had = attempts => had.map(Some),
        () = stop.cancelled() => Ok(None),
    }
}
