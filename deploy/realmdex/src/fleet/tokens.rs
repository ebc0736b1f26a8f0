//! `realmdex tokens`: who may come in at the operator's listener, and for what.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use chrono::Utc;
use realmdex_scheduler::operator::wire::{
    Changed, TokenAnswer, TokenMade, TokenRequest, TokenRevokeRequest, TokensAnswer,
};
use realmdex_types::Scope;
use serde_json::json;

use super::table::{Table, ago};
use crate::answer;
use crate::operator_client::{OperatorClient, OperatorPlace};

/// `realmdex tokens`
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Make a token, and print it: it is never told again.
    Create(Create),
    /// List the tokens, and when each was last used.
    List(List),
    /// Let a token hold no more.
    Revoke(Revoke),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex tokens create ci --scope reindex --expires 90d > token
  realmdex tokens create grafana --scope read --server https://fleet.example:4790 --token-file admin-token
  realmdex tokens create ops --scope admin --database postgres://db/realmdex    where nobody has one yet

Scopes: `read` looks at everything; `reindex` says what changed, has realms looked at again, calls jobs off and tries them
again; `approve` approves calls of tools; `admin` is good for everything. Whoever may do something may read.

Once there is a token, the operator's listener asks for one. Only a hash of it is kept.")]
struct Create {
    /// What it goes by.
    name: String,
    /// What it is good for: read, reindex, approve or admin. May be given many times.
    #[arg(long = "scope", required = true, value_name = "SCOPE", value_parser = scope)]
    scopes: Vec<Scope>,
    /// How long it holds, such as 90d or 12h; for ever unless given.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    expires: Option<Duration>,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex tokens list
  realmdex tokens list --server https://fleet.example:4790 --token-file token")]
struct List {
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex tokens revoke ci
  realmdex tokens revoke ci --server https://fleet.example:4790 --token-file token

Exit code 1 if there is no such token. Without any token left, a listener on loopback that has no token_file asks for none.")]
struct Revoke {
    /// What it goes by.
    name: String,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

fn scope(text: &str) -> Result<Scope, String> {
    Scope::parse(text).ok_or_else(|| {
        let known: Vec<&str> = Scope::ALL.map(Scope::as_str).to_vec();
        format!("{text:?} is no scope: give one of {}", known.join(", "))
    })
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.verb {
        Verb::Create(asked) => {
            asked
                .place
                .with(async |client| create(client, &asked).await)
                .await
        }
        Verb::List(asked) => {
            asked
                .place
                .with(async |client| list(client, &asked).await)
                .await
        }
        Verb::Revoke(asked) => {
            asked
                .place
                .with(async |client| revoke(client, &asked).await)
                .await
        }
    }
}

async fn create(client: &OperatorClient, asked: &Create) -> anyhow::Result<ExitCode> {
    let expires_at = asked
        .expires
        .map(|time| {
            chrono::TimeDelta::from_std(time)
                .ok()
                .and_then(|time| Utc::now().checked_add_signed(time))
                .context("--expires is past the end of time: leave it out for a token that holds for ever")
        })
        .transpose()?;
    let request = TokenRequest {
        name: asked.name.clone(),
        scopes: asked.scopes.clone(),
        expires_at,
    };
    let made: TokenMade = client.post("/_tokens", &request).await?;
    if asked.json {
        answer::print(&answer::json(&made)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    // The token alone, so that it can be written to a file.
    answer::print(&format!("{}\n", made.token.0))?;
    let until = match made.expires_at {
        Some(ends) => format!("until {}", ends.format("%F %T UTC")),
        None => "until it is revoked".to_owned(),
    };
    eprintln!(
        "{} is good for {}, {until}; keep it: it is never told again",
        made.name,
        scopes_text(&made.scopes)
    );
    Ok(ExitCode::SUCCESS)
}

async fn list(client: &OperatorClient, asked: &List) -> anyhow::Result<ExitCode> {
    let answer: TokensAnswer = client.get("/_tokens", &json!({})).await?;
    let text = if asked.json {
        answer::json(&answer)?
    } else {
        tokens_text(&answer.tokens)
    };
    answer::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn tokens_text(tokens: &[TokenAnswer]) -> String {
    if tokens.is_empty() {
        return "no tokens: make one with `realmdex tokens create`\n".to_owned();
    }
    let mut table = Table::new(&["token", "scopes", "made", "last used", "holds until"]);
    for token in tokens {
        let until = token.expires_at.map(|ends| match ends <= Utc::now() {
            true => format!("ended {}", ago(ends)),
            false => ends.format("%F %T UTC").to_string(),
        });
        table.row([
            token.name.clone(),
            scopes_text(&token.scopes),
            ago(token.created_at),
            token.last_used_at.map_or("never".to_owned(), ago),
            until.unwrap_or_default(),
        ]);
    }
    table.text()
}

fn scopes_text(scopes: &[Scope]) -> String {
    let names: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
    names.join(", ")
}

async fn revoke(client: &OperatorClient, asked: &Revoke) -> anyhow::Result<ExitCode> {
    let request = TokenRevokeRequest {
        name: asked.name.clone(),
    };
    let changed: Changed = client.post("/_tokens/revoke", &request).await?;
    let text = match changed.has_changed {
        _ if asked.json => answer::json(&changed)?,
        true => format!("{} holds no more\n", asked.name),
        false => format!(
            "there is no token {}: `realmdex tokens list` shows those there are\n",
            asked.name
        ),
    };
    answer::print(&text)?;
    Ok(if changed.has_changed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
