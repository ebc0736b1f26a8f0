//! `realmdex queue`: how much work there is, and whether it gets on.

use std::process::ExitCode;

use realmdex_scheduler::operator::wire::{BrokerAnswer, QueueAnswer};
use serde_json::json;

use super::table::{Table, duration};
use crate::answer;
use crate::operator_client::{OperatorClient, OperatorPlace};

/// `realmdex queue`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex queue
  realmdex queue --database postgres://localhost/realmdex
  realmdex queue --server https://fleet.example:4790 --token-file token

Jobs by what they are and where they stand; offers by class, beside how many may stand at once; and the broker, as the
process that is asked sees it.")]
pub(crate) struct Arguments {
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let tell = async |client: &OperatorClient| {
        let answer: QueueAnswer = client.get("/_queue", &json!({})).await?;
        let text = if arguments.json {
            answer::json(&answer)?
        } else {
            queue_text(&answer)
        };
        answer::print(&text)?;
        Ok(ExitCode::SUCCESS)
    };
    arguments.place.with(tell).await
}

fn queue_text(answer: &QueueAnswer) -> String {
    let mut text = String::new();
    if answer.backlog.is_empty() {
        text += "no jobs\n";
    } else {
        let mut table = Table::new(&["kind", "class", "state", "jobs", "oldest"]);
        for jobs in &answer.backlog {
            table.row([
                jobs.kind.as_str().to_owned(),
                jobs.class.as_str().to_owned(),
                jobs.state.as_str().to_owned(),
                jobs.jobs.to_string(),
                duration(jobs.oldest_seconds),
            ]);
        }
        text += &table.text();
    }
    text += "\n";
    let mut table = Table::new(&["class", "offered", "at most"]);
    for offers in &answer.windows {
        table.row([
            offers.class.as_str().to_owned(),
            offers.standing.to_string(),
            offers
                .window
                .map(|window| window.to_string())
                .unwrap_or_default(),
        ]);
    }
    text += &table.text();
    text += &match &answer.broker {
        // Nobody was asked who knows one.
        None => String::new(),
        Some(BrokerAnswer::Ready) => "\nthe broker takes jobs\n".to_owned(),
        Some(BrokerAnswer::Blocked { why }) => {
            format!("\nthe broker is short of memory or disk, and takes no jobs for now: {why}\n")
        }
        Some(BrokerAnswer::Down { why }) => {
            format!("\nthe broker can't be reached, and jobs wait: {why}\n")
        }
    };
    text
}
