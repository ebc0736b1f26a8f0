//! The realms that are served, and which of them a request is about.

use std::sync::{Arc, PoisonError, RwLock};

use axum::http::Uri;
use realmdex_store::{RegisteredRealm, RegistryVersion, Store, StoreError};
use realmdex_types::RealmUrl;

/// The realms as of one version of the registry.
#[derive(Debug, Default)]
pub struct Served {
    version: RegistryVersion,
    realms: Vec<Arc<RegisteredRealm>>,
}

impl Served {
    /// The realm of a URL.
    pub fn of(&self, url: &RealmUrl) -> Option<&Arc<RegisteredRealm>> {
        self.realms.iter().find(|realm| realm.realm.url == *url)
    }

    /// The realm that a path lies in, and the path below its root, as it was asked for. Of nested realms it is the one
    /// with the longest root. Where `host` is that of some realm, only realms of that host count; else (on loopback, or
    /// behind a proxy that changes it) the path alone decides, and nobody is found where realms of several hosts would
    /// do.
    pub fn find<'a>(
        &self,
        host: Option<&str>,
        path: &'a str,
    ) -> Option<(&Arc<RegisteredRealm>, &'a str)> {
        let is_of = |realm: &RegisteredRealm, host: &str| authority(realm) == host;
        let host = host.filter(|host| self.realms.iter().any(|realm| is_of(realm, host)));
        let matching = |realm: &Arc<RegisteredRealm>| {
            let root = realm.realm.url.as_url().path();
            let below = match path.strip_prefix(root) {
                Some(below) => below,
                // The root itself, without its slash.
                None if format!("{path}/") == root => "",
                None => return None,
            };
            host.is_none_or(|host| is_of(realm, host)).then_some(below)
        };
        let mut found: Vec<_> = self
            .realms
            .iter()
            .filter_map(|realm| Some((realm, matching(realm)?)))
            .collect();
        found.sort_by_key(|(realm, _)| std::cmp::Reverse(realm.realm.url.as_url().path().len()));
        match found.as_slice() {
            [(one, _), (other, _), ..]
                if one.realm.url.as_url().path() == other.realm.url.as_url().path() =>
            {
                None
            }
            found => found.first().copied(),
        }
    }
}

fn authority(realm: &RegisteredRealm) -> String {
    let url: Uri = match realm.realm.url.as_str().parse() {
        Ok(url) => url,
        Err(_) => return String::new(),
    };
    url.authority()
        .map(|authority| authority.as_str().to_ascii_lowercase())
        .unwrap_or_default()
}

/// Knows the realms that are served. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ServedRealms {
    store: Store,
    known: Arc<RwLock<Arc<Served>>>,
}

impl ServedRealms {
    /// Those of a store.
    pub fn new(store: Store) -> Self {
        Self {
            store,
            known: Arc::default(),
        }
    }

    /// The realms as they are now: who may read them is never a matter of yesterday.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn now(&self) -> Result<Arc<Served>, StoreError> {
        let version = self.store.registry_version().await?;
        let known = Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner));
        if known.version == version {
            return Ok(known);
        }
        let registry = self.store.registry().await?;
        let served = Arc::new(Served {
            version: registry.version,
            realms: registry.realms.into_iter().map(Arc::new).collect(),
        });
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&served);
        Ok(served)
    }
}
