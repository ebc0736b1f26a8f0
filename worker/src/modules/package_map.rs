//! Which roots modules are read from: realms and mapped packages, and the aliases that lead to them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use realmdex_source::Source;
use realmdex_types::{ContentDigest, ModuleId, RealmPath, RealmUrl};
use thiserror::Error;
use url::Url;

use super::provided;

/// Spellings that Boxel treats as one: its host's tools were once commands, its packages also have URLs, and the
/// host application's own modules call each other by the package name.
const DEFAULT_ALIASES: [(&str, &str); 3] = [
    ("https://cardstack.com/base/", "@cardstack/base/"),
    (
        "@cardstack/boxel-host/commands/",
        "@cardstack/boxel-host/tools/",
    ),
    ("@cardstack/host/", "@cardstack/boxel-host/"),
];

/// A place modules are read from, under the prefix that their ids begin with.
#[derive(Clone, Debug)]
pub struct Root {
    /// A realm URL or a package prefix; ends in `/`.
    pub prefix: String,
    /// Where the bytes are: a `file:` or `http(s):` URL that ends in `/`. Two roots of one location are one.
    pub location: Url,
    /// Reads them.
    pub source: Arc<dyn Source>,
    /// Whether it is a realm of the index: each of its files has a row, and edges tell of what changes there.
    pub is_realm: bool,
}

/// A prefix or location that can't be mapped.
#[derive(Debug, Error)]
pub enum MapError {
    /// A prefix must name a folder.
    #[error("{0:?} must end in a slash")]
    NoSlash(String),
    /// The path can't be made absolute.
    #[error("{path} is no folder")]
    NoFolder {
        /// As given.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// The map from specifiers to roots. Of nested roots the longest wins, by prefix and by location.
#[derive(Clone, Debug, Default)]
pub struct PackageMap {
    roots: Vec<Root>,
    aliases: Vec<(String, String)>,
    ignores_core: bool,
}

impl PackageMap {
    /// A map with the default aliases and no roots.
    pub fn builder() -> PackageMapBuilder {
        PackageMapBuilder(Self {
            roots: Vec::new(),
            aliases: DEFAULT_ALIASES
                .map(|(from, to)| (from.to_owned(), to.to_owned()))
                .to_vec(),
            ignores_core: false,
        })
    }

    /// The specifier with aliases followed, the longest first; what a root is mapped for is no alias. A circle of
    /// aliases ends where it began.
    pub(crate) fn unalias(&self, specifier: &str) -> String {
        let mut current = specifier.to_owned();
        for _ in 0..=self.aliases.len() {
            let longest = self
                .aliases
                .iter()
                .filter(|(from, _)| current.starts_with(from.as_str()))
                .max_by_key(|(from, _)| from.len());
            let Some((from, to)) = longest else { break };
            // A root of just that prefix was mapped on purpose: it is nearer than the alias.
            if self
                .by_prefix(&current)
                .is_some_and(|(root, _)| root.prefix.len() >= from.len())
            {
                break;
            }
            current = format!("{to}{}", &current[from.len()..]);
        }
        current
    }

    /// The root whose prefix begins the id, and the rest of the id.
    pub(crate) fn by_prefix<'a>(&self, id: &'a str) -> Option<(&Root, &'a str)> {
        self.roots
            .iter()
            .filter_map(|root| Some((root, id.strip_prefix(root.prefix.as_str())?)))
            .max_by_key(|(root, _)| root.prefix.len())
    }

    /// The root that a location lies in, and the path below it. Of roots at one place a package wins over a URL, and
    /// what was mapped first over what came later.
    pub(crate) fn by_location<'a>(&self, location: &'a str) -> Option<(&Root, &'a str)> {
        self.roots
            .iter()
            .rev()
            .filter_map(|root| Some((root, location.strip_prefix(root.location.as_str())?)))
            .max_by_key(|(root, _)| (root.location.as_str().len(), root.prefix.starts_with('@')))
    }

    /// The one id of a file below a root: its root may be nested in another, or share a location with one.
    pub(crate) fn canonical(&self, root: &Root, path: &str) -> (Root, ModuleId, String) {
        let location = one_spelling(format!("{}{path}", root.location));
        let (root, path) = self.by_location(&location).unwrap_or((root, path));
        let id = ModuleId::new(&root.prefix, path);
        // A realm within this one, wherever its files lie, hides what this one has under its URL.
        match self.by_prefix(id.as_str()) {
            Some((nearer, rest)) if nearer.prefix.len() > root.prefix.len() => {
                (nearer.clone(), id.clone(), rest.to_owned())
            }
            _ => (root.clone(), id, path.to_owned()),
        }
    }

