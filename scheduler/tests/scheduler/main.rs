//! The scheduler on a real Postgres, with the broker in this process.
#![allow(clippy::unwrap_used)]

mod access;
mod asking;
mod boxel;
#[path = "../../../proto/store/tests/database/mod.rs"]
mod database;
mod dispatch;
mod events;
mod index;
mod indexed;
mod indexing_errors;
mod openapi;
mod operate;
mod operator;
mod privacy;
mod reconcile;
mod requests;
mod rows;
mod serving;
mod tokens;
mod watch;
