//! The broker in this process.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use realmdex_types::JobClass;
use tokio::sync::Notify;
use tracing::warn;

use crate::Hint;
use crate::policy::DELIVERY_LIMIT;
use crate::state::{BrokerState, StateCell};

/// A queue for each class, first in, first out.
#[derive(Clone, Debug)]
pub(crate) struct Local(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    queues: [Queue; JobClass::ALL.len()],
    next_consumer: AtomicU64,
    state: StateCell,
}

#[derive(Debug, Default)]
struct Queue {
    content: Mutex<Content>,
    /// Something can be taken that could not be before, or the broker was closed.
    moved: Notify,
}

#[derive(Debug, Default)]
struct Content {
    closed: bool,
    ready: VecDeque<Message>,
    /// What is with a consumer, by the number of its delivery.
    out: BTreeMap<u64, (u64, Message)>,
    next_delivery: u64,
}

#[derive(Clone, Copy, Debug)]
struct Message {
    hint: Hint,
    /// How often it came back.
    returns: u32,
}

impl Local {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Shared {
            queues: Default::default(),
            next_consumer: AtomicU64::new(0),
            state: StateCell::new(BrokerState::Ready),
        }))
    }

    pub(crate) fn publish(&self, class: JobClass, hints: &[Hint]) -> Vec<Hint> {
        let queue = self.0.queue(class);
        let mut content = queue.lock();
        if content.closed {
            return hints.to_vec();
        }
        let messages = hints.iter().map(|&hint| Message { hint, returns: 0 });
        content.ready.extend(messages);
        drop(content);
        queue.moved.notify_waiters();
        Vec::new()
    }

    pub(crate) fn consume(&self, class: JobClass, prefetch: u16) -> LocalConsumer {
        LocalConsumer {
            broker: self.clone(),
            class,
            number: self.0.next_consumer.fetch_add(1, Ordering::Relaxed),
            prefetch: prefetch.into(),
        }
    }

    pub(crate) fn state(&self) -> &StateCell {
        &self.0.state
    }

    pub(crate) fn close(&self) {
        for queue in &self.0.queues {
            queue.lock().closed = true;
            queue.moved.notify_waiters();
        }
        self.0.state.set(BrokerState::Down {
            why: "it was closed".to_owned(),
        });
    }
}

impl Shared {
    fn queue(&self, class: JobClass) -> &Queue {
        match class {
            JobClass::Interactive => &self.queues[0],
            JobClass::Bulk => &self.queues[1],
            JobClass::Calls => &self.queues[2],
        }
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Content> {
        // No step in between leaves the content wrong.
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts those deliveries back where they came from: before all that were not delivered yet.
    fn take_back(&self, class: JobClass, deliveries: impl FnOnce(&Content) -> Vec<u64>) {
        let mut content = self.lock();
        // The oldest comes to the front last.
        for delivery in deliveries(&content).into_iter().rev() {
            let Some((_, mut message)) = content.out.remove(&delivery) else {
                continue;
            };
            message.returns += 1;
            if message.returns > DELIVERY_LIMIT {
                warn!(
                    class = class.as_str(),
                    job = message.hint.0,
                    "given back {DELIVERY_LIMIT} times: the hint is dropped, and the job is offered again in time"
                );
            } else {
                content.ready.push_front(message);
            }
        }
        drop(content);
        self.moved.notify_waiters();
    }
}

/// Takes from one queue.
#[derive(Debug)]
pub(crate) struct LocalConsumer {
    broker: Local,
    class: JobClass,
    number: u64,
    prefetch: usize,
}

impl LocalConsumer {
    pub(crate) async fn next(&mut self) -> Option<LocalDelivery> {
        loop {
            let queue = self.broker.0.queue(self.class);
            let moved = queue.moved.notified();
            tokio::pin!(moved);
            // From here on nothing that moves is missed.
            moved.as_mut().enable();
            if queue.lock().closed {
                return None;
            }
            if let Some(delivery) = self.take() {
                return Some(delivery);
            }
            moved.await;
        }
    }

    pub(crate) fn try_next(&mut self) -> Option<LocalDelivery> {
        self.take()
    }

    fn take(&self) -> Option<LocalDelivery> {
        let mut content = self.broker.0.queue(self.class).lock();
        let held = content.out.values();
        if content.closed || held.filter(|(by, _)| *by == self.number).count() >= self.prefetch {
            return None;
        }
        let message = content.ready.pop_front()?;
        let number = content.next_delivery;
        content.next_delivery += 1;
        content.out.insert(number, (self.number, message));
        Some(LocalDelivery {
            broker: self.broker.clone(),
            class: self.class,
            number,
            message,
        })
    }
}

impl Drop for LocalConsumer {
    fn drop(&mut self) {
        let queue = self.broker.0.queue(self.class);
        queue.take_back(self.class, |content| {
            let out = content.out.iter();
            out.filter(|(_, (by, _))| *by == self.number)
                .map(|(delivery, _)| *delivery)
                .collect()
        });
    }
}

/// What was taken from a queue; back in it when this is dropped.
#[derive(Debug)]
pub(crate) struct LocalDelivery {
    broker: Local,
    class: JobClass,
    number: u64,
    message: Message,
}

impl LocalDelivery {
    pub(crate) fn hint(&self) -> Hint {
        self.message.hint
    }

    pub(crate) fn is_redelivered(&self) -> bool {
        self.message.returns > 0
    }

    pub(crate) fn ack(self) {
        let queue = self.broker.0.queue(self.class);
        // Gone already where the consumer was dropped: then it is delivered once more.
        queue.lock().out.remove(&self.number);
        queue.moved.notify_waiters();
    }
}

impl Drop for LocalDelivery {
    fn drop(&mut self) {
        let queue = self.broker.0.queue(self.class);
        queue.take_back(self.class, |_| vec![self.number]);
    }
}
