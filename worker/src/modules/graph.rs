//! Loads modules with their static closures. One graph serves one job: what it has read it does not read again,
//! and nothing read for another job is reused.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::join_all;
use percent_encoding::percent_decode_str;
use realmdex_source::SourceError;
use realmdex_types::{ModuleId, RealmPath};
use tokio::sync::OnceCell;

use super::closure::{Closure, ContentDigest, Lookup, ReadState};
use super::resolve::{Candidate, Plan, Target, plan};
use super::{LoadError, host_tools, PackageMap, TranspileCache};
use crate::transpile::Transpiled;

/// How much one description may load.
#[derive(Clone, Debug)]
pub struct LoadLimits {
    /// Bytes of one module's source.
    pub module_bytes: u64,
    /// Modules in one closure.
    pub modules: usize,
    /// Bytes of source in one closure.
    pub closure_bytes: u64,
    /// How long one description may wait for its sources altogether.
    pub source_wait: Duration,
}

impl Default for LoadLimits {
    fn default() -> Self {
        Self { module_bytes: 4 << 20, modules: 1000, closure_bytes: 32 << 20, source_wait: Duration::from_secs(30) }
    }
}

/// A module in the form the guest runs, with its imports resolved.
#[derive(Clone, Debug)]
pub struct LoadedModule {
    /// Its identity.
    pub id: ModuleId,
    /// What it sees as `import.meta.url`.
    pub url: String,
    /// What the guest runs.
    pub script: Arc<Transpiled>,
    /// Each specifier and what it names.
    pub imports: Arc<[(String, Target)]>,
}

/// What a load brought.
#[derive(Debug)]
pub struct Loaded {
    /// What the specifier named.
    pub target: Target,
    /// The modules of its closure that were not loaded before in the same description.
    pub modules: Vec<LoadedModule>,
}

type Shared<T> = Arc<OnceCell<T>>;
type LoadResult<T> = Result<T, Arc<LoadError>>;

/// The modules one job has read.
#[derive(Debug)]
pub struct ModuleGraph {
    map: Arc<PackageMap>,
    transpiled: TranspileCache,
    limits: LoadLimits,
    files: Mutex<HashMap<ModuleId, Shared<Arc<FileRead>>>>,
    imports: Mutex<HashMap<ModuleId, Shared<Arc<[Resolved]>>>>,
}

/// One file as it was found.
#[derive(Debug)]
struct FileRead {
    state: ReadState,
    bytes: u64,
    module: LoadResult<Option<Arc<Source>>>,
}

#[derive(Debug)]
enum Source {
    Script(Arc<Transpiled>),
    Wasm(Arc<[u8]>),
}

/// One specifier as it was resolved.
#[derive(Debug, Clone)]
struct Resolved {
    specifier: String,
    target: LoadResult<Target>,
    probed: Vec<(ModuleId, ReadState)>,
}

/// What one description has loaded so far.
#[derive(Debug, Default)]
pub(crate) struct Session {
    closure: Closure,
    seen: HashSet<ModuleId>,
    bytes: u64,
    waited: Duration,
}

impl Session {
    /// The record of the description.
    pub(crate) fn into_closure(self) -> Closure {
        self.closure
    }
}

impl ModuleGraph {
    /// A graph for one job.
    pub fn new(map: Arc<PackageMap>, transpiled: TranspileCache, limits: LoadLimits) -> Self {
        Self { map, transpiled, limits, files: Mutex::default(), imports: Mutex::default() }
    }

    /// Loads what `specifier` names in `importer`, with its static closure, and records it in the session.
    pub(crate) async fn load(&self, session: &mut Session, specifier: &str, importer: Option<&ModuleId>) -> LoadResult<Loaded> {
        let budget = self.limits.source_wait.saturating_sub(session.waited);
        let started = tokio::time::Instant::now();
        let loaded = tokio::time::timeout(budget, self.load_closure(session, specifier, importer)).await;
        session.waited += started.elapsed();
        loaded.unwrap_or_else(|_| Err(Arc::new(LoadError::SourcesTooSlow { seconds: self.limits.source_wait.as_secs() })))
    }

