//! A RabbitMQ that goes away and comes back, or has no memory left.

#![allow(clippy::unwrap_used)]

mod instance;
mod waiting;

use instance::Instance;
use realmdex_queue::{Broker, BrokerState, Delivery};
use realmdex_types::JobClass::{Bulk, Calls};
use waiting::{hints, numbers, ready, sorted, state, take, until, within};

async fn down(broker: &Broker) {
    state(broker, |state| matches!(state, BrokerState::Down { .. })).await;
}

#[tokio::test]
async fn hints_and_prefetch_survive_a_broker_that_dies() {
    let instance = Instance::start().await;
    let broker = Broker::amqp(&instance.amqp, "test").unwrap();
    ready(&broker).await;
    assert_eq!(broker.publish(Bulk, &hints(0..10)).await, []);
    let mut consumer = broker.consume(Bulk, 3);
    let held = take(&mut consumer, 3).await;
    assert_eq!(numbers(&held), [0, 1, 2]);

    instance.kill().await;
    down(&broker).await;
    let late = hints([99]);
    let not_taken = within("an answer without a broker", broker.publish(Bulk, &late)).await;
    assert_eq!(not_taken, late);
    // Too late: nobody hears it.
    Delivery::ack_all(held).await;
    assert!(consumer.try_next().is_none());

    instance.start_again().await;
    ready(&broker).await;
    let again = take(&mut consumer, 3).await;
    assert!(again.iter().all(|delivery| delivery.hint().0 < 10));
    // Had the prefetch been lost with the connection, there would not be so many left for another one.
    let other = Broker::amqp(&instance.amqp, "other").unwrap();
    let mut wide = other.consume(Bulk, 100);
    let rest = take(&mut wide, 7).await;
    assert!(consumer.try_next().is_none());
    let all: Vec<_> = again.into_iter().chain(rest).collect();
    assert_eq!(sorted(&all), (0..10).collect::<Vec<_>>());
    Delivery::ack_all(all).await;

    // One that leaves in good order is missed as well, and found again.
    instance.stop().await;
    down(&broker).await;
    instance.start_again().await;
    ready(&broker).await;
    assert_eq!(broker.publish(Bulk, &hints([10])).await, []);
    drop(wide);
    assert_eq!(numbers(&take(&mut consumer, 1).await), [10]);
    broker.close().await;
}

#[tokio::test]
async fn a_broker_without_memory_takes_nothing_until_it_has_some() {
    let instance = Instance::start().await;
    let broker = Broker::amqp(&instance.amqp, "test").unwrap();
    ready(&broker).await;
    assert_eq!(broker.publish(Calls, &hints([1])).await, []);
    let mut consumer = broker.consume(Calls, 10);
    let held = take(&mut consumer, 1).await;

    instance
        .ctl(&["set_vm_memory_high_watermark", "absolute", "1MB"])
        .await;
    // RabbitMQ takes note of its memory every second or so.
    let refused = hints([2]);
    until("it is blocked", async || {
        within("an answer", broker.publish(Calls, &refused)).await;
        matches!(broker.state(), BrokerState::Blocked { .. })
    })
    .await;
    let many = hints(100..400);
    assert_eq!(
        within("an answer at once", broker.publish(Calls, &many)).await,
        many
    );
    // What is consumed can be acknowledged all the same.
    Delivery::ack_all(held).await;

    instance.ctl(&["set_vm_memory_high_watermark", "0.4"]).await;
    ready(&broker).await;
    assert_eq!(broker.publish(Calls, &hints([3])).await, []);
    // Hints that were on their way may come late, and more than once.
    within("the hint", async {
        loop {
            let delivery = consumer.next().await.unwrap();
            let number = delivery.hint().0;
            delivery.ack().await;
            assert!(number != 1);
            if number == 3 {
                break;
            }
        }
    })
    .await;
    broker.close().await;
}
