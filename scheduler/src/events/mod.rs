//! What happens, told to those who follow: files that are something else now, and reindexes that get on.
//!
//! ```text
//! the index ◄─ one poller, only while someone follows ─► Events ─► a Feed for each follower ─► server-sent events
//!          ◄──────────── what a follower missed ─────────────────┘
//! ```
//!
//! A file may be told of twice, never not at all: whoever follows asks for the file, or looks at its `changeSeq`.

mod feed;
mod poll;
mod sse;

use std::sync::Arc;

use realmdex_store::{FileHappened, ReindexRow, Store, StoreError};
use thiserror::Error;
use tokio::sync::{Mutex, broadcast};

pub(crate) use feed::Feed;
use feed::Position;
use poll::Poller;
pub(crate) use sse::{IndexEvent, Permission, ReindexEvent, Stopping, answer, position};

/// Happenings that a follower may be behind before it reads the index instead.
const BACKLOG: usize = 4096;

/// Followers at once: each costs memory, and a check of its rights now and then.
const MOST: usize = 1024;

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) enum Happening {
    /// A file is something else now.
    Index(FileHappened),
    /// A reindex got on.
    Reindex(ReindexRow),
}

/// Why someone can't follow.
#[derive(Debug, Error)]
pub(crate) enum FollowError {
    /// There are too many.
    #[error("{MOST} others follow already: try again later")]
    TooMany,
    /// The index could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where what happens is told. Cheap to clone: clones share one poller.
#[derive(Clone, Debug)]
pub struct Events {
    store: Store,
    told: broadcast::Sender<Arc<Happening>>,
    /// Whether the poller runs.
    runs: Arc<Mutex<bool>>,
}

impl Events {
    /// What happens in a store's realms.
    pub fn new(store: Store) -> Self {
        Self {
            store,
            told: broadcast::Sender::new(BACKLOG),
            runs: Arc::default(),
        }
    }

    /// What happens from now on. Whatever is committed once this has answered is told.
    async fn follow(&self) -> Result<broadcast::Receiver<Arc<Happening>>, FollowError> {
        let mut runs = self.runs.lock().await;
        if self.told.receiver_count() >= MOST {
            return Err(FollowError::TooMany);
        }
        let receiver = self.told.subscribe();
        if !*runs {
            let poller = Poller::begin(self.store.clone()).await?;
            *runs = true;
            tokio::spawn(self.clone().run(poller));
        }
        Ok(receiver)
    }

    /// Tells until nobody follows.
    async fn run(self, mut poller: Poller) {
        loop {
            poller.pause().await;
            if self.told.receiver_count() == 0 {
                let mut runs = self.runs.lock().await;
                // Someone may have come meanwhile.
                if self.told.receiver_count() == 0 {
                    *runs = false;
                    return;
                }
            }
            for happening in poller.look().await {
                // Nobody listens: then nobody misses it.
                let _ = self.told.send(Arc::new(happening));
            }
        }
    }
}
