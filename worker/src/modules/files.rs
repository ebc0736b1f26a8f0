//! The files one job has looked at: each is read, and transpiled, once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use realmdex_source::SourceError;
use realmdex_types::{ContentDigest, MODULE_EXTENSIONS, ModuleId, ReadState, RealmPath};
use tokio::sync::OnceCell;

use super::resolve::Candidate;
use super::{LoadError, LoadLimits, PackageMap, Rights, TranspileCache};
use crate::transpile::Transpiled;

pub(super) type LoadResult<T> = Result<T, Arc<LoadError>>;

/// One file as it was found.
#[derive(Debug)]
pub(super) struct FileRead {
    id: ModuleId,
    pub(super) state: ReadState,
    /// Its length.
    pub(super) bytes: u64,
    /// Why its bytes could not be had, where that is worth telling.
    pub(super) unreadable: Option<Arc<LoadError>>,
    /// What was read; given up once it is parsed.
    source: Mutex<Option<Arc<[u8]>>>,
    content: OnceCell<LoadResult<Arc<Content>>>,
}

/// What a module's file holds.
#[derive(Debug)]
pub(super) enum Content {
    Script(Arc<Transpiled>),
    Wasm(Arc<[u8]>),
}

/// The script in a file's content, if it holds one.
pub(super) fn script(content: &LoadResult<Option<Arc<Content>>>) -> Option<&Arc<Transpiled>> {
    match content.as_ref().ok()?.as_deref()? {
        Content::Script(script) => Some(script),
        Content::Wasm(_) => None,
    }
}

/// The wasm component in a file's content, if it holds one.
pub(super) fn wasm(content: &LoadResult<Option<Arc<Content>>>) -> Option<&Arc<[u8]>> {
    match content.as_ref().ok()?.as_deref()? {
        Content::Wasm(bytes) => Some(bytes),
        Content::Script(_) => None,
    }
}

impl FileRead {
    fn missing(id: &ModuleId, state: ReadState) -> Self {
        Self {
            id: id.clone(),
            state,
            bytes: 0,
            unreadable: None,
            source: Mutex::new(None),
            content: OnceCell::new(),
        }
    }

    fn held(&self) -> MutexGuard<'_, Option<Arc<[u8]>>> {
        // Whole after a panic: it is only ever replaced.
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads files below the roots of a package map.
#[derive(Debug)]
pub(super) struct Files {
    map: Arc<PackageMap>,
    transpiled: TranspileCache,
    limits: LoadLimits,
    rights: Rights,
    read: OncePer<ModuleId, Arc<FileRead>>,
}

impl Files {
    pub(super) fn new(
        map: Arc<PackageMap>,
        transpiled: TranspileCache,
        limits: LoadLimits,
        rights: Rights,
    ) -> Self {
        Self {
            map,
            transpiled,
            limits,
            rights,
            read: OncePer::default(),
        }
    }

    /// A module by its id.
    pub(super) async fn by_id(&self, id: &ModuleId) -> Arc<FileRead> {
        match self.map.by_prefix(id.as_str()) {
            Some((root, path)) => {
                let candidate = Candidate {
                    id: id.clone(),
                    root: root.clone(),
                    path: path.to_owned(),
                };
                self.file(&candidate).await
            }
            None => Arc::new(FileRead::missing(id, ReadState::Absent)),
        }
    }

    /// A file that a specifier may mean; read at the first call.
    pub(super) async fn file(&self, candidate: &Candidate) -> Arc<FileRead> {
        self.read
            .get(&candidate.id, async || {
                Arc::new(self.look_at(candidate).await)
            })
            .await
    }

    /// What a file that was read holds, parsed at the first call; nothing where it was not read.
    pub(super) async fn content(&self, file: &FileRead) -> LoadResult<Option<Arc<Content>>> {
        if let Some(error) = &file.unreadable {
            return Err(Arc::clone(error));
        }
        let ReadState::Read { digest } = &file.state else {
            return Ok(None);
        };
        let content = file.content.get_or_init(async || {
            // Kept until it is parsed: whoever waits for that may stop waiting, and another begin anew.
            let held = file.held().clone().unwrap_or_default();
            let parsed = self.parse(&file.id, held, digest).await;
            *file.held() = None;
            parsed.map(Arc::new).map_err(Arc::new)
        });
        content.await.clone().map(Some)
    }

    async fn look_at(&self, candidate: &Candidate) -> FileRead {
        let id = &candidate.id;
        if self.rights.deny(&candidate.root.prefix) {
            return FileRead::missing(id, ReadState::Denied);
        }
        // An escaped slash would be a second name of a file, and a way around a realm nested in this one.
        let Ok(path) = RealmPath::from_encoded(&candidate.path) else {
            return FileRead::missing(id, ReadState::Absent);
        };
        let limit = self.limits.file_bytes(id.extension());
        let error = match candidate.root.source.read(&path, limit).await {
            Ok(file) => {
                let digest = ContentDigest::of(&file.bytes);
                return FileRead {
                    bytes: file.bytes.len() as u64,
                    source: Mutex::new(Some(file.bytes.into())),
                    ..FileRead::missing(id, ReadState::Read { digest })
                };
            }
            Err(error) => error,
        };
        let state = match &error {
            SourceError::NotFound { .. } => ReadState::Absent,
            SourceError::Forbidden { .. } => ReadState::Forbidden,
            SourceError::TooLarge { .. } | SourceError::Refused { .. } => ReadState::Refused,
            SourceError::Unreachable { .. } => ReadState::Unreachable,
        };
        let is_told = matches!(state, ReadState::Refused | ReadState::Unreachable);
        FileRead {
            unreadable: is_told.then(|| Arc::new(self.unreadable(id, error))),
            ..FileRead::missing(id, state)
        }
    }

    fn unreadable(&self, id: &ModuleId, source: SourceError) -> LoadError {
        match source {
            SourceError::TooLarge { .. } => LoadError::Limit {
                id: id.clone(),
                limit: format!(
                    "{} bytes for one module",
                    self.limits.file_bytes(id.extension())
                ),
            },
            source => LoadError::Source {
                id: id.clone(),
                source,
            },
        }
    }

    async fn parse(
        &self,
        id: &ModuleId,
        bytes: Arc<[u8]>,
        digest: &ContentDigest,
    ) -> Result<Content, LoadError> {
        match id.extension() {
            ".wasm" => Ok(Content::Wasm(bytes)),
            extension if MODULE_EXTENSIONS.contains(&extension) => {
                let text = str::from_utf8(&bytes)
                    .map_err(|_| LoadError::NotText(id.clone()))?
                    .to_owned();
                Ok(Content::Script(
                    self.transpiled.get(id, extension, digest, text).await?,
                ))
            }
            _ => Err(LoadError::NotAModule {
                id: id.clone(),
                importer: None,
            }),
        }
    }
}

/// A value per key that is worked out once, however many ask for it at the same time.
#[derive(Debug)]
pub(super) struct OncePer<K, V>(Mutex<HashMap<K, Arc<OnceCell<V>>>>);

impl<K, V> Default for OncePer<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Clone + Eq + std::hash::Hash, V: Clone> OncePer<K, V> {
    pub(super) async fn get<F: Future<Output = V>>(&self, key: &K, make: impl FnOnce() -> F) -> V {
        // A panic while the map was held left it whole: entries are only ever inserted.
        let cell = Arc::clone(
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(key.clone())
                .or_default(),
        );
        cell.get_or_init(make).await.clone()
    }
}
