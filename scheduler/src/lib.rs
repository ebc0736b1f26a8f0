//! The control plane: changes come in, jobs go out.
//!
//! ```text
//! change ─► intake ─► plan ─► the store's jobs ─► dispatch ─► broker
//!  (operator's listener,             ▲
//!   watched folders)                 └── reconcile: what was lost on the way, heals
//! ```
//!
//! Nothing here remembers anything that matters: the truth is in the store, so any number of schedulers may run at once,
//! and one that is killed is missed by nobody.

pub mod access;
pub mod dispatch;
mod events;
pub mod intake;
mod metrics;
mod openapi;
pub mod operator;
mod outage;
pub mod plan;
pub mod public;
pub mod reconcile;
mod requests;
mod scheduler;
mod schema;
mod settle;
mod sources;
mod wake;
pub mod watch;
pub mod window;

pub use events::Events;
pub use metrics::Metrics;
pub use scheduler::{Scheduler, SchedulerConfig};
pub use wake::{Wake, Wakes};
