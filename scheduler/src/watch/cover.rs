//! Which folders the system watches for a realm.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notify::{RecommendedWatcher, RecursiveMode, Watcher, WatcherKind};
use realmdex_source::{FolderSource, Walked};
use realmdex_types::RealmPath;
use tokio::sync::mpsc;

use super::Watched;
use super::trouble::{Trouble, is_gone};

/// How often a walk may find folders that the one before did not.
const MAX_WALKS: usize = 32;

/// The folders of a realm that are watched.
///
/// Where the system watches folder by folder (inotify), ignored ones are left out: `node_modules` alone would use up what
/// the system allows. Elsewhere the root is watched with everything below it.
#[derive(Debug)]
pub(super) struct Cover {
    watcher: Arc<Mutex<RecommendedWatcher>>,
    root: PathBuf,
    /// Folders below the root; they are known to be, or to have been, folders.
    folders: BTreeSet<RealmPath>,
    is_folder_by_folder: bool,
}

impl Cover {
    /// Watches the root, and tells `events` what happens.
    pub(super) async fn of_root(
        root: &Path,
        events: mpsc::UnboundedSender<notify::Result<notify::Event>>,
    ) -> Result<Self, Trouble> {
        let root = root.to_owned();
        blocking(move || {
            let handler = move |event: notify::Result<notify::Event>| {
                // Every file that is read is reported as well, in numbers.
                if event.as_ref().is_ok_and(is_mere_access) {
                    return;
                }
                // Nobody listens any more: the watcher is about to go.
                events.send(event).ok();
            };
            let mut watcher = notify::recommended_watcher(handler).map_err(Trouble::making)?;
            let is_folder_by_folder = RecommendedWatcher::kind() == WatcherKind::Inotify;
            let mode = if is_folder_by_folder {
                RecursiveMode::NonRecursive
            } else {
                RecursiveMode::Recursive
            };
            watcher.watch(&root, mode).map_err(Trouble::watching)?;
            Ok(Self {
                watcher: Arc::new(Mutex::new(watcher)),
                root,
                folders: BTreeSet::new(),
                is_folder_by_folder,
            })
        })
        .await
    }

    /// Whether a path is known to have been a folder.
    pub(super) fn has(&self, path: &RealmPath) -> bool {
        self.folders.contains(path)
    }

    /// Whether every folder there was is known.
    pub(super) fn knows_all(&self) -> bool {
        self.is_folder_by_folder
    }

    /// Watches what lies at and below a folder, or everything, and answers what that is. Whatever comes after the
    /// answer's walk is reported: walks go on until one finds no folder that was not watched before it began.
    pub(super) async fn cover(
        &mut self,
        watched: &Watched,
        source: &FolderSource,
        below: Option<&RealmPath>,
    ) -> Result<Walked, Trouble> {
        for _ in 0..MAX_WALKS {
            let mut walked = source.walk(below).await?;
            walked.folders.retain(|path| !watched.is_elsewhere(path));
            walked.files.retain(|path| !watched.is_elsewhere(path));
            let new: Vec<RealmPath> = walked
                .folders
                .iter()
                .filter(|path| !self.folders.contains(*path))
                .cloned()
                .collect();
            if new.is_empty() {
                return Ok(walked);
            }
            self.watch(new).await?;
        }
        Err(Trouble::Restless)
    }

    /// Watches folders; those that are gone again are left out.
    async fn watch(&mut self, folders: Vec<RealmPath>) -> Result<(), Trouble> {
        if !self.is_folder_by_folder {
            self.folders.extend(folders);
            return Ok(());
        }
        let (watcher, root) = (Arc::clone(&self.watcher), self.root.clone());
        let there = blocking(move || {
            let mut watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
            let mut there = Vec::with_capacity(folders.len());
            for folder in folders {
                match watcher.watch(&root.join(folder.as_str()), RecursiveMode::NonRecursive) {
                    Ok(()) => there.push(folder),
                    Err(error) if is_gone(&error) => {}
                    Err(error) => return Err(Trouble::watching(error)),
                }
            }
            Ok(there)
        })
        .await?;
        self.folders.extend(there);
        Ok(())
    }

    /// Takes a folder, and what is below it, for not watched: it is gone, or another one has its name.
    pub(super) fn forget(&mut self, folder: &RealmPath) {
        let below = format!("{folder}/");
        self.folders
            .retain(|path| path != folder && !path.as_str().starts_with(&below));
    }

    /// Stops watching folders that are not among these any more.
    pub(super) async fn keep(&mut self, folders: &[RealmPath]) -> Result<(), Trouble> {
        let kept: BTreeSet<RealmPath> = folders.iter().cloned().collect();
        let gone: Vec<RealmPath> = self.folders.difference(&kept).cloned().collect();
        self.folders = kept;
        if gone.is_empty() || !self.is_folder_by_folder {
            return Ok(());
        }
        let (watcher, root) = (Arc::clone(&self.watcher), self.root.clone());
        blocking(move || {
            let mut watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
            for folder in gone {
                // It may be gone already, and its watch with it.
                watcher.unwatch(&root.join(folder.as_str())).ok();
            }
            Ok(())
        })
        .await
    }
}

fn is_mere_access(event: &notify::Event) -> bool {
    use notify::event::{AccessKind, AccessMode, EventKind};
    matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write))
}

/// The watcher answers only when its own thread has done what it was asked for.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
) -> Result<T, Trouble> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(stopped) => match stopped.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down.
            Err(_) => Err(Trouble::Silent),
        },
    }
}
