//! Realms and the paths below them.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use url::Url;

/// The root URL of a realm: `http(s)`, ends in `/`, no query, no fragment.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RealmUrl(Url);

/// Why a text is no realm URL.
#[derive(Debug, Error)]
pub enum RealmUrlError {
    /// Not a URL.
    #[error("{text:?} is not a URL")]
    NotAUrl {
        /// What was given.
        text: String,
        /// What the parser says.
        #[source]
        source: url::ParseError,
    },
    /// Some other scheme, or a query or fragment.
    #[error("{0:?} can't be a realm: give an http or https URL without query or fragment")]
    Unsuitable(String),
}

impl RealmUrl {
    /// Reads a realm URL; a missing final slash is added.
    ///
    /// # Errors
    /// When it is no plain `http(s)` URL.
    pub fn parse(text: &str) -> Result<Self, RealmUrlError> {
        let mut url = Url::parse(text).map_err(|source| RealmUrlError::NotAUrl {
            text: text.to_owned(),
            source,
        })?;
        if !matches!(url.scheme(), "http" | "https")
            || url.query().is_some()
            || url.fragment().is_some()
        {
            return Err(RealmUrlError::Unsuitable(text.to_owned()));
        }
        if !url.path().ends_with('/') {
            url.set_path(&format!("{}/", url.path()));
        }
        Ok(Self(url))
    }

    /// The URL as text; ends in `/`.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The URL itself.
    pub fn as_url(&self) -> &Url {
        &self.0
    }

    /// The URL of a file below the realm.
    pub fn file(&self, path: &RealmPath) -> Url {
        let mut url = self.0.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path.segments());
        }
        url
    }

    /// The path of a file URL below this realm; `None` for the root itself and for anything outside it.
    pub fn path_of(&self, file: &Url) -> Option<RealmPath> {
        if file.origin() != self.0.origin() {
            return None;
        }
        let below = file.path().strip_prefix(self.0.path())?;
        RealmPath::from_encoded(below).ok()
    }
}

/// A segment with its percent-escapes undone. An escaped slash would make two segments of one: refused.
fn decode_segment(segment: &str) -> Result<String, PathError> {
    let refused = || PathError(segment.to_owned());
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [
            rest.next().ok_or_else(refused)?,
            rest.next().ok_or_else(refused)?,
        ];
        let digits = std::str::from_utf8(&digits).map_err(|_| refused())?;
        bytes.push(u8::from_str_radix(digits, 16).map_err(|_| refused())?);
    }
    let decoded = String::from_utf8(bytes).map_err(|_| refused())?;
    if decoded.contains('/') {
        Err(refused())
    } else {
        Ok(decoded)
    }
}

impl fmt::Display for RealmUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TryFrom<String> for RealmUrl {
    type Error = RealmUrlError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<RealmUrl> for String {
    fn from(url: RealmUrl) -> Self {
        url.0.into()
    }
}

/// The path of a file below its realm's root, segments joined by `/`: never empty, never absolute, never
/// with `.` or `..`, a backslash or a control character.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RealmPath(String);

/// A text that is no path below a realm.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a path below a realm's root")]
pub struct PathError(pub String);

impl RealmPath {
    /// Reads a path.
    ///
    /// # Errors
    /// When a segment is empty, `.` or `..`, or holds a backslash or a control character.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let good = |segment: &str| {
            !matches!(segment, "" | "." | "..")
                && !segment.contains(|c: char| c == '\\' || c.is_control())
        };
        if text.split('/').all(good) {
            Ok(Self(text.to_owned()))
        } else {
            Err(PathError(text.to_owned()))
        }
    }

    /// Reads a path as it stands in a URL, with percent-escapes.
    ///
    /// # Errors
    /// As [`RealmPath::parse`], and when an escape is no UTF-8 or hides a slash.
    pub fn from_encoded(text: &str) -> Result<Self, PathError> {
        let decoded: Result<Vec<_>, _> = text.split('/').map(decode_segment).collect();
        Self::parse(&decoded?.join("/"))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its segments, the file name last.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The file name.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The name of the folder the file lies in; `None` at the realm's root.
    pub fn folder_name(&self) -> Option<&str> {
        self.0.rsplit('/').nth(1)
    }
}

impl fmt::Display for RealmPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RealmPath {
    type Error = PathError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<RealmPath> for String {
    fn from(path: RealmPath) -> Self {
        path.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn realm() -> RealmUrl {
        RealmUrl::parse("https://example.com/my%20realm").expect("a realm")
    }

    #[test]
    fn realm_urls_end_in_a_slash() {
        assert_eq!(realm().as_str(), "https://example.com/my%20realm/");
        for bad in [
            "",
            "realm/",
            "ftp://h/",
            "https://h/?q",
            "https://h/#f",
            "file:///tmp/",
        ] {
            assert!(RealmUrl::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn urls_outside_the_realm_have_no_path() {
        for outside in [
            "https://example.com/my%20realm/",
            "https://example.com/other/a",
            "https://example.com:444/my%20realm/a",
            "https://example.com/my%20realm/a%2fb",
            "https://example.com/my%20realm/%2e%2e%5Ca",
            "https://example.com/my%20realm/a%00",
        ] {
            let url = Url::parse(outside).expect("a URL");
            assert_eq!(realm().path_of(&url), None, "{outside}");
        }
    }

    #[test]
    fn paths_never_leave_the_root() {
        for bad in ["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\\b", "a\0"] {
            assert!(RealmPath::parse(bad).is_err(), "{bad:?}");
        }
        let path = RealmPath::parse("skills/über uns/SKILL.md").expect("a path");
        assert_eq!(
            (path.file_name(), path.folder_name()),
            ("SKILL.md", Some("über uns"))
        );
    }

    proptest! {
        #[test]
        fn a_path_survives_its_url(text in "[^/\\\\\\p{C}]{1,8}(/[^/\\\\\\p{C}]{1,8}){0,3}") {
            if let Ok(path) = RealmPath::parse(&text) {
                prop_assert_eq!(realm().path_of(&realm().file(&path)), Some(path));
            }
        }
    }
}
