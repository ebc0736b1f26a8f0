//! Times descriptions in one process: cold, and with modules cached.
//!
//! ```text
//! cargo run --release --example describe_times -- MODULE NAME [PREFIX=FOLDER]…
//! ```

#![expect(clippy::print_stdout, reason = "it reports on standard output")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use realmdex_source::FolderSource;
use realmdex_types::CodeRef;
use realmdex_worker::enrich::{Describer, DescriberConfig};
use realmdex_worker::modules::{LoadLimits, PackageMap, folder_location};
use realmdex_worker::sandbox::{Compiler, SandboxLimits};

const ROUNDS: usize = 200;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(module), Some(name)) = (arguments.next(), arguments.next()) else {
        return Err("give MODULE NAME [PREFIX=FOLDER]…".into());
    };
    let mut packages = PackageMap::builder();
    for map in arguments {
        let (prefix, folder) = map.split_once('=').ok_or("a map is PREFIX=FOLDER")?;
        let folder = Path::new(folder);
        packages = packages.root(
            prefix,
            folder_location(folder)?,
            Arc::new(FolderSource::open(folder)?),
        )?;
    }
    let started = Instant::now();
    let describer = Describer::new(DescriberConfig {
        packages: packages.build(),
        load_limits: LoadLimits::default(),
        sandbox_limits: SandboxLimits::default(),
        cache: Some(std::env::temp_dir().join("realmdex-describe-times")),
        compiler: Compiler::InProcess,
        definitions: None,
    })?;
    report("set-up", started.elapsed());
    let code_ref = CodeRef { module, name };
    let started = Instant::now();
    let first = describer.describe(&describer.graph(), &code_ref).await;
    report("first description, modules cold", started.elapsed());
    println!("{} files in the closure", first.closure.modules().count());
    first.outcome?;

    let graph = describer.graph();
    let mut same_job = Vec::with_capacity(ROUNDS);
    let mut new_job = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        describer.describe(&graph, &code_ref).await.outcome?;
        same_job.push(started.elapsed());
        let started = Instant::now();
        describer
            .describe(&describer.graph(), &code_ref)
            .await
            .outcome?;
        new_job.push(started.elapsed());
    }
    report(
        "median, transpiled modules cached, files read anew",
        median(&mut new_job),
    );
    report(
        "median, files read for the same job",
        median(&mut same_job[1..]),
    );
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn report(what: &str, time: Duration) {
    println!("{what}: {:.3} ms", time.as_secs_f64() * 1e3);
}
