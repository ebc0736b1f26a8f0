//! The realms that are served, and which of them a request is about.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use realmdex_store::{Package, RealmId, RegisteredRealm, Registry, RegistryVersion, Store};
use realmdex_types::{RealmPath, RealmUrl};
use tokio::sync::Mutex;
use url::Url;

use super::Problem;
use super::rows::Rows;

/// The realms as of one version of the registry.
#[derive(Debug, Default)]
pub struct Served {
    version: RegistryVersion,
    realms: Vec<Arc<RegisteredRealm>>,
    by_id: HashMap<RealmId, usize>,
    /// By host, and there by the path of their root without its last slash.
    of_hosts: HashMap<String, HashMap<String, usize>>,
    /// By that path alone; none where realms of several hosts have it.
    of_any_host: HashMap<String, Option<usize>>,
    /// For each realm the folders that are other realms': their paths below its root, each ending in a slash.
    others_within: Vec<Vec<String>>,
    /// Prefixes of packages that are read from a realm's own place, and the realm.
    packages: Vec<(String, usize)>,
}

impl Served {
    /// The realm of that URL.
    pub fn by_url(&self, url: &RealmUrl) -> Option<&Arc<RegisteredRealm>> {
        self.realms.iter().find(|realm| realm.realm.url == *url)
    }

    pub(crate) fn of(registry: Registry) -> Self {
        let realms: Vec<_> = registry.realms.into_iter().map(Arc::new).collect();
        let mut served = Self {
            version: registry.version,
            others_within: others_within(&realms),
            packages: packages_in(&realms, &registry.packages),
            ..Self::default()
        };
        for (at, realm) in realms.iter().enumerate() {
            let url = realm.realm.url.as_url();
            let root = url.path().trim_end_matches('/').to_owned();
            let host = plain_host(url.authority());
            served.by_id.insert(realm.realm.id, at);
            served
                .of_any_host
                .entry(root.clone())
                .and_modify(|one| *one = None)
                .or_insert(Some(at));
            served.of_hosts.entry(host).or_default().insert(root, at);
        }
        Self { realms, ..served }
    }

    /// Every realm, by URL.
    pub fn realms(&self) -> &[Arc<RegisteredRealm>] {
        &self.realms
    }

    /// The realm of that row.
    pub fn realm(&self, id: RealmId) -> Option<&Arc<RegisteredRealm>> {
        self.realms.get(*self.by_id.get(&id)?)
    }

    /// The realm with the longest root that a module's id lies below: a URL, or a name below the prefix of a package that
    /// is read from where a realm is.
    pub fn realm_of(&self, id: &str) -> Option<&Arc<RegisteredRealm>> {
        let by_url = self
            .realms
            .iter()
            .filter(|realm| id.starts_with(realm.realm.url.as_str()))
            .max_by_key(|realm| realm.realm.url.as_str().len());
        by_url.or_else(|| {
            let prefixes = self.packages.iter();
            let (_, at) = prefixes
                .filter(|(prefix, _)| id.starts_with(prefix.as_str()))
                .max_by_key(|(prefix, _)| prefix.len())?;
            self.realms.get(*at)
        })
    }

    /// The folders below a realm's root that are other realms', each ending in a slash.
    pub(crate) fn folders_of_others(&self, realm: RealmId) -> &[String] {
        let within = self
            .by_id
            .get(&realm)
            .and_then(|at| self.others_within.get(*at));
        within.map_or(&[], Vec::as_slice)
    }

    /// Whether some realm's URLs are of that host.
    pub fn has_host(&self, host: &str) -> bool {
        self.of_hosts.contains_key(&plain_host(host))
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
        let of_host = host.and_then(|host| self.of_hosts.get(&plain_host(host)));
        let at_root = |root: &str| match of_host {
            Some(roots) => roots.get(root).copied().map(Some),
            None => self.of_any_host.get(root).copied(),
        };
        // The root itself, without its slash.
        if let Some(found) = at_root(path) {
            return Some((self.realms.get(found?)?, ""));
        }
        for (slash, _) in path.rmatch_indices('/') {
            if let Some(found) = at_root(&path[..slash]) {
                return Some((self.realms.get(found?)?, &path[slash + 1..]));
            }
        }
        None
    }

    /// Whether a file below a realm's root is another realm's: of one that lies within this one, by its URL or by where
    /// its bytes are.
    pub fn is_anothers(&self, realm: RealmId, path: &RealmPath) -> bool {
        self.folders_of_others(realm)
            .iter()
            .any(|folder| path.as_str().starts_with(folder.as_str()))
    }
}

