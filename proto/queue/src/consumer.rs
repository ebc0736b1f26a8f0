//! What comes out of a queue.

use futures::future::join_all;

use crate::Hint;
use crate::amqp::{AmqpConsumer, AmqpDelivery};
use crate::local::{LocalConsumer, LocalDelivery};

/// The hints of one class, as they come. When it is dropped, whatever it delivered that was not acknowledged goes
/// back to the queue.
#[derive(Debug)]
pub struct Consumer(ConsumerKind);

#[derive(Debug)]
enum ConsumerKind {
    Amqp(AmqpConsumer),
    Local(LocalConsumer),
}

impl Consumer {
    pub(crate) fn amqp(consumer: AmqpConsumer) -> Self {
        Self(ConsumerKind::Amqp(consumer))
    }

    pub(crate) fn local(consumer: LocalConsumer) -> Self {
        Self(ConsumerKind::Local(consumer))
    }

    /// The next delivery, as soon as there is one; none when the broker was closed. Nothing is lost when the
    /// future is dropped.
    pub async fn next(&mut self) -> Option<Delivery> {
        match &mut self.0 {
            ConsumerKind::Amqp(consumer) => consumer.next().await.map(Delivery::amqp),
            ConsumerKind::Local(consumer) => consumer.next().await.map(Delivery::local),
        }
    }

    /// The next delivery, if there is one right now.
    pub fn try_next(&mut self) -> Option<Delivery> {
        match &mut self.0 {
            ConsumerKind::Amqp(consumer) => consumer.try_next().map(Delivery::amqp),
            ConsumerKind::Local(consumer) => consumer.try_next().map(Delivery::local),
        }
    }
}

/// A hint that this process has to answer for: acknowledged when the job is done or nothing is to be done. Dropped
/// otherwise, it is given back.
#[derive(Debug)]
#[must_use = "a delivery that is dropped is delivered again"]
pub struct Delivery(DeliveryKind);

#[derive(Debug)]
enum DeliveryKind {
    Amqp(AmqpDelivery),
    Local(LocalDelivery),
}

impl Delivery {
    fn amqp(delivery: AmqpDelivery) -> Self {
        Self(DeliveryKind::Amqp(delivery))
    }

    fn local(delivery: LocalDelivery) -> Self {
        Self(DeliveryKind::Local(delivery))
    }

    /// The job it is about.
    pub fn hint(&self) -> Hint {
        match &self.0 {
            DeliveryKind::Amqp(delivery) => delivery.hint(),
            DeliveryKind::Local(delivery) => delivery.hint(),
        }
    }

    /// Whether it was delivered before, to anyone.
    pub fn is_redelivered(&self) -> bool {
        match &self.0 {
            DeliveryKind::Amqp(delivery) => delivery.is_redelivered(),
            DeliveryKind::Local(delivery) => delivery.is_redelivered(),
        }
    }

    /// Takes it off the queue. Where the connection it came by is gone, the broker delivers it once more, and the
    /// job's row says what became of it.
    pub async fn ack(self) {
        match self.0 {
            DeliveryKind::Amqp(delivery) => delivery.ack().await,
            DeliveryKind::Local(delivery) => delivery.ack(),
        }
    }

    /// The same for many, all at once: each waits until the broker was told, so one after the other is slow.
    pub async fn ack_all(deliveries: impl IntoIterator<Item = Self>) {
        join_all(deliveries.into_iter().map(Self::ack)).await;
    }

    /// Puts it back, for anyone, at once. One that is given back more often than [`crate::DELIVERY_LIMIT`] is
    /// dead: a job that has to wait is acknowledged instead, and offered again when its time has come.
    pub async fn give_back(self) {
        match self.0 {
            DeliveryKind::Amqp(delivery) => delivery.give_back().await,
            DeliveryKind::Local(delivery) => drop(delivery),
        }
    }
}
