//! Being told to stop: SIGTERM or Ctrl-C begins an orderly end, a second one ends at once.

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Cancelled when this process is told to stop.
pub(super) fn told() -> anyhow::Result<CancellationToken> {
    let stop = CancellationToken::new();
    let mut terminate = signal(SignalKind::terminate()).context("waiting for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("waiting for SIGINT")?;
    let told = stop.clone();
    tokio::spawn(async move {
        for is_first in [true, false] {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            if is_first {
                tracing::info!("told to stop: ending what runs; once more ends at once");
                told.cancel();
            } else {
                // What runs is found out by its leases.
                std::process::exit(130);
            }
        }
    });
    Ok(stop)
}
