//! The data plane of realmdex: from a file's bytes to its document, its tools' definitions and everything they
//! depended on.
//!
//! `extract` reads a file, `modules` finds and loads what its tools name, `sandbox` runs that where it can do no
//! harm, `enrich` stamps what came out, and `compute` does all of it for one file.

/// The version of everything that computes rows: our sources, the guest scripts and the libraries. A row of another
/// version is computed again.
pub const INDEXER_VERSION: &str = env!("REALMDEX_INDEXER");

pub mod commit;
pub mod compute;
pub mod enrich;
pub mod extract;
mod look;
pub mod modules;
pub mod pass;
mod plan;
pub mod registry;
pub mod sandbox;
pub mod shift;
mod survey;
pub mod transpile;
