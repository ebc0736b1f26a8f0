//! `realmdex extract`: one file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use realmdex_types::{FileMetaDocument, Findings, RealmPath, RealmUrl};
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
    /// Print the answer as JSON, as is done anyway.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    modules: Modules,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let bytes = std::fs::read(&arguments.file)
        .with_context(|| format!("reading {}", arguments.file.display()))?;
    let (folder, path) = folders::realm_of(&arguments.file)?;
    let place = place(arguments.url, folder, &path)?;
    let (document, findings) = document(&arguments.modules, &place, &bytes).await?;
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
    place: &Place,
    bytes: &[u8],
) -> anyhow::Result<(FileMetaDocument, Findings)> {
    let url = place.url.as_str();
    let mut extracted = extract(&place.url, bytes);
    let mut tools = None;
    if let Some(skill) = &extracted.skill {
        let packages = modules.packages(Some((place.realm.as_str(), &place.folder)))?;
        let describer = describer(packages, &modules.limits, None)?;
        let enriched = enrich(&describer, &describer.graph(), url, &skill.authored).await;
        extracted.findings.tool_schema_errors = enriched.errors;
        tools = Some(enriched.tools);
    }
    Ok(extracted.into_document(url, None, tools))
}

/// A file of a realm, as its URL and its place on disk tell.
struct Place {
    url: Url,
    realm: RealmUrl,
    folder: PathBuf,
}

/// Where a file is served. Without a URL its realm is made up; with one, the folder that the URL's path leaves when the
/// segments that the two have in common are taken off is the realm's.
fn place(given: Option<Url>, folder: PathBuf, path: &RealmPath) -> anyhow::Result<Place> {
    let Some(url) = given else {
        let realm = RealmUrl::parse(LOCAL_REALM)?;
        return Ok(Place {
            url: realm.file(path),
            realm,
            folder,
        });
    };
    let root = RealmUrl::parse(&url[..url::Position::BeforePath])
        .with_context(|| format!("--url {url} can't be a file's URL"))?;
    let served = root
        .path_of(&url)
        .filter(|_| url.query().is_none() && url.fragment().is_none())
        .with_context(|| format!("--url {url} can't be a file's URL"))?;
    let (served, on_disk): (Vec<&str>, Vec<&str>) =
        (served.segments().collect(), path.segments().collect());
    let common = served
        .iter()
        .rev()
        .zip(on_disk.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    if common == 0 {
        bail!(
            "--url {url} does not end in the file's name, {}",
            path.file_name()
        );
    }
    let above: String = served[..served.len() - common]
        .iter()
        .map(|segment| format!("{segment}/"))
        .collect();
    let realm = RealmUrl::parse(
        root.as_url()
            .join(&format!("./{}", above.replace('%', "%25")))?
            .as_str(),
    )?;
    Ok(Place {
        url,
        realm,
        folder: on_disk[..on_disk.len() - common]
            .iter()
            .fold(folder, |folder, segment| folder.join(segment)),
    })
}
