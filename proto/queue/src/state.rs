//! How the broker stands.

use tokio::sync::watch;

/// Whether hints can be published now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrokerState {
    /// Yes.
    Ready,
    /// No: the broker is there, and takes nothing until it has memory or disk again.
    Blocked {
        /// Its own words.
        why: String,
    },
    /// No: there is no connection. One is tried for all the time, unless the broker was closed.
    Down {
        /// What went wrong last.
        why: String,
    },
}

/// The state, for one who sets it and many who look.
#[derive(Debug)]
pub(crate) struct StateCell(watch::Sender<BrokerState>);

impl StateCell {
    pub(crate) fn new(state: BrokerState) -> Self {
        Self(watch::Sender::new(state))
    }

    pub(crate) fn get(&self) -> BrokerState {
        self.0.borrow().clone()
    }

    /// Wakes those who wait only where this is news.
    pub(crate) fn set(&self, state: BrokerState) {
        self.0.send_if_modified(|current| {
            let changed = *current != state;
            *current = state;
            changed
        });
    }

    /// Waits until the state is another one than when this was called.
    pub(crate) fn changed(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut watched = self.0.subscribe();
        async move {
            // Fails only when the state is gone, which is a change as well.
            watched.changed().await.ok();
        }
    }

    /// Waits until hints can't be published; at once where they can't.
    pub(crate) async fn not_ready(&self) {
        let mut watched = self.0.subscribe();
        watched
            .wait_for(|state| *state != BrokerState::Ready)
            .await
            .ok();
    }
}
