//! The public listener of a scheduler: realms, served to whoever may read them.

use std::io::ErrorKind;
use std::net::SocketAddr;

use anyhow::Context;
use realmdex_scheduler::access::Access;
use realmdex_scheduler::public::{Connections, Public, router, serve};
use realmdex_scheduler::{Events, Scheduler};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::opener;
use crate::config::Config;

/// A listener that realms are going to be served at.
pub(super) struct PublicListener {
    listening: TcpListener,
    connections: Connections,
}

impl PublicListener {
    /// Listens where the settings say; none where they say nothing.
    pub(super) async fn bind(config: &Config) -> anyhow::Result<Option<Self>> {
        let Some(address) = config.public() else {
            return Ok(None);
        };
        let listening = TcpListener::bind(address).await.with_context(|| {
            format!("listening on {address}: is another scheduler there? Give this one another --public, or --public ''")
        })?;
        Ok(Some(Self::of(listening, config)))
    }

    /// The same, but at any free port where nobody said which and the usual one is taken.
    pub(super) async fn bind_somewhere(config: &Config) -> anyhow::Result<Option<Self>> {
        match config.public() {
            Some(usual) if !config.says_where_to_serve => {
                let listening = match TcpListener::bind(usual).await {
                    Err(error) if error.kind() == ErrorKind::AddrInUse => {
                        TcpListener::bind(SocketAddr::new(usual.ip(), 0)).await
                    }
                    bound => bound,
                }
                .with_context(|| format!("listening on {usual}"))?;
                Ok(Some(Self::of(listening, config)))
            }
            _ => Self::bind(config).await,
        }
    }

    fn of(listening: TcpListener, config: &Config) -> Self {
        if let Ok(address) = listening.local_addr()
            && !address.ip().is_loopback()
            && config.public_limits().requests_per_second == 0
        {
            tracing::warn!(
                %address,
                "realms are served beyond this machine, and nothing limits how often one client asks: set public_rate"
            );
        }
        Self {
            listening,
            connections: config.public_connections(),
        }
    }

    /// Where it listens.
    pub(super) fn address(&self) -> anyhow::Result<SocketAddr> {
        self.listening
            .local_addr()
            .context("finding the listener's port")
    }

    /// Serves until told to stop.
    pub(super) async fn serve(self, public: Public, stop: CancellationToken) -> anyhow::Result<()> {
        serve(self.listening, router(public), self.connections, stop)
            .await
            .context("serving realms")
    }
}

/// What a scheduler serves, with the rights of `access`, telling what happens where `events` does.
pub(super) fn of_scheduler(
    scheduler: &Scheduler,
    config: &Config,
    access: Access,
    events: Events,
) -> Public {
    scheduler
        .public(access)
        .with_sources(opener(config.private_addresses))
        .with_limits(config.public_limits())
        .with_events(events)
}
