//! `realmdex verify`: whether every row follows from what its files are.

use std::process::ExitCode;

use realmdex_scheduler::operator::wire::{BrokenEdgeAnswer, MAX_LIMIT, VerifyAnswer, VerifyAsked};
use realmdex_types::RealmUrl;

use crate::answer::{self, Answer};
use crate::operator_client::{OperatorClient, OperatorPlace};
use crate::realm_place::AskedPlace;

/// `realmdex verify`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex verify
  realmdex verify ../my-skills
  realmdex verify --database postgres://localhost/realmdex --all
  realmdex verify --all --server https://fleet.example:4790 --token-file token

Every edge of the index must say what its target's row says, and every row must be computed from the bytes its file has
there. Exit code 1 if one is not; `realmdex index` mends it. Of each kind at most a thousand are named.")]
pub(crate) struct Arguments {
    /// The realm's folder or URL, or anything below it.
    #[arg(default_value = ".", value_name = "PATH|URL", value_hint = clap::ValueHint::AnyPath)]
    realm: String,
    /// Verify every realm of the index.
    #[arg(long)]
    all: bool,
    /// Print the answer as JSON: what the operator's `GET /_verify` answers.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments {
        realm,
        all,
        json,
        place,
    } = arguments;
    if all && place.is_said() {
        return place
            .with(async |client| verify(client, None, json).await)
            .await;
    }
    let asked = AskedPlace::of(&realm)?;
    place
        .with_index_of(&asked, async |client| {
            let realm = match all {
                true => None,
                false => Some(client.realm_of(&asked).await?.0.url),
            };
            verify(client, realm, json).await
        })
        .await
}

/// Whether a realm is in order, or all of them.
async fn verify(
    client: &OperatorClient,
    realm: Option<RealmUrl>,
    json: bool,
) -> anyhow::Result<ExitCode> {
    let query = VerifyAsked {
        realm,
        limit: Some(MAX_LIMIT),
    };
    let answer: VerifyAnswer = client.get("/_verify", &query).await?;
    let text = if json {
        answer::json(&answer)?
    } else {
        verified_text(&answer)
    };
    let told = if answer.is_clean {
        Answer::yes(text)
    } else {
        Answer::no(text)
    };
    told.print()
}

fn verified_text(answer: &VerifyAnswer) -> String {
    let mut text: String = answer.broken.iter().map(broken_text).collect();
    text += &left_text(answer.broken_edges, answer.broken.len(), "edges");
    text.extend(
        answer
            .outdated
            .iter()
            .map(|id| format!("{id}\n  was computed from other bytes than it has now\n")),
    );
    text += &left_text(answer.outdated_files, answer.outdated.len(), "files");
    text += &match answer.is_clean {
        true => format!(
            "clean: {} edges, each says what its target is\n",
            answer.edges
        ),
        false => format!(
            "{} of {} edges broken, {} files outdated: run `realmdex index`\n",
            answer.broken_edges, answer.edges, answer.outdated_files
        ),
    };
    text
}

fn left_text(all: usize, named: usize, what: &str) -> String {
    match all.saturating_sub(named) {
        0 => String::new(),
        left => format!("and {left} more {what}\n"),
    }
}

fn broken_text(edge: &BrokenEdgeAnswer) -> String {
    format!(
        "{}\n  {} was {}, and is {}\n",
        edge.source, edge.target, edge.then, edge.now
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted() {
        let clean = VerifyAnswer {
            is_clean: true,
            edges: 7,
            broken_edges: 0,
            outdated_files: 0,
            broken: Vec::new(),
            outdated: Vec::new(),
        };
        assert_eq!(
            verified_text(&clean),
            "clean: 7 edges, each says what its target is\n"
        );
        let broken = VerifyAnswer {
            is_clean: false,
            broken_edges: 3,
            outdated_files: 1,
            broken: vec![BrokenEdgeAnswer {
                source: "a".to_owned(),
                target: "b".to_owned(),
                then: "absent".to_owned(),
                now: "0123456789ab".to_owned(),
            }],
            outdated: vec!["c".to_owned()],
            ..clean
        };
        insta::assert_snapshot!(verified_text(&broken), @r"
        a
          b was absent, and is 0123456789ab
        and 2 more edges
        c
          was computed from other bytes than it has now
        3 of 7 edges broken, 1 files outdated: run `realmdex index`
        ");
    }
}
