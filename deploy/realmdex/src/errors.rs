//! `realmdex errors`: everything that is wrong in an indexed realm.

use std::process::ExitCode;

use realmdex_scheduler::operator::wire::{ErrorsAnswer, RealmAsked};

use crate::answer::Answer;
use crate::operator_client::OperatorPlace;
use crate::realm_place::AskedPlace;
use crate::report::{FileFindings, Format, Written, report};

/// `realmdex errors`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex errors
  realmdex errors ../my-skills --json
  realmdex errors https://realms.example/acme/ --database postgres://localhost/realmdex
  realmdex errors https://realms.example/acme/ --server https://fleet.example:4790 --token-file token

Exit code 1 if anything is wrong.")]
pub(crate) struct Arguments {
    /// The realm's folder or URL.
    #[arg(default_value = ".", value_name = "PATH|URL", value_hint = clap::ValueHint::AnyPath)]
    realm: String,
    #[command(flatten)]
    written: Written,
    #[command(flatten)]
    place: OperatorPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let asked = AskedPlace::of(&arguments.realm)?;
    let format = arguments.written.format();
    arguments
        .place
        .with_index_of(&asked, async |client| {
            let (realm, _) = client.realm_of(&asked).await?;
            let query = RealmAsked { realm: realm.url };
            let answer: ErrorsAnswer = client.get("/_errors", &query).await?;
            told(answer, format, console::colors_enabled()).print()
        })
        .await
}

fn told(answer: ErrorsAnswer, format: Format, coloured: bool) -> Answer {
    let files: Vec<FileFindings> = answer.files.into_iter().map(FileFindings::from).collect();
    match format {
        Format::Text if files.is_empty() => Answer::yes("no findings\n".to_owned()),
        format if files.is_empty() => Answer::yes(report(format, &files, coloured)),
        format => Answer::no(report(format, &files, coloured)),
    }
}
