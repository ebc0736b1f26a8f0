//! Realm tokens: JSON Web Tokens with Boxel's claims, signed with HS256 (RFC 7519).

use std::fmt;

use axum::http::HeaderValue;
use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use realmdex_types::RealmUrl;
use serde::{Deserialize, Serialize};

use super::Denial;

/// What a realm token says. Of what else Boxel writes into it, `realmServerURL` is written for clients that look there,
/// and `sessionRoom` is not: there is no Matrix here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claims {
    /// Who showed it.
    pub user: String,
    /// The realm that it was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub realm: Option<String>,
    /// What the user might do with that realm when it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<String>>,
    /// The origin of that realm, ending in `/`.
    #[serde(
        default,
        rename = "realmServerURL",
        skip_serializing_if = "Option::is_none"
    )]
    pub realm_server_url: Option<String>,
    /// Whether someone acts for the user: it is good for reading that one realm.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub delegated: bool,
    /// When it was made, in Unix seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iat: Option<i64>,
    /// From when on it no longer holds, in Unix seconds. Boxel takes tokens without it too, but makes none.
    pub exp: i64,
    /// Before when it does not hold yet, in Unix seconds. Nobody writes it; who does is taken at their word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nbf: Option<i64>,
}

impl Claims {
    /// Whether it was made for that realm, with or without its final slash.
    pub(super) fn is_for(&self, realm: &RealmUrl) -> bool {
        let bare = |text: &str| text.strip_suffix('/').unwrap_or(text).to_owned();
        let named = self.realm.as_deref();
        named.is_some_and(|named| bare(named) == bare(realm.as_str()))
    }

    /// Whether it was made before its user's sessions were revoked. One that does not say when it was made was.
    pub(super) fn is_revoked(&self, revoked_at: Option<DateTime<Utc>>) -> bool {
        match (revoked_at, self.iat) {
            (None, _) => false,
            (Some(_), None) => true,
            // To the microsecond: of those made within the same second, none made before it is let in.
            (Some(at), Some(made)) => made.saturating_mul(1_000_000) < at.timestamp_micros(),
        }
    }
}

/// What signs realm tokens: Boxel's `REALM_SECRET_SEED`. Whoever knows it can be anyone.
#[derive(Clone)]
pub struct RealmSecret {
    signs: EncodingKey,
    checks: DecodingKey,
}

impl RealmSecret {
    /// Takes the secret itself. White space around it is dropped: secrets are often read from files. None where nothing
    /// is left.
    pub fn new(secret: impl AsRef<str>) -> Option<Self> {
        let secret = secret.as_ref().trim().as_bytes();
        // Both refuse nothing but what is empty.
        let signs = EncodingKey::from_secret(secret).ok()?;
        let checks = DecodingKey::from_secret(secret).ok()?;
        (!secret.is_empty()).then_some(Self { signs, checks })
    }

    /// Signs a token.
    ///
    /// # Errors
    /// Where the cryptography itself fails, which it does not for such a key.
    pub fn sign(&self, claims: &Claims) -> Result<String, jsonwebtoken::errors::Error> {
        encode(&Header::new(Algorithm::HS256), claims, &self.signs)
    }

    /// What the token of an `Authorization` header says, if it is signed and holds at `now`. With `Bearer` or without: a
    /// realm server's clients send both.
    pub(super) fn read(&self, header: &HeaderValue, now: DateTime<Utc>) -> Result<Claims, Denial> {
        let claims = decode(bearer(header), &self.checks, &signature_alone())
            .map_err(|_| Denial::TokenInvalid)?
            .claims;
        in_its_time(claims, now)
    }
}

impl fmt::Debug for RealmSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RealmSecret(hidden)")
    }
}

/// What follows `Bearer`, or all of it.
fn bearer(header: &HeaderValue) -> &[u8] {
    let given = header.as_bytes().trim_ascii();
    match given.split_at_checked("Bearer ".len()) {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case(b"Bearer ") => token.trim_ascii(),
        _ => given,
    }
}

/// Only that algorithm, and times are looked at elsewhere: to the second, as Boxel does.
fn signature_alone() -> Validation {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation
}

