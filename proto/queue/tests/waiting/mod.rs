//! Waiting for what must come, and not for longer than that can take on a busy machine.

#![allow(dead_code)]

use std::time::Duration;

use realmdex_queue::{Broker, BrokerState, Consumer, Delivery, Hint};
use tokio::time::timeout;

const DEADLINE: Duration = Duration::from_secs(60);

/// What a future answers.
pub async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    timeout(DEADLINE, future)
        .await
        .unwrap_or_else(|_| panic!("waited in vain: {what}"))
}

/// Waits until a question is answered with yes.
pub async fn until(what: &str, mut question: impl AsyncFnMut() -> bool) {
    within(what, async {
        while !question().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

/// Waits for a state.
pub async fn state(broker: &Broker, wanted: impl Fn(&BrokerState) -> bool) -> BrokerState {
    within("another state of the broker", async {
        loop {
            // Asked for before looking, so that no change is missed in between.
            let changed = broker.changed();
            tokio::pin!(changed);
            let polled = futures::poll!(changed.as_mut());
            let state = broker.state();
            if wanted(&state) {
                return state;
            }
            if polled.is_pending() {
                changed.await;
            }
        }
    })
    .await
}

/// Waits until hints can be published.
pub async fn ready(broker: &Broker) {
    state(broker, |state| *state == BrokerState::Ready).await;
}

/// Those numbers.
pub fn hints(numbers: impl IntoIterator<Item = i64>) -> Vec<Hint> {
    numbers.into_iter().map(Hint).collect()
}

/// The next so many deliveries.
pub async fn take(consumer: &mut Consumer, count: usize) -> Vec<Delivery> {
    let mut taken = Vec::new();
    while taken.len() < count {
        let what = format!("delivery {} of {count}", taken.len() + 1);
        taken.push(within(&what, consumer.next()).await.unwrap());
    }
    taken
}

/// What they are about.
pub fn numbers(deliveries: &[Delivery]) -> Vec<i64> {
    deliveries
        .iter()
        .map(|delivery| delivery.hint().0)
        .collect()
}

/// The same, in order.
pub fn sorted(deliveries: &[Delivery]) -> Vec<i64> {
    let mut numbers = numbers(deliveries);
    numbers.sort_unstable();
    numbers
}
