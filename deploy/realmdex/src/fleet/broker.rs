//! `realmdex broker`: what a RabbitMQ is told once.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use realmdex_queue::{Broker, BrokerState, Management};
use serde::Serialize;
use tokio::time::{sleep, timeout};

use crate::answer;

/// How long the broker may take to let us in.
const CONNECT: Duration = Duration::from_secs(15);

/// How long a policy may take until it is in force.
const IN_FORCE: Duration = Duration::from_secs(15);

/// How often that is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// `realmdex broker`
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Declare exchanges and queues, and set the policies that rule them. What is right already is left alone.
    Setup(Place),
    /// Say whether the policies are in force. Exit code 1 if one is not.
    Check(Place),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex broker setup --broker amqp://realmdex:…@rabbit:5672/%2f --management http://admin:…@rabbit:15672
  realmdex broker check --broker amqp://realmdex:…@rabbit:5672/%2f --management http://admin:…@rabbit:15672

The user of --management must be allowed to set policies; that of --broker need not.")]
struct Place {
    /// The broker: `amqp://user:password@host:5672/vhost`, or `amqps:` for TLS.
    #[arg(
        long,
        env = "REALMDEX_BROKER",
        value_name = "URL",
        hide_env_values = true
    )]
    broker: String,
    /// Its management page: `http://user:password@host:15672`.
    #[arg(
        long,
        env = "REALMDEX_BROKER_MANAGEMENT",
        value_name = "URL",
        hide_env_values = true
    )]
    management: String,
    /// Print the answer as JSON: `{isSetUp, warnings}`.
    #[arg(long)]
    json: bool,
}

/// How the broker is, for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SetUp<'a> {
    /// Whether all is as it should be.
    is_set_up: bool,
    /// What is not, in words.
    warnings: &'a [String],
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.verb {
        Verb::Setup(place) => setup(&place).await,
        Verb::Check(place) => check(&place).await,
    }
}

async fn setup(place: &Place) -> anyhow::Result<ExitCode> {
    let management = Management::new(&place.management, &place.broker)?;
    declare(&place.broker).await?;
    management.apply().await?;
    let warnings = in_force(&management).await?;
    tell(
        place,
        &warnings,
        "the broker is set up: queues are declared, policies in force\n",
    )
}

async fn check(place: &Place) -> anyhow::Result<ExitCode> {
    let management = Management::new(&place.management, &place.broker)?;
    let warnings = management.check().await?;
    tell(place, &warnings, "the broker's policies are in force\n")
}

/// Whoever connects declares what it needs.
async fn declare(url: &str) -> anyhow::Result<()> {
    let broker = Broker::amqp(url, "realmdex broker setup")?;
    let connected = timeout(CONNECT, until_ready(&broker)).await;
    let state = broker.state();
    broker.close().await;
    if connected.is_ok() {
        return Ok(());
    }
    match state {
        BrokerState::Down { why } => bail!(
            "the broker can't be reached: {why}; check --broker, and that its user may declare exchanges and queues"
        ),
        BrokerState::Ready | BrokerState::Blocked { .. } => Ok(()),
    }
}

async fn until_ready(broker: &Broker) {
    // Whoever is short of memory has let us in and declared everything.
    while matches!(broker.state(), BrokerState::Down { .. }) {
        // It may have changed just before this began to wait.
        timeout(LOOK, broker.changed()).await.ok();
    }
}

/// What is still wrong once policies have had time to be in force.
async fn in_force(management: &Management) -> anyhow::Result<Vec<String>> {
    let looked = timeout(IN_FORCE, async {
        while !management.check().await?.is_empty() {
            sleep(LOOK).await;
        }
        anyhow::Ok(())
    })
    .await;
    match looked {
        Ok(looked) => looked.map(|()| Vec::new()),
        Err(_) => management.check().await.context("looking at the policies"),
    }
}

fn tell(place: &Place, warnings: &[String], well: &str) -> anyhow::Result<ExitCode> {
    let is_set_up = warnings.is_empty();
    answer::print(&match is_set_up {
        _ if place.json => answer::json(&SetUp {
            is_set_up,
            warnings,
        })?,
        true => well.to_owned(),
        false => warnings
            .iter()
            .map(|warning| format!("{warning}\n"))
            .collect(),
    })?;
    Ok(if is_set_up {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