/// Lets through what holds at `now`.
fn in_its_time(claims: Claims, now: DateTime<Utc>) -> Result<Claims, Denial> {
    let now = now.timestamp();
    if claims.exp <= now {
        return Err(Denial::TokenExpired);
    }
    if claims.nbf.is_some_and(|from| from > now) {
        return Err(Denial::TokenInvalid);
    }
    Ok(claims)
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use serde_json::{Value, json};

    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    #[test]
    fn what_is_signed_is_read() {
        let secret = RealmSecret::new(" shhh\n").unwrap();
        assert!(RealmSecret::new(" \n").is_none());
        assert_eq!(format!("{secret:?}"), "RealmSecret(hidden)");
        let sign = |claims: &Value, algorithm| {
            encode(&Header::new(algorithm), claims, &secret.signs).unwrap()
        };
        let good = json!({"user": "@ann:x", "exp": 100, "aud": "whoever", "sessionRoom": "!r"});
        let good = sign(&good, Algorithm::HS256);
        let other = RealmSecret::new("other").unwrap();
        let foreign = json!({"user": "@ann:x", "exp": 100});
        let foreign = encode(&Header::default(), &foreign, &other.signs).unwrap();
        let [head, body, _] = good.split('.').collect::<Vec<_>>()[..] else {
            panic!("{good}");
        };
        // {"alg":"none"}
        let unsigned = format!("eyJhbGciOiJub25lIn0.{body}.");
        let invalid = Err(Denial::TokenInvalid);
        let rows: Vec<(String, i64, Result<&str, Denial>)> = vec![
            (good.clone(), 99, Ok("@ann:x")),
            (format!("Bearer {good}"), 99, Ok("@ann:x")),
            (format!("bearer   {good} "), 99, Ok("@ann:x")),
            (good.clone(), 100, Err(Denial::TokenExpired)),
            (good.clone(), 101, Err(Denial::TokenExpired)),
            (format!("Basic {good}"), 99, invalid),
            (format!("{head}.{body}"), 99, invalid),
            (format!("{head}.{body}."), 99, invalid),
            (unsigned, 99, invalid),
            (foreign, 99, invalid),
            ("".to_owned(), 99, invalid),
            ("Bearer ".to_owned(), 99, invalid),
            ("a.b.c".to_owned(), 99, invalid),
            (sign(&json!({"user": "a"}), Algorithm::HS256), 99, invalid),
            (sign(&json!({"exp": 100}), Algorithm::HS256), 99, invalid),
            (
                sign(&json!({"user": "a", "exp": 100}), Algorithm::HS384),
                99,
                invalid,
            ),
            (
                sign(&json!({"user": "a", "exp": "soon"}), Algorithm::HS256),
                99,
                invalid,
            ),
            (
                sign(
                    &json!({"user": "a", "exp": 100, "nbf": 99}),
                    Algorithm::HS256,
                ),
                98,
                invalid,
            ),
            (
                sign(
                    &json!({"user": "a", "exp": 100, "nbf": 99}),
                    Algorithm::HS256,
                ),
                99,
                Ok("a"),
            ),
        ];
        for (header, now, wanted) in rows {
            let value = HeaderValue::from_str(&header).unwrap();
            let read = secret.read(&value, at(now)).map(|claims| claims.user);
            assert_eq!(read, wanted.map(str::to_owned), "{header} at {now}");
        }
        let binary = HeaderValue::from_bytes(b"Bearer \xff\xfe").unwrap();
        assert_eq!(secret.read(&binary, at(1)), Err(Denial::TokenInvalid));
    }

    #[test]
    fn what_was_made_before_is_revoked() {
        let claims = |iat| Claims {
            user: "a".to_owned(),
            realm: None,
            permissions: None,
            realm_server_url: None,
            delegated: false,
            iat,
            exp: 100,
            nbf: None,
        };
        let later = at(50) + TimeDelta::milliseconds(1);
        for (made, revoked_at, wanted) in [
            (Some(50), None, false),
            (None, None, false),
            (None, Some(at(50)), true),
            (Some(49), Some(at(50)), true),
            (Some(50), Some(at(50)), false),
            (Some(50), Some(later), true),
            (Some(51), Some(later), false),
            (Some(i64::MAX), Some(at(50)), false),
            (Some(i64::MIN), Some(at(50)), true),
        ] {
            assert_eq!(
                claims(made).is_revoked(revoked_at),
                wanted,
                "{made:?} {revoked_at:?}"
            );
        }
    }
}
