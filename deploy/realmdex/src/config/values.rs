//! Values of settings that people write with a unit.

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
