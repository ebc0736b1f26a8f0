//! A realm that lies in a folder.

mod sight;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use async_trait::async_trait;
use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};
use ignore::gitignore::Gitignore;
use realmdex_types::RealmPath;

use crate::ignore_rules::{CompiledRules, GITIGNORE, Kind, MAX_GITIGNORE_BYTES, RuleStack};
use crate::{FileBytes, Listed, Source, SourceError};

pub use sight::{Sight, Walked};

/// Folders may lie this deep: each level holds a file handle while a realm is listed.
const MAX_DEPTH: usize = 128;

/// A realm in a folder of this machine.
///
/// Its files are the regular files below the root that are not ignored. Symlinks below the root are neither
/// listed (Boxel does not list them either) nor followed: a file has one path, and an ignored file can't be
/// reached by another one. The root itself may be a symlink.
#[derive(Clone, Debug)]
pub struct FolderSource {
    folder: Arc<Folder>,
}

#[derive(Debug)]
struct Folder {
    root: PathBuf,
    compiled: CompiledRules,
}

impl FolderSource {
    /// A source for the folder `root`.
    ///
    /// # Errors
    /// Where there is no such folder, or it may not be opened.
    pub fn open(root: &Path) -> Result<Self, SourceError> {
        let source = Self::at(root)?;
        source.folder.open_root()?;
        Ok(source)
    }

    /// A source for a folder that need not be there now: as long as it is not, nothing in it can be reached.
    ///
    /// # Errors
    /// Where the path can't be made absolute.
    pub fn at(root: &Path) -> Result<Self, SourceError> {
        let root = std::path::absolute(root).map_err(|error| SourceError::Refused {
            at: root.display().to_string(),
            why: format!("not the path of a folder: {error}"),
        })?;
        let folder = Folder {
            root,
            compiled: CompiledRules::default(),
        };
        Ok(Self {
            folder: Arc::new(folder),
        })
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Folder) -> Result<T, SourceError> + Send + 'static,
    ) -> Result<T, SourceError> {
        let folder = Arc::clone(&self.folder);
        match tokio::task::spawn_blocking(move || work(&folder)).await {
            Ok(done) => done,
            Err(stopped) => match stopped.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime is shutting down.
                Err(stopped) => Err(SourceError::Unreachable {
                    at: self.folder.root.display().to_string(),
                    why: stopped.to_string(),
                }),
            },
        }
    }
}

#[async_trait]
impl Source for FolderSource {
    async fn list(&self) -> Result<Vec<Listed>, SourceError> {
        self.blocking(Folder::list).await
    }

    async fn read(&self, path: &RealmPath, max_bytes: u64) -> Result<FileBytes, SourceError> {
        let path = path.clone();
        self.blocking(move |folder| folder.read(&path, max_bytes))
            .await
    }
}

impl Folder {
    /// Opened anew each time: a root that was replaced (a deployment that switches a symlink) is seen, and one
    /// that is gone (a volume that is not mounted) is not taken for an empty folder.
    fn open_root(&self) -> Result<Dir, SourceError> {
        Dir::open_ambient_dir(&self.root, ambient_authority()).map_err(|error| {
            let at = self.root.display().to_string();
            match SourceError::from_io(&at, &error) {
                SourceError::NotFound { at } => SourceError::Unreachable {
                    at,
                    why: format!(
                        "the realm's folder is missing ({error}); mount it or correct its path"
                    ),
                },
                other => other,
            }
        })
    }

    fn read(&self, path: &RealmPath, max_bytes: u64) -> Result<FileBytes, SourceError> {
        let not_found = || SourceError::NotFound {
            at: path.to_string(),
        };
        let Descent::At(dir, rules) = self.descend(path)? else {
            return Err(not_found());
        };
        if rules.hides(path.as_str(), Kind::File) {
            return Err(not_found());
        }
        let (bytes, metadata) = read_regular(&dir, path.file_name(), path.as_str(), max_bytes)?
            .ok_or_else(not_found)?;
        Ok(FileBytes {
            bytes,
            modified: Some(modified(&metadata)),
            created: created(&metadata),
        })
    }

