//! One task for all slots, whatever the sandboxes do: it renews this worker's leases, hears of jobs that were called off
//! or given to others, and then looks for leases that nobody renews.

use std::sync::Arc;

use realmdex_types::in_words;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::Post;

/// Beats until told to stop.
pub(super) async fn beat(post: Arc<Post>, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(post.config.beat);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        if let Err(error) = beat_once(&post).await {
            tracing::warn!(error = %in_words(&error), "no heartbeat");
        }
    }
}

async fn beat_once(post: &Post) -> Result<(), realmdex_store::StoreError> {
    let leases = post.running.leases();
    post.metrics.busy.set(leases.len() as i64);
    if !leases.is_empty() {
        let beat = post.store.beat(&leases, post.config.lease).await?;
        for lease in beat.lost {
            // It may just have been committed: then there is nothing to stop.
            post.running.stop(lease);
        }
        for lease in beat.cancelled {
            tracing::info!(job = %lease.job, "called off");
            post.running.stop(lease);
            post.store.cancelled(lease).await?;
        }
    }
    let spared = if post.config.is_alone {
        post.running.leases()
    } else {
        Vec::new()
    };
    let reaped = post.store.reap(&spared).await?;
    post.metrics
        .leases_expired
        .inc_by((reaped.requeued + reaped.superseded + reaped.dead) as u64);
    post.metrics.dead.inc_by(reaped.dead as u64);
    Ok(())
}
