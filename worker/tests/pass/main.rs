//! Passes over realms, on a real Postgres: what is done again when something changes, and what never is.
#![allow(clippy::unwrap_used)]

#[path = "../../../proto/store/tests/database/mod.rs"]
mod database;
#[path = "../sandbox/realms.rs"]
#[allow(dead_code)]
mod realms;

mod changes;
mod failures;
mod indexed;
mod meanwhile;
