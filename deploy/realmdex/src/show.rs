//! `realmdex show`: one file as the index has it.

use std::process::ExitCode;

use anyhow::{Context, bail};
use realmdex_store::{FileRow, Realm, Store};
use realmdex_types::{Definition, Finding, RealmPath};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Answer;
use crate::answering::{Question, Verb};
use crate::database::IndexPlace;
use crate::verify::now_text;
use crate::{answer, describe, index};

/// `realmdex show`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex show skills/weather/SKILL.md
  realmdex show https://realms.example/acme/skills/weather/SKILL.md --json")]
pub(crate) struct Arguments {
    /// The file: a path or a URL.
    file: String,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    place: IndexPlace,
}

/// How the file is shown.
#[derive(Debug, clap::Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// Print the file-meta document as it is served.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    Question::about(&arguments.file, Verb::Show(arguments.asked))?
        .put(&arguments.place)
        .await?
        .print()
}

/// The row of a file.
pub(crate) async fn answer(
    store: &Store,
    realm: &Realm,
    path: Option<&RealmPath>,
    asked: &Asked,
) -> anyhow::Result<Answer> {
    let path = path.with_context(|| format!("{} is a realm: name a file of it", realm.url))?;
    let packages = index::packages_of(store, None).await?;
    let row = store.file(&packages.id_of(&realm.url, path)).await?;
    let row = row.with_context(|| {
        format!(
            "{path} is not in the index of {}: it may be new, or ignored; run `realmdex index`",
            realm.url
        )
    })?;
    let text = match (&row.document, asked.json) {
        (Some(document), true) => answer::json(document)?,
        (None, true) => bail!("{path} has no document: it is {}", now_text(&row.state)),
        (_, false) => {
            let findings = store.findings(realm.id).await?;
            let findings: Vec<Finding> = findings
                .into_iter()
                .filter(|one| one.path == path.as_str())
                .map(|one| one.finding)
                .collect();
            row_text(path.as_str(), &row, &findings)
        }
    };
    Ok(Answer::yes(text))
}

fn row_text(path: &str, row: &FileRow, findings: &[Finding]) -> String {
    let mut text = format!("{path}\n");
    let mut line = |name: &str, value: String| text += &format!("  {name:<12}{value}\n");
    line("bytes", now_text(&row.state));
    if let Some(at) = row.indexed_at {
        let took = row.duration_ms.unwrap_or_default();
        line(
            "indexed",
            format!("{} in {took} ms", at.format("%F %T UTC")),
        );
    }
    if let Some(error) = &row.error {
        line("error", error.clone());
    }
    if let Some(at) = row.retry_at {
        line("tried again", format!("from {}", at.format("%F %T UTC")));
    }
    let Some(document) = &row.document else {
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
    for finding in findings {
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
