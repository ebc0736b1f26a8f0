//! `realmdex changes`: says that files of a realm changed.

use std::path::Path;
use std::process::ExitCode;

use realmdex_scheduler::operator::wire::{Change, ChangesRequest, ChangesTaken};
use url::Url;

use super::table::counted;
use crate::answer;
use crate::operator_client::{OperatorClient, OperatorPlace, named_realm};

/// `realmdex changes`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex changes https://realms.example/acme/ skills/weather/SKILL.md tools/words.js
  realmdex changes ../my-skills skills/renamed/
  realmdex changes https://realms.example/acme/ skills/ --server https://fleet.example:4790 --token-file token

What is there now decides: whether a file was made, written or removed need not be said. Prints the change's number: a
row of that number or a later one has seen it.")]
pub(crate) struct Arguments {
    /// The realm's URL or folder.
    realm: String,
    /// Files and folders, below the realm's root; a folder ends in `/`.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let tell = async |client: &OperatorClient| {
        let realm = named_realm(client, &arguments.realm).await?;
        let folder = Url::parse(&realm.source)
            .ok()
            .and_then(|source| source.to_file_path().ok());
        let changes = arguments.paths.iter().map(|path| Change {
            path: match &folder {
                Some(folder) => below(folder, path),
                None => path.clone(),
            },
            operation: None,
        });
        let request = ChangesRequest {
            realm: realm.url,
            changes: changes.collect(),
        };
        let taken: ChangesTaken = client.post("/_changes", &request).await?;
        client.say_if_idle();
        let text = if arguments.json {
            answer::json(&taken)?
        } else {
            taken_text(&taken)
        };
        answer::print(&text)?;
        Ok(ExitCode::SUCCESS)
    };
    arguments.place.with(tell).await
}

fn taken_text(taken: &ChangesTaken) -> String {
    let files = counted(taken.files as u64, "file is", "files are");
    let listing = taken
        .reindex
        .map(|id| format!("; reindex {id} lists the realm"));
    format!(
        "change {}: {files} looked at{}\n",
        taken.change_seq,
        listing.unwrap_or_default()
    )
}

/// A path below a realm's folder: it may be named from the top of the file system too, and a folder that is there without
/// its slash.
fn below(folder: &Path, given: &str) -> String {
    let bare = Path::new(given);
    let path = bare.strip_prefix(folder).unwrap_or(bare);
    let mut text = path.to_str().map_or(given, |text| text).to_owned();
    if given.ends_with('/') || folder.join(path).is_dir() {
        text = format!("{}/", text.trim_end_matches('/'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn paths_are_below_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("skills")).unwrap();
        let absolute = root.join("skills/a.md");
        for (given, wanted) in [
            ("skills/a.md", "skills/a.md"),
            ("skills", "skills/"),
            ("skills/", "skills/"),
            ("gone/", "gone/"),
            ("../a", "../a"),
            (absolute.to_str().unwrap(), "skills/a.md"),
            ("/elsewhere/a.md", "/elsewhere/a.md"),
        ] {
            assert_eq!(below(&root, given), wanted);
        }
    }
}
