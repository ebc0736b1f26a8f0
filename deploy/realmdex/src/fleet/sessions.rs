//! `realmdex sessions`: tokens of the people who read and write realms.

use std::process::ExitCode;

use realmdex_scheduler::operator::wire::{
    SessionMade, SessionRequest, SessionRevokeRequest, SessionsRevoked,
};

use crate::answer;
use crate::operator_client::{OperatorClient, OperatorPlace, named_realm};

/// `realmdex sessions`
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Make a realm token for a user, and print it.
    Create(Create),
    /// Let every token that a user was given so far hold no more.
    Revoke(Revoke),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex sessions create @ann:example https://realms.example/hr/ > token
  curl -H \"Authorization: Bearer $(realmdex sessions create @ann:example ../hr --hours 1)\" \\
    -H 'Accept: application/vnd.card.file-meta+json' https://realms.example/hr/SKILL.md
  realmdex sessions create @ann:example https://realms.example/hr/ --server https://fleet.example:4790 --token-file token

The token is signed with the secret in realm_secret_file; where this command works on a database itself, in the file that
REALMDEX_REALM_SECRET_FILE names. It says what the user may do with the realm now, and holds until that changes: `realmdex
realms rights` says who may do what.")]
struct Create {
    /// Whom it is for, as the realm's rights name people.
    user: String,
    /// The realm's URL or folder.
    realm: String,
    /// How many hours it holds, 168 at most; a day unless given.
    #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(1..=168))]
    hours: Option<u32>,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex sessions revoke @ann:example
  realmdex sessions revoke @ann:example --server https://fleet.example:4790 --token-file token

Tokens for all realms, and those of whoever acts for the user. New ones can be made at once: to keep someone out, take
their rights.")]
struct Revoke {
    /// Whose tokens.
    user: String,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.verb {
        Verb::Create(asked) => {
            asked
                .place
                .with(async |client| create(client, &asked).await)
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
    let realm = named_realm(client, &asked.realm).await?;
    let request = SessionRequest {
        user: asked.user.clone(),
        realm: realm.url,
        hours: asked.hours,
    };
    let made: SessionMade = client.post("/_sessions", &request).await?;
    if asked.json {
        answer::print(&answer::json(&made)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    // The token alone, so that it can be written to a file.
    answer::print(&format!("{}\n", made.token.0))?;
    let names: Vec<&str> = made.permissions.iter().map(|one| one.as_str()).collect();
    let until = made.expires_at.format("%F %T UTC");
    match names.as_slice() {
        [] => eprintln!(
            "{} may do nothing with {} now: `realmdex realms rights` changes that, and this token will not hold then",
            made.user, made.realm
        ),
        names => eprintln!(
            "it lets {} {} {}, until {until}",
            made.user,
            names.join(", "),
            made.realm
        ),
    }
    Ok(ExitCode::SUCCESS)
}

async fn revoke(client: &OperatorClient, asked: &Revoke) -> anyhow::Result<ExitCode> {
    let request = SessionRevokeRequest {
        user: asked.user.clone(),
    };
    let revoked: SessionsRevoked = client.post("/_sessions/revoke", &request).await?;
    let text = if asked.json {
        answer::json(&revoked)?
    } else {
        format!(
            "tokens of {} made before {} hold no more\n",
            revoked.user,
            revoked.revoked_at.format("%F %T UTC")
        )
    };
    answer::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
