//! The files one job has looked at: each is read, and transpiled, once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use realmdex_source::SourceError;
use realmdex_types::{MODULE_EXTENSIONS, ModuleId, RealmPath};
use tokio::sync::OnceCell;

use super::closure::{ContentDigest, ReadState};
use super::resolve::Candidate;
use super::{LoadError, LoadLimits, PackageMap, TranspileCache};
use crate::transpile::Transpiled;

pub(super) type LoadResult<T> = Result<T, Arc<LoadError>>;

/// One file as it was found.
#[derive(Debug)]
pub(super) struct FileRead {
    pub(super) state: ReadState,
    /// Its length.
    pub(super) bytes: u64,
    /// What it holds; nothing where it was not read.
    pub(super) module: LoadResult<Option<Arc<Content>>>,
}

/// What a module's file holds.
#[derive(Debug)]
pub(super) enum Content {
    Script(Arc<Transpiled>),
    Wasm(Arc<[u8]>),
}

impl FileRead {
    fn missing(state: ReadState) -> Self {
        Self {
            state,
            bytes: 0,
            module: Ok(None),
        }
    }

    /// The script it holds, if it holds one.
    pub(super) fn script(&self) -> Option<&Arc<Transpiled>> {
        match self.module.as_ref().ok()?.as_deref()? {
            Content::Script(script) => Some(script),
            Content::Wasm(_) => None,
        }
    }

    /// The wasm component it holds, if it holds one.
    pub(super) fn wasm(&self) -> Option<&Arc<[u8]>> {
        match self.module.as_ref().ok()?.as_deref()? {
            Content::Wasm(bytes) => Some(bytes),
            Content::Script(_) => None,
        }
    }
}

/// Reads files below the roots of a package map.
#[derive(Debug)]
pub(super) struct Files {
    map: Arc<PackageMap>,
    transpiled: TranspileCache,
    limits: LoadLimits,
    read: OncePer<ModuleId, Arc<FileRead>>,
}

impl Files {
    pub(super) fn new(
        map: Arc<PackageMap>,
        transpiled: TranspileCache,
        limits: LoadLimits,
    ) -> Self {
        Self {
            map,
            transpiled,
            limits,
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
            None => Arc::new(FileRead::missing(ReadState::Absent)),
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

    async fn look_at(&self, candidate: &Candidate) -> FileRead {
        // An escaped slash would be a second name of a file, and a way around a realm nested in this one.
        let Ok(path) = RealmPath::from_encoded(&candidate.path) else {
            return FileRead::missing(ReadState::Absent);
        };
        let limit = self.limits.file_bytes(candidate.id.extension());
        let read = candidate.root.source.read(&path, limit).await;
        match read {
            Ok(file) => {
                let digest = ContentDigest::of(&file.bytes);
                let bytes = file.bytes.len() as u64;
                let module = self
                    .parse(&candidate.id, file.bytes, &digest)
                    .await
                    .map(|content| Some(Arc::new(content)));
                FileRead {
                    state: ReadState::Read { digest },
                    bytes,
                    module: module.map_err(Arc::new),
                }
            }
            Err(error) if error.is_not_found() => FileRead::missing(ReadState::Absent),
            Err(error) if error.is_forbidden() => FileRead::missing(ReadState::Forbidden),
            Err(source) => FileRead {
                state: ReadState::Unreachable,
                bytes: 0,
                module: Err(Arc::new(self.unreadable(&candidate.id, source))),
            },
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
        bytes: Vec<u8>,
        digest: &ContentDigest,
    ) -> Result<Content, LoadError> {
        match id.extension() {
            ".wasm" => Ok(Content::Wasm(bytes.into())),
            extension if MODULE_EXTENSIONS.contains(&extension) => {
                let text = String::from_utf8(bytes).map_err(|_| LoadError::NotText(id.clone()))?;
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
