//! What only RabbitMQ can do to us.

#![allow(clippy::unwrap_used)]

mod vhost;
mod waiting;

use realmdex_queue::{
    Broker, BrokerError, BrokerState, DEAD, DELIVERY_LIMIT, Delivery, Hint, Management,
};
use realmdex_types::JobClass::{self, Bulk, Calls, Interactive};
use reqwest::Method;
use vhost::{Vhost, with_vhost};
use waiting::{hints, numbers, ready, take, until, within};

async fn connect(vhost: &Vhost) -> Broker {
    let broker = Broker::amqp(&vhost.amqp, "test").unwrap();
    ready(&broker).await;
    broker
}

/// Publishes a hint until it is taken.
async fn taken(broker: &Broker, class: JobClass, number: i64) {
    until("the queue is declared again", async || {
        broker.publish(class, &hints([number])).await.is_empty()
    })
    .await;
}

impl Vhost {
    async fn delete_queue(&self, queue: &str) {
        let path = format!("queues/{}/{queue}", self.name);
        self.ask(Method::DELETE, &path, "").await;
    }
}

#[tokio::test]
async fn a_consumer_survives_the_deletion_of_its_queue() {
    with_vhost(async |vhost| {
        let broker = connect(&vhost).await;
        let mut consumer = broker.consume(Bulk, 5);
        assert_eq!(broker.publish(Bulk, &hints([1])).await, []);
        Delivery::ack_all(take(&mut consumer, 1).await).await;
        vhost.delete_queue("realmdex.bulk").await;
        taken(&broker, Bulk, 2).await;
        assert_eq!(numbers(&take(&mut consumer, 1).await), [2]);
    })
    .await;
}

