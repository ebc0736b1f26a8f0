//! `realmdex show`: one file as the index has it.

use std::process::ExitCode;

use anyhow::Context;
use realmdex_scheduler::operator::wire::{FileAnswer, FileAsked};
use realmdex_types::Definition;
use serde_json::Value;

use crate::answer::{self, Answer};
use crate::describe;
use crate::operator_client::OperatorPlace;
use crate::realm_place::AskedPlace;

/// `realmdex show`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex show skills/weather/SKILL.md
  realmdex show https://realms.example/acme/skills/weather/SKILL.md --json
  realmdex show https://realms.example/acme/SKILL.md --server https://fleet.example:4790 --token-file token")]
pub(crate) struct Arguments {
    /// The file: a path or a URL.
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    file: String,
    /// Print the file-meta document as JSON, as it is served.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let asked = AskedPlace::of(&arguments.file)?;
    arguments
        .place
        .with_index_of(&asked, async |client| {
            let (realm, path) = client.realm_of(&asked).await?;
            let realm = realm.url;
            let path = path.with_context(|| format!("{realm} is a realm: name a file of it"))?;
            let file: FileAnswer = client.get("/_files", &FileAsked { realm, path }).await?;
            let text = if arguments.json {
                let document = file.document.with_context(|| {
                    format!("{} has no document: it is {}", file.path, file.state)
                })?;
                answer::json(&document)?
            } else {
                file_text(&file)
            };
            Answer::yes(text).print()
        })
        .await
}

fn file_text(file: &FileAnswer) -> String {
    let mut text = format!("{}\n", file.path);
    let mut line = |name: &str, value: String| text += &format!("  {name:<12}{value}\n");
    line("bytes", file.state.clone());
    if let Some(at) = file.indexed_at {
        let took = file.duration_ms.unwrap_or_default();
        line(
            "indexed",
            format!("{} in {took} ms", at.format("%F %T UTC")),
        );
    }
    if let Some(error) = &file.error {
        line("error", error.clone());
    }
    if let Some(at) = file.retry_at {
        line("tried again", format!("from {}", at.format("%F %T UTC")));
    }
    let Some(document) = &file.document else {
        return text;
    };
    let attributes = &document.data.attributes;
    for (name, key) in [
        ("url", "url"),
        ("type", "contentType"),
        ("size", "contentSize"),
        ("title", "title"),
        ("kind", "kind"),
        ("excerpt", "excerpt"),
    ] {
        match attributes.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::String(value)) => line(name, value.replace('\n', " ")),
            Some(value) => line(name, value.to_string()),
        }
    }
    let tools = attributes
        .get("frontmatter")
        .and_then(|frontmatter| frontmatter.get("tools"))
        .and_then(Value::as_array);
    for tool in tools.into_iter().flatten() {
        text += "\n";
        text += &tool_text(tool);
    }
    for finding in &file.findings {
        text += &format!("\n{}: {}\n", finding.kind.as_str(), finding.message);
    }
    text
}

fn tool_text(tool: &Value) -> String {
    let code_ref = |key: &str| {
        tool.pointer(&format!("/codeRef/{key}"))
            .and_then(Value::as_str)
            .unwrap_or("?")
    };
    let from = format!("{}#{}", code_ref("module"), code_ref("name"));
    let definition = tool
        .get("definition")
        .and_then(|definition| serde_json::from_value::<Definition>(definition.clone()).ok());
    match definition {
        Some(definition) => {
            let approval = match tool.get("requiresApproval") {
                Some(Value::Bool(false)) => "runs without approval",
                _ => "needs approval",
            };
            format!(
                "{}from {from}, {approval}\n",
                describe::definition_text(&definition)
            )
        }
        None => format!("{from}\n  has no definition\n"),
    }
}
