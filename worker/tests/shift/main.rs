//! Workers at work, on a real Postgres: what they are told to do, what they do at once, and what becomes of jobs whose
//! files hang, panic or can't be had.
#![allow(clippy::unwrap_used)]

#[path = "../../../proto/store/tests/database/mod.rs"]
mod database;
#[path = "../sandbox/realms.rs"]
#[allow(dead_code)]
mod realms;

mod fairness;
mod fleet;
mod indexing;
mod reindexing;
mod rights;
mod trouble;
