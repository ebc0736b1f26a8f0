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

/// How long nothing may come before we look whether it still would.
///
/// RabbitMQ, when a queue is deleted and made anew at once, may subscribe us to the new one without telling, and
/// then delivers nothing ever. Nobody can see that from here, so an idle consumer subscribes anew now and then.
const IDLE: Duration = Duration::from_secs(20);

/// How long a deleted queue stays deleted, so that every consumer hears of it: see [`IDLE`].
pub(super) const DECLARE_AGAIN_AFTER: Duration = Duration::from_secs(1);

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
            held: Arc::default(),
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
    /// Shared with each delivery that is not answered yet.
    held: Arc<()>,
}

/// Why nothing more comes by a channel.
enum End {
    /// Nobody wants it any more.
    Dropped,
    /// The channel is gone.
    Lost,
    /// The queue is gone.
    Cancelled,
    /// Nothing came for a while, and nothing is held.
    Idle,
}

impl Task {
    /// Until the consumer is dropped, or there will be no connection any more.
    async fn run(mut self) {
        let mut waits = delays();
        // The connection was made with everything declared.
        let mut declare = false;
        let wanted = self.deliveries.clone();
        while !wanted.is_closed() {
            let connection = tokio::select! {
                () = wanted.closed() => return,
                connection = self.link.connection() => connection,
            };
            let Some(connection) = connection else {
                return;
            };
            let wait = match self.consume(&connection, declare).await {
                Ok(End::Dropped) => return,
                Ok(End::Idle) => {
                    declare = false;
                    continue;
                }
                Ok(End::Lost) => {
                    waits = delays();
                    waits.next()
                }
                Ok(End::Cancelled) => Some(DECLARE_AGAIN_AFTER),
                Err(why) => {
                    warn!(why, "can't consume; tried again until it works");
                    waits.next()
                }
            };
            declare = true;
            tokio::select! {
                () = wanted.closed() => return,
                // The delays have no end.
                () = sleep(wait.unwrap_or_default()) => {}
            }
        }
    }

    /// Over one channel.
    async fn consume(&self, connection: &Connection, declare: bool) -> Result<End, String> {
        let (channel, consumer) = timeout(CHANNEL_TIMEOUT, self.open(connection, declare))
            .await
            .map_err(|_| "the broker does not answer".to_owned())?
            .map_err(|error| error.to_string())?;
        let end = self.forward(consumer).await;
        close(&channel).await;
        Ok(end)
    }

    async fn open(
        &self,
        connection: &Connection,
        declare: bool,
    ) -> Result<(Channel, lapin::Consumer), lapin::Error> {
        let channel = connection.create_channel().await?;
        if declare {
            topology::declare(&channel).await?;
        }
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
    async fn forward(&self, mut consumer: lapin::Consumer) -> End {
        loop {
            let received = tokio::select! {
                () = self.deliveries.closed() => return End::Dropped,
                received = timeout(IDLE, consumer.next()) => received,
            };
            let Ok(received) = received else {
                if Arc::strong_count(&self.held) == 1 {
                    return End::Idle;
                }
                continue;
            };
            let delivery = match received {
                Some(Ok(delivery)) => delivery,
                Some(Err(error)) => {
                    debug!(%error, "the channel is gone");
                    return End::Lost;
                }
                None => {
                    warn!("the queue was deleted; declared again");
                    return End::Cancelled;
                }
            };
            match message::decode(&delivery.data) {
                Ok(hint) => {
                    let delivery = AmqpDelivery {
                        hint,
                        redelivered: delivery.redelivered,
                        acker: delivery.acker,
                        _held: Arc::clone(&self.held),
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
    _held: Arc<()>,
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