    /// The bytes of the wasm component that `specifier` names; `None` where it names something else. Only a
    /// component is recorded: a script is loaded, and recorded, by whoever runs it.
    pub(crate) async fn load_wasm(&self, session: &mut Session, specifier: &str) -> Option<Arc<[u8]>> {
        let resolved = self.resolve(specifier, None).await;
        let Ok(Target::Module(id)) = &resolved.target else { return None };
        let file = self.file_of(id).await;
        match file.module.as_ref().ok()?.as_deref()? {
            Source::Wasm(bytes) => {
                session.record(None, &resolved);
                Some(Arc::clone(bytes))
            }
            Source::Script(_) => None,
        }
    }

    /// The static closure of a module by its id (the extension may be left out), without running anything of it; and
    /// why it does not load, if so.
    pub async fn closure_of(&self, id: &str) -> (Closure, LoadResult<()>) {
        let mut session = Session::default();
        // As from within its own package, where nothing is hidden.
        let importer = ModuleId::from_guest(id.to_owned());
        let loaded = self.load(&mut session, id, Some(&importer)).await;
        (session.into_closure(), loaded.map(|_| ()))
    }

    /// The file of a module by its id; none where there is no such file.
    pub async fn locate(&self, id: &str) -> Option<ModuleId> {
        let importer = ModuleId::from_guest(id.to_owned());
        match self.resolve(id, Some(&importer)).await.target {
            Ok(Target::Module(id)) => Some(id),
            _ => None,
        }
    }

    async fn load_closure(&self, session: &mut Session, specifier: &str, importer: Option<&ModuleId>) -> LoadResult<Loaded> {
        let resolved = self.resolve(specifier, importer).await;
        session.record(importer, &resolved);
        let target = resolved.target?;
        let mut modules = Vec::new();
        let mut wave: VecDeque<ModuleId> = match &target {
            Target::Module(id) => VecDeque::from([id.clone()]),
            Target::Provided(_) => VecDeque::new(),
        };
        while !wave.is_empty() {
            let fresh: Vec<ModuleId> = wave.drain(..).filter(|id| session.seen.insert(id.clone())).collect();
            let importer_of_all = if modules.is_empty() { importer } else { None };
            for id in &fresh {
                self.admit(session, id, importer_of_all).await?;
            }
            let resolved = join_all(fresh.iter().map(|id| self.imports_of(id))).await;
            for (id, resolved) in fresh.into_iter().zip(resolved) {
                let mut imports = Vec::with_capacity(resolved.len());
                for import in resolved.iter() {
                    session.record(Some(&id), import);
                    let target = import.target.clone()?;
                    if let Target::Module(next) = &target {
                        wave.push_back(next.clone());
                    }
                    imports.push((import.specifier.clone(), target));
                }
                modules.push(self.loaded(&id, imports).await?);
            }
        }
        Ok(Loaded { target, modules })
    }

    /// Counts a module towards the limits, before anything of it is used.
    async fn admit(&self, session: &mut Session, id: &ModuleId, importer: Option<&ModuleId>) -> LoadResult<()> {
        let file = self.file_of(id).await;
        session.bytes += file.bytes;
        let limit = if session.seen.len() > self.limits.modules {
            Some(format!("{} modules in a tool's closure", self.limits.modules))
        } else if session.bytes > self.limits.closure_bytes {
            Some(format!("{} bytes of source in a tool's closure", self.limits.closure_bytes))
        } else {
            None
        };
        if let Some(limit) = limit {
            return Err(Arc::new(LoadError::Limit { id: id.clone(), limit }));
        }
        match &file.module {
            Ok(Some(source)) if matches!(source.as_ref(), Source::Script(_)) => Ok(()),
            Ok(_) => Err(Arc::new(LoadError::NotAModule { id: id.clone(), importer: importer.cloned() })),
            Err(error) => Err(Arc::clone(error)),
        }
    }

    async fn loaded(&self, id: &ModuleId, imports: Vec<(String, Target)>) -> LoadResult<LoadedModule> {
        let file = self.file_of(id).await;
        match file.module.as_ref().map(|source| source.as_deref()) {
            Ok(Some(Source::Script(script))) => Ok(LoadedModule {
                id: id.clone(),
                url: public_url(id),
                script: Arc::clone(script),
                imports: imports.into(),
            }),
            Ok(_) => Err(Arc::new(LoadError::NotAModule { id: id.clone(), importer: None })),
            Err(error) => Err(Arc::clone(error)),
        }
    }

