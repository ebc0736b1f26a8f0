//! The settings of the fleet's roles: the defaults, then a file, then variables, then flags.

mod values;

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::Context;
use figment::Figment;
use figment::providers::{Env, Format, Serialized, Toml};
use serde::{Deserialize, Serialize};

use values::{Address, Size, Span};

/// The default of every setting, and what it means.
pub(crate) const DEFAULTS: &str = include_str!("../../../config.default.toml");

/// The default of every setting, by name.
pub(crate) fn defaults() -> anyhow::Result<serde_json::Map<String, serde_json::Value>> {
    Figment::from(Toml::string(DEFAULTS))
        .extract()
        .context("reading the defaults")
}

/// Before the name of a setting's variable.
const PREFIX: &str = "REALMDEX_";

/// The settings of the fleet's roles; the file of defaults says what each means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) database: String,
    pub(crate) database_connections: u32,
    pub(crate) broker: String,
    pub(crate) broker_management: String,
    pub(crate) listen: SocketAddr,
    /// Whether anyone said so: else any port will do where other commands find it.
    #[serde(skip)]
    pub(crate) says_where_to_listen: bool,
    public: Address,
    /// Whether anyone said so.
    #[serde(skip)]
    pub(crate) says_where_to_serve: bool,
    public_hosts: Vec<String>,
    public_proxies: Vec<IpAddr>,
    public_rate: u32,
    public_burst: u32,
    public_connections: usize,
    public_request_time: Span,
    public_body_bytes: Size,
    token_file: PathBuf,
    realm_secret_file: PathBuf,
    delegation_secret_file: PathBuf,
    name: String,
    pub(crate) private_addresses: bool,
    slots: usize,
    prefetch: u16,
    lease: Span,
    beat: Span,
    deadline: Span,
    listing_deadline: Span,
    tries: u32,
    drain: Span,
    file_bytes: Size,
    watch: bool,
    window_least: u32,
    window_most: u32,
    offer_stands: Span,
    dispatch_busy: Span,
    dispatch_idle: Span,
    reconcile_leases: Span,
    reconcile_reindexes: Span,
    reconcile_unsettled: Span,
    reconcile_invariant: Span,
    reconcile_retention: Span,
    keep_jobs: Span,
    keep_tombstones: Span,
    keep_reindexes: Span,
    keep_definitions: Span,
}

/// Settings as flags; what is left out is as the file and the variables say.
#[derive(Clone, Debug, Default, Serialize, clap::Args)]
pub(crate) struct Settings {
    /// Read settings from this file; `realmdex config` prints one with every default.
    #[arg(long, env = "REALMDEX_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    config: Option<PathBuf>,
    /// The Postgres that holds the index.
    #[arg(
        long,
        env = "REALMDEX_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<String>,
    /// The RabbitMQ that carries jobs.
    #[arg(
        long,
        env = "REALMDEX_BROKER",
        value_name = "URL",
        hide_env_values = true
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    broker: Option<String>,
    /// Where this role's operator listener is reached.
    #[arg(long, env = "REALMDEX_LISTEN", value_name = "ADDRESS:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    listen: Option<String>,
    /// Where a scheduler serves realms to agents and browsers; empty to serve none.
    #[arg(long, env = "REALMDEX_PUBLIC", value_name = "ADDRESS:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    public: Option<String>,
    /// What this process is called.
    #[arg(long, env = "REALMDEX_NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Jobs that are done at once.
    #[arg(long, env = "REALMDEX_SLOTS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    slots: Option<usize>,
}

impl Settings {
    /// All settings.
    pub(crate) fn read(&self) -> anyhow::Result<Config> {
        let keys: Vec<String> = DEFAULTS
            .lines()
            .filter_map(|line| Some(line.split_once(" = ")?.0.to_owned()))
            .filter(|key| !key.starts_with('#'))
            .collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let mut given = Figment::new();
        if let Some(file) = &self.config {
            anyhow::ensure!(
                file.is_file(),
                "there is no settings file {}",
                file.display()
            );
            given = given.merge(Toml::file_exact(file));
        }
        let given = given
            .merge(Env::prefixed(PREFIX).only(&keys))
            .merge(Serialized::defaults(self));
        let says_where_to_listen = given.contains("listen");
        let says_where_to_serve = given.contains("public");
        let mut config: Config = Figment::from(Toml::string(DEFAULTS))
            .merge(given)
            .extract()
            .map_err(|error| anyhow::anyhow!("{error}"))
            .context("a setting is wrong: `realmdex config` prints every one with its default")?;
        config.says_where_to_listen = says_where_to_listen;
        config.says_where_to_serve = says_where_to_serve;
        config.check()?;
        Ok(config)
    }
}

