//! The sandbox, module loading and enrichment, through their public surfaces and on small realms of our own: cards,
//! a base package and a host application in the shape of Boxel's, plain tools, wasm tools, and modules that mean harm.
#![allow(clippy::unwrap_used)]

#[path = "../../examples/component_from_wat.rs"]
#[allow(dead_code)]
mod component_from_wat;
#[path = "../../source/tests/server/mod.rs"]
#[allow(dead_code)]
mod server;

mod closures;
mod enrichment;
mod guest_platform;
mod host_tools;
mod hostile;
mod hostile_table;
mod http;
mod limits;
mod modules;
mod outcome;
mod plain_tools;
mod realms;
mod skills;
mod wasm_tools;
