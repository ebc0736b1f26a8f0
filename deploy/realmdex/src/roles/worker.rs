//! `realmdex worker`: the data plane.

use std::process::ExitCode;

use anyhow::Context;
use prometheus::Registry;
use realmdex_scheduler::operator::serve;

use super::{broker, listener, shift, stopping, waiting};
use crate::config::Settings;
use crate::limits::Limits;

/// `realmdex worker`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex worker --database postgres://db/realmdex --broker amqp://mq/
  REALMDEX_SLOTS=16 realmdex worker --config /etc/realmdex.toml

Any number of workers share the work. SIGTERM ends one in good order: running jobs may end, the others are given back.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    limits: Limits,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let config = arguments.settings.read()?;
    let stop = stopping::told()?;
    // Before anything else: a port that is taken is told at once.
    let listening = listener::bind(config.listen).await?;
    listener::token(&config)?;
    let connected = waiting::store(&config.database, config.database_connections, &stop).await?;
    let Some(store) = connected else {
        return Ok(ExitCode::SUCCESS);
    };
    let broker = broker::connect(&config).await?;
    let metrics = Registry::new();
    let limits = &arguments.limits;
    let ready = shift(&store, &broker, &config, limits, &metrics, false, &stop).await?;
    let Some(shift) = ready else {
        return Ok(ExitCode::SUCCESS);
    };
    tracing::info!(name = config.name(), listen = %config.listen, "working");
    let router = listener::of_worker(store.clone(), broker.clone(), metrics);
    // It is asked how it is for as long as jobs run.
    let closing = stop.child_token();
    let served = tokio::spawn(serve(listening, router, closing.clone()));
    let worked = shift.run(stop).await;
    closing.cancel();
    served
        .await
        .context("serving the operator's listener")?
        .context("serving the operator's listener")?;
    broker.close().await;
    store.close().await;
    worked.context("working")?;
    Ok(ExitCode::SUCCESS)
}