/// A host with its port, as it is compared: in small letters, without the port that need not be said.
fn plain_host(host: &str) -> String {
    let host = host.to_ascii_lowercase();
    let bare = host
        .strip_suffix(":443")
        .or_else(|| host.strip_suffix(":80"));
    match bare {
        // The end of an IPv6 address in brackets is no port.
        Some(bare) if !bare.contains(':') || bare.ends_with(']') => bare.to_owned(),
        _ => host,
    }
}

fn others_within(realms: &[Arc<RegisteredRealm>]) -> Vec<Vec<String>> {
    let places: Vec<(String, String)> = realms
        .iter()
        .map(|realm| (realm.realm.url.to_string(), realm.realm.source.clone()))
        .collect();
    let below = |inner: &str, outer: &str| {
        let rest = inner.strip_prefix(outer)?.strip_suffix('/')?;
        let path = RealmPath::from_encoded(rest).ok()?;
        Some(format!("{path}/"))
    };
    places
        .iter()
        .map(|(url, source)| {
            places
                .iter()
                .flat_map(|(other_url, other_source)| {
                    [below(other_url, url), below(other_source, source)]
                })
                .flatten()
                .collect()
        })
        .collect()
}

/// The prefixes of packages whose files lie in a realm's source, by the longest source; of aliases too.
fn packages_in(realms: &[Arc<RegisteredRealm>], packages: &[Package]) -> Vec<(String, usize)> {
    let realm_at = |location: &str| {
        let around = realms.iter().enumerate();
        around
            .filter(|(_, realm)| location.starts_with(realm.realm.source.as_str()))
            .max_by_key(|(_, realm)| realm.realm.source.len())
            .map(|(at, _)| at)
    };
    let roots: Vec<(String, usize)> = packages
        .iter()
        .filter_map(|package| match package {
            Package::Root { prefix, location } => Some((prefix.clone(), realm_at(location)?)),
            Package::Alias { .. } => None,
        })
        .collect();
    let aliases = packages.iter().filter_map(|package| match package {
        Package::Alias { prefix, to } => {
            let (_, at) = roots
                .iter()
                .find(|(root, _)| to.starts_with(root.as_str()))?;
            Some((prefix.clone(), *at))
        }
        Package::Root { .. } => None,
    });
    let aliases: Vec<_> = aliases.collect();
    roots.into_iter().chain(aliases).collect()
}

/// Knows the realms that are served. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ServedRealms {
    store: Store,
    rows: Rows,
    known: Arc<RwLock<Arc<Served>>>,
    reading: Arc<Mutex<()>>,
}

impl ServedRealms {
    pub(crate) fn new(store: Store, rows: Rows) -> Self {
        Self {
            store,
            rows,
            known: Arc::default(),
            reading: Arc::default(),
        }
    }

    /// The realms as they are now: who may read them is never a matter of yesterday.
    ///
    /// # Errors
    /// Where the index can't be read.
    pub async fn now(&self) -> Result<Arc<Served>, Problem> {
        let version = self.rows.registry().await?;
        self.at(version).await
    }

    /// The realms as they were last read, however long that is ago.
    pub(crate) fn known(&self) -> Arc<Served> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether realms are of the version that was seen just now.
    pub(crate) fn are(served: &Served, version: RegistryVersion) -> bool {
        served.version == version
    }

    /// The realms as of that version or a later one.
    ///
    /// # Errors
    /// Where the index can't be read.
    pub(crate) async fn at(&self, version: RegistryVersion) -> Result<Arc<Served>, Problem> {
        let is_new = |known: &Served| known.version >= version;
        let known = self.known();
        if is_new(&known) {
            return Ok(known);
        }
        // Many find out at once: one reads.
        let _reading = self.reading.lock().await;
        let known = self.known();
        if is_new(&known) {
            return Ok(known);
        }
        let served = Arc::new(Served::of(self.store.registry().await?));
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&served);
        Ok(served)
    }
}

/// The path of a file of a realm, by its URL; none where the URL is another realm's, or no file's.
pub(crate) fn path_in(realm: &RealmUrl, url: &str) -> Option<RealmPath> {
    let url = Url::parse(url).ok()?;
    realm
        .path_of(&url)
        .filter(|_| url.query().is_none() && url.fragment().is_none())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn hosts_are_compared_without_what_need_not_be_said() {
        for (host, plain) in [
            ("Realm.Test", "realm.test"),
            ("realm.test:443", "realm.test"),
            ("realm.test:80", "realm.test"),
            ("realm.test:4790", "realm.test:4790"),
            ("[::1]:80", "[::1]"),
            ("[::1]:8080", "[::1]:8080"),
            ("[fe80::443]", "[fe80::443]"),
        ] {
            assert_eq!(plain_host(host), plain, "{host}");
        }
    }
}