    async fn imports_of(&self, id: &ModuleId) -> Arc<[Resolved]> {
        let cell = Arc::clone(lock(&self.imports).entry(id.clone()).or_default());
        let resolved = cell.get_or_init(|| async {
            let file = self.file_of(id).await;
            match file.module.as_ref().map(|source| source.as_deref()) {
                Ok(Some(Source::Script(script))) => {
                    join_all(script.imports.iter().map(|specifier| self.resolve(specifier, Some(id)))).await.into()
                }
                _ => Arc::from([]),
            }
        });
        Arc::clone(resolved.await)
    }

    async fn resolve(&self, specifier: &str, importer: Option<&ModuleId>) -> Resolved {
        match host_tools::name_of(&self.map, specifier, importer) {
            Some(name) => self.resolve_host_tool(specifier, &name, importer).await,
            None => self.resolve_planned(specifier, importer).await,
        }
    }

    /// A host tool goes by the name under which the host registers it, where its index can be read.
    async fn resolve_host_tool(&self, specifier: &str, name: &str, importer: Option<&ModuleId>) -> Resolved {
        let index = Box::pin(self.resolve_planned(host_tools::INDEX, None)).await;
        let Ok(Target::Module(index_id)) = &index.target else {
            return self.resolve_planned(specifier, importer).await;
        };
        let file = self.file_of(index_id).await;
        let registered = match file.module.as_ref().map(|source| source.as_deref()) {
            Ok(Some(Source::Script(script))) => host_tools::registered_as(name, &script.imports),
            _ => None,
        };
        let mut resolved = match registered {
            Some(path) => Box::pin(self.resolve_planned(path, Some(index_id))).await,
            None => Resolved {
                specifier: String::new(),
                target: Err(Arc::new(LoadError::NotFound {
                    specifier: specifier.to_owned(),
                    importer: importer.cloned(),
                    looked_for: format!("the host application registers no such tool in {index_id}"),
                })),
                probed: Vec::new(),
            },
        };
        resolved.specifier = specifier.to_owned();
        resolved.probed.splice(0..0, index.probed);
        resolved
    }

    async fn resolve_planned(&self, specifier: &str, importer: Option<&ModuleId>) -> Resolved {
        let mut probed = Vec::new();
        let target = match plan(&self.map, specifier, importer) {
            Plan::Provided(id) => Ok(Target::Provided(id)),
            Plan::Nowhere(mend) => Err(LoadError::Unmapped {
                specifier: specifier.to_owned(),
                importer: importer.cloned(),
                mend,
            }),
            Plan::Look { candidates, otherwise } => {
                match self.first_present(&candidates, &mut probed).await {
                    Some(found) => found.map(Target::Module),
                    None => otherwise.map(Target::Provided).ok_or_else(|| LoadError::NotFound {
                        specifier: specifier.to_owned(),
                        importer: importer.cloned(),
                        looked_for: looked_for(&candidates),
                    }),
                }
            }
        };
        Resolved { specifier: specifier.to_owned(), target: target.map_err(Arc::new), probed }
    }

    /// Probes candidates in order. A source that does not answer ends the search: the next name could be the wrong file.
    async fn first_present(&self, candidates: &[Candidate], probed: &mut Vec<(ModuleId, ReadState)>) -> Option<Result<ModuleId, LoadError>> {
        for candidate in candidates {
            let file = self.file(candidate).await;
            probed.push((candidate.id.clone(), file.state.clone()));
            match &file.state {
                ReadState::Read { .. } => return Some(Ok(candidate.id.clone())),
                ReadState::Absent | ReadState::Forbidden => {}
                ReadState::Unreachable => {
                    return Some(match &file.module {
                        Err(error) => Err(unreachable_again(error, &candidate.id)),
                        Ok(_) => Ok(candidate.id.clone()),
                    });
                }
            }
        }
        None
    }

    async fn file_of(&self, id: &ModuleId) -> Arc<FileRead> {
        match self.map.by_prefix(id.as_str()) {
            Some((root, path)) => {
                let candidate = Candidate { id: id.clone(), root: root.clone(), path: path.to_owned() };
                self.file(&candidate).await
            }
            None => Arc::new(FileRead { state: ReadState::Absent, bytes: 0, module: Ok(None) }),
        }
    }

