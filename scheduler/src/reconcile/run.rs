//! A reconciler's life.

use std::sync::Arc;
use std::time::Duration;

use realmdex_store::{Retention, Store};
use tokio_util::sync::CancellationToken;

use super::Reconciler;
use crate::outage::Outage;
use crate::{Metrics, Wakes};

/// Activates a reconciler at the start, by its period and when it is woken, until it is told to stop.
pub(crate) async fn run(
    reconciler: Reconciler,
    period: Duration,
    keep: Retention,
    store: Store,
    metrics: Arc<Metrics>,
    wakes: Wakes,
    shutdown: CancellationToken,
) {
    let mut sleeper = wakes.reconciler(reconciler).sleeper();
    let mut outage = Outage::none(format!("the reconciler {}", reconciler.name()));
    while !shutdown.is_cancelled() {
        match reconciler.activate(&store, keep, &metrics).await {
            Ok(activation) => {
                outage.is_over();
                if activation.has_enqueued {
                    wakes.dispatch.up();
                }
                if activation.rows > 0 {
                    tracing::debug!(
                        reconciler = reconciler.name(),
                        rows = activation.rows,
                        "reconciled"
                    );
                }
            }
            Err(error) => {
                outage.began(&error);
                metrics.reconcile_failed(reconciler);
            }
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = sleeper.woken() => {}
            () = tokio::time::sleep(period) => {}
        }
    }
}
