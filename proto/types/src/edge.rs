//! What a result says about the files it was computed from.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The SHA-256 of a file's bytes; hex as text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentDigest([u8; 32]);

/// A text or bytes that are no SHA-256.
#[derive(Debug, Error)]
#[error("not a SHA-256: it has 32 bytes, 64 hex digits")]
pub struct DigestError;

impl ContentDigest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest as it is stored.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first twelve hex digits: enough for people to tell digests apart.
    pub fn short(&self) -> String {
        self.0[..6]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

impl TryFrom<&[u8]> for ContentDigest {
    type Error = DigestError;
    fn try_from(bytes: &[u8]) -> Result<Self, DigestError> {
        bytes.try_into().map(Self).map_err(|_| DigestError)
    }
}

impl TryFrom<String> for ContentDigest {
    type Error = DigestError;
    fn try_from(text: String) -> Result<Self, DigestError> {
        let byte = |pair: &[u8]| {
            let pair = std::str::from_utf8(pair).map_err(|_| DigestError)?;
            u8::from_str_radix(pair, 16).map_err(|_| DigestError)
        };
        let bytes: Vec<u8> = text
            .as_bytes()
            .chunks(2)
            .map(byte)
            .collect::<Result<_, _>>()?;
        bytes.as_slice().try_into()
    }
}

impl From<ContentDigest> for String {
    fn from(digest: ContentDigest) -> Self {
        digest.to_string()
    }
}

impl fmt::Display for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How a file was found when it was looked for: what an edge says of its target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ReadState {
    /// Its bytes were read and had this digest.
    Read {
        /// Of its bytes.
        digest: ContentDigest,
    },
    /// It was not there.
    Absent,
    /// Its source does not let us read it. To the module that asked it looks absent.
    Forbidden,
    /// The realm it lies in may not be read by whoever owns the one that asked: it was not looked for at all. To the
    /// module that asked it looks absent.
    Denied,
    /// It was not read on purpose: too large for a module, or outside of what may be read.
    Refused,
    /// Its source did not answer. Says nothing about the file, and is tried again.
    Unreachable,
}

impl ReadState {
    /// The digest of what was read.
    pub fn digest(&self) -> Option<&ContentDigest> {
        match self {
            Self::Read { digest } => Some(digest),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_read_back() {
        let digest = ContentDigest::of(b"abc");
        let text = digest.to_string();
        assert!(text.starts_with("ba7816bf8f01") && text.len() == 64);
        assert_eq!(digest.short(), "ba7816bf8f01");
        assert_eq!(ContentDigest::try_from(text).unwrap(), digest);
        for wrong in ["", "ba", "zz", &"0".repeat(65)] {
            assert!(
                ContentDigest::try_from(wrong.to_owned()).is_err(),
                "{wrong}"
            );
        }
    }
}
