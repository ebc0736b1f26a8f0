//! `realmdex errors`: everything that is wrong in an indexed realm.

use std::process::ExitCode;

use crate::database::IndexPlace;
use crate::realm_place::open_indexed;
use crate::report::{Format, report};
use crate::{answer, realm_findings};

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
    /// How findings are written.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    place: IndexPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let indexed = open_indexed(&arguments.realm, &arguments.place).await?;
    let files = realm_findings::of(&indexed.database.store, indexed.realm.id).await;
    let closed = indexed.database.close().await;
    let files = files?;
    closed?;
    let text = match arguments.format {
        Format::Text if files.is_empty() => "no findings\n".to_owned(),
        format => report(format, &files, console::colors_enabled()),
    };
    answer::print(&text)?;
    Ok(if files.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
