//! `realmdex errors`: everything that is wrong in an indexed realm.

use std::process::ExitCode;

use realmdex_store::{Realm, Store};
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::answering::{Question, Verb};
use crate::database::IndexPlace;
use crate::realm_findings;
use crate::report::{Format, report};

/// `realmdex errors`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex errors
  realmdex errors ../my-skills --format json
  realmdex errors https://realms.example/acme/ --database postgres://localhost/realmdex

Exit code 1 if anything is wrong.")]
pub(crate) struct Arguments {
    /// The realm's folder or URL.
    #[arg(default_value = ".", value_name = "PATH|URL")]
    realm: String,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    place: IndexPlace,
}

/// How findings are shown.
#[derive(Debug, clap::Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// How findings are written.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    Question::about(&arguments.realm, Verb::Errors(arguments.asked))?
        .put(&arguments.place)
        .await?
        .print()
}

/// The findings of a realm.
pub(crate) async fn answer(
    store: &Store,
    realm: &Realm,
    asked: &Asked,
    coloured: bool,
) -> anyhow::Result<Answer> {
    let files = realm_findings::of(store, realm.id).await?;
    Ok(match asked.format {
        Format::Text if files.is_empty() => Answer::yes("no findings\n".to_owned()),
        format if files.is_empty() => Answer::yes(report(format, &files, coloured)),
        format => Answer::no(report(format, &files, coloured)),
    })
}
