//! Realms that lie in folders are watched: an edit is seen without anyone announcing it.
//!
//! ```text
//! system ─► touched ─► settle ─► Plan ─► intake
//!           (paths)    (what is there now?)
//! ```
//!
//! What the system reports is a hint. What it drops, and what happens while nobody watches, is found by listing the
//! realm: that is done each time watching begins.

mod cover;
mod folder;
mod settle;
mod touched;
mod trouble;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use realmdex_store::{Realm, RealmId, RegistryVersion, Store, StoreError};
use realmdex_types::RealmPath;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::intake::Intake;
use crate::outage::Outage;
use crate::wake::Sleeper;

/// How folders are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchConfig {
    /// How long to gather what happens at once: a save is several events.
    pub gather: Duration,
    /// How often to try again where a folder can't be watched, and to look whether it still is the same one.
    pub retry_period: Duration,
    /// How often to look for realms that came or went.
    pub registry_period: Duration,
    /// Whether realms are listed when watching first begins: what happened before was seen by nobody.
    pub lists_at_start: bool,
}

impl Default for WatchConfig {
    fn default() -> Self {
        Self {
            gather: Duration::from_millis(1),
            retry_period: Duration::from_secs(5),
            registry_period: Duration::from_secs(1),
            lists_at_start: true,
        }
    }
}

/// A realm whose folder is watched.
#[derive(Clone, Debug)]
struct Watched {
    realm: Realm,
    root: PathBuf,
    /// Folders and files below it that are other realms'.
    elsewhere: Vec<RealmPath>,
}

impl Watched {
    fn is_elsewhere(&self, path: &RealmPath) -> bool {
        self.elsewhere.iter().any(|other| {
            path.as_str()
                .strip_prefix(other.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Whether it is watched just like another.
    fn is_same(&self, other: &Self) -> bool {
        self.realm.id == other.realm.id
            && self.root == other.root
            && self.elsewhere == other.elsewhere
    }
}

/// Watches every realm that lies in a folder and is not archived, as they come and go, until it is told to stop.
pub(crate) async fn run(
    store: Store,
    intake: Intake,
    mut registry_changed: Sleeper,
    config: WatchConfig,
    shutdown: CancellationToken,
) {
    let mut outage = Outage::none("looking for realms to watch");
    let mut seen = None;
    let mut running: BTreeMap<RealmId, (Watched, CancellationToken)> = BTreeMap::new();
    let mut tasks = JoinSet::new();
    loop {
        match news(&store, seen).await {
            Ok(None) => outage.is_over(),
            Ok(Some((version, realms))) => {
                outage.is_over();
                seen = Some(version);
                let wanted = in_folders(&realms);
                running.retain(|id, (watched, stop)| {
                    let stays = wanted.get(id).is_some_and(|wanted| wanted.is_same(watched));
                    if !stays {
                        stop.cancel();
                    }
                    stays
                });
                for (id, watched) in wanted {
                    running.entry(id).or_insert_with(|| {
                        let stop = shutdown.child_token();
                        tasks.spawn(folder::follow(
                            watched.clone(),
                            intake.clone(),
                            config,
                            stop.clone(),
                        ));
                        (watched, stop)
                    });
                }
            }
            Err(error) => outage.began(&error),
        }
        while let Some(ended) = tasks.try_join_next() {
            rethrow(ended);
        }
        tokio::select! {
            () = shutdown.cancelled() => break,
            () = registry_changed.woken() => {}
            () = tokio::time::sleep(config.registry_period) => {}
        }
    }
    while let Some(ended) = tasks.join_next().await {
        rethrow(ended);
    }
}

fn rethrow(ended: Result<(), tokio::task::JoinError>) {
    if let Err(panicked) = ended
        && panicked.is_panic()
    {
        std::panic::resume_unwind(panicked.into_panic());
    }
}

/// The realms, if they are others than were seen.
async fn news(
    store: &Store,
    seen: Option<RegistryVersion>,
) -> Result<Option<(RegistryVersion, Vec<Realm>)>, StoreError> {
    let version = store.registry_version().await?;
    if seen == Some(version) {
        return Ok(None);
    }
    // What changes meanwhile shows under a later version.
    Ok(Some((version, store.realms().await?)))
}

/// The realms that are watched.
fn in_folders(realms: &[Realm]) -> BTreeMap<RealmId, Watched> {
    let live: Vec<&Realm> = realms.iter().filter(|realm| !realm.is_archived).collect();
    let mut watched = BTreeMap::new();
    for &realm in &live {
        let Some(root) = folder_of(&realm.source) else {
            continue;
        };
        let mut elsewhere: Vec<RealmPath> = live
            .iter()
            .filter(|other| other.id != realm.id)
            .flat_map(|other| below(realm, other))
            .collect();
        elsewhere.sort();
        elsewhere.dedup();
        let row = Watched {
            realm: realm.clone(),
            root,
            elsewhere,
        };
        watched.insert(realm.id, row);
    }
    watched
}

/// The folder that a realm lies in.
fn folder_of(source: &str) -> Option<PathBuf> {
    let url = Url::parse(source)
        .ok()
        .filter(|url| url.scheme() == "file")?;
    url.to_file_path().ok()
}

/// Where another realm lies within a realm, by its URL and by its source.
fn below(realm: &Realm, other: &Realm) -> Vec<RealmPath> {
    [
        (realm.url.as_str(), other.url.as_str()),
        (&realm.source, &other.source),
    ]
    .into_iter()
    .filter_map(|(outer, inner)| inner.strip_prefix(outer))
    .filter_map(|path| RealmPath::from_encoded(path.trim_end_matches('/')).ok())
    .collect()
}
