//! A worker's shift: from the hints of the broker to committed rows, until it is told to stop.
//!
//! `claim` turns hints into leases, as many as there are free slots; `job` does one job on a task of its own;
//! `flush` commits what is done in small batches; `heartbeat` renews the leases and hears of jobs that were called off.

mod claim;
mod flush;
mod heartbeat;
mod job;
mod listing;
mod metrics;
mod running;
mod turns;

use std::sync::Arc;
use std::time::Duration;

use realmdex_queue::Broker;
use realmdex_store::Store;
use realmdex_types::{JobClass, in_words};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;

use crate::registry::KnownRegistry;
pub use metrics::ShiftMetrics;
use running::Running;

/// How a worker works.
#[derive(Clone, Debug)]
pub struct ShiftConfig {
    /// The worker's name, for those who look at jobs.
    pub name: String,
    /// Jobs that are done at once. One of them is kept for changes that someone waits for.
    pub slots: usize,
    /// Hints that the broker hands out in advance, for each class.
    pub prefetch: u16,
    /// How long a lease holds without a heartbeat.
    pub lease: Duration,
    /// How often leases are renewed, and jobs that were called off are heard of.
    pub beat: Duration,
    /// How long one file may take.
    pub deadline: Duration,
    /// How long listing one realm may take.
    pub listing_deadline: Duration,
    /// How often a job is tried that fails for reasons that pass.
    pub tries: u32,
    /// How long running jobs may go on once the worker is told to stop; then they are given back.
    pub drain: Duration,
    /// The largest file that is read, in bytes.
    pub file_bytes: u64,
    /// Whether this process is the only one there is, so that a lease of its own that ran out is no sign of loss.
    pub is_alone: bool,
}

/// A worker.
pub struct Shift {
    store: Store,
    broker: Broker,
    registry: Arc<KnownRegistry>,
    config: ShiftConfig,
    metrics: ShiftMetrics,
    enqueued: Wake,
}

/// Called when a worker has enqueued something.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// What everything of a shift shares.
struct Post {
    store: Store,
    registry: Arc<KnownRegistry>,
    config: ShiftConfig,
    metrics: ShiftMetrics,
    /// Something was enqueued.
    enqueued: Wake,
    running: Running,
    slots: Arc<Semaphore>,
    /// All slots but the one that is kept.
    bulk_slots: Arc<Semaphore>,
}

impl Shift {
    /// A worker that has not begun.
    pub fn new(
        store: Store,
        broker: Broker,
        registry: KnownRegistry,
        config: ShiftConfig,
        metrics: ShiftMetrics,
    ) -> Self {
        Self {
            store,
            broker,
            registry: Arc::new(registry),
            config,
            metrics,
            enqueued: Arc::new(|| {}),
        }
    }

    /// Says so when it has enqueued something: whoever offers jobs in the same process need not look for it.
    #[must_use]
    pub fn waking(mut self, enqueued: Wake) -> Self {
        self.enqueued = enqueued;
        self
    }

    /// Works until `stop`. Then no job is begun, those that run may end within the drain time, and what is left is given
    /// back: nothing is lost, and nothing counts as a failure.
    ///
    /// # Errors
    /// When one of its own tasks panicked. What it had leased is done by others when the leases end.
    pub async fn run(self, stop: CancellationToken) -> Result<(), JoinError> {
        let slots = self.config.slots.max(1);
        self.metrics.slots.set(slots as i64);
        let post = Arc::new(Post {
            store: self.store,
            registry: self.registry,
            metrics: self.metrics,
            enqueued: self.enqueued,
            running: Running::default(),
            slots: Arc::new(Semaphore::new(slots)),
            bulk_slots: Arc::new(Semaphore::new((slots - 1).max(1))),
            config: self.config,
        });
        let hints = claim::Hints {
            interactive: self
                .broker
                .consume(JobClass::Interactive, post.config.prefetch),
            bulk: self.broker.consume(JobClass::Bulk, post.config.prefetch),
        };
        let (done, finished) = mpsc::channel(2 * crate::commit::BATCH);
        let mut flushing = tokio::spawn(flush::flush(Arc::clone(&post), finished));
        let no_more = CancellationToken::new();
        let mut beating = tokio::spawn(heartbeat::beat(Arc::clone(&post), no_more.clone()));
        // Neither ends while there is work, unless it panics: half a worker is worse than none.
        tokio::select! {
            () = claim::claim(&post, hints, done, &stop) => {}
            ended = &mut flushing => return ended,
            ended = &mut beating => return ended,
        }
        post.drain().await;
        // All senders are gone with their jobs: what is done is committed, then it ends.
        flushing.await?;
        no_more.cancel();
        beating.await
    }
}

impl Post {
    /// Waits for what runs, for a while; then gives it back.
    async fn drain(&self) {
        let left = self.running.leases().len();
        if left > 0 {
            tracing::info!(jobs = left, "waiting for what runs");
        }
        if tokio::time::timeout(self.config.drain, self.running.idle())
            .await
            .is_ok()
        {
            return;
        }
        for lease in self.running.leases() {
            self.running.stop(lease);
            match self.store.release(lease).await {
                Ok(true) => tracing::info!(job = %lease.job, "given back"),
                Ok(false) => {}
                // It is found out when the lease ends.
                Err(error) => {
                    tracing::warn!(error = %in_words(&error), job = %lease.job, "not given back")
                }
            }
        }
    }
}
