//! Publishes, and waits for what becomes of it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use lapin::{Channel, Confirmation};
use realmdex_types::JobClass;
use tokio::time::{Instant, timeout};
use tracing::{debug, instrument, warn};

use super::connection::Link;
use super::consumer::DECLARE_AGAIN_AFTER;
use crate::state::StateCell;
use crate::{Hint, message, topology};

/// How long the broker may take to confirm.
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(10);

/// Publishes over one connection. Each batch has a channel to itself while it is in flight: the client hands a
/// returned message to any confirm of the same channel, so that batches sharing one would answer for each other.
#[derive(Debug)]
pub(super) struct Publisher {
    link: Link,
    state: Arc<StateCell>,
    idle: Mutex<Vec<Channel>>,
    /// Since when a queue or an exchange is known to be missing.
    missing: Mutex<Option<Instant>>,
}

/// What became of a batch.
#[derive(Default)]
struct Outcome {
    confirmed: HashSet<usize>,
    returned: HashSet<Hint>,
}

impl Publisher {
    pub(super) fn new(link: Link, state: Arc<StateCell>) -> Self {
        Self {
            link,
            state,
            idle: Mutex::default(),
            missing: Mutex::default(),
        }
    }

    #[instrument(skip_all, fields(class = class.as_str(), hints = hints.len()))]
    pub(super) async fn publish(&self, class: JobClass, hints: &[Hint]) -> Vec<Hint> {
        if hints.is_empty() {
            return Vec::new();
        }
        let mut outcome = Outcome::default();
        let end = tokio::select! {
            biased;
            () = self.state.not_ready() => Err("the broker takes nothing now".to_owned()),
            end = timeout(CONFIRM_TIMEOUT, self.publish_all(class, hints, &mut outcome)) => {
                end.unwrap_or_else(|_| Err("the broker does not confirm".to_owned()))
            }
        };
        let not_taken: Vec<Hint> = hints
            .iter()
            .enumerate()
            .filter(|(at, hint)| !outcome.confirmed.contains(at) || outcome.returned.contains(hint))
            .map(|(_, hint)| *hint)
            .collect();
        if let Err(why) = end {
            debug!(not_taken = not_taken.len(), why, "hints were not taken");
        }
        not_taken
    }

    async fn publish_all(
        &self,
        class: JobClass,
        hints: &[Hint],
        outcome: &mut Outcome,
    ) -> Result<(), String> {
        let channel = self.channel().await.map_err(|error| error.to_string())?;
        let mut in_flight: FuturesUnordered<_> = hints
            .iter()
            .enumerate()
            .map(|(at, &hint)| confirmed(&channel, class, hint, at))
            .collect();
        let mut failed = None;
        while let Some((at, confirmation)) = in_flight.next().await {
            match confirmation {
                Ok(confirmation) => {
                    if confirmation.is_ack() {
                        outcome.confirmed.insert(at);
                    }
                    // Not always at the confirm of the message itself.
                    if let Some(returned) = confirmation.take_message() {
                        outcome
                            .returned
                            .extend(message::decode(&returned.delivery.data));
                    }
                }
                Err(error) => failed = Some(error.to_string()),
            }
        }
        drop(in_flight);
        self.mend(failed.is_some() || !outcome.returned.is_empty())
            .await;
        if channel.status().connected() {
            lock(&self.idle).push(channel);
        }
        failed.map_or(Ok(()), Err)
    }

    /// A channel for one batch.
    async fn channel(&self) -> Result<Channel, lapin::Error> {
        let idle = {
            let mut idle = lock(&self.idle);
            idle.retain(|channel| channel.status().connected());
            idle.pop()
        };
        if let Some(channel) = idle {
            return Ok(channel);
        }
        let connection = self
            .link
            .current()
            .ok_or(std::io::Error::from(std::io::ErrorKind::NotConnected))?;
        let channel = connection.create_channel().await?;
        channel
            .confirm_select(ConfirmSelectOptions::default())
            .await?;
        Ok(channel)
    }

    /// Where someone deleted a queue or an exchange, it is declared again, though not at once: see
    /// [`DECLARE_AGAIN_AFTER`].
    async fn mend(&self, is_missing: bool) {
        {
            let mut missing = lock(&self.missing);
            if !is_missing {
                *missing = None;
                return;
            }
            if missing.get_or_insert_with(Instant::now).elapsed() < DECLARE_AGAIN_AFTER {
                return;
            }
            *missing = None;
        }
        let Some(connection) = self.link.current() else {
            return;
        };
        warn!("a queue or an exchange is missing at the broker; declared again");
        let declared = async { topology::declare(&connection.create_channel().await?).await };
        if let Err(error) = declared.await {
            debug!(%error, "could not declare");
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn confirmed(
    channel: &Channel,
    class: JobClass,
    hint: Hint,
    at: usize,
) -> (usize, Result<Confirmation, lapin::Error>) {
    let options = BasicPublishOptions {
        mandatory: true,
        ..BasicPublishOptions::default()
    };
    let confirmation = async {
        channel
            .basic_publish(
                topology::JOBS.into(),
                class.as_str().into(),
                options,
                &message::encode(hint),
                message::properties(hint),
            )
            .await?
            .await
    };
    (at, confirmation.await)
}
