//! `realmdex realms`: what is indexed, and who may do what with it.

use std::io::IsTerminal;
use std::process::ExitCode;

use anyhow::{Context, bail};
use console::Term;
use realmdex_scheduler::operator::wire::{
    ArchiveRequest, Changed, RealmAdded, RealmRequest, RealmsAnswer, RemoveRequest, RightsRequest,
};
use realmdex_types::RealmUrl;
use serde_json::json;

use super::table::Table;
use crate::answer;
use crate::operator_client::{OperatorClient, OperatorPlace, named_realm, served_at, source_of};
use crate::realm_place::one_of_several;

/// `realmdex realms`
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Register a realm: it is indexed, and what changes in it too.
    Add(Add),
    /// List the realms that are registered.
    List(List),
    /// Say who owns a realm, who may read it and who may change it.
    Rights(Rights),
    /// Let a realm rest: it is neither indexed nor read by other realms, and its rows stay.
    Archive(Archive),
    /// Forget a realm and everything that was indexed of it. The realm's own files are left alone.
    Remove(Remove),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex realms add https://realms.example/acme/
  realmdex realms add ../my-skills --url https://realms.example/skills/
  realmdex realms add https://realms.example/hr/ --owner @ann:example --reader @bob:example
  realmdex realms add https://realms.example/notes/ --owner @ann:example --private
  realmdex realms add https://realms.example/acme/ --server https://fleet.example:4790 --token-file token

