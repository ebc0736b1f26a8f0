//! Whether tools can be described: a script in the JavaScript engine, and a wasm tool that a child process compiles.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use async_trait::async_trait;
use realmdex_source::{FileBytes, Listed, Source, SourceError};
use realmdex_types::{CodeRef, RealmPath};
use realmdex_worker::modules::PackageMap;
use url::Url;

use super::Outcome;
use crate::limits::Limits;
use crate::setup::describer;

const REALM: &str = "https://doctor.invalid/";

const FILES: [(&str, &[u8]); 2] = [
    (
        "script.js",
        b"export default { description: 'Does nothing', inputSchema: { type: 'object', properties: {} }, run() {} };",
    ),
    (
        "component.wasm",
        include_bytes!("../../../examples/realm/tools/roman.wasm"),
    ),
];

/// A realm of our own, which needs no file to be there.
#[derive(Debug)]
struct BuiltIn;

#[async_trait]
impl Source for BuiltIn {
    async fn list(&self) -> Result<Vec<Listed>, SourceError> {
        Ok(Vec::new())
    }

    async fn read(&self, path: &RealmPath, _max_bytes: u64) -> Result<FileBytes, SourceError> {
        let found = FILES.iter().find(|(name, _)| *name == path.as_str());
        let (_, bytes) = found.ok_or_else(|| SourceError::NotFound {
            at: path.to_string(),
        })?;
        Ok(FileBytes {
            bytes: bytes.to_vec(),
            modified: None,
            created: None,
        })
    }
}

pub(super) async fn script() -> Outcome {
    described("script").await.map_or_else(
        |error| {
            Outcome::fail(
                format!("the sandbox can't describe a script: {error:#}"),
                "if memory is short, give this process at least 256 MiB; if it may not make executable memory, allow that",
            )
        },
        |time| Outcome::ok(format!("the sandbox describes a script ({time})")),
    )
}

pub(super) async fn component() -> Outcome {
    described("component").await.map_or_else(
        |error| {
            Outcome::fail(
                format!("the sandbox can't describe a wasm tool: {error:#}"),
                "it is compiled by a child process of the same program: allow it to start, with 1 GiB of memory at most",
            )
        },
        |time| Outcome::ok(format!("a child process compiles wasm tools, and the sandbox describes them ({time})")),
    )
}

/// Describes a tool in a sandbox of its own; tells how long both took.
async fn described(module: &str) -> anyhow::Result<String> {
    let started = Instant::now();
    let location = Url::parse(REALM)?;
    let packages = PackageMap::builder()
        .root(REALM, location, Arc::new(BuiltIn))
        .context("mapping the built-in realm")?
        .build();
    let describer = describer(packages, &Limits::default(), None)?;
    let ready = Instant::now();
    let code_ref = CodeRef {
        module: format!("{REALM}{module}"),
        name: "default".into(),
    };
    describer
        .describe(&describer.graph(), &code_ref)
        .await
        .outcome?;
    Ok(format!(
        "{:.1} ms, and {:.0} ms to set up",
        ready.elapsed().as_secs_f64() * 1e3,
        (ready - started).as_secs_f64() * 1e3
    ))
}
