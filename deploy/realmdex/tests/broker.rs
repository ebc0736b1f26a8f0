//! `realmdex broker` on a RabbitMQ.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod running;
#[path = "../../../proto/queue/tests/vhost/mod.rs"]
mod vhost;

use running::{Said, command, run};
use vhost::{Vhost, with_vhost};

fn broker(vhost: &Vhost, verb: &str) -> Said {
    run(command(".", &["broker", verb])
        .env("REALMDEX_BROKER", &vhost.amqp)
        .env("REALMDEX_BROKER_MANAGEMENT", &vhost.management))
}

#[tokio::test]
async fn a_broker_is_set_up_once() {
    with_vhost(async |vhost| {
        let tested = tokio::task::spawn_blocking(move || {
            let before = broker(&vhost, "check");
            assert_eq!(before.code, 1, "{}", before.errors);
            assert!(before.text.contains("is missing"), "{}", before.text);
            for _ in 0..2 {
                let said = broker(&vhost, "setup");
                assert_eq!(said.code, 0, "{}{}", said.text, said.errors);
            }
            let after = broker(&vhost, "check");
            assert_eq!(after.code, 0, "{}{}", after.text, after.errors);
        });
        tested.await.unwrap();
    })
    .await;
}

#[test]
fn one_that_is_not_there_is_told() {
    // A port that was free just now.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let free = listener.local_addr().unwrap();
    drop(listener);
    let said = run(command(".", &["broker", "check"])
        .env("REALMDEX_BROKER", format!("amqp://{free}/"))
        .env("REALMDEX_BROKER_MANAGEMENT", format!("http://{free}")));
    assert_eq!(said.code, 2);
    assert!(
        said.errors.contains("rabbitmq_management"),
        "{}",
        said.errors
    );
}
