//! Values of settings that people write with a unit.

use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use serde::Deserialize;

/// A time such as `500ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Span(pub(super) Duration);

impl TryFrom<String> for Span {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        humantime::parse_duration(&text)
            .map(Self)
            .map_err(|error| format!("{text:?} is no time such as 500ms or 2m: {error}"))
    }
}

/// A size such as `64MiB`, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Size(pub(super) u64);

impl TryFrom<String> for Size {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        ByteSize::from_str(&text)
            .map(|size| Self(size.as_u64()))
            .map_err(|error| format!("{text:?} is no size such as 64MiB: {error}"))
    }
}

/// An address such as `127.0.0.1:4780`; none where it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Address(pub(super) Option<SocketAddr>);

impl TryFrom<String> for Address {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self(None));
        }
        text.parse()
            .map(|address| Self(Some(address)))
            .map_err(|_| format!("{text:?} is no address such as 127.0.0.1:4780"))
    }
}