#[tokio::test]
async fn a_consumer_finds_a_queue_that_was_made_anew_behind_its_back() {
    with_vhost(async |vhost| {
        let broker = connect(&vhost).await;
        let mut consumer = broker.consume(Bulk, 5);
        assert_eq!(broker.publish(Bulk, &hints([1])).await, []);
        Delivery::ack_all(take(&mut consumer, 1).await).await;
        vhost.delete_queue("realmdex.bulk").await;
        // Before RabbitMQ has told the consumer, which then is never told, and never given anything.
        let queue = format!("queues/{}/realmdex.bulk", vhost.name);
        let quorum = r#"{"durable":true,"arguments":{"x-queue-type":"quorum"}}"#;
        vhost.ask(Method::PUT, &queue, quorum).await;
        let binding = format!("bindings/{}/e/realmdex.jobs/q/realmdex.bulk", vhost.name);
        vhost
            .ask(Method::POST, &binding, r#"{"routing_key":"bulk"}"#)
            .await;
        taken(&broker, Bulk, 2).await;
        assert_eq!(numbers(&take(&mut consumer, 1).await), [2]);
    })
    .await;
}

#[tokio::test]
async fn hints_without_a_queue_are_not_taken_and_the_next_ones_find_it_again() {
    with_vhost(async |vhost| {
        let broker = connect(&vhost).await;
        vhost.delete_queue("realmdex.calls").await;
        let many: Vec<Hint> = hints(0..300);
        assert_eq!(within("answers", broker.publish(Calls, &many)).await, many);
        taken(&broker, Calls, 1).await;
        assert_eq!(broker.publish(Calls, &many).await, []);
        assert_eq!(broker.publish(Bulk, &hints([1])).await, []);
    })
    .await;
}

#[tokio::test]
async fn hints_without_an_exchange_are_not_taken_and_the_next_ones_find_it_again() {
    with_vhost(async |vhost| {
        let broker = connect(&vhost).await;
        let exchange = format!("exchanges/{}/realmdex.jobs", vhost.name);
        vhost.ask(Method::DELETE, &exchange, "").await;
        let refused = within("answers", broker.publish(Calls, &hints([1, 2]))).await;
        assert_eq!(refused, hints([1, 2]));
        assert_eq!(broker.state(), BrokerState::Ready);
        taken(&broker, Calls, 1).await;
    })
    .await;
}

#[tokio::test]
async fn batches_at_the_same_time_do_not_answer_for_each_other() {
    with_vhost(async |vhost| {
        let broker = connect(&vhost).await;
        vhost.delete_queue("realmdex.calls").await;
        let (lost, found) = (hints(0..200), hints(1000..1200));
        let (not_taken, taken) = tokio::join!(
            broker.publish(Calls, &lost),
            broker.publish(Interactive, &found)
        );
        assert_eq!(not_taken, lost);
        assert_eq!(taken, []);
    })
    .await;
}

#[tokio::test]
async fn a_message_that_is_no_hint_is_thrown_away() {
    with_vhost(async |vhost| {
        let broker = connect(&vhost).await;
        let path = format!("exchanges/{}/realmdex.jobs/publish", vhost.name);
        let nonsense = r#"{"properties":{},"routing_key":"bulk","payload":"nonsense","payload_encoding":"string"}"#;
        vhost.ask(Method::POST, &path, nonsense).await;
        assert_eq!(broker.publish(Bulk, &hints([1])).await, []);
        let mut consumer = broker.consume(Bulk, 1);
        assert_eq!(numbers(&take(&mut consumer, 1).await), [1]);
    })
    .await;
}

#[tokio::test]
async fn policies_are_missed_until_they_are_applied() {
    with_vhost(async |vhost| {
        let management = Management::new(&vhost.management, &vhost.amqp).unwrap();
        let warnings = management.check().await.unwrap();
        assert!(
            warnings.iter().all(|warning| warning.contains("missing")),
            "{warnings:?}"
        );

        let broker = connect(&vhost).await;
        let warnings = management.check().await.unwrap();
        assert_eq!(warnings.len(), 4, "{warnings:?}");
        for (warning, queue) in warnings
            .iter()
            .zip(["interactive", "bulk", "calls", "dead"])
        {
            assert!(warning.contains(&format!("realmdex.{queue}")), "{warning}");
            assert!(warning.contains("realmdex broker setup"), "{warning}");
        }

        management.apply().await.unwrap();
        management.apply().await.unwrap();
        until("the policies are in force", async || {
            management.check().await.unwrap().is_empty()
        })
        .await;

        // And they do what they say: what comes back too often is dead.
        assert_eq!(broker.publish(Calls, &hints([1])).await, []);
        let mut consumer = broker.consume(Calls, 1);
        for _ in 0..=DELIVERY_LIMIT {
            let delivery = within("once more", consumer.next()).await.unwrap();
            delivery.give_back().await;
        }
        let dead = format!("queues/{}/{DEAD}/get", vhost.name);
        let get = r#"{"count":1,"ackmode":"ack_requeue_true","encoding":"auto"}"#;
        until("the dead letter", async || {
            let found = vhost.ask(Method::POST, &dead, get).await;
            found.contains(r#"{\"job\":1}"#)
        })
        .await;
    })
    .await;
}

#[tokio::test]
async fn a_virtual_host_of_any_name_has_its_policies() {
    with_vhost(async |vhost| {
        // The server's own, whose name is a slash.
        let server = vhost.amqp.replace(&vhost.name, "%2f");
        let management = Management::new(&vhost.management, &server).unwrap();
        management.check().await.unwrap();
        let wrong = Management::new("http://guest:wrong@127.0.0.1:1", &server).unwrap();
        assert!(matches!(
            wrong.check().await,
            Err(BrokerError::Unreachable(_))
        ));
    })
    .await;
}

#[tokio::test]
async fn only_a_url_that_is_none_is_an_error() {
    for url in [
        "",
        "localhost",
        "http://localhost",
        "amqp:",
        "amqp://h:1/%2f?heartbeat=often",
    ] {
        let refused = Broker::amqp(url, "test");
        assert!(
            matches!(refused, Err(BrokerError::Url { .. })),
            "{url}: {refused:?}"
        );
    }
    let nobody = Broker::amqp("amqp://guest:guest@127.0.0.1:1/%2f", "test").unwrap();
    let not_taken = within("an answer", nobody.publish(Bulk, &hints([1]))).await;
    assert_eq!(not_taken, hints([1]));
    nobody.close().await;
}
