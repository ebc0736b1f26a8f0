//! What files are now: read where the realms and the package map say that their bytes are.

use std::time::Duration;

use realmdex_source::{OpenSource, SourceError};
use realmdex_store::{Package, Registry};
use realmdex_types::{ContentDigest, ModuleId, ReadState, RealmPath};
use tokio::time::{Instant, timeout_at};

use crate::sources::Sources;

/// The largest module and wasm tool that tools are computed from, in bytes, unless workers are told otherwise: larger
/// ones are refused, and so they are here.
const MODULE_BYTES: u64 = 4 << 20;
const COMPONENT_BYTES: u64 = 8 << 20;

/// The largest file that is indexed, in bytes, unless workers are told otherwise.
const FILE_BYTES: u64 = 64 << 20;

/// How long sources may take to answer, altogether.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a file is read for: how large it may be depends on that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadAs {
    /// To be indexed itself.
    Indexed,
    /// As a module that another is computed from.
    Module,
}

/// Where files are.
pub(super) struct Whereabouts {
    sources: Sources,
    /// What ids begin with, and the place where the files below it are.
    roots: Vec<(String, String)>,
    /// What has not answered by then does not answer.
    until: Instant,
}

impl Whereabouts {
    pub(super) fn of(registry: Registry, open: OpenSource) -> Self {
        let realms = registry.realms.into_iter().map(|realm| {
            let realm = realm.realm;
            (realm.url.to_string(), realm.source)
        });
        let packages = registry.packages.into_iter().filter_map(|one| match one {
            Package::Root { prefix, location } => Some((prefix, location)),
            // Ids are written as they are read.
            Package::Alias { .. } => None,
        });
        Self {
            sources: Sources::new(open),
            roots: realms.chain(packages).collect(),
            until: Instant::now() + PATIENCE,
        }
    }

    /// What a file is now.
    pub(super) async fn state_of(&self, id: &ModuleId, read_as: ReadAs) -> ReadState {
        let Some((place, rest)) = self.root_of(id.as_str()) else {
            return ReadState::Absent;
        };
        let Ok(path) = RealmPath::from_encoded(rest) else {
            return ReadState::Absent;
        };
        let source = match self.sources.at(place) {
            Ok(source) => source,
            Err(error) => return state(&error),
        };
        let most = match (read_as, id.extension()) {
            (ReadAs::Indexed, _) => FILE_BYTES,
            (ReadAs::Module, ".wasm") => COMPONENT_BYTES,
            (ReadAs::Module, _) => MODULE_BYTES,
        };
        match timeout_at(self.until, source.read(&path, most)).await {
            Ok(Ok(file)) => ReadState::Read {
                digest: ContentDigest::of(&file.bytes),
            },
            Ok(Err(error)) => state(&error),
            Err(_) => ReadState::Unreachable,
        }
    }

    /// The place of the longest root that begins an id, and the rest of the id.
    fn root_of<'a>(&self, id: &'a str) -> Option<(&str, &'a str)> {
        self.roots
            .iter()
            .filter_map(|(prefix, place)| {
                let rest = id.strip_prefix(prefix.as_str())?;
                Some((prefix.len(), place.as_str(), rest))
            })
            .max_by_key(|(length, ..)| *length)
            .map(|(_, place, rest)| (place, rest))
    }
}

/// What an edge would say of a file whose source says that.
fn state(error: &SourceError) -> ReadState {
    match error {
        SourceError::NotFound { .. } => ReadState::Absent,
        SourceError::Forbidden { .. } => ReadState::Forbidden,
        SourceError::TooLarge { .. } | SourceError::Refused { .. } => ReadState::Refused,
        SourceError::Unreachable { .. } => ReadState::Unreachable,
    }
}
