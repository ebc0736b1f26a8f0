//! The verbs that steer a fleet: each asks the operator's interface, wherever that is.

pub(crate) mod broker;
pub(crate) mod changes;
pub(crate) mod healthcheck;
pub(crate) mod jobs;
pub(crate) mod packages;
pub(crate) mod queue;
pub(crate) mod realms;
pub(crate) mod reindex;
pub(crate) mod sessions;
mod table;
pub(crate) mod tokens;
