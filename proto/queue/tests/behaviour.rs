//! What every broker does: the same tests for the one in this process and for RabbitMQ.

#![allow(clippy::unwrap_used)]

mod vhost;
mod waiting;

use std::collections::BTreeSet;

use futures::FutureExt;
use realmdex_queue::{Broker, BrokerState, Delivery, Hint};
use realmdex_types::JobClass::{self, Bulk, Calls, Interactive};
use waiting::{hints, numbers, ready, sorted, take, within};

macro_rules! behaviours {
    ($($behaviour:ident),* $(,)?) => {
        mod local {
            use super::*;
            $(
                #[tokio::test]
                async fn $behaviour() {
                    super::$behaviour(Broker::local()).await;
                }
            )*
        }

        mod rabbitmq {
            use super::*;
            $(
                #[tokio::test]
                async fn $behaviour() {
                    vhost::with_vhost(async |vhost| {
                        let broker = Broker::amqp(&vhost.amqp, stringify!($behaviour)).unwrap();
                        ready(&broker).await;
                        super::$behaviour(broker.clone()).await;
                        broker.close().await;
                    })
                    .await;
                }
            )*
        }
    };
}

behaviours![
    first_in_first_out,
    what_is_acknowledged_does_not_come_back,
    what_is_given_back_comes_again,
    what_is_dropped_comes_again,
    no_more_than_the_prefetch_is_out,
    a_dropped_consumer_leaves_what_it_held_to_the_next,
    two_consumers_share,
    classes_are_apart,
    waiting_in_vain_loses_nothing,
    thousands_make_the_round_trip,
    a_closed_broker_takes_and_gives_nothing,
];

async fn publish(broker: &Broker, class: JobClass, published: impl IntoIterator<Item = i64>) {
    let published = hints(published);
    let not_taken = within("confirms", broker.publish(class, &published)).await;
    assert_eq!(not_taken, []);
}

async fn first_in_first_out(broker: Broker) {
    publish(&broker, Bulk, 0..100).await;
    publish(&broker, Bulk, 100..150).await;
    let mut consumer = broker.consume(Bulk, 10);
    for number in 0..150 {
        let delivery = within("a delivery", consumer.next()).await.unwrap();
        assert_eq!(delivery.hint(), Hint(number));
        assert!(!delivery.is_redelivered());
        delivery.ack().await;
    }
    assert!(consumer.try_next().is_none());
}

async fn what_is_acknowledged_does_not_come_back(broker: Broker) {
    publish(&broker, Interactive, [1, 2, 3]).await;
    let mut consumer = broker.consume(Interactive, 10);
    Delivery::ack_all(take(&mut consumer, 3).await).await;
    drop(consumer);
    publish(&broker, Interactive, [4]).await;
    let mut next = broker.consume(Interactive, 10);
    assert_eq!(numbers(&take(&mut next, 1).await), [4]);
}

async fn what_is_given_back_comes_again(broker: Broker) {
    publish(&broker, Calls, [7]).await;
    let mut consumer = broker.consume(Calls, 1);
    let delivery = take(&mut consumer, 1).await.remove(0);
    assert!(!delivery.is_redelivered());
    delivery.give_back().await;
    let again = take(&mut consumer, 1).await.remove(0);
    assert_eq!(again.hint(), Hint(7));
    assert!(again.is_redelivered());
    again.ack().await;
}

async fn what_is_dropped_comes_again(broker: Broker) {
    publish(&broker, Calls, [7]).await;
    let mut consumer = broker.consume(Calls, 1);
    drop(take(&mut consumer, 1).await);
    let again = take(&mut consumer, 1).await.remove(0);
    assert_eq!(again.hint(), Hint(7));
    assert!(again.is_redelivered());
}

async fn no_more_than_the_prefetch_is_out(broker: Broker) {
    let mut narrow = broker.consume(Bulk, 3);
    publish(&broker, Bulk, 0..3).await;
    let mut held = take(&mut narrow, 3).await;
    // Whatever comes now can only go to the other one, which is full when it has that.
    publish(&broker, Bulk, 3..10).await;
    let mut wide = broker.consume(Bulk, 7);
    let others = take(&mut wide, 7).await;
    assert_eq!(sorted(&others), (3..10).collect::<Vec<_>>());
    assert!(narrow.try_next().is_none());
    publish(&broker, Bulk, [10]).await;
    assert!(narrow.try_next().is_none());
    assert!(wide.try_next().is_none());
    // One less, one more.
    held.remove(0).ack().await;
    assert_eq!(numbers(&take(&mut narrow, 1).await), [10]);
}

