//! The broker behind one narrow interface.
//!
//! A message only carries a [`Hint`]: the number of a job. What the job is and how it stands is in Postgres, so a
//! hint that is lost, doubled or stale does no harm, and a broker that is down delays work and loses none.
//!
//! ```text
//! Broker::publish ─► the class's queue ─► Consumer::next ─► Delivery::ack | give_back
//! ```
//!
//! There are two of them with the same semantics: [`Broker::amqp`] speaks with RabbitMQ, [`Broker::local`] is a
//! queue in this process, for one process that does everything.

mod amqp;
mod broker;
mod consumer;
mod error;
mod local;
mod management;
mod message;
mod policy;
mod state;
mod topology;

pub use broker::Broker;
pub use consumer::{Consumer, Delivery};
pub use error::BrokerError;
pub use management::Management;
pub use message::Hint;
pub use policy::{DELIVERY_LIMIT, Policy};
pub use state::BrokerState;
pub use topology::{DEAD, JOBS, queue_name};
