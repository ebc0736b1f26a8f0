//! `realmdex diff`: what became of the tools, and whom it breaks.

mod schema;
mod text;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::ValueEnum;
use realmdex_types::RealmUrl;

use crate::describe::LOCAL_REALM;
use crate::realm_folder::RealmFolder;
use crate::setup::Modules;
use crate::{answer, definitions};
use schema::Impact;
use tools::{Tool, differences, distinct};

/// `realmdex diff`
#[derive(Debug, clap::Args)]
#[command(after_help = "Each change is one of:
  breaking    a call that was valid is refused now: a tool or a property is gone or renamed, more is required, a type,
              a list of values or a bound is narrower
  may break   it is a matter of what the values mean, or of a keyword that is not understood here
  note        calls stay valid, but something around them changed, such as approval
  compatible  new tools, optional properties, more values, other words

Exit code: 0 nothing is breaking, 1 something is, 2 it could not be compared.

Examples:
  realmdex diff published.json new.json
  realmdex diff ../realm-of-main . --json
  git worktree add /tmp/main main && realmdex diff /tmp/main .")]
pub(crate) struct Arguments {
    /// What there was: a JSON file of definitions in any form (OpenAI, Anthropic, MCP), or a realm's folder.
    old: PathBuf,
    /// What there is now, likewise.
    new: PathBuf,
    /// How the differences are written.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Print the answer as JSON: the same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The URL of a realm in a folder; function names depend on it.
    #[arg(long, default_value = LOCAL_REALM)]
    url: String,
    #[command(flatten)]
    modules: Modules,
}

/// How differences are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let url = RealmUrl::parse(&arguments.url)?;
    let old = tools_of(&arguments.old, &url, &arguments.modules).await?;
    let new = tools_of(&arguments.new, &url, &arguments.modules).await?;
    let found = differences(&old, &new);
    let format = if arguments.json {
        Format::Json
    } else {
        arguments.format
    };
    answer::print(&match format {
        Format::Text => text::report(&found, console::colors_enabled()),
        Format::Json => answer::json(&tools::json(&found))?,
    })?;
    let breaks = found
        .iter()
        .any(|difference| difference.impact == Impact::Breaking);
    Ok(if breaks {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// The tools that a file lists, or that a realm's skills declare.
async fn tools_of(path: &Path, url: &RealmUrl, modules: &Modules) -> anyhow::Result<Vec<Tool>> {
    if path.is_dir() {
        return tools_of_realm(path, url, modules).await;
    }
    let read = || -> anyhow::Result<_> {
        let text = std::fs::read_to_string(path)?;
        Ok(definitions::read(&text)?)
    };
    let definitions = read().with_context(|| format!("can't read {}", path.display()))?;
    Ok(distinct(definitions.into_iter().map(|definition| Tool {
        definition,
        code_ref: None,
        requires_approval: None,
    })))
}

async fn tools_of_realm(
    folder: &Path,
    url: &RealmUrl,
    modules: &Modules,
) -> anyhow::Result<Vec<Tool>> {
    let realm = Arc::new(RealmFolder::open(folder, url.clone(), modules)?);
    let files = realm.compute(&realm.list().await?.markdown, || {}).await?;
    let counts = files.iter().filter_map(|file| file.tools);
    let missing: usize = counts.map(|count| count.declared - count.stamped).sum();
    if missing > 0 {
        let (tools, have) = if missing == 1 {
            ("tool", "has")
        } else {
            ("tools", "have")
        };
        eprintln!(
            "realmdex: {missing} {tools} in {} {have} no definition and can't be compared; `realmdex check` says why",
            folder.display()
        );
    }
    let stamped = files.into_iter().flat_map(|file| file.stamped);
    Ok(distinct(stamped.map(|(tool, _)| Tool {
        definition: tool.definition,
        code_ref: Some(tool.code_ref),
        requires_approval: Some(tool.requires_approval),
    })))
}
