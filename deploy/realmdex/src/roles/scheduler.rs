//! `realmdex scheduler`: the control plane.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use prometheus::Registry;
use realmdex_scheduler::operator::{OperatorToken, router, serve};
use realmdex_scheduler::{Metrics, Scheduler, SchedulerConfig};
use tokio::task::JoinSet;

use super::public::PublicListener;
use super::{broker, listener, opener, public, stopping, waiting};
use crate::config::Settings;
use crate::secrets;

/// `realmdex scheduler`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex scheduler --database postgres://db/realmdex --broker amqp://mq/
  REALMDEX_TOKEN_FILE=/run/secrets/token realmdex scheduler --listen 0.0.0.0:4790
  REALMDEX_REALM_SECRET_FILE=/run/secrets/realms realmdex scheduler --public 10.0.0.5:4780

Any number of schedulers may run at once; one that is killed is missed by nobody.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    settings: Settings,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let config = arguments.settings.read()?;
    let stop = stopping::told()?;
    let listening = listener::bind(config.listen).await?;
    let token = listener::token(&config)?;
    let public = PublicListener::bind(&config).await?;
    let connected = waiting::store(&config.database, config.database_connections, &stop).await?;
    let Some(store) = connected else {
        return Ok(ExitCode::SUCCESS);
    };
    let broker = broker::connect(&config).await?;
    let scheduler = Scheduler::new(SchedulerConfig {
        store: store.clone(),
        broker: broker.clone(),
        metrics: Arc::new(Metrics::new(Registry::new()).context("setting up what is counted")?),
        dispatch: config.dispatch(),
        reconcile: config.reconcile(false),
        watch: config.watching(),
    });
    let access = secrets::access(
        &store,
        config.realm_secret_file(),
        config.delegation_secret_file(),
    )?;
    let mut operator = scheduler
        .operator()
        .with_access(access.clone())
        .with_sources(opener(config.private_addresses));
    if let Some(token) = token.and_then(OperatorToken::new) {
        operator = operator.with_token(token);
    }
    tracing::info!(listen = %config.listen, "scheduling");
    let mut listeners = JoinSet::new();
    if let Some(listener) = public {
        tracing::info!(public = %listener.address()?, "serving realms");
        let public = public::of_scheduler(&scheduler, &config, access, operator.events());
        listeners.spawn(listener.serve(public, stop.clone()));
    }
    let served = serve(listening, router(operator), stop.clone());
    listeners.spawn(async move { served.await.context("serving the operator's listener") });
    scheduler.run(stop).await;
    while let Some(served) = listeners.join_next().await {
        served.context("a listener panicked")??;
    }
    broker.close().await;
    store.close().await;
    Ok(ExitCode::SUCCESS)
}
