//! `realmdex extract`: one file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use realmdex_types::{FileMetaDocument, Findings};
use realmdex_worker::enrich::enrich;
use realmdex_worker::extract::extract;
use serde_json::json;
use url::Url;

use crate::describe::LOCAL_REALM;
use crate::setup::{Modules, describer};
use crate::{answer, folders};

/// `realmdex extract`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex extract skills/weather/SKILL.md
  realmdex extract skills/weather/SKILL.md --url https://realms.example/acme/skills/weather/SKILL.md
  realmdex extract SKILL.md --map @cardstack/base/=../boxel/packages/base")]
pub(crate) struct Arguments {
    /// The file.
    file: PathBuf,
    /// The URL it has in its realm; its tools' relative references and function names depend on it.
    #[arg(long)]
    url: Option<Url>,
    #[command(flatten)]
    modules: Modules,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let bytes = std::fs::read(&arguments.file)
        .with_context(|| format!("reading {}", arguments.file.display()))?;
    let (realm, path) = folders::realm_of(&arguments.file)?;
    let (url, prefix) = place(arguments.url, &path)?;
    let prefix_and_folder = prefix.as_deref().map(|prefix| (prefix, realm.as_path()));
    let (document, findings) =
        document(&arguments.modules, prefix_and_folder, &url, &bytes).await?;
    let document = json!({"data": document.data, "findings": findings});
    answer::print(&answer::json(&document)?)?;
    Ok(if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The file-meta document of one file, its tools enriched.
async fn document(
    modules: &Modules,
    own: Option<(&str, &Path)>,
    url: &Url,
    bytes: &[u8],
) -> anyhow::Result<(FileMetaDocument, Findings)> {
    let mut extracted = extract(url, bytes);
    let mut tools = None;
    if let Some(skill) = &extracted.skill {
        let describer = describer(modules.packages(own)?)?;
        let enriched = enrich(&describer, url.as_str(), &skill.authored).await;
        extracted.findings.tool_schema_errors = enriched.errors;
        tools = Some(enriched.tools);
    }
    Ok(extracted.into_document(url.as_str(), None, tools))
}

/// The file's URL, and the realm URL that the folder it lies in stands for; none where the URL has another path.
fn place(given: Option<Url>, path: &str) -> anyhow::Result<(Url, Option<String>)> {
    let local = || Url::parse(LOCAL_REALM).and_then(|realm| realm.join(&path.replace('%', "%25")));
    match given {
        None => Ok((
            local().context("making a URL of the file's path")?,
            Some(LOCAL_REALM.to_owned()),
        )),
        Some(url) => {
            let encoded = local().context("making a URL of the file's path")?;
            let prefix = url
                .as_str()
                .strip_suffix(&encoded.path()[1..])
                .map(str::to_owned);
            Ok((url, prefix))
        }
    }
}