    /// Goes down to the folder that a path lies in.
    fn descend(&self, path: &RealmPath) -> Result<Descent, SourceError> {
        let mut dir = self.open_root()?;
        let mut rules = RuleStack::default();
        rules.enter("", self.rules_of(&dir, "")?);
        // The folders on the way: each `/` ends one.
        let mut start = 0;
        for (depth, (slash, _)) in path.as_str().match_indices('/').enumerate() {
            let (folder, name) = (&path.as_str()[..=slash], &path.as_str()[start..slash]);
            if depth == MAX_DEPTH || rules.hides(&path.as_str()[..slash], Kind::Folder) {
                return Ok(Descent::Hidden);
            }
            let Some(inner) = folder_in(&dir, name, path)? else {
                return Ok(Descent::Missing(rules));
            };
            dir = inner;
            rules.enter(folder, self.rules_of(&dir, folder)?);
            start = slash + 1;
        }
        Ok(Descent::At(dir, rules))
    }

    fn list(&self) -> Result<Vec<Listed>, SourceError> {
        let mut listing = Listing::new(self, RuleStack::default());
        listing.walk(&self.open_root()?, "", 0)?;
        let mut found = listing.found;
        found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// The rules of one folder's own `.gitignore`.
    fn rules_of(&self, dir: &Dir, folder: &str) -> Result<Option<Arc<Gitignore>>, SourceError> {
        match read_regular(
            dir,
            GITIGNORE,
            &format!("{folder}{GITIGNORE}"),
            MAX_GITIGNORE_BYTES,
        )? {
            Some((text, _)) => Ok(Some(self.compiled.get(folder, text)?)),
            None => {
                self.compiled.forget(folder);
                Ok(None)
            }
        }
    }
}

/// Where the way down to a path led.
enum Descent {
    /// To the folder it lies in, and the rules there.
    At(Dir, RuleStack),
    /// A folder on the way is hidden.
    Hidden,
    /// A folder on the way is not there; the rules up to then.
    Missing(RuleStack),
}

/// A walk through a folder realm, top down.
struct Listing<'a> {
    folder: &'a Folder,
    rules: RuleStack,
    found: Vec<Listed>,
    folders: Vec<RealmPath>,
}

impl<'a> Listing<'a> {
    fn new(folder: &'a Folder, rules: RuleStack) -> Self {
        Self {
            folder,
            rules,
            found: Vec::new(),
            folders: Vec::new(),
        }
    }

    /// Lists what lies in `dir` and below; `folder` is its path below the root, ending in `/`, empty for the root.
    fn walk(&mut self, dir: &Dir, folder: &str, depth: usize) -> Result<(), SourceError> {
        let at = if folder.is_empty() {
            self.folder.root.display().to_string()
        } else {
            folder.to_owned()
        };
        if depth > MAX_DEPTH {
            let why = format!(
                "folders lie more than {MAX_DEPTH} deep; move them up or add them to {GITIGNORE}"
            );
            return Err(SourceError::Refused { at, why });
        }
        let failed = |error: io::Error| incomplete(&at, &error);
        self.rules.enter(folder, self.folder.rules_of(dir, folder)?);
        for entry in dir.entries().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                tracing::warn!(
                    folder = at,
                    ?name,
                    "left out of the listing: rename it, its name is not UTF-8"
                );
                continue;
            };
            let metadata = match entry.metadata() {
                Ok(metadata) => metadata,
                // Removed since it was named.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(failed(error)),
            };
            self.visit(dir, format!("{folder}{name}"), name, &metadata, depth)?;
        }
        self.rules.leave();
        Ok(())
    }

    fn visit(
        &mut self,
        dir: &Dir,
        path: String,
        name: &str,
        metadata: &Metadata,
        depth: usize,
    ) -> Result<(), SourceError> {
        let kind = if metadata.is_dir() {
            Kind::Folder
        } else {
            Kind::File
        };
        if self.rules.hides(&path, kind) {
            return Ok(());
        }
        if !metadata.is_dir() && !metadata.is_file() {
            tracing::info!(
                path,
                "left out of the listing: a symlink, or no regular file"
            );
            return Ok(());
        }
        let path = match RealmPath::parse(&path) {
            Ok(path) => path,
            Err(error) => {
                tracing::warn!(path, %error, "left out of the listing: rename it, its name can't be a realm path");
                return Ok(());
            }
        };
        if metadata.is_file() {
            self.found.push(Listed {
                path,
                modified: modified(metadata),
                size: Some(metadata.len()),
            });
            return Ok(());
        }
        match open_folder(dir, name) {
            Ok(Some(inner)) => {
                self.folders.push(path.clone());
                self.walk(&inner, &format!("{path}/"), depth + 1)
            }
            // Removed or replaced since it was named.
            Ok(None) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(incomplete(path.as_str(), &error)),
        }
    }
}

