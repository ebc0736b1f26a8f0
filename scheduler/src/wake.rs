//! Waking: whoever made work says so, and nobody waits for a period to pass.

use std::sync::Arc;

use tokio::sync::watch;

use crate::reconcile::Reconciler;

/// A bell that any number of tasks listen for. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Wake(Arc<watch::Sender<()>>);

impl Default for Wake {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(())))
    }
}

impl Wake {
    /// Wakes all who listen; one that is busy now is woken when it next listens.
    pub fn up(&self) {
        self.0.send_replace(());
    }

    pub(crate) fn sleeper(&self) -> Sleeper {
        Sleeper(self.0.subscribe())
    }
}

/// One who listens.
#[derive(Debug)]
pub(crate) struct Sleeper(watch::Receiver<()>);

impl Sleeper {
    /// Waits until it is woken; at once where it was since it last was. Nothing is lost when the future is dropped.
    pub(crate) async fn woken(&mut self) {
        if self.0.changed().await.is_err() {
            // Nobody is left who could.
            std::future::pending::<()>().await;
        }
    }
}

/// Everyone in a scheduler who can be woken.
#[derive(Clone, Debug, Default)]
pub struct Wakes {
    /// Whoever offers jobs: something was enqueued.
    pub dispatch: Wake,
    /// Whoever watches folders: realms came, went or were archived.
    pub registry: Wake,
    reconcilers: [Wake; Reconciler::ALL.len()],
}

impl Wakes {
    /// A reconciler: something happened that it looks for.
    pub fn reconciler(&self, reconciler: Reconciler) -> &Wake {
        &self.reconcilers[reconciler as usize]
    }
}
