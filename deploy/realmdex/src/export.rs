//! `realmdex export`: every definition of an indexed realm.

use std::collections::BTreeMap;
use std::process::ExitCode;

use realmdex_scheduler::operator::wire::{DefinitionsAnswer, RealmAsked};
use realmdex_types::Definition;
use serde_json::Value;

use crate::answer::{self, Answer};
use crate::definitions::Format;
use crate::operator_client::OperatorPlace;
use crate::realm_place::AskedPlace;

/// `realmdex export`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex export > tools.json
  realmdex export ../my-skills --format anthropic
  realmdex export . --skill skills/weather/SKILL.md --format mcp
  realmdex export https://realms.example/acme/ --server https://fleet.example:4790 --token-file token

A tool that several skills declare is written once.")]
pub(crate) struct Arguments {
    /// The realm's folder or URL.
    #[arg(default_value = ".", value_name = "PATH|URL", value_hint = clap::ValueHint::AnyPath)]
    realm: String,
    /// Whose form.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Only the tools of this skill: its path below the realm. May be given many times.
    #[arg(long = "skill", value_name = "PATH")]
    skills: Vec<String>,
    /// Print the answer as JSON, as is done anyway.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let asked = AskedPlace::of(&arguments.realm)?;
    let place = &arguments.place;
    place
        .with_index_of(&asked, async |client| {
            let (realm, _) = client.realm_of(&asked).await?;
            let query = RealmAsked { realm: realm.url };
            let answer: DefinitionsAnswer = client.get("/_definitions", &query).await?;
            let definitions = definitions(&answer, &arguments.skills, arguments.format)?;
            Answer::yes(answer::json(&definitions)?).print()
        })
        .await
}

/// The definitions of some skills, or of all, by function name.
fn definitions(
    answer: &DefinitionsAnswer,
    named: &[String],
    format: Format,
) -> anyhow::Result<Vec<Value>> {
    for named in named {
        if !answer.skills.iter().any(|skill| skill.path == *named) {
            anyhow::bail!("{named} is no skill with tools in {}", answer.realm);
        }
    }
    let written: BTreeMap<String, Value> = answer
        .skills
        .iter()
        .filter(|skill| named.is_empty() || named.contains(&skill.path))
        .flat_map(|skill| &skill.tools)
        .filter_map(|tool| serde_json::from_value::<Definition>(tool.definition.clone()).ok())
        .map(|definition| {
            (
                definition.function().name.clone(),
                format.write(&definition),
            )
        })
        .collect();
    Ok(written.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use realmdex_scheduler::operator::wire::{DefinedToolAnswer, SkillAnswer};
    use realmdex_types::{CodeRef, RealmUrl};
    use serde_json::json;

    fn skill(path: &str, names: &[&str]) -> SkillAnswer {
        let tools = names.iter().map(|name| DefinedToolAnswer {
            code_ref: CodeRef {
                module: "m".to_owned(),
                name: (*name).to_owned(),
            },
            requires_approval: true,
            definition: json!({"type": "function", "function": {"name": name, "parameters": {}}}),
        });
        SkillAnswer {
            path: path.to_owned(),
            tools: tools.collect(),
        }
    }

    #[test]
    fn each_tool_is_written_once() {
        let answer = DefinitionsAnswer {
            realm: RealmUrl::parse("https://h/a/").unwrap(),
            skills: vec![skill("a.md", &["y", "x"]), skill("b.md", &["x", "z"])],
        };
        for (named, wanted) in [
            (&[][..], Ok(&["x", "y", "z"][..])),
            (&["b.md"], Ok(&["x", "z"])),
            (
                &["c.md"],
                Err("c.md is no skill with tools in https://h/a/"),
            ),
        ] {
            let named: Vec<String> = named.iter().map(|path| (*path).to_owned()).collect();
            match (definitions(&answer, &named, Format::Mcp), wanted) {
                (Ok(written), Ok(names)) => {
                    let written: Vec<&str> = written
                        .iter()
                        .map(|one| one["name"].as_str().unwrap())
                        .collect();
                    assert_eq!(written, names);
                }
                (Err(refused), Err(words)) => assert_eq!(refused.to_string(), words),
                (found, _) => panic!("{named:?}: {found:?}"),
            }
        }
    }
}