/// An error that leaves a listing incomplete; never a "not found", which is about single files.
fn incomplete(at: &str, error: &io::Error) -> SourceError {
    match SourceError::from_io(at, error) {
        SourceError::NotFound { at } => SourceError::Unreachable {
            at,
            why: error.to_string(),
        },
        other => other,
    }
}

/// Opens the folder `name` in `dir`; `None` where that is anything else, a symlink too.
fn open_folder(dir: &Dir, name: &str) -> io::Result<Option<Dir>> {
    if !dir.symlink_metadata(name)?.is_dir() {
        return Ok(None);
    }
    dir.open_dir_nofollow(name).map(Some)
}

/// The same on the way to `path`; `None` also where there is nothing.
fn folder_in(dir: &Dir, name: &str, path: &RealmPath) -> Result<Option<Dir>, SourceError> {
    match open_folder(dir, name) {
        Ok(inner) => Ok(inner),
        Err(error) => match SourceError::from_io(path.as_str(), &error) {
            SourceError::NotFound { .. } => Ok(None),
            other => Err(other),
        },
    }
}

/// Reads the regular file `name` in `dir`, at most `limit` bytes; `None` where that is absent or anything else.
fn read_regular(
    dir: &Dir,
    name: &str,
    at: &str,
    limit: u64,
) -> Result<Option<(Vec<u8>, Metadata)>, SourceError> {
    let too_large = || SourceError::TooLarge {
        at: at.to_owned(),
        limit,
    };
    let attempt = || -> io::Result<Option<(Vec<u8>, Metadata)>> {
        // Opening a device may already have an effect, so it is looked at first.
        if !dir.symlink_metadata(name)?.is_file() {
            return Ok(None);
        }
        let mut options = OpenOptions::new();
        // Should it have become a symlink or a pipe meanwhile: not followed, not waited for.
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = dir.open_with(name, &options)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        if metadata.len() <= limit {
            // One more than its length, so that the end is seen without growing.
            bytes.try_reserve_exact(metadata.len() as usize + 1)?;
            file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        }
        Ok(Some((bytes, metadata)))
    };
    match attempt() {
        Ok(Some((bytes, metadata))) if metadata.len() > limit || bytes.len() as u64 > limit => {
            Err(too_large())
        }
        Ok(read) => Ok(read),
        Err(error) => match SourceError::from_io(at, &error) {
            SourceError::NotFound { .. } => Ok(None),
            other => Err(other),
        },
    }
}

fn modified(metadata: &Metadata) -> u64 {
    metadata.modified().map(unix_seconds).unwrap_or_default()
}

/// Not every file system knows.
fn created(metadata: &Metadata) -> Option<u64> {
    metadata.created().map(unix_seconds).ok()
}

/// A time before 1970 counts as 1970.
fn unix_seconds(time: cap_std::time::SystemTime) -> u64 {
    time.into_std()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
