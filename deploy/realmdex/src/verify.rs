//! `realmdex verify`: whether every row follows from what its files are.

use std::process::ExitCode;

use realmdex_store::{BrokenEdge, TargetState};
use realmdex_types::ReadState;

use crate::answer;
use crate::database::{Database, IndexPlace};
use crate::realm_place::open_indexed;

/// `realmdex verify`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex verify
  realmdex verify ../my-skills
  realmdex verify --database postgres://localhost/realmdex --all

Every edge of the index must say what its target's row says, and every row must be computed from the bytes its file has
there. Exit code 1 if one is not; `realmdex index` mends it.")]
pub(crate) struct Arguments {
    /// The realm's folder or URL, or anything below it.
    #[arg(default_value = ".", value_name = "PATH|URL")]
    realm: String,
    /// Verify every realm of the index.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    place: IndexPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let is_named = arguments.place.database.is_some() || arguments.place.data.is_some();
    let (database, realm) = if arguments.all && is_named {
        let nowhere = std::path::Path::new("");
        (Database::open(&arguments.place, nowhere).await?, None)
    } else {
        let indexed = open_indexed(&arguments.realm, &arguments.place).await?;
        let realm = (!arguments.all).then_some(indexed.realm.id);
        (indexed.database, realm)
    };
    let store = &database.store;
    let broken = store.broken_edges(realm).await?;
    let outdated = store.outdated_files(realm).await?;
    let edges = store.edge_count(realm).await?;
    database.close().await?;
    let mut text: String = broken.iter().map(broken_text).collect();
    text.extend(
        outdated
            .iter()
            .map(|id| format!("{id}\n  was computed from other bytes than it has now\n")),
    );
    let is_clean = broken.is_empty() && outdated.is_empty();
    text += &if is_clean {
        format!("clean: {edges} edges, each says what its target is\n")
    } else {
        format!(
            "{} of {edges} edges broken, {} files outdated: run `realmdex index`\n",
            broken.len(),
            outdated.len()
        )
    };
    answer::print(&text)?;
    Ok(if is_clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn broken_text(edge: &BrokenEdge) -> String {
    format!(
        "{}\n  {} was {}, and is {}\n",
        edge.source,
        edge.target,
        then_text(&edge.then),
        now_text(&edge.now)
    )
}

/// How a file was found, in words.
pub(crate) fn then_text(found: &ReadState) -> String {
    match found {
        ReadState::Read { digest } => digest.short(),
        ReadState::Absent => "absent".to_owned(),
        ReadState::Forbidden => "forbidden".to_owned(),
        ReadState::Denied => "denied".to_owned(),
        ReadState::Refused => "refused".to_owned(),
        ReadState::Unreachable => "unreachable".to_owned(),
    }
}

/// What a row says a file is, in words.
pub(crate) fn now_text(state: &TargetState) -> String {
    match state {
        TargetState::Present(digest) => digest.short(),
        TargetState::Absent => "absent".to_owned(),
        TargetState::Forbidden => "forbidden".to_owned(),
        TargetState::Unread => "unread".to_owned(),
    }
}
