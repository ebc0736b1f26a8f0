//! `realmdex packages`: where modules are read from whose ids begin with a package's name.

use std::process::ExitCode;

use realmdex_scheduler::operator::wire::{
    Changed, PackageAnnounced, PackageRemoveRequest, PackageRequest, PackagesAnswer,
};
use realmdex_types::RealmUrl;
use serde_json::json;

use super::table::Table;
use crate::answer;
use crate::operator_client::{OperatorClient, OperatorPlace, source_of};

/// `realmdex packages`
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Map a package, or announce a new version of it: whatever uses it is looked at again.
    Set(Set),
    /// List the packages that are mapped.
    List(List),
    /// Take a package out of the map; the realm that its files are indexed as stays.
    Remove(Remove),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex packages set @acme/tools/ /srv/acme-tools
  realmdex packages set @acme/tools/ https://cdn.example/acme-tools/ --version 2026.11.30
  realmdex packages set @acme/old-tools/ --alias-of @acme/tools/
  realmdex packages set @acme/tools/ https://packages.example/tools/ --server https://fleet.example:4790 --token-file token

A mapped package is a realm too: its files are indexed, and those who use them follow.")]
struct Set {
    /// What ids begin with: a package's name, or a realm's URL.
    prefix: String,
    #[command(flatten)]
    stands_for: StandsFor,
    /// What its deployment calls this version: a new one has everything of it looked at.
    #[arg(long)]
    version: Option<String>,
    /// The URL of the realm that its files are indexed as. Unless given it is that of the realm which lies there
    /// already, the prefix where that is a URL, or `https://package.local/` and the prefix.
    #[arg(long, value_parser = RealmUrl::parse, conflicts_with = "alias_of")]
    url: Option<RealmUrl>,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

/// What a prefix stands for.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct StandsFor {
    /// Where its files are: a URL, or a folder that every worker can read.
    #[arg(value_name = "PATH|URL")]
    location: Option<String>,
    /// Read its ids as if they began with this prefix.
    #[arg(long, value_name = "PREFIX")]
    alias_of: Option<String>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex packages list
  realmdex packages list --server https://fleet.example:4790 --token-file token")]
struct List {
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex packages remove @acme/tools/
  realmdex packages remove @acme/tools/ --server https://fleet.example:4790 --token-file token")]
struct Remove {
    /// What ids begin with.
    prefix: String,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.verb {
        Verb::Set(asked) => {
            asked
                .place
                .with(async |client| set(client, &asked).await)
                .await
        }
        Verb::List(asked) => {
            asked
                .place
                .with(async |client| list(client, &asked).await)
                .await
        }
        Verb::Remove(asked) => {
            asked
                .place
                .with(async |client| remove(client, &asked).await)
                .await
        }
    }
}

async fn set(client: &OperatorClient, asked: &Set) -> anyhow::Result<ExitCode> {
    let request = PackageRequest {
        prefix: asked.prefix.clone(),
        location: asked
            .stands_for
            .location
            .as_deref()
            .map(source_of)
            .transpose()?,
        alias: asked.stands_for.alias_of.clone(),
        version: asked.version.clone(),
        url: asked.url.clone(),
    };
    let announced: PackageAnnounced = client.post("/_packages", &request).await?;
    client.say_if_idle();
    let text = if asked.json {
        answer::json(&announced)?
    } else {
        let prefix = &asked.prefix;
        let what = if announced.has_changed {
            "is mapped; whatever uses it is looked at again"
        } else {
            "was mapped like this already"
        };
        let realm = announced
            .realm
            .map(|realm| format!("its files are indexed as {realm}\n"));
        format!("{prefix} {what}\n{}", realm.unwrap_or_default())
    };
    answer::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

async fn list(client: &OperatorClient, asked: &List) -> anyhow::Result<ExitCode> {
    let answer: PackagesAnswer = client.get("/_packages", &json!({})).await?;
    let text = if asked.json {
        answer::json(&answer)?
    } else {
        packages_text(&answer)
    };
    answer::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn packages_text(answer: &PackagesAnswer) -> String {
    if answer.packages.is_empty() {
        return "no packages are mapped: map one with `realmdex packages set`\n".to_owned();
    }
    let mut table = Table::new(&["package", "version", "read from", "stands for"]);
    for package in &answer.packages {
        table.row([
            package.prefix.clone(),
            package.version.clone().unwrap_or_default(),
            package.location.clone().unwrap_or_default(),
            package.alias.clone().unwrap_or_default(),
        ]);
    }
    table.text()
}

async fn remove(client: &OperatorClient, asked: &Remove) -> anyhow::Result<ExitCode> {
    let request = PackageRemoveRequest {
        prefix: asked.prefix.clone(),
    };
    let changed: Changed = client.post("/_packages/remove", &request).await?;
    let prefix = &asked.prefix;
    let (text, code) = if changed.has_changed {
        (
            format!("{prefix} is no longer mapped; whatever used it is looked at again\n"),
            ExitCode::SUCCESS,
        )
    } else {
        (
            format!("{prefix} was not mapped: `realmdex packages list` lists what is\n"),
            ExitCode::FAILURE,
        )
    };
    answer::print(&if asked.json {
        answer::json(&changed)?
    } else {
        text
    })?;
    Ok(code)
}
