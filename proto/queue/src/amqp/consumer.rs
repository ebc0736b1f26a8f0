//! Consumes one queue, over any number of connections.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use lapin::options::{BasicAckOptions, BasicConsumeOptions, BasicNackOptions, BasicQosOptions};
use lapin::types::{FieldTable, ShortString};
use lapin::{Acker, Channel, Connection};
use realmdex_types::JobClass;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tracing::{Instrument, debug, info_span, warn};

use super::Amqp;
use super::connection::{Link, delays};
use crate::{Hint, message, topology};

/// How long a channel may take to be had, and to be closed.
const CHANNEL_TIMEOUT: Duration = Duration::from_secs(10);

/// What a task of its own receives.
#[derive(Debug)]
pub(crate) struct AmqpConsumer {
    deliveries: mpsc::Receiver<AmqpDelivery>,
    /// The broker stays open as long as something is consumed.
    _broker: Arc<Amqp>,
}

impl AmqpConsumer {
    pub(super) fn start(broker: Arc<Amqp>, link: Link, class: JobClass, prefetch: u16) -> Self {
        let (sender, deliveries) = mpsc::channel(prefetch.into());
        let task = Task {
            link,
            class,
            prefetch,
            deliveries: sender,
        };
        let closing = broker.closing.clone();
        let span = info_span!("consume", class = class.as_str());
        let consuming = async move {
            closing.run_until_cancelled(task.run()).await;
        };
        broker.tasks.spawn(consuming.instrument(span));
        Self {
            deliveries,
            _broker: broker,
        }
    }

    pub(crate) async fn next(&mut self) -> Option<AmqpDelivery> {
        loop {
            let delivery = self.deliveries.recv().await?;
            if delivery.acker.usable() {
                return Some(delivery);
            }
        }
    }

    pub(crate) fn try_next(&mut self) -> Option<AmqpDelivery> {
        loop {
            let delivery = self.deliveries.try_recv().ok()?;
            // What came by a channel that is gone comes once more by another.
            if delivery.acker.usable() {
                return Some(delivery);
            }
        }
    }
}

struct Task {
    link: Link,
    class: JobClass,
    prefetch: u16,
    deliveries: mpsc::Sender<AmqpDelivery>,
}

impl Task {
    /// Until the consumer is dropped, or there will be no connection any more.
    async fn run(mut self) {
        let mut waits = delays();
        while !self.deliveries.is_closed() {
            let wanted = self.deliveries.clone();
            let connection = tokio::select! {
                () = wanted.closed() => return,
                connection = self.link.connection() => connection,
            };
            let Some(connection) = connection else {
                return;
            };
            match timeout(CHANNEL_TIMEOUT, self.open(&connection)).await {
                Ok(Ok((channel, consumer))) => {
                    waits = delays();
                    self.forward(consumer).await;
                    close(&channel).await;
                }
                Ok(Err(error)) => warn!(%error, "can't consume; tried again until it works"),
                Err(_) => {
                    warn!("can't consume, the broker does not answer; tried again until it does")
                }
            }
            tokio::select! {
                () = wanted.closed() => return,
                // The delays have no end.
                () = sleep(waits.next().unwrap_or_default()) => {}
            }
        }
    }

    async fn open(
        &self,
        connection: &Connection,
    ) -> Result<(Channel, lapin::Consumer), lapin::Error> {
        let channel = connection.create_channel().await?;
        topology::declare(&channel).await?;
        channel
            .basic_qos(self.prefetch, BasicQosOptions::default())
            .await?;
        let consumer = channel
            .basic_consume(
                topology::queue_name(self.class).into(),
                ShortString::default(),
                BasicConsumeOptions::default(),
                FieldTable::default(),
            )
            .await?;
        Ok((channel, consumer))
    }

    /// Until the consumer is dropped, or nothing more comes this way.
    async fn forward(&self, mut consumer: lapin::Consumer) {
        loop {
            let received = tokio::select! {
                () = self.deliveries.closed() => return,
                received = consumer.next() => received,
            };
            let delivery = match received {
                Some(Ok(delivery)) => delivery,
                Some(Err(error)) => {
                    debug!(%error, "the channel is gone");
                    return;
                }
                None => {
                    warn!("the broker consumes no more for us: was the queue deleted?");
                    return;
                }
            };
            match message::decode(&delivery.data) {
                Ok(hint) => {
                    let delivery = AmqpDelivery {
                        hint,
                        redelivered: delivery.redelivered,
                        acker: delivery.acker,
                    };
                    // Fails only when nobody wants it, and dropping it gives it back.
                    self.deliveries.send(delivery).await.ok();
                }
                Err(error) => {
                    let id = delivery.properties.message_id();
                    warn!(%error, ?id, "a message that is no hint; thrown away");
                    report(delivery.acker.ack(BasicAckOptions::default()).await);
                }
            }
        }
    }
}

/// What was not acknowledged goes back to the queue with the channel.
async fn close(channel: &Channel) {
    if channel.status().connected() {
        let closed = timeout(CHANNEL_TIMEOUT, channel.close(200, ShortString::default()));
        if !matches!(closed.await, Ok(Ok(()))) {
            debug!("the channel was not closed in good order");
        }
    }
}

/// A message of RabbitMQ.
#[derive(Debug)]
pub(crate) struct AmqpDelivery {
    hint: Hint,
    redelivered: bool,
    acker: Acker,
}

impl AmqpDelivery {
    pub(crate) fn hint(&self) -> Hint {
        self.hint
    }

    pub(crate) fn is_redelivered(&self) -> bool {
        self.redelivered
    }

    pub(crate) async fn ack(self) {
        report(self.acker.ack(BasicAckOptions::default()).await);
    }

    pub(crate) async fn give_back(self) {
        report(self.acker.nack(GIVE_BACK).await);
    }
}

const GIVE_BACK: BasicNackOptions = BasicNackOptions {
    multiple: false,
    requeue: true,
};

/// Best effort: at the latest it goes back with its channel.
impl Drop for AmqpDelivery {
    fn drop(&mut self) {
        if self.acker.usable()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let acker = self.acker.clone();
            runtime.spawn(async move { report(acker.nack(GIVE_BACK).await) });
        }
    }
}

fn report(answered: Result<bool, lapin::Error>) {
    match answered {
        Ok(true) => {}
        Ok(false) => debug!("the channel of the delivery is gone: it comes once more"),
        Err(error) => debug!(%error, "the channel of the delivery is gone: it comes once more"),
    }
}
