//! How many requests one client may send.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use moka::sync::Cache;

use super::Limits;

/// After so many requests those are forgotten who have been quiet for long enough.
const SWEEP: u32 = 4_096;

/// Who a limit is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Client {
    Address(IpAddr),
    /// A token, by a hash that only this process can make.
    Token(u64),
}

/// Of the requests that a client may send, one in so many may show a token or a signature that is nobody's.
const GUESSES: u32 = 10;

/// So many of them it may send at once, at least: clients may have been given a wrong one.
const GUESSES_AT_ONCE: u32 = 5;

/// Who guesses is remembered, as long as that: nobody has to wait longer.
const REMEMBERED: Duration = Duration::from_secs(60);

/// Guessers that are remembered, at most.
const MOST_GUESSERS: u64 = 65_536;

/// A client that shows something, by where it is: what it shows is another thing each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Guesser(IpAddr);

/// Wrong guesses, and who has to wait after too many of them.
#[derive(Clone)]
struct Guesses {
    limiter: Arc<DefaultKeyedRateLimiter<Guesser>>,
    until: Cache<Guesser, Instant>,
}

impl Guesses {
    fn of(each_second: NonZeroU32, burst: NonZeroU32) -> Option<Self> {
        let at_once = NonZeroU32::new((burst.get() / GUESSES).max(GUESSES_AT_ONCE))?;
        let period = Duration::from_secs(u64::from(GUESSES)) / each_second.get();
        let quota = Quota::with_period(period)?.allow_burst(at_once);
        Some(Self {
            limiter: Arc::new(DefaultKeyedRateLimiter::keyed(quota)),
            until: Cache::builder()
                .max_capacity(MOST_GUESSERS)
                .time_to_live(REMEMBERED)
                .build(),
        })
    }
}

/// Counts requests, where they are limited. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Rate {
    guesses: Option<Guesses>,
    limiter: Option<Arc<DefaultKeyedRateLimiter<Client>>>,
    hasher: RandomState,
    trusted: Arc<[IpAddr]>,
    counted: Arc<AtomicU32>,
}

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rate")
            .field("is_limited", &self.limiter.is_some())
            .finish_non_exhaustive()
    }
}

impl Rate {
    pub(crate) fn of(limits: &Limits) -> Self {
        let rate = NonZeroU32::new(limits.requests_per_second).map(|each_second| {
            let burst = NonZeroU32::new(limits.burst).unwrap_or(each_second);
            (each_second, burst)
        });
        let quota =
            rate.map(|(each_second, burst)| Quota::per_second(each_second).allow_burst(burst));
        Self {
            guesses: rate.and_then(|(each_second, burst)| Guesses::of(each_second, burst)),
            limiter: quota.map(|quota| Arc::new(DefaultKeyedRateLimiter::keyed(quota))),
            hasher: RandomState::new(),
            trusted: limits.trusted_proxies.clone().into(),
            counted: Arc::default(),
        }
    }

    /// Counts a request; where it is one too many, how long to wait.
    pub(crate) fn count(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Result<(), Duration> {
        let Some(limiter) = &self.limiter else {
            return Ok(());
        };
        if self.counted.fetch_add(1, Ordering::Relaxed) % SWEEP == SWEEP - 1 {
            limiter.retain_recent();
        }
        let peer = peer.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED));
        let address = Client::Address(network(asker(&self.trusted, peer, headers)));
        // The token as well: whoever has one has it from wherever they ask.
        let token = headers
            .get(AUTHORIZATION)
            .map(|value| Client::Token(self.hasher.hash_one(value.as_bytes())));
        for client in std::iter::once(address).chain(token) {
            limiter
                .check_key(&client)
                .map_err(|not_until| not_until.wait_time_from(DefaultClock::default().now()))?;
        }
        Ok(())
    }
}

impl Rate {
    /// Whoever asks, as one who may guess; none where nothing is limited.
    pub(crate) fn guesser(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Option<Guesser> {
        self.guesses.as_ref()?;
        let peer = peer.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED));
        Some(Guesser(network(asker(&self.trusted, peer, headers))))
    }

    /// Counts a guess that was wrong. After too many of them nothing that the guesser shows is looked at for a while.
    pub(crate) fn guessed(&self, guesser: Guesser) {
        let Some(guesses) = &self.guesses else { return };
        if let Err(not_until) = guesses.limiter.check_key(&guesser) {
            let wait = not_until.wait_time_from(DefaultClock::default().now());
            guesses.until.insert(guesser, Instant::now() + wait);
        }
        if guesses.limiter.len() > MOST_GUESSERS as usize {
            guesses.limiter.retain_recent();
        }
    }

    /// How long a guesser has to wait; none where it need not.
    pub(crate) fn must_wait(&self, guesser: Guesser) -> Option<Duration> {
        let until = self.guesses.as_ref()?.until.get(&guesser)?;
        let wait = until.saturating_duration_since(Instant::now());
        (!wait.is_zero()).then_some(wait)
    }
}

/// Whoever asked: the peer, or who a trusted peer says it asks for.
fn asker(trusted: &[IpAddr], peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let peer = peer.to_canonical();
    if !trusted.contains(&peer) {
        return peer;
    }
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    let last = forwarded
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.rsplit(',').next())
        .and_then(|address| address.trim().parse::<IpAddr>().ok());
    last.map_or(peer, |address| address.to_canonical())
}

/// A client has one IPv4 address, or as many IPv6 addresses as it likes in its own network.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn only_a_trusted_proxy_says_who_asks() {
        let trusted = [ip("10.0.0.1")];
        for (peer, forwarded, expected) in [
            ("10.0.0.1", Some("1.1.1.1, 2.2.2.2"), "2.2.2.2"),
            ("::ffff:10.0.0.1", Some("2.2.2.2"), "2.2.2.2"),
            ("10.0.0.1", None, "10.0.0.1"),
            ("10.0.0.1", Some("nonsense"), "10.0.0.1"),
            ("3.3.3.3", Some("2.2.2.2"), "3.3.3.3"),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(forwarded) = forwarded {
                headers.insert("x-forwarded-for", forwarded.parse().unwrap());
            }
            assert_eq!(
                asker(&trusted, ip(peer), &headers),
                ip(expected),
                "{peer} {forwarded:?}"
            );
        }
    }

    #[test]
    fn one_too_many_waits() {
        let limits = Limits {
            requests_per_second: 1,
            burst: 2,
            ..Limits::default()
        };
        let rate = Rate::of(&limits);
        let plain = HeaderMap::new();
        let (one, other) = (Some(ip("1.1.1.1")), Some(ip("2001:db8::1")));
        assert!(rate.count(one, &plain).is_ok());
        assert!(rate.count(one, &plain).is_ok());
        assert!(rate.count(one, &plain).is_err());
        assert!(rate.count(other, &plain).is_ok());
        // The same network.
        assert!(rate.count(Some(ip("2001:db8::2")), &plain).is_ok());
        assert!(rate.count(Some(ip("2001:db8::3")), &plain).is_err());
        // A token is the same one wherever it comes from.
        let mut token = HeaderMap::new();
        token.insert(AUTHORIZATION, "Bearer x".parse().unwrap());
        assert!(rate.count(Some(ip("4.4.4.4")), &token).is_ok());
        assert!(rate.count(Some(ip("5.5.5.5")), &token).is_ok());
        assert!(rate.count(Some(ip("6.6.6.6")), &token).is_err());
        // Nothing is limited unless someone says so.
        let free = Rate::of(&Limits::default());
        assert!((0..100).all(|_| free.count(one, &plain).is_ok()));
    }
}
