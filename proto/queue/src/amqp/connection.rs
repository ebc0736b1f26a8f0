//! One connection that is made again whenever it is lost.

use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use futures::StreamExt;
use lapin::types::ShortString;
use lapin::uri::AMQPUri;
use lapin::{Connection, ConnectionProperties, Event};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{debug, info, warn};

use crate::state::{BrokerState, StateCell};
use crate::{BrokerError, topology};

/// Seconds, unless the URL says otherwise. A dead peer is noticed after two of them.
const HEARTBEAT: u16 = 10;
/// How long a broker may take to let us in, and to declare.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long it may take to say goodbye.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);
/// How often a connection is looked at, in case it was lost before its events were listened to.
const LOOK: Duration = Duration::from_secs(1);

/// The delays between tries: from 0.1 s (with jitter) up to 5 s, without end.
pub(super) fn delays() -> impl Iterator<Item = Duration> + Send {
    ExponentialBuilder::default()
        .with_min_delay(Duration::from_millis(100))
        .with_max_delay(Duration::from_secs(5))
        .with_jitter()
        .without_max_times()
        .build()
}

/// Where to connect, and as whom.
#[derive(Clone)]
pub(super) struct Address {
    uri: AMQPUri,
    name: String,
    role: &'static str,
}

impl Address {
    pub(super) fn parse(url: &str, name: &str) -> Result<Self, BrokerError> {
        let refused = |why: String| BrokerError::Url { why };
        let mut uri: AMQPUri = url.parse().map_err(refused)?;
        let parsed = url::Url::parse(url).map_err(|error| refused(error.to_string()))?;
        match parsed.host() {
            // The parser of AMQP URLs knows only names, and takes others for localhost.
            Some(url::Host::Ipv6(address)) => uri.authority.host = address.to_string(),
            Some(_) => {}
            None => return Err(refused("it names no host".to_owned())),
        }
        uri.query.heartbeat.get_or_insert(HEARTBEAT);
        Ok(Self {
            uri,
            name: name.to_owned(),
            role: "",
        })
    }

    pub(super) fn for_role(&self, role: &'static str) -> Self {
        Self {
            role,
            ..self.clone()
        }
    }
}

/// Without the password.
impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let AMQPUri { authority, .. } = &self.uri;
        write!(f, "{}:{} ({})", authority.host, authority.port, self.role)
    }
}

/// The connection, while there is one.
#[derive(Clone, Debug)]
pub(super) struct Link {
    current: watch::Receiver<Option<Arc<Connection>>>,
}

impl Link {
    /// Connects in the background until `closing`, and keeps `state` up to date, where that is wanted.
    pub(super) fn start(
        address: Address,
        state: Option<Arc<StateCell>>,
        tasks: &TaskTracker,
        closing: &CancellationToken,
    ) -> Self {
        let (sender, current) = watch::channel(None);
        let supervisor = Supervisor {
            address,
            state,
            current: sender,
        };
        tasks.spawn(supervisor.run(closing.clone()));
        Self { current }
    }

    /// The connection, if there is one now.
    pub(super) fn current(&self) -> Option<Arc<Connection>> {
        self.current.borrow().clone()
    }

    /// The connection, as soon as there is one; none when there will be none any more.
    pub(super) async fn connection(&mut self) -> Option<Arc<Connection>> {
        let found = self.current.wait_for(Option::is_some).await.ok()?;
        found.clone()
    }
}

struct Supervisor {
    address: Address,
    state: Option<Arc<StateCell>>,
    current: watch::Sender<Option<Arc<Connection>>>,
}

impl Supervisor {
    async fn run(self, closing: CancellationToken) {
        // Whatever is awaited is dropped when the broker is closed, and then the connection is closed.
        closing.run_until_cancelled(self.keep_connected()).await;
        self.set(BrokerState::Down {
            why: "it was closed".to_owned(),
        });
        if let Some(connection) = self.current.send_replace(None) {
            let goodbye = connection.close(200, ShortString::from("closed"));
            if !matches!(timeout(CLOSE_TIMEOUT, goodbye).await, Ok(Ok(()))) {
                debug!(broker = ?self.address, "the broker did not say goodbye");
            }
        }
    }

    async fn keep_connected(&self) {
        let mut waits = delays();
        let mut told = false;
        loop {
            let why = match self.connect().await {
                Ok(connection) => {
                    info!(broker = ?self.address, "connected to the broker");
                    let connection = Arc::new(connection);
                    self.current.send_replace(Some(Arc::clone(&connection)));
                    self.set(BrokerState::Ready);
                    (waits, told) = (delays(), false);
                    let why = self.watch_over(&connection).await;
                    self.current.send_replace(None);
                    why
                }
                Err(why) => why,
            };
            if told {
                debug!(broker = ?self.address, why, "still no connection to the broker");
            } else {
                warn!(broker = ?self.address, why, "no connection to the broker; tried again until there is one");
                told = true;
            }
            self.set(BrokerState::Down { why });
            // The delays have no end.
            sleep(waits.next().unwrap_or_default()).await;
        }
    }

    /// A connection at which everything is declared.
    async fn connect(&self) -> Result<Connection, String> {
        let name = format!("{} ({})", self.address.name, self.address.role);
        let properties = ConnectionProperties::default().with_connection_name(name.into());
        let connected = async {
            let connection = Connection::connect_uri(self.address.uri.clone(), properties)
                .await
                .map_err(|error| error.to_string())?;
            let channel = connection
                .create_channel()
                .await
                .map_err(|e| e.to_string())?;
            topology::declare(&channel).await.map_err(|error| {
                format!("its queues can't be declared, remove what was declared otherwise: {error}")
            })?;
            Ok(connection)
        };
        timeout(CONNECT_TIMEOUT, connected)
            .await
            .unwrap_or_else(|_| Err(format!("no answer in {} s", CONNECT_TIMEOUT.as_secs())))
    }

    /// Follows the connection until it is lost; answers why it was.
    async fn watch_over(&self, connection: &Connection) -> String {
        let mut events = std::pin::pin!(connection.events_listener());
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let event = tokio::select! {
                event = events.next() => event,
                _ = look.tick() => None,
            };
            match event {
                Some(Event::ConnectionBlocked(why)) => {
                    warn!(broker = ?self.address, why, "the broker takes nothing");
                    self.set(BrokerState::Blocked { why });
                }
                Some(Event::ConnectionUnblocked) => {
                    info!(broker = ?self.address, "the broker takes hints again");
                    self.set(BrokerState::Ready);
                }
                // Of a channel, where the connection is well.
                Some(Event::Error(error)) if !connection.status().connected() => {
                    return error.to_string();
                }
                _ if !connection.status().connected() => return "it was lost".to_owned(),
                _ => {}
            }
        }
    }

    fn set(&self, state: BrokerState) {
        if let Some(cell) = &self.state {
            cell.set(state);
        }
    }
}
