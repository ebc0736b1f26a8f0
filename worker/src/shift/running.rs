//! The leases that this worker holds, from the claim to the commit.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use realmdex_store::Lease;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// The leases that this worker holds.
pub(super) struct Running {
    jobs: Mutex<HashMap<Lease, Option<AbortHandle>>>,
    /// How many they are.
    count: watch::Sender<usize>,
}

impl Default for Running {
    fn default() -> Self {
        Self {
            jobs: Mutex::default(),
            count: watch::Sender::new(0),
        }
    }
}

impl Running {
    pub(super) fn begin(&self, lease: Lease) {
        self.change(|jobs| {
            jobs.insert(lease, None);
        });
    }

    /// The task that does the job, so that it can be stopped.
    pub(super) fn does(&self, lease: Lease, task: AbortHandle) {
        self.change(|jobs| match jobs.get_mut(&lease) {
            Some(entry) => *entry = Some(task),
            None => task.abort(),
        });
    }

    /// Stops the work of a job, sandbox included. What it has handed over to be committed is the commit's to refuse.
    pub(super) fn stop(&self, lease: Lease) {
        if let Some(Some(task)) = self.lock().get(&lease) {
            task.abort();
        }
    }

    pub(super) fn end(&self, lease: Lease) {
        self.change(|jobs| {
            jobs.remove(&lease);
        });
    }

    pub(super) fn leases(&self) -> Vec<Lease> {
        self.lock().keys().copied().collect()
    }

    pub(super) fn len(&self) -> usize {
        *self.count.borrow()
    }

    /// Waits until there are none.
    pub(super) async fn idle(&self) {
        let mut count = self.count.subscribe();
        // The sender is this very struct's.
        let _ = count.wait_for(|count| *count == 0).await;
    }

    fn change(&self, change: impl FnOnce(&mut HashMap<Lease, Option<AbortHandle>>)) {
        let mut jobs = self.lock();
        change(&mut jobs);
        self.count.send_replace(jobs.len());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Lease, Option<AbortHandle>>> {
        // Each change is a single insert or remove: a panic elsewhere leaves nothing half done.
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