async fn a_dropped_consumer_leaves_what_it_held_to_the_next(broker: Broker) {
    publish(&broker, Bulk, 0..5).await;
    let mut consumer = broker.consume(Bulk, 4);
    let held = take(&mut consumer, 2).await;
    drop(consumer);
    let mut next = broker.consume(Bulk, 5);
    let taken = take(&mut next, 5).await;
    assert_eq!(sorted(&taken), [0, 1, 2, 3, 4]);
    for delivery in &taken {
        let was_held = held.iter().any(|held| held.hint() == delivery.hint());
        assert!(delivery.is_redelivered() || !was_held, "{delivery:?}");
    }
    // Too late: they are the next one's now.
    Delivery::ack_all(held).await;
    drop(next);
    let mut last = broker.consume(Bulk, 5);
    assert_eq!(sorted(&take(&mut last, 5).await), [0, 1, 2, 3, 4]);
}

async fn two_consumers_share(broker: Broker) {
    let (mut one, mut other) = (broker.consume(Bulk, 5), broker.consume(Bulk, 5));
    publish(&broker, Bulk, 0..10).await;
    let (ones, others) = tokio::join!(take(&mut one, 5), take(&mut other, 5));
    let mut all = [numbers(&ones), numbers(&others)].concat();
    all.sort_unstable();
    assert_eq!(all, (0..10).collect::<Vec<_>>());
}

async fn classes_are_apart(broker: Broker) {
    for (class, number) in JobClass::ALL.into_iter().zip(1..) {
        publish(&broker, class, [number]).await;
    }
    for (class, number) in JobClass::ALL.into_iter().zip(1..) {
        let mut consumer = broker.consume(class, 5);
        let taken = take(&mut consumer, 1).await;
        assert_eq!(numbers(&taken), [number]);
        publish(&broker, class, [number + 10]).await;
        assert_eq!(numbers(&take(&mut consumer, 1).await), [number + 10]);
        Delivery::ack_all(taken).await;
    }
}

async fn waiting_in_vain_loses_nothing(broker: Broker) {
    let mut consumer = broker.consume(Interactive, 1);
    for number in 0..50 {
        // A wait that is given up at some point or other.
        let gave_up = consumer.next().now_or_never().is_none();
        assert!(gave_up);
        publish(&broker, Interactive, [number]).await;
        let delivery = match consumer.next().now_or_never() {
            Some(delivery) => delivery.unwrap(),
            None => take(&mut consumer, 1).await.remove(0),
        };
        assert_eq!(delivery.hint(), Hint(number));
        delivery.ack().await;
    }
}

async fn thousands_make_the_round_trip(broker: Broker) {
    const COUNT: i64 = 5000;
    let mut consumer = broker.consume(Bulk, 64);
    let publisher = broker.clone();
    let published = tokio::spawn(async move {
        for first in (0..COUNT).step_by(256) {
            publish(&publisher, Bulk, first..COUNT.min(first + 256)).await;
        }
    });
    let received = tokio::spawn(async move {
        let mut received = BTreeSet::new();
        while received.len() < COUNT as usize {
            let delivery = within("a delivery", consumer.next()).await.unwrap();
            received.insert(delivery.hint().0);
            delivery.ack().await;
        }
        received
    });
    published.await.unwrap();
    assert!(received.await.unwrap().into_iter().eq(0..COUNT));
}

async fn a_closed_broker_takes_and_gives_nothing(broker: Broker) {
    publish(&broker, Bulk, [1]).await;
    let mut consumer = broker.consume(Bulk, 1);
    let changed = broker.changed();
    let (closed, ()) = tokio::join!(within("a change", changed), async {
        broker.close().await;
    });
    let () = closed;
    assert!(matches!(broker.state(), BrokerState::Down { .. }));
    assert!(within("the end", consumer.next()).await.is_none());
    assert_eq!(broker.publish(Bulk, &hints([2, 3])).await, hints([2, 3]));
}
