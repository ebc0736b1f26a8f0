//! `realmdex conformance`: what we compute against what was expected.

mod compare;
mod expectation;
mod markdown;
mod stamping;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;

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

Examples:
  realmdex conformance definitions.json --map @acme/base/=../base
  realmdex conformance markdown.json --root inputs --json")]
pub(crate) struct Arguments {
    /// The expectations, as JSON.
    expected: PathBuf,
    /// The folder of the markdown inputs.
    #[arg(long)]
    root: Option<PathBuf>,
    /// Print the answer as JSON: `{identical, total, different: [{title, differences}]}`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    modules: Modules,
}

/// How many expectations there were, and how many were met.
#[derive(Debug, Default, Serialize)]
pub(super) struct Tally {
    identical: usize,
    total: usize,
    /// Those that were not.
    different: Vec<Different>,
}

/// An expectation that was not met.
#[derive(Debug, Serialize)]
struct Different {
    /// What it is about.
    title: String,
    /// What is other than expected, in words.
    differences: Vec<String>,
}

impl Tally {
    /// Counts one expectation.
    fn count(&mut self, title: &str, differences: &[String]) {
        self.total += 1;
        if differences.is_empty() {
            self.identical += 1;
            return;
        }
        self.different.push(Different {
            title: title.to_owned(),
            differences: differences.to_vec(),
        });
    }

    /// The differences, one a line, under their titles, and last how many expectations were met.
    fn text(&self) -> String {
        let mut text = String::new();
        for Different { title, differences } in &self.different {
            text += &format!("{title}\n");
            text.extend(differences.iter().map(|one| format!("  {one}\n")));
        }
        text + &format!("identical {}/{}\n", self.identical, self.total)
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
    answer::print(&if arguments.json {
        answer::json(&tally)?
    } else {
        tally.text()
    })?;
    Ok(if tally.identical == tally.total {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
