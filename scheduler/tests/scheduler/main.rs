//! The scheduler on a real Postgres, with the broker in this process.
#![allow(clippy::unwrap_used)]

#[path = "../../../proto/store/tests/database/mod.rs"]
mod database;
mod dispatch;
mod index;
mod operator;
mod reconcile;
mod serving;
mod watch;