A realm that is registered already is left as it is.")]
struct Add {
    /// The URL it is served from, or its folder, which every worker must be able to read.
    #[arg(value_name = "URL|PATH")]
    realm: String,
    /// The realm's root URL, on which its tools' function names depend. A folder's is `https://realm.local/` and its name
    /// unless given.
    #[arg(long, value_parser = RealmUrl::parse)]
    url: Option<RealmUrl>,
    /// Whose it is, as its realm server names people: modules of other realms are read with the owner's rights.
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Who else may read it; `*` is everyone, and what holds if nobody is named. May be given many times.
    #[arg(long = "reader", value_name = "NAME", conflicts_with = "private")]
    readers: Vec<String>,
    /// Let only its owner read it.
    #[arg(long)]
    private: bool,
    /// Who else may change it and have it worked on; `*` is everyone. To read it is another right. May be given many times.
    #[arg(long = "writer", value_name = "NAME")]
    writers: Vec<String>,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

/// The names that are said; none where nothing is.
fn said(names: &[String], nobody: bool) -> Option<Vec<String>> {
    (nobody || !names.is_empty()).then(|| names.to_vec())
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex realms list
  realmdex realms list --json --server https://fleet.example:4790 --token-file token")]
struct List {
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex realms rights https://realms.example/hr/ --reader @bob:example --reader @eve:example
  realmdex realms rights https://realms.example/hr/ --reader '*'
  realmdex realms rights https://realms.example/hr/ --owner @ann:example --private --no-writers
  realmdex realms rights https://realms.example/hr/ --reader users --writer @eve:example
  realmdex realms rights https://realms.example/hr/ --reader '*' --server https://fleet.example:4790 --token-file token

`users` are all who come with a token of theirs. Readers and writers replace those there were. What is not said stays as it
was. Skills of other realms that use modules of this one are looked at again.")]
struct Rights {
    /// The realm's URL or folder.
    #[arg(value_name = "REALM")]
    realm: String,
    #[command(flatten)]
    who: Who,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

/// Who may do what with a realm.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
struct Who {
    /// Whose it is.
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Who else may read it; `*` is everyone. May be given many times.
    #[arg(long = "reader", value_name = "NAME", conflicts_with = "private")]
    names: Vec<String>,
    /// Let only its owner read it.
    #[arg(long)]
    private: bool,
    /// Who else may change it and have it worked on; `*` is everyone. To read it is another right. May be given many times.
    #[arg(long = "writer", value_name = "NAME", conflicts_with = "no_writers")]
    writers: Vec<String>,
    /// Let only its owner change it.
    #[arg(long)]
    no_writers: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex realms archive https://realms.example/old/
  realmdex realms archive https://realms.example/old/ --undo
  realmdex realms archive https://realms.example/old/ --server https://fleet.example:4790 --token-file token")]
struct Archive {
    /// The realm's URL or folder.
    #[arg(value_name = "REALM")]
    realm: String,
    /// Take it back: it is indexed anew.
    #[arg(long)]
    undo: bool,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex realms remove https://realms.example/old/
  realmdex realms remove ../old-skills --yes        where nobody can be asked
  realmdex realms remove https://realms.example/old/ --yes --server https://fleet.example:4790 --token-file token")]
struct Remove {
    /// The realm's URL or folder.
    #[arg(value_name = "REALM")]
    realm: String,
    /// Do not ask first.
    #[arg(long)]
    yes: bool,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.verb {
        Verb::Add(asked) => {
            asked
                .place
                .with(async |client| add(client, &asked).await)
                .await
        }
        Verb::List(asked) => {
            asked
                .place
                .with(async |client| list(client, &asked).await)
                .await
        }
        Verb::Rights(asked) => {
            asked
                .place
                .with(async |client| set_rights(client, &asked).await)
                .await
        }
        Verb::Archive(asked) => {
            asked
                .place
                .with(async |client| archive(client, &asked).await)
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

async fn add(client: &OperatorClient, asked: &Add) -> anyhow::Result<ExitCode> {
    let source = source_of(&asked.realm)?;
    let url = match (&asked.url, served_at(&source)) {
        (Some(url), _) => url.clone(),
        (None, Some(url)) => url,
        (None, None) => {
            // A folder that is registered already keeps its URL.
            let registered: RealmsAnswer = client.get("/_realms", &json!({})).await?;
            let mut realms = registered.realms.into_iter();
            match realms.find(|realm| realm.source == source) {
                Some(realm) => realm.url,
                None => one_of_several(&source)?,
            }
        }
    };
    let request = RealmRequest {
        url,
        source,
        owner: asked.owner.clone(),
        readers: said(&asked.readers, asked.private),
        writers: asked.writers.clone(),
    };
    let added: RealmAdded = client.post("/_realms", &request).await?;
    client.say_if_idle();
    if asked.json {
        answer::print(&answer::json(&added)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let RealmAdded {
        url,
        source,
        is_new,
    } = added;
    answer::print(&if is_new {
        format!("{url} is registered, and read from {source}\n")
    } else {
        format!(
            "{url} was registered already; who may do what is as it was: `realmdex realms rights` changes that\n"
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn list(client: &OperatorClient, asked: &List) -> anyhow::Result<ExitCode> {
    let answer: RealmsAnswer = client.get("/_realms", &json!({})).await?;
    let text = if asked.json {
        answer::json(&answer)?
    } else {
        realms_text(&answer)
    };
    answer::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn realms_text(answer: &RealmsAnswer) -> String {
    if answer.realms.is_empty() {
        return "no realms: register one with `realmdex realms add`\n".to_owned();
    }
    let mut table = Table::new(&["realm", "owner", "readers", "writers", "read from", ""]);
    for realm in &answer.realms {
        let readers = match realm.readers.as_slice() {
            [] => "nobody else".to_owned(),
            readers => names_text(readers),
        };
        let source = match realm.source == realm.url.as_str() {
            true => "its URL".to_owned(),
            false => realm.source.clone(),
        };
        let state = if realm.is_archived { "archived" } else { "" };
        table.row([
            realm.url.to_string(),
            realm.owner.clone(),
            readers,
            names_text(&realm.writers),
            source,
            state.to_owned(),
        ]);
    }
    table.text()
}

fn names_text(names: &[String]) -> String {
    match names.iter().any(|name| name == "*") {
        true => "everyone".to_owned(),
        false => names.join(", "),
    }
}

async fn set_rights(client: &OperatorClient, asked: &Rights) -> anyhow::Result<ExitCode> {
    let realm = named_realm(client, &asked.realm).await?;
    let request = RightsRequest {
        realm: realm.url.clone(),
        owner: asked.who.owner.clone(),
        readers: said(&asked.who.names, asked.who.private).unwrap_or(realm.readers),
        writers: said(&asked.who.writers, asked.who.no_writers),
    };
    let changed: Changed = client.post("/_realms/rights", &request).await?;
    let words = format!("who may do what with {} is changed", realm.url);
    tell(asked.json, &changed, &words)
}

async fn archive(client: &OperatorClient, asked: &Archive) -> anyhow::Result<ExitCode> {
    let realm = named_realm(client, &asked.realm).await?;
    let request = ArchiveRequest {
        realm: realm.url.clone(),
        undo: asked.undo,
    };
    let changed: Changed = client.post("/_realms/archive", &request).await?;
    let url = realm.url;
    let words = match (changed.has_changed, asked.undo) {
        (true, false) => format!("{url} is archived; --undo takes it back"),
        (false, false) => format!("{url} was archived already"),
        (true, true) => format!("{url} is indexed again"),
        (false, true) => format!("{url} was not archived"),
    };
    tell(asked.json, &changed, &words)
}

async fn remove(client: &OperatorClient, asked: &Remove) -> anyhow::Result<ExitCode> {
    let realm = named_realm(client, &asked.realm).await?;
    if !asked.yes && !agreed(&realm.url)? {
        eprintln!("{} stays as it is", realm.url);
        return Ok(ExitCode::FAILURE);
    }
    let request = RemoveRequest {
        realm: realm.url.clone(),
    };
    let changed: Changed = client.post("/_realms/remove", &request).await?;
    let words = format!("{} is removed", realm.url);
    tell(asked.json, &changed, &words)
}

/// Asks whoever sits there.
fn agreed(realm: &RealmUrl) -> anyhow::Result<bool> {
    let terminal = Term::stderr();
    if !std::io::stdin().is_terminal() || !terminal.is_term() {
        bail!(
            "removing {realm} takes everything that was indexed of it: say --yes, for there is nobody to ask here"
        );
    }
    terminal
        .write_str(&format!(
            "Remove {realm} and everything that was indexed of it? [y/N] "
        ))
        .and_then(|()| terminal.read_line())
        .map(|line| matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
        .context("asking")
}

fn tell(json: bool, changed: &Changed, words: &str) -> anyhow::Result<ExitCode> {
    let text = if json {
        answer::json(changed)?
    } else {
        format!("{words}\n")
    };
    answer::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
