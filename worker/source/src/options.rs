//! How an HTTP realm is asked.

use std::fmt;
use std::time::Duration;

use crate::AddressPolicy;

/// How to ask the server of an HTTP realm.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Sent as `Authorization: Bearer …`, to the realm and nowhere else.
    pub token: Option<SecretToken>,
    /// Which network addresses the realm's host may have.
    pub allow_addresses: AddressPolicy,
    /// How long to wait.
    pub timeouts: Timeouts,
    /// The largest listing accepted, in bytes.
    pub max_listing_bytes: u64,
    /// How many redirects inside the realm are followed for one read.
    pub max_redirects: usize,
}

impl Default for HttpOptions {
    /// No token, public addresses only, listings up to 64 MiB (some 500,000 files), three redirects.
    fn default() -> Self {
        Self {
            token: None,
            allow_addresses: AddressPolicy::default(),
            timeouts: Timeouts::default(),
            max_listing_bytes: 64 << 20,
            max_redirects: 3,
        }
    }
}

/// How long one request may take; past it the realm counts as unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the connection stands (name lookup and TLS included).
    pub connect: Duration,
    /// Between two pieces of the answer, and before the first.
    pub idle: Duration,
    /// From the first byte sent to the last one received.
    pub whole: Duration,
}

impl Default for Timeouts {
    /// 5 s to connect, 30 s of silence, 2 minutes in all.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            idle: Duration::from_secs(30),
            whole: Duration::from_secs(120),
        }
    }
}

/// A bearer token. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretToken(String);

impl SecretToken {
    /// Takes the token itself, without `Bearer`. White space around it is dropped: tokens are often read from files.
    pub fn new(token: impl AsRef<str>) -> Self {
        Self(token.as_ref().trim().to_owned())
    }

    /// The value of an `Authorization` header (RFC 6750).
    pub(crate) fn authorization(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

impl From<String> for SecretToken {
    fn from(token: String) -> Self {
        Self::new(token)
    }
}

impl fmt::Debug for SecretToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretToken(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_never_printed() {
        let options = HttpOptions {
            token: Some(SecretToken::new(" s3cret\n")),
            ..HttpOptions::default()
        };
        assert!(!format!("{options:?}").contains("s3cret"));
        assert_eq!(
            options.token.map(|token| token.authorization()).as_deref(),
            Some("Bearer s3cret")
        );
    }
}
