//! `realmdex export`: every definition of an indexed realm.

use std::collections::BTreeMap;
use std::process::ExitCode;

use serde_json::Value;

use crate::answer;
use crate::database::IndexPlace;
use crate::definitions::Format;
use crate::realm_place::open_indexed;
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
    /// Whose form.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Only the tools of this skill: its path below the realm. May be given many times.
    #[arg(long = "skill", value_name = "PATH")]
    skills: Vec<String>,
    #[command(flatten)]
    place: IndexPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let indexed = open_indexed(&arguments.realm, &arguments.place).await?;
    let skills = indexed
        .database
        .store
        .stamped_skills(indexed.realm.id)
        .await?;
    indexed.database.close().await?;
    for asked in &arguments.skills {
        if !skills.iter().any(|skill| skill.path == *asked) {
            anyhow::bail!("{asked} is no skill with tools in {}", indexed.realm.url);
        }
    }
    let definitions: BTreeMap<String, Value> = skills
        .iter()
        .filter(|skill| arguments.skills.is_empty() || arguments.skills.contains(&skill.path))
        .flat_map(|skill| stamped_entries(&skill.tools))
        .map(|tool| {
            let name = tool.definition.function().name.clone();
            (name, arguments.format.write(&tool.definition))
        })
        .collect();
    let definitions: Vec<Value> = definitions.into_values().collect();
    answer::print(&answer::json(&definitions)?)?;
    Ok(ExitCode::SUCCESS)
}
