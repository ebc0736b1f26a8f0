//! Commits what is done, in small batches: a batch takes what is there, waits a moment for more while there is more to
//! come, and never for a job that is still running.

use std::sync::Arc;
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use realmdex_queue::Delivery;
use realmdex_store::{Committed, FileWrite, Follow, Found};
use realmdex_types::in_words;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::Post;
use super::claim::Slot;
use crate::commit::{self, BATCH};

/// How long a batch waits for more.
const MOMENT: Duration = Duration::from_millis(2);

/// A file that was read and computed, not yet in the index.
pub(super) struct Finished {
    pub(super) write: FileWrite,
    pub(super) delivery: Delivery,
}

/// Commits until nothing can come any more.
pub(super) async fn flush(post: Arc<Post>, mut finished: mpsc::Receiver<Finished>) {
    let mut batch = Vec::with_capacity(BATCH);
    while finished.recv_many(&mut batch, BATCH).await > 0 {
        let moment = Instant::now() + MOMENT;
        while batch.len() < BATCH && post.running.len() > batch.len() {
            let room = BATCH - batch.len();
            match timeout_at(moment, finished.recv_many(&mut batch, room)).await {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
        }
        let whole = std::mem::replace(&mut batch, Vec::with_capacity(BATCH));
        for part in commit::by_size(whole, |one| &one.write) {
            commit(&post, part).await;
        }
    }
}

async fn commit(post: &Post, part: Vec<Finished>) {
    let (writes, deliveries): (Vec<FileWrite>, Vec<Delivery>) = part
        .into_iter()
        .map(|one| (one.write, one.delivery))
        .unzip();
    let leases: Vec<_> = writes.iter().filter_map(|write| write.lease).collect();
    let started = Instant::now();
    // A database that is away for a while comes back to the same leases, unless another had them meanwhile.
    let again = ExponentialBuilder::default()
        .with_jitter()
        .with_max_delay(Duration::from_secs(1))
        .with_total_delay(Some(post.config.lease))
        .without_max_times();
    let committed = (async || commit::write(&post.store, writes.clone(), Follow::Enqueue).await)
        .retry(again)
        .when(|error| !error.is_about_values())
        .notify(|error, after| {
            tracing::warn!(error = %in_words(error), ?after, "a commit is tried again");
        })
        .await;
    match committed {
        Ok(all) => {
            note(post, &writes, &all);
            let has_more = |done: &Committed| !done.stale.is_empty() || !done.moved.is_empty();
            if all.iter().any(has_more) {
                (post.enqueued)();
            }
            post.metrics
                .commit_seconds
                .observe(started.elapsed().as_secs_f64());
            for lease in leases {
                post.running.end(lease);
            }
            Delivery::ack_all(deliveries).await;
        }
        Err(error) => {
            let why = in_words(&error);
            tracing::error!(error = why, jobs = leases.len(), "not committed");
            for lease in leases {
                // What the database refuses it would refuse again; anything else is done again when the lease ends.
                if error.is_about_values()
                    && let Err(error) = post.store.fail(lease, &why).await
                {
                    tracing::warn!(error = %in_words(&error), "a job's end was not noted");
                }
                post.running.end(lease);
            }
        }
    }
}

fn note(post: &Post, writes: &[FileWrite], all: &[Committed]) {
    let metrics = &post.metrics;
    let void: usize = all.iter().map(|committed| committed.void.len()).sum();
    let refused: usize = all.iter().map(|committed| committed.refused.len()).sum();
    let written: usize = all.iter().map(|committed| committed.written).sum();
    metrics.fenced.inc_by(void as u64);
    metrics.outrun.inc_by(refused as u64);
    metrics.files_written.inc_by(written as u64);
    for write in writes {
        let Found::Computed(_, row) = &write.found else {
            continue;
        };
        metrics.files_computed.inc();
        if let Some((declared, stamped)) = row.tools {
            metrics.tools_stamped.inc_by(stamped as u64);
            let failed = declared.saturating_sub(stamped);
            metrics.tools_failed.inc_by(failed as u64);
        }
        for finding in &row.findings {
            metrics
                .findings
                .with_label_values(&[finding.kind.as_str()])
                .inc();
        }
    }
}

/// A slot is free as soon as its job's file waits for the commit.
pub(super) async fn hand_over(done: &mpsc::Sender<Finished>, finished: Finished, slot: Slot) {
    drop(slot);
    // The flush ends after all its senders.
    let _ = done.send(finished).await;
}
