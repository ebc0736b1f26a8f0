//! The interface.

use std::sync::Arc;

use realmdex_types::JobClass;

use crate::amqp::Amqp;
use crate::local::Local;
use crate::{BrokerError, BrokerState, Consumer, Hint};

/// Carries hints from those who offer jobs to those who do them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Broker(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Amqp(Arc<Amqp>),
    Local(Local),
}

impl Broker {
    /// A broker in this process: what it holds is gone with it, and offered anew by the next one.
    pub fn local() -> Self {
        Self(Kind::Local(Local::new()))
    }

    /// A RabbitMQ. Connects in the background and keeps connecting, with growing delays of at most five seconds:
    /// a broker that is down is a [`BrokerState`], no error. `name` is shown in its management page.
    ///
    /// Heartbeats are exchanged every ten seconds unless the URL says otherwise (`?heartbeat=`). To be called in a
    /// tokio runtime.
    ///
    /// # Errors
    /// Only when `url` is no `amqp` or `amqps` URL.
    pub fn amqp(url: &str, name: &str) -> Result<Self, BrokerError> {
        Ok(Self(Kind::Amqp(Arc::new(Amqp::new(url, name)?))))
    }

    /// Publishes all of `hints` at once and waits until the broker has them on disk, at most ten seconds.
    ///
    /// Answers those that were *not* taken, in the order given: refused, returned because there is no queue, in
    /// flight when the connection was lost or not confirmed in time; all of them at once while the broker is down
    /// or blocked. One of them may have arrived all the same.
    pub async fn publish(&self, class: JobClass, hints: &[Hint]) -> Vec<Hint> {
        match &self.0 {
            Kind::Amqp(amqp) => amqp.publish(class, hints).await,
            Kind::Local(local) => local.publish(class, hints),
        }
    }

    /// Consumes a class's queue until the consumer is dropped or the broker closed, through any loss of the
    /// connection. At most `prefetch` deliveries (at least one) are neither acknowledged nor given back at a time.
    pub fn consume(&self, class: JobClass, prefetch: u16) -> Consumer {
        let prefetch = prefetch.max(1);
        match &self.0 {
            Kind::Amqp(amqp) => Consumer::amqp(amqp.consume(class, prefetch)),
            Kind::Local(local) => Consumer::local(local.consume(class, prefetch)),
        }
    }

    /// Whether hints can be published now. RabbitMQ tells a connection that it is blocked only once that tries to
    /// publish, so an idle one may be called ready.
    pub fn state(&self) -> BrokerState {
        match &self.0 {
            Kind::Amqp(amqp) => amqp.state().get(),
            Kind::Local(local) => local.state().get(),
        }
    }

    /// Resolves when the state is another one than it was when this was first polled.
    pub async fn changed(&self) {
        match &self.0 {
            Kind::Amqp(amqp) => amqp.state().changed().await,
            Kind::Local(local) => local.state().changed().await,
        }
    }

    /// Ends all consumers and connections in good order, for all clones. What was delivered and not acknowledged
    /// goes back to the queue.
    pub async fn close(&self) {
        match &self.0 {
            Kind::Amqp(amqp) => amqp.close().await,
            Kind::Local(local) => local.close(),
        }
    }
}
