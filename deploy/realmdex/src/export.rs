//! `realmdex export`: every definition of an indexed realm.

use std::collections::BTreeMap;
use std::process::ExitCode;

use realmdex_store::{Realm, Store};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{self, Answer};
use crate::answering::{Question, Verb};
use crate::database::IndexPlace;
use crate::definitions::Format;
use crate::stamped::stamped_entries;

/// `realmdex export`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex export > tools.json
  realmdex export ../my-skills --format anthropic
  realmdex export . --skill skills/weather/SKILL.md --format mcp

A tool that several skills declare is written once.")]
pub(crate) struct Arguments {
    /// The realm's folder or URL.
    #[arg(default_value = ".", value_name = "PATH|URL")]
    realm: String,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    place: IndexPlace,
}

/// Which definitions, and how.
#[derive(Debug, clap::Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// Whose form.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Only the tools of this skill: its path below the realm. May be given many times.
    #[arg(long = "skill", value_name = "PATH")]
    skills: Vec<String>,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    Question::about(&arguments.realm, Verb::Export(arguments.asked))?
        .put(&arguments.place)
        .await?
        .print()
}

/// The definitions of a realm.
pub(crate) async fn answer(store: &Store, realm: &Realm, asked: &Asked) -> anyhow::Result<Answer> {
    let skills = store.stamped_skills(realm.id).await?;
    for named in &asked.skills {
        if !skills.iter().any(|skill| skill.path == *named) {
            anyhow::bail!("{named} is no skill with tools in {}", realm.url);
        }
    }
    let definitions: BTreeMap<String, Value> = skills
        .iter()
        .filter(|skill| asked.skills.is_empty() || asked.skills.contains(&skill.path))
        .flat_map(|skill| stamped_entries(&skill.tools))
        .map(|tool| {
            let name = tool.definition.function().name.clone();
            (name, asked.format.write(&tool.definition))
        })
        .collect();
    let definitions: Vec<Value> = definitions.into_values().collect();
    Ok(Answer::yes(answer::json(&definitions)?))
}
