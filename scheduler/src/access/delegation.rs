//! Whoever acts for users proves that they may: a request is signed with a secret that both sides know, and holds for a
//! minute (Boxel's `/_delegate-session`).

use std::fmt;

use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;

/// How far the clocks of both sides may be apart, in milliseconds.
const WINDOW: u64 = 60_000;

/// What requests for delegated sessions are signed with: Boxel's `AI_BOT_DELEGATION_SECRET`.
#[derive(Clone)]
pub struct DelegationSecret(Hmac<Sha256>);

/// Why a request for a session proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unproven {
    /// A header is not there.
    #[error("send the headers x-boxel-delegation-timestamp and x-boxel-delegation-signature")]
    Missing,
    /// It does not say when it was signed.
    #[error("x-boxel-delegation-timestamp is no number of milliseconds since 1970")]
    NoTime,
    /// It is too old, or from the future.
    #[error(
        "x-boxel-delegation-timestamp is more than a minute off: sign each request anew, and set the clock right"
    )]
    OutOfTime,
    /// Someone else signed it, or something else was signed.
    #[error("x-boxel-delegation-signature does not fit the body and its timestamp")]
    WrongSignature,
}

impl DelegationSecret {
    /// Takes the secret itself. White space around it is dropped. None where nothing is left.
    pub fn new(secret: impl AsRef<str>) -> Option<Self> {
        let secret = secret.as_ref().trim();
        if secret.is_empty() {
            return None;
        }
        // Keys of any length will do (RFC 2104).
        Hmac::new_from_slice(secret.as_bytes()).ok().map(Self)
    }

    /// The signature of a body at a time, in hexadecimal.
    pub fn sign(&self, timestamp: &str, body: &[u8]) -> String {
        hex::encode(self.of(timestamp, body).finalize().into_bytes())
    }

    /// Checks a signature. Takes as long wherever the first difference is.
    ///
    /// # Errors
    /// [`Unproven`] where it does not hold now.
    pub fn check(
        &self,
        timestamp: Option<&str>,
        signature: Option<&str>,
        body: &[u8],
        now: DateTime<Utc>,
    ) -> Result<(), Unproven> {
        let given = timestamp.filter(|text| !text.is_empty());
        let (Some(timestamp), Some(signature)) = (given, signature) else {
            return Err(Unproven::Missing);
        };
        let signed_at: i64 = timestamp.parse().map_err(|_| Unproven::NoTime)?;
        if now.timestamp_millis().abs_diff(signed_at) > WINDOW {
            return Err(Unproven::OutOfTime);
        }
        let signature = hex::decode(signature).map_err(|_| Unproven::WrongSignature)?;
        self.of(timestamp, body)
            .verify_slice(&signature)
            .map_err(|_| Unproven::WrongSignature)
    }

    fn of(&self, timestamp: &str, body: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(timestamp.as_bytes());
        mac.update(b".");
        mac.update(body);
        mac
    }
}

impl fmt::Debug for DelegationSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DelegationSecret(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_signed_now_proves_anything() {
        let secret = DelegationSecret::new("key\n").unwrap();
        assert!(DelegationSecret::new(" ").is_none());
        assert_eq!(format!("{secret:?}"), "DelegationSecret(hidden)");
        let body = br#"{"onBehalfOf":"@ann:x"}"#;
        // By `openssl dgst -sha256 -hmac key` of `1000000.{"onBehalfOf":"@ann:x"}`.
        let good = "62f8b3cf0b8eda1ad93b0b922ff9db1d082ad53ce43c358fffcb5df5f5001bc2";
        assert_eq!(secret.sign("1000000", body), good);
        let upper = good.to_uppercase();
        let short = &good[..62];
        type Row<'a> = (
            Option<&'a str>,
            Option<&'a str>,
            &'a [u8],
            i64,
            Result<(), Unproven>,
        );
        let rows: Vec<Row<'_>> = vec![
            (Some("1000000"), Some(good), body, 1_000_000, Ok(())),
            (Some("1000000"), Some(&upper), body, 1_000_000, Ok(())),
            (Some("1000000"), Some(good), body, 1_060_000, Ok(())),
            (Some("1000000"), Some(good), body, 940_000, Ok(())),
            (
                Some("1000000"),
                Some(good),
                body,
                1_060_001,
                Err(Unproven::OutOfTime),
            ),
            (
                Some("1000000"),
                Some(good),
                body,
                939_999,
                Err(Unproven::OutOfTime),
            ),
            (None, Some(good), body, 1_000_000, Err(Unproven::Missing)),
            (
                Some(""),
                Some(good),
                body,
                1_000_000,
                Err(Unproven::Missing),
            ),
            (
                Some("1000000"),
                None,
                body,
                1_000_000,
                Err(Unproven::Missing),
            ),
            (
                Some("now"),
                Some(good),
                body,
                1_000_000,
                Err(Unproven::NoTime),
            ),
            (
                Some("1e6"),
                Some(good),
                body,
                1_000_000,
                Err(Unproven::NoTime),
            ),
            (
                Some("-9223372036854775808"),
                Some(good),
                body,
                1_000_000,
                Err(Unproven::OutOfTime),
            ),
            (
                Some("1000001"),
                Some(good),
                body,
                1_000_000,
                Err(Unproven::WrongSignature),
            ),
            (
                Some("1000000"),
                Some(short),
                body,
                1_000_000,
                Err(Unproven::WrongSignature),
            ),
            (
                Some("1000000"),
                Some(""),
                body,
                1_000_000,
                Err(Unproven::WrongSignature),
            ),
            (
                Some("1000000"),
                Some("zz"),
                body,
                1_000_000,
                Err(Unproven::WrongSignature),
            ),
            (
                Some("1000000"),
                Some(good),
                b"{}",
                1_000_000,
                Err(Unproven::WrongSignature),
            ),
        ];
        for (timestamp, signature, body, now, wanted) in rows {
            let now = DateTime::from_timestamp_millis(now).unwrap();
            let checked = secret.check(timestamp, signature, body, now);
            assert_eq!(checked, wanted, "{timestamp:?} {signature:?} at {now}");
        }
    }
}
