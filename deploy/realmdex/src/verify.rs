//! `realmdex verify`: whether every row follows from what its files are.

use std::process::ExitCode;

use realmdex_store::{BrokenEdge, RealmId, Store, TargetState};
use realmdex_types::ReadState;
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::answering::{Question, Verb};
use crate::database::IndexPlace;

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
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    place: IndexPlace,
}

/// What is verified.
#[derive(Debug, clap::Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// Verify every realm of the index.
    #[arg(long)]
    pub(crate) all: bool,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let is_named = arguments.place.database.is_some() || arguments.place.data.is_some();
    let is_all = arguments.asked.all && is_named;
    let verb = Verb::Verify(arguments.asked);
    let question = if is_all {
        Question::about_all(verb)
    } else {
        Question::about(&arguments.realm, verb)?
    };
    question.put(&arguments.place).await?.print()
}

/// Whether a realm is in order, or all of them.
pub(crate) async fn answer(store: &Store, realm: Option<RealmId>) -> anyhow::Result<Answer> {
    let broken = store.broken_edges(realm).await?;
    let outdated = store.outdated_files(realm).await?;
    let edges = store.edge_count(realm).await?;
    let mut text: String = broken.iter().map(broken_text).collect();
    text.extend(
        outdated
            .iter()
            .map(|id| format!("{id}\n  was computed from other bytes than it has now\n")),
    );
    let is_clean = broken.is_empty() && outdated.is_empty();
    if is_clean {
        text += &format!("clean: {edges} edges, each says what its target is\n");
        return Ok(Answer::yes(text));
    }
    text += &format!(
        "{} of {edges} edges broken, {} files outdated: run `realmdex index`\n",
        broken.len(),
        outdated.len()
    );
    Ok(Answer::no(text))
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
