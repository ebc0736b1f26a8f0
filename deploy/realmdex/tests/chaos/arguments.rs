//! What may be asked for, and what a test runner asks for.

use std::fmt;
use std::time::Duration;

use clap::Parser;

use crate::realm::Size;
use crate::script::Plan;

/// What the test suite runs.
const SUITE_SEED: u64 = 4;

/// Edits two realms while everything that indexes them is killed, stopped and cut off, and compares the index with one
/// that a single process makes. Without arguments, as a test: the short form with a seed that is always the same.
#[derive(Debug, Parser)]
#[command(name = "deploy/chaos", max_term_width = 110)]
struct Arguments {
    /// What is done follows from this number; when it happens is up to the machine. By default a random one, which is
    /// told.
    #[arg(long)]
    seed: Option<u64>,
    /// 600 files and 60 skills for most of a minute, instead of 5,000 and 400 for several.
    #[arg(long)]
    short: bool,
    /// Leave the run's folder with realms, logs and databases where it is; a run that fails does so anyway.
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    runner: TestRunner,
}

/// What `cargo test` and others hand to every test.
#[derive(Debug, clap::Args)]
struct TestRunner {
    #[arg(long, hide = true)]
    list: bool,
    #[arg(long, hide = true)]
    ignored: bool,
    #[arg(long, hide = true)]
    skip: Vec<String>,
    #[arg(long, alias = "no-capture", hide = true)]
    nocapture: bool,
    #[arg(long, hide = true)]
    include_ignored: bool,
    #[arg(long, hide = true)]
    exact: bool,
    #[arg(long, short, hide = true)]
    quiet: bool,
    #[arg(long, hide = true)]
    show_output: bool,
    #[arg(long, hide = true)]
    test_threads: Option<String>,
    #[arg(long, hide = true)]
    format: Option<String>,
    #[arg(long, hide = true)]
    color: Option<String>,
    #[arg(short = 'Z', hide = true)]
    unstable: Option<String>,
    /// Names of tests.
    #[arg(hide = true)]
    filters: Vec<String>,
}

impl TestRunner {
    /// Whether this test is meant.
    fn wants_this(&self) -> bool {
        let names = |filter: &String| "chaos".contains(filter.as_str());
        !self.list
            && !self.ignored
            && !self.skip.iter().any(names)
            && (self.filters.is_empty() || self.filters.iter().any(names))
    }
}

/// How a run goes.
#[derive(Debug)]
pub struct Form {
    pub seed: u64,
    pub is_short: bool,
    pub is_kept: bool,
}

/// What is asked for; none where only other tests are.
pub fn form() -> Option<Form> {
    let arguments = Arguments::parse();
    if !arguments.runner.wants_this() {
        return None;
    }
    let is_suite = arguments.seed.is_none() && !arguments.short && !arguments.keep;
    Some(Form {
        seed: arguments.seed.unwrap_or_else(|| {
            if is_suite {
                SUITE_SEED
            } else {
                fastrand::u64(..1_000_000)
            }
        }),
        is_short: arguments.short || is_suite,
        is_kept: arguments.keep,
    })
}

impl Form {
    pub fn size(&self) -> Size {
        if self.is_short {
            Size {
                files: 600,
                skills: 60,
            }
        } else {
            Size {
                files: 5_000,
                skills: 400,
            }
        }
    }

    pub fn plan(&self) -> Plan {
        if self.is_short {
            Plan {
                steps: 180,
                pause: Duration::from_millis(120),
                faults: 1,
            }
        } else {
            Plan {
                steps: 600,
                pause: Duration::from_millis(250),
                faults: 5,
            }
        }
    }

    /// How long what is left may take.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(if self.is_short { 120 } else { 400 })
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = if self.is_short { " --short" } else { "" };
        write!(f, "deploy/chaos --seed {}{short}", self.seed)
    }
}
