//! `realmdex conformance`: what we compute against what was expected.

mod compare;
mod expectation;
mod markdown;
mod stamping;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use crate::answer;
use crate::setup::Modules;
use expectation::Expectation;

/// `realmdex conformance`
#[derive(Debug, clap::Args)]
#[command(after_help = "The expectation file is one of:
  [{module, name, functionName, definition}]    definitions; an entry with a `message` instead must fail
  {skillFileURL, authored, tools, toolSchemaErrors}    one skill's tools, stamped
  [{file, url, attributes, outOfBand}]    markdown files, in a folder of the expectation file's name or below --root
  {module: [imported id]}    import closures: each entry that is mapped must be in ours

Each difference is printed, and last `identical N/TOTAL`; the exit code is 1 where N is not TOTAL.

Example:
  realmdex conformance definitions.json --map @acme/base/=../base")]
pub(crate) struct Arguments {
    /// The expectations, as JSON.
    expected: PathBuf,
    /// The folder of the markdown inputs.
    #[arg(long)]
    root: Option<PathBuf>,
    #[command(flatten)]
    modules: Modules,
}

/// How many expectations there were, and how many were met.
#[derive(Debug, Default)]
pub(super) struct Tally {
    identical: usize,
    total: usize,
    /// The differences, one a line, under their titles.
    report: String,
}

impl Tally {
    /// Counts one expectation, printing its differences under its title.
    fn count(&mut self, title: &str, differences: &[String]) {
        self.total += 1;
        if differences.is_empty() {
            self.identical += 1;
            return;
        }
        self.report += &format!("{title}\n");
        for difference in differences {
            self.report += &format!("  {difference}\n");
        }
    }
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let file = &arguments.expected;
    let text =
        std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let expectation =
        Expectation::read(&text).with_context(|| format!("reading {}", file.display()))?;
    let tally = match expectation {
        Expectation::Definitions(entries) => {
            stamping::definitions(&arguments.modules, &entries).await?
        }
        Expectation::Skill(skill) => stamping::skill(&arguments.modules, &skill).await?,
        Expectation::Closures(closures) => {
            stamping::closures(&arguments.modules, &closures).await?
        }
        Expectation::Markdown(cases) => {
            let inputs = arguments
                .root
                .clone()
                .unwrap_or_else(|| file.with_extension(""));
            markdown::cases(&inputs, &cases)?
        }
    };
    let summary = format!("identical {}/{}\n", tally.identical, tally.total);
    answer::print(&(tally.report + &summary))?;
    Ok(if tally.identical == tally.total {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