    async fn file(&self, candidate: &Candidate) -> Arc<FileRead> {
        let cell = Arc::clone(lock(&self.files).entry(candidate.id.clone()).or_default());
        Arc::clone(cell.get_or_init(|| async { Arc::new(self.read(candidate).await) }).await)
    }

    async fn read(&self, candidate: &Candidate) -> FileRead {
        let absent = |state| FileRead { state, bytes: 0, module: Ok(None) };
        let decoded = percent_decode_str(&candidate.path).decode_utf8_lossy();
        let Ok(path) = RealmPath::parse(&decoded) else { return absent(ReadState::Absent) };
        let read = candidate.root.source.read(&path, self.limits.module_bytes).await;
        match read {
            Ok(file) => {
                let digest = ContentDigest::of(&file.bytes);
                let bytes = file.bytes.len() as u64;
                let module = self.parse(&candidate.id, file.bytes, &digest).await.map(|source| Some(Arc::new(source)));
                FileRead { state: ReadState::Read { digest }, bytes, module: module.map_err(Arc::new) }
            }
            Err(error) if error.is_not_found() => absent(ReadState::Absent),
            Err(error) if error.is_forbidden() => absent(ReadState::Forbidden),
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
                limit: format!("{} bytes for one module", self.limits.module_bytes),
            },
            source => LoadError::Source { id: id.clone(), source },
        }
    }

    async fn parse(&self, id: &ModuleId, bytes: Vec<u8>, digest: &ContentDigest) -> Result<Source, LoadError> {
        match id.extension() {
            ".wasm" => Ok(Source::Wasm(bytes.into())),
            extension @ (".js" | ".gjs" | ".ts" | ".gts" | ".mjs") => {
                let text = String::from_utf8(bytes).map_err(|_| LoadError::NotText(id.clone()))?;
                let (cache, name, extension, digest) =
                    (self.transpiled.clone(), id.to_string(), extension.to_owned(), digest.clone());
                let transpiled = tokio::task::spawn_blocking(move || cache.get(&name, &extension, &digest, &text))
                    .await
                    .unwrap_or_else(|panicked| std::panic::resume_unwind(panicked.into_panic()))?;
                Ok(Source::Script(transpiled))
            }
            _ => Err(LoadError::NotAModule { id: id.clone(), importer: None }),
        }
    }
}

impl Session {
    fn record(&mut self, importer: Option<&ModuleId>, resolved: &Resolved) {
        let files: &mut BTreeMap<_, _> = &mut self.closure.files;
        files.extend(resolved.probed.iter().cloned());
        let lookup = Lookup {
            importer: importer.cloned(),
            specifier: resolved.specifier.clone(),
            target: resolved.target.as_ref().ok().cloned(),
        };
        if !self.closure.lookups.contains(&lookup) {
            self.closure.lookups.push(lookup);
        }
    }
}

/// What `import.meta.url` is: a package's modules get the made-up origin that Boxel gives them.
fn public_url(id: &ModuleId) -> String {
    if id.as_str().starts_with('@') { format!("https://packages/{id}") } else { id.to_string() }
}

fn looked_for(candidates: &[Candidate]) -> String {
    match candidates {
        [] => "there is nothing to look for".to_owned(),
        [only] => format!("{} does not exist", only.id),
        [exact, rest @ ..] => {
            let extensions: Vec<_> = rest.iter().map(|candidate| candidate.id.extension().to_owned()).collect();
            format!("{} does not exist, nor with {}", exact.id, extensions.join(", "))
        }
    }
}

fn unreachable_again(error: &Arc<LoadError>, id: &ModuleId) -> LoadError {
    match error.as_ref() {
        LoadError::Source { source, .. } => LoadError::Source { id: id.clone(), source: source.clone() },
        LoadError::Limit { limit, .. } => LoadError::Limit { id: id.clone(), limit: limit.clone() },
        other => LoadError::Limit { id: id.clone(), limit: other.to_string() },
    }
}

// A panic while the map was held left it whole: entries are only ever inserted.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