    /// The canonical id of a file of a realm: a realm's folder may also be a package's.
    pub fn id_of(&self, realm: &RealmUrl, path: &RealmPath) -> ModuleId {
        let url = realm.file(path);
        match self.by_prefix(url.as_str()) {
            Some((root, rest)) => self.canonical(root, rest).1,
            None => ModuleId::stored(url.into()),
        }
    }

    /// Whether a file below a realm's root is another realm's: of one that lies within this one, by its URL or by its
    /// place.
    pub fn is_anothers(&self, realm: &RealmUrl, path: &RealmPath) -> bool {
        let url = realm.file(path);
        let below = url
            .as_str()
            .strip_prefix(realm.as_str())
            .unwrap_or_default();
        let own = self
            .roots
            .iter()
            .find(|root| root.prefix == realm.as_str())
            .map(|root| root.location.as_str());
        let place = own.map(|root| (root, one_spelling(format!("{root}{below}"))));
        self.roots
            .iter()
            .filter(|root| root.is_realm && root.prefix != realm.as_str())
            .any(|other| {
                lies_within(&other.prefix, realm.as_str(), url.as_str())
                    || place.as_ref().is_some_and(|(root, file)| {
                        lies_within(other.location.as_str(), root, file)
                    })
            })
    }

    /// The path in a realm of the file that has this canonical id; none where the file is not the realm's.
    pub fn path_in(&self, realm: &RealmUrl, id: &ModuleId) -> Option<RealmPath> {
        let realm_root = self
            .roots
            .iter()
            .find(|root| root.prefix == realm.as_str())?;
        let (root, rest) = self.by_prefix(id.as_str())?;
        let location = format!("{}{rest}", root.location);
        let below = location.strip_prefix(realm_root.location.as_str())?;
        let path = RealmPath::from_encoded(below).ok()?;
        (self.id_of(realm, &path) == *id).then_some(path)
    }

    /// A hash of the map: what was resolved under one map says nothing under another. Realms are left out: what they
    /// hold, and that there is one at all, is what edges are for.
    pub fn fingerprint(&self) -> ContentDigest {
        let packages = self.roots.iter().filter(|root| !root.is_realm);
        let roots = packages.map(|root| format!("{} {}", root.prefix, root.location));
        let aliases = self
            .aliases
            .iter()
            .map(|(from, to)| format!("{from} = {to}"));
        let mut lines: Vec<String> = roots.chain(aliases).collect();
        lines.sort();
        ContentDigest::of(lines.join("\n").as_bytes())
    }

    /// Whether modules of that prefix can be read from somewhere.
    pub(crate) fn has_root_within(&self, prefix: &str) -> bool {
        self.roots
            .iter()
            .any(|root| root.prefix.starts_with(prefix))
    }

    /// The same map, under which mapped files are read even where the guest would stand in for them: to see what they
    /// import, never to run them.
    pub fn without_stand_ins(mut self) -> Self {
        self.ignores_core = true;
        self
    }

    /// Whether the guest answers for that module though its package is mapped.
    pub(crate) fn is_stood_in(&self, id: &str) -> bool {
        !self.ignores_core && provided::is_core(id)
    }
}

/// Whether a file below `outer` is also below `inner`, and `inner` below `outer`.
fn lies_within(inner: &str, outer: &str, file: &str) -> bool {
    inner.len() > outer.len() && file.starts_with(inner)
}

/// A location without `..`, with escapes where they must be and nowhere else: one file is one name.
fn one_spelling(location: String) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_plain = |segment: &str| !segment.starts_with('.') && segment.bytes().all(plain);
    // Nearly every name is: the scheme and the host are as the root's location has them.
    if location.split('/').skip(3).all(is_plain) {
        return location;
    }
    let Ok(mut url) = Url::parse(&location) else {
        return location;
    };
    let decoded: Option<Vec<String>> = url.path_segments().and_then(|segments| {
        let decoded = |segment| {
            let text = percent_decode_str(segment).decode_utf8().ok()?;
            // An escaped slash is no separator.
            (!text.contains(['/', '\\'])).then(|| text.into_owned())
        };
        segments.map(decoded).collect()
    });
    if let Some(decoded) = decoded
        && let Ok(mut segments) = url.path_segments_mut()
    {
        segments.clear().extend(decoded);
    }
    url.into()
}

