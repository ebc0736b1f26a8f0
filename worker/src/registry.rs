//! The realms and packages that jobs are done in, as of one version; read again when a job needs a later one.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use realmdex_source::{FileBytes, Listed, Source, SourceError};
use realmdex_store::{
    Package, Place, Realm, RealmId, RegisteredRealm, Registry, RegistryVersion, Store, StoreError,
};
use realmdex_types::{ModuleId, RealmPath};
use thiserror::Error;
use tokio::sync::Mutex;
use url::Url;

use crate::enrich::Describer;
use crate::modules::{MapError, PackageMap, Rights};

/// Opens what reads the bytes at a `file:`, `http:` or `https:` URL.
pub type OpenSource = Arc<dyn Fn(&Url) -> Result<Arc<dyn Source>, SourceError> + Send + Sync>;

/// Why the realms and packages could not be had.
#[derive(Debug, Error)]
pub enum RegistryError {
    /// The index can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A prefix or a place can't be mapped.
    #[error(transparent)]
    Map(#[from] MapError),
}

/// The realms and packages as of one version.
#[derive(Debug)]
pub struct Known {
    /// The version that they are at least of.
    pub version: RegistryVersion,
    /// Computes definitions under this package map.
    pub describer: Arc<Describer>,
    /// Archived ones too: they have files still.
    realms: HashMap<RealmId, KnownRealm>,
}

/// A realm that jobs are done in.
#[derive(Clone, Debug)]
pub struct KnownRealm {
    /// The realm.
    pub realm: Realm,
    /// Its bytes.
    pub source: Arc<dyn Source>,
    /// What its owner may read.
    pub rights: Rights,
}

impl Known {
    /// A realm; none where it is not registered, or archived.
    pub fn realm(&self, id: RealmId) -> Option<&KnownRealm> {
        self.realms
            .get(&id)
            .filter(|known| !known.realm.is_archived)
    }

    /// Where a file is, by its id; none outside of every realm.
    pub fn place_of(&self, id: &ModuleId) -> Option<Place> {
        let packages = self.describer.packages();
        self.realms.values().find_map(|known| {
            let path = packages.path_in(&known.realm.url, id)?;
            Some(Place {
                realm: known.realm.id,
                path,
            })
        })
    }
}

/// Knows the realms and packages.
pub struct KnownRegistry {
    store: Store,
    open: OpenSource,
    state: Mutex<State>,
}

struct State {
    known: Arc<Known>,
    /// Sources by location: they keep what they compiled of a realm.
    sources: HashMap<String, Arc<dyn Source>>,
}

impl KnownRegistry {
    /// Reads the realms and packages. `describer` computes definitions under each package map to come.
    ///
    /// # Errors
    /// When the index can't be read, or holds what can't be mapped.
    pub async fn read(
        store: Store,
        describer: &Describer,
        open: OpenSource,
    ) -> Result<Self, RegistryError> {
        let mut sources = HashMap::new();
        let registry = store.registry().await?;
        let known = Arc::new(know(&registry, describer, &open, &mut sources)?);
        Ok(Self {
            store,
            open,
            state: Mutex::new(State { known, sources }),
        })
    }

    /// The realms and packages as of that version or a later one.
    ///
    /// # Errors
    /// As [`KnownRegistry::read`].
    pub async fn at_least(&self, version: RegistryVersion) -> Result<Arc<Known>, RegistryError> {
        let mut state = self.state.lock().await;
        if state.known.version < version {
            let registry = self.store.registry().await?;
            let describer = Arc::clone(&state.known.describer);
            let known = know(&registry, &describer, &self.open, &mut state.sources)?;
            state.known = Arc::new(known);
        }
        Ok(Arc::clone(&state.known))
    }
}

/// A place that can't be opened; it is tried again when the realms are read again.
#[derive(Debug)]
struct Closed(SourceError);

#[async_trait]
impl Source for Closed {
    async fn list(&self) -> Result<Vec<Listed>, SourceError> {
        Err(self.0.clone())
    }

    async fn read(&self, _path: &RealmPath, _max_bytes: u64) -> Result<FileBytes, SourceError> {
        Err(self.0.clone())
    }
}

fn know(
    registry: &Registry,
    describer: &Describer,
    open: &OpenSource,
    sources: &mut HashMap<String, Arc<dyn Source>>,
) -> Result<Known, RegistryError> {
    let mut kept = HashMap::new();
    let mut source_at = |location: &str| -> Result<(Url, Arc<dyn Source>), RegistryError> {
        let url = Url::parse(location)
            .map_err(|error| StoreError::unreadable("a realm's place", error))?;
        let source = match sources.get(location) {
            Some(source) => Arc::clone(source),
            // One realm that can't be read is that one's trouble: its jobs say so, and the others' go on.
            None => match open(&url) {
                Ok(source) => source,
                Err(why) => return Ok((url, Arc::new(Closed(why)) as Arc<dyn Source>)),
            },
        };
        kept.insert(location.to_owned(), Arc::clone(&source));
        Ok((url, source))
    };
    let mut builder = PackageMap::builder();
    for package in &registry.packages {
        if let Package::Alias { prefix, to } = package {
            builder = builder.alias(prefix, to)?;
        }
    }
    for package in &registry.packages {
        if let Package::Root { prefix, location } = package {
            let (url, source) = source_at(location)?;
            builder = builder.root(prefix, url, source)?;
        }
    }
    let mut realms = HashMap::new();
    for registered in &registry.realms {
        let (url, source) = source_at(&registered.realm.source)?;
        builder = builder.realm(&registered.realm.url, url, Arc::clone(&source))?;
        let known = KnownRealm {
            realm: registered.realm.clone(),
            source,
            rights: rights_of(&registered.realm, &registry.realms),
        };
        realms.insert(known.realm.id, known);
    }
    *sources = kept;
    Ok(Known {
        version: registry.version,
        describer: Arc::new(describer.under(builder.build())),
        realms,
    })
}

/// With whose rights a realm's tools are loaded: its owner's. A realm reads itself in any case.
fn rights_of(realm: &Realm, all: &[RegisteredRealm]) -> Rights {
    let denied: BTreeSet<String> = all
        .iter()
        .filter(|other| other.realm.id != realm.id && !other.lets_read(&realm.owner))
        .map(|other| other.realm.url.to_string())
        .collect();
    Rights::of(&realm.owner, denied)
}
