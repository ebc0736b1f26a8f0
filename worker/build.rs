//! Makes the JavaScript engine component: our guest scripts, snapshotted inside a QuickJS component.

use std::path::Path;

use anyhow::Context;
use componentize_qjs::{ComponentizeOpts, Runtime, componentize};

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    for input in ["build.rs", "guest", "wit"] {
        println!("cargo::rerun-if-changed={input}");
    }
    let entry = Path::new("guest/main.js");
    let component = componentize(&ComponentizeOpts {
        wit_path: Path::new("wit"),
        js_source: &std::fs::read_to_string(entry).context("reading guest/main.js")?,
        js_path: Some(entry),
        module_root: Some(Path::new("guest")),
        world_name: Some("engine"),
        stub_wasi: true,
        // An instance lives for one description: collecting cycles costs more than it frees. Reference counts still do.
        disable_gc: true,
        // The synchronous runtime never runs pending promises, so an async tool would never answer.
        runtime: Runtime::Default,
    })
    .await
    .context("making the engine component of the scripts in guest/")?;
    let out = std::env::var_os("OUT_DIR").context("OUT_DIR is set by cargo")?;
    std::fs::write(Path::new(&out).join("engine.wasm"), component).context("writing engine.wasm")
}
