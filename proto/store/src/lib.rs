//! The index in Postgres.
