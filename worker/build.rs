//! Makes the JavaScript engine component (our guest scripts, snapshotted inside a QuickJS component), and the version
//! of everything that a computed row depends on.

use std::path::{Path, PathBuf};

use anyhow::Context;
use componentize_qjs::{ComponentizeOpts, Runtime, componentize};
use sha2::{Digest, Sha256};

/// What rows are computed by: any of it may change what comes out. The lock file stands for the libraries.
const INPUTS: [&str; 6] = [
    "build.rs",
    "guest",
    "src",
    "wit",
    "../proto/types/src",
    "../Cargo.lock",
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    for input in INPUTS {
        println!("cargo::rerun-if-changed={input}");
    }
    println!("cargo::rustc-env=REALMDEX_INDEXER={}", version()?);
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

/// A hash of everything that computes rows. A row of another version is computed again; nobody has to remember to
/// count a number up.
fn version() -> anyhow::Result<String> {
    let mut files = Vec::new();
    for input in INPUTS {
        collect(Path::new(input), &mut files)?;
    }
    files.sort();
    let mut hasher = Sha256::new();
    for file in files {
        let bytes = std::fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        hasher.update(file.to_string_lossy().as_bytes());
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    let hash = hasher.finalize();
    Ok(hash[..8].iter().map(|byte| format!("{byte:02x}")).collect())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).with_context(|| format!("listing {}", path.display()))? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}
