//! What is declared at the broker.
//!
//! No queue has an argument besides its type: an argument can't be changed later without deleting the queue. All
//! the rest is set by policies, see [`crate::Policy`].

use lapin::options::{ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, ExchangeKind};
use realmdex_types::JobClass;

/// The exchange hints are published to, with the name of their class as routing key.
pub const JOBS: &str = "realmdex.jobs";

/// The exchange and the queue of messages that were given back too often.
pub const DEAD: &str = "realmdex.dead";

/// The queue of a class.
pub fn queue_name(class: JobClass) -> &'static str {
    match class {
        JobClass::Interactive => "realmdex.interactive",
        JobClass::Bulk => "realmdex.bulk",
        JobClass::Calls => "realmdex.calls",
    }
}

/// Declares everything; what is there already stays as it is.
pub(crate) async fn declare(channel: &Channel) -> Result<(), lapin::Error> {
    let durable = ExchangeDeclareOptions {
        durable: true,
        ..ExchangeDeclareOptions::default()
    };
    for (exchange, kind) in [(JOBS, ExchangeKind::Direct), (DEAD, ExchangeKind::Fanout)] {
        channel
            .exchange_declare(exchange.into(), kind, durable, FieldTable::default())
            .await?;
    }
    declare_queue(channel, DEAD, DEAD, "").await?;
    for class in JobClass::ALL {
        declare_queue(channel, queue_name(class), JOBS, class.as_str()).await?;
    }
    Ok(())
}

async fn declare_queue(
    channel: &Channel,
    queue: &str,
    exchange: &str,
    routing_key: &str,
) -> Result<(), lapin::Error> {
    let mut arguments = FieldTable::default();
    arguments.insert(
        "x-queue-type".into(),
        AMQPValue::LongString("quorum".into()),
    );
    channel
        .queue_declare(queue.into(), QueueDeclareOptions::durable(), arguments)
        .await?;
    channel
        .queue_bind(
            queue.into(),
            exchange.into(),
            routing_key.into(),
            QueueBindOptions::default(),
            FieldTable::default(),
        )
        .await
}
