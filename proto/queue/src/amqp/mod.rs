//! The broker that is a RabbitMQ.
//!
//! Two connections: RabbitMQ stops reading from one that publishes while it is short of memory or disk, and
//! acknowledgements must get through then. The second is made when the first consumer is.

mod connection;
mod consumer;
mod publisher;

use std::sync::{Arc, OnceLock};

use realmdex_types::JobClass;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use crate::state::{BrokerState, StateCell};
use crate::{BrokerError, Hint};
use connection::{Address, Link};
use publisher::Publisher;

pub(crate) use consumer::{AmqpConsumer, AmqpDelivery};

/// Ends all that it started when it is dropped.
#[derive(Debug)]
pub(crate) struct Amqp {
    address: Address,
    state: Arc<StateCell>,
    publisher: Publisher,
    consuming: OnceLock<Link>,
    tasks: TaskTracker,
    closing: CancellationToken,
    _close_when_dropped: DropGuard,
}

impl Amqp {
    pub(crate) fn new(url: &str, name: &str) -> Result<Self, BrokerError> {
        let address = Address::parse(url, name)?;
        let state = Arc::new(StateCell::new(BrokerState::Down {
            why: "not connected yet".to_owned(),
        }));
        let tasks = TaskTracker::new();
        let closing = CancellationToken::new();
        let watcher = Some(Arc::clone(&state));
        let publishing = Link::start(address.for_role("publishing"), watcher, &tasks, &closing);
        Ok(Self {
            address,
            publisher: Publisher::new(publishing, Arc::clone(&state)),
            state,
            consuming: OnceLock::new(),
            _close_when_dropped: closing.clone().drop_guard(),
            tasks,
            closing,
        })
    }

    pub(crate) async fn publish(&self, class: JobClass, hints: &[Hint]) -> Vec<Hint> {
        self.publisher.publish(class, hints).await
    }

    pub(crate) fn consume(self: &Arc<Self>, class: JobClass, prefetch: u16) -> AmqpConsumer {
        let link = self.consuming.get_or_init(|| {
            let address = self.address.for_role("consuming");
            Link::start(address, None, &self.tasks, &self.closing)
        });
        AmqpConsumer::start(Arc::clone(self), link.clone(), class, prefetch)
    }

    pub(crate) fn state(&self) -> &StateCell {
        &self.state
    }

    pub(crate) async fn close(&self) {
        self.closing.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}