impl Config {
    fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            !self.beat.0.is_zero()
                && !self.deadline.0.is_zero()
                && !self.listing_deadline.0.is_zero(),
            "beat, deadline and listing_deadline must be more than nothing"
        );
        anyhow::ensure!(
            self.database_connections > 0,
            "database_connections must be at least 1"
        );
        anyhow::ensure!(
            3 * self.beat.0 <= self.lease.0,
            "lease ({:?}) must be at least three times beat ({:?}): one late beat would give running jobs away",
            self.lease.0,
            self.beat.0
        );
        anyhow::ensure!(
            self.keep_tombstones.0 > self.lease.0 + self.deadline.0,
            "keep_tombstones ({:?}) must be longer than lease and deadline together: a late write would bring a file back",
            self.keep_tombstones.0
        );
        anyhow::ensure!(
            self.public_connections > 0,
            "public_connections must be at least 1"
        );
        anyhow::ensure!(
            !self.public_request_time.0.is_zero(),
            "public_request_time must be more than nothing"
        );
        anyhow::ensure!(self.slots > 0, "slots must be at least 1");
        anyhow::ensure!(
            self.window_least <= self.window_most,
            "window_least ({}) is more than window_most ({})",
            self.window_least,
            self.window_most
        );
        Ok(())
    }

    /// The file of the operators' token.
    pub(crate) fn token_file(&self) -> Option<&Path> {
        named(&self.token_file)
    }

    /// The file of the secret that signs realm tokens.
    pub(crate) fn realm_secret_file(&self) -> Option<&Path> {
        named(&self.realm_secret_file)
    }

    /// The file of the secret of whoever acts for users.
    pub(crate) fn delegation_secret_file(&self) -> Option<&Path> {
        named(&self.delegation_secret_file)
    }

    /// What this process is called.
    pub(crate) fn name(&self) -> String {
        if !self.name.is_empty() {
            return self.name.clone();
        }
        let machine = std::fs::read_to_string("/proc/sys/kernel/hostname")
            .map_or_else(|_| "worker".to_owned(), |name| name.trim().to_owned());
        format!("{machine}-{}", std::process::id())
    }

    /// How a worker works.
    pub(crate) fn shift(&self, is_alone: bool) -> realmdex_worker::shift::ShiftConfig {
        realmdex_worker::shift::ShiftConfig {
            name: self.name(),
            slots: self.slots,
            prefetch: self.prefetch,
            lease: self.lease.0,
            beat: self.beat.0,
            deadline: self.deadline.0,
            listing_deadline: self.listing_deadline.0,
            tries: self.tries,
            drain: self.drain.0,
            file_bytes: self.file_bytes.0,
            is_alone,
        }
    }

    /// How jobs are offered.
    pub(crate) fn dispatch(&self) -> realmdex_scheduler::dispatch::DispatchConfig {
        realmdex_scheduler::dispatch::DispatchConfig {
            window: realmdex_scheduler::window::Bounds {
                least: self.window_least,
                most: self.window_most,
            },
            offer_stands: self.offer_stands.0,
            busy_period: self.dispatch_busy.0,
            idle_period: self.dispatch_idle.0,
            ..Default::default()
        }
    }

    /// What heals, and how often. A process that is the only one never gives up on itself.
    pub(crate) fn reconcile(
        &self,
        is_alone: bool,
    ) -> realmdex_scheduler::reconcile::ReconcileConfig {
        realmdex_scheduler::reconcile::ReconcileConfig {
            leases: (!is_alone).then_some(self.reconcile_leases.0),
            reindexes: self.reconcile_reindexes.0,
            unsettled: self.reconcile_unsettled.0,
            invariant: self.reconcile_invariant.0,
            retention: self.reconcile_retention.0,
            keep: realmdex_store::Retention {
                jobs: self.keep_jobs.0,
                tombstones: self.keep_tombstones.0,
                reindexes: self.keep_reindexes.0,
                definitions: self.keep_definitions.0,
            },
        }
    }

    /// Where realms are served; none where they are not.
    pub(crate) fn public(&self) -> Option<SocketAddr> {
        self.public.0
    }

    /// How much of anything a stranger gets.
    pub(crate) fn public_limits(&self) -> realmdex_scheduler::public::Limits {
        realmdex_scheduler::public::Limits {
            hosts: self.public_hosts.clone(),
            requests_per_second: self.public_rate,
            burst: self.public_burst,
            trusted_proxies: self.public_proxies.clone(),
            request_time: self.public_request_time.0,
            body_bytes: usize::try_from(self.public_body_bytes.0).unwrap_or(usize::MAX),
            source_bytes: self.file_bytes.0,
            ..Default::default()
        }
    }

    /// How the public listener treats connections.
    pub(crate) fn public_connections(&self) -> realmdex_scheduler::public::Connections {
        realmdex_scheduler::public::Connections {
            at_once: self.public_connections,
            ..Default::default()
        }
    }

    /// How folders are watched; none where they are not.
    pub(crate) fn watching(&self) -> Option<realmdex_scheduler::watch::WatchConfig> {
        self.watch.then(Default::default)
    }
}

/// A file; none where its name is empty.
fn named(file: &Path) -> Option<&Path> {
    (!file.as_os_str().is_empty()).then_some(file)
}

#[cfg(test)]
mod tests;