/// Builds a [`PackageMap`].
#[derive(Debug)]
pub struct PackageMapBuilder(PackageMap);

impl PackageMapBuilder {
    /// Maps a prefix to a source at a location.
    ///
    /// # Errors
    /// When the prefix or the location does not end in `/`.
    pub fn root(
        self,
        prefix: &str,
        location: Url,
        source: Arc<dyn Source>,
    ) -> Result<Self, MapError> {
        self.add(prefix, location, source, false)
    }

    /// Maps a realm of the index, unless its URL was mapped on purpose.
    ///
    /// # Errors
    /// When the location does not end in `/`.
    pub fn realm(
        self,
        url: &RealmUrl,
        location: Url,
        source: Arc<dyn Source>,
    ) -> Result<Self, MapError> {
        let prefix = PackageMap::builder().0.unalias(url.as_str());
        if self.0.roots.iter().any(|root| root.prefix == prefix) {
            return Ok(self);
        }
        self.add(url.as_str(), location, source, true)
    }

    fn add(
        mut self,
        prefix: &str,
        location: Url,
        source: Arc<dyn Source>,
        is_realm: bool,
    ) -> Result<Self, MapError> {
        for text in [prefix, location.as_str()] {
            if !text.ends_with('/') {
                return Err(MapError::NoSlash(text.to_owned()));
            }
        }
        // A URL in its one spelling, and a package by its one name.
        let prefix = Url::parse(prefix).map_or_else(|_| prefix.to_owned(), Into::into);
        let prefix = PackageMap::builder().0.unalias(&prefix);
        self.0.roots.retain(|root| root.prefix != prefix);
        self.0.roots.push(Root {
            prefix,
            location,
            source,
            is_realm,
        });
        Ok(self)
    }

    /// Reads a longer prefix for a shorter one: both end in `/`.
    ///
    /// # Errors
    /// When either does not.
    pub fn alias(mut self, from: &str, to: &str) -> Result<Self, MapError> {
        for text in [from, to] {
            if !text.ends_with('/') {
                return Err(MapError::NoSlash(text.to_owned()));
            }
        }
        self.0.aliases.retain(|(known, _)| known != from);
        self.0.aliases.push((from.to_owned(), to.to_owned()));
        Ok(self)
    }

    /// The finished map.
    pub fn build(self) -> PackageMap {
        self.0
    }
}

/// The location of a folder, as a `file:` URL with symbolic links followed: the identity of a folder root.
///
/// # Errors
/// When there is no such folder.
pub fn folder_location(folder: &Path) -> Result<Url, MapError> {
    let absolute = folder.canonicalize().map_err(|source| MapError::NoFolder {
        path: folder.to_owned(),
        source,
    })?;
    Url::from_directory_path(&absolute).map_err(|()| MapError::NoFolder {
        path: folder.to_owned(),
        source: std::io::Error::from(std::io::ErrorKind::NotADirectory),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_has_one_spelling() {
        for (given, expected) in [
            ("file:///r/a.js", "file:///r/a.js"),
            ("file:///r/a/../b.js", "file:///r/b.js"),
            ("file:///r/./a/%2e%2e/b.js", "file:///r/b.js"),
            ("file:///r/%61.js", "file:///r/a.js"),
            ("file:///r/größe.js", "file:///r/gr%C3%B6%C3%9Fe.js"),
            (
                "file:///r/gr%c3%b6%c3%9fe.js",
                "file:///r/gr%C3%B6%C3%9Fe.js",
            ),
            ("file:///r/a b", "file:///r/a%20b"),
            ("file:///r/a%20b", "file:///r/a%20b"),
            ("file:///r/100%25", "file:///r/100%25"),
            ("file:///r/..%2fb", "file:///r/..%2fb"),
            ("file:///r/%ff", "file:///r/%ff"),
            ("file:///r/a//b", "file:///r/a//b"),
            ("http://h:1/r/%61/", "http://h:1/r/a/"),
        ] {
            assert_eq!(one_spelling(given.to_owned()), expected, "{given}");
            assert_eq!(one_spelling(expected.to_owned()), expected, "{given}");
        }
    }
}
