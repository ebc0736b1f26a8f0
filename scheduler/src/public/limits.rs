//! How much of anything a stranger gets.

use std::net::IpAddr;
use std::time::Duration;

/// Limits of the public listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Hosts that are answered besides those of realms and this machine's own, as `name` or `name:port`: those that a
    /// proxy in front asks us by.
    pub hosts: Vec<String>,
    /// Requests a second that one address, or one token, may send for long; 0 is no limit. Of those that show a token or a
    /// signature which is nobody's, an address may send a tenth: then nothing that it shows is looked at for a while.
    pub requests_per_second: u32,
    /// Requests that it may send at once before that counts.
    pub burst: u32,
    /// Proxies whose `X-Forwarded-For` is believed: of what they pass on, the last address is whoever asked them.
    pub trusted_proxies: Vec<IpAddr>,
    /// How long a request may take until its answer begins.
    pub request_time: Duration,
    /// The largest body that is taken, in bytes.
    pub body_bytes: usize,
    /// The largest file that is served, in bytes.
    pub source_bytes: u64,
    /// How long a readiness check is held; 10 s at most.
    pub readiness_budget: Duration,
}

impl Default for Limits {
    /// No further hosts, no limit of rate, 30 s, bodies of 1 MiB, files of 64 MiB.
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            requests_per_second: 0,
            burst: 0,
            trusted_proxies: Vec::new(),
            request_time: Duration::from_secs(30),
            body_bytes: 1 << 20,
            source_bytes: 64 << 20,
            readiness_budget: Duration::from_secs(10),
        }
    }
}
