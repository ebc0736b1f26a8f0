//! Loads modules with their static closures. One graph serves one job: what it has read it does not read again,
//! and nothing read for another job is reused.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures::stream::{self, Stream, StreamExt};
use realmdex_types::{ModuleId, ReadState};
use tokio::time::{Instant, timeout};

use super::closure::Closure;
use super::files::{Files, LoadResult, script, wasm};
use super::lookup::{Resolved, Resolver};
use super::resolve::Target;
use super::{LoadError, LoadLimits, PackageMap, Rights, Session, TranspileCache};
use crate::transpile::Transpiled;

/// Files of one closure that are read at once.
const CONCURRENT_READS: usize = 16;

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
    pub imports: Vec<(String, Target)>,
}

/// What a load brought.
#[derive(Debug)]
pub struct Loaded {
    /// What the specifier named.
    pub target: Target,
    /// The modules of its closure that were not loaded before in the same description.
    pub modules: Vec<LoadedModule>,
}

/// The modules one job has read.
#[derive(Debug)]
pub struct ModuleGraph {
    resolver: Resolver,
    limits: LoadLimits,
    rights: Rights,
}

impl ModuleGraph {
    /// A graph for one job.
    pub fn new(
        map: Arc<PackageMap>,
        transpiled: TranspileCache,
        limits: LoadLimits,
        rights: Rights,
    ) -> Self {
        let files = Files::new(Arc::clone(&map), transpiled, limits.clone(), rights.clone());
        Self {
            resolver: Resolver::new(map, files),
            limits,
            rights,
        }
    }

    /// Whose rights its modules are read with.
    pub(crate) fn rights(&self) -> &Rights {
        &self.rights
    }

    /// Loads what `specifier` names in `importer`, with its static closure, and records it in the session.
    pub(crate) async fn load(
        &self,
        session: &mut Session,
        specifier: &str,
        importer: Option<&ModuleId>,
    ) -> LoadResult<Loaded> {
        let budget = self.limits.source_wait.saturating_sub(session.waited);
        let started = Instant::now();
        let loading = self.load_closure(session, specifier, importer);
        let loaded = timeout(budget, loading).await;
        session.waited += started.elapsed();
        loaded.unwrap_or_else(|_| {
            session.cut();
            Err(self.too_slow())
        })
    }

    /// The bytes of the wasm component that `specifier` names; `None` where it names something else. Only a
    /// component is recorded: a script is loaded, and recorded, by whoever runs it.
    pub(crate) async fn load_wasm(
        &self,
        session: &mut Session,
        specifier: &str,
    ) -> LoadResult<Option<Arc<[u8]>>> {
        let started = Instant::now();
        let finding = self.find_wasm(session, specifier);
        let found = timeout(self.limits.source_wait, finding).await;
        session.waited += started.elapsed();
        found.unwrap_or_else(|_| {
            session.cut();
            Err(self.too_slow())
        })
    }

    async fn find_wasm(
        &self,
        session: &mut Session,
        specifier: &str,
    ) -> LoadResult<Option<Arc<[u8]>>> {
        let resolved = self.resolver.resolve(specifier, None).await;
        let Ok(Target::Module(id)) = &resolved.target else {
            return Ok(None);
        };
        let file = self.resolver.files.by_id(id).await;
        // Only what may be a component is worth parsing here: whoever runs a script parses it.
        let component = match id.extension() {
            ".wasm" => wasm(&self.resolver.files.content(&file).await).map(Arc::clone),
            _ => None,
        };
        if component.is_some() {
            session.record(None, &resolved, &self.limits)?;
        }
        Ok(component)
    }

    fn too_slow(&self) -> Arc<LoadError> {
        Arc::new(LoadError::SourcesTooSlow {
            limit: self.limits.source_wait,
        })
    }

    /// The static closure of a module by its id (the extension may be left out), without running anything of it; and
    /// why it does not load, if so.
    pub async fn closure_of(&self, id: &str) -> (Closure, Result<(), Arc<LoadError>>) {
        let mut session = Session::default();
        // As from within its own package, where nothing is hidden.
        let importer = self.resolver.unaliased(id);
        let loaded = self.load(&mut session, id, Some(&importer)).await;
        (session.into_closure(), loaded.map(|_| ()))
    }

    /// How a file is found now, by its id: read at the first call.
    pub async fn state_of(&self, id: &ModuleId) -> ReadState {
        self.resolver.files.by_id(id).await.state.clone()
    }

    /// The file of a module by its id; none where there is no such file.
    pub async fn locate(&self, id: &str) -> Option<ModuleId> {
        let importer = self.resolver.unaliased(id);
        match self.resolver.resolve(id, Some(&importer)).await.target {
            Ok(Target::Module(id)) => Some(id),
            _ => None,
        }
    }

    async fn load_closure(
        &self,
        session: &mut Session,
        specifier: &str,
        importer: Option<&ModuleId>,
    ) -> LoadResult<Loaded> {
        let resolved = self.resolver.resolve(specifier, importer).await;
        session.record(importer, &resolved, &self.limits)?;
        let target = resolved.target?;
        let mut modules = Vec::new();
        // What this load brings. The guest has it only once the whole of it was loaded.
        let mut given = HashSet::new();
        let mut level = Vec::new();
        if let Target::Module(id) = &target
            && !session.seen.contains(id)
        {
            given.insert(id.clone());
            let script = self.admit(session, id, importer, given.len()).await?;
            level.push((id.clone(), script));
        }
        while !level.is_empty() {
            let mut next_level = Vec::new();
            let mut bound: HashMap<ModuleId, Vec<(String, Target)>> = HashMap::new();
            let mut resolving = self.resolve_imports(&level);
            while let Some((id, import)) = resolving.next().await {
                session.record(Some(&id), &import, &self.limits)?;
                let target = import.target?;
                if let Target::Module(next) = &target
                    && !session.seen.contains(next)
                    && given.insert(next.clone())
                {
                    let script = self.admit(session, next, Some(&id), given.len()).await?;
                    next_level.push((next.clone(), script));
                }
                bound
                    .entry(id)
                    .or_default()
                    .push((import.specifier, target));
            }
            drop(resolving);
            modules.extend(level.into_iter().map(|(id, script)| LoadedModule {
                url: public_url(&id),
                script,
                imports: bound.remove(&id).unwrap_or_default(),
                id,
            }));
            level = next_level;
        }
        session.seen.extend(given);
        Ok(Loaded { target, modules })
    }

    /// Resolves all imports of a level of modules: some at once, their answers in order, no further than they are
    /// asked for.
    fn resolve_imports(
        &self,
        level: &[(ModuleId, Arc<Transpiled>)],
    ) -> impl Stream<Item = (ModuleId, Resolved)> + Unpin {
        let written: Vec<(ModuleId, String)> = level
            .iter()
            .flat_map(|(id, script)| {
                script
                    .imports
                    .iter()
                    .map(|import| (id.clone(), import.clone()))
            })
            .collect();
        let resolve = async |(id, specifier): (ModuleId, String)| {
            let resolved = self.resolver.resolve(&specifier, Some(&id)).await;
            (id, resolved)
        };
        Box::pin(
            stream::iter(written)
                .map(resolve)
                .buffered(CONCURRENT_READS),
        )
    }

    /// Counts a module towards the limits, before anything of it is used.
    async fn admit(
        &self,
        session: &mut Session,
        id: &ModuleId,
        importer: Option<&ModuleId>,
        given: usize,
    ) -> LoadResult<Arc<Transpiled>> {
        let file = self.resolver.files.by_id(id).await;
        session.bytes += file.bytes;
        if let Some(limit) = self
            .limits
            .reached(session.seen.len() + given, session.bytes)
        {
            return Err(Arc::new(LoadError::Limit {
                id: id.clone(),
                limit,
            }));
        }
        let content = self.resolver.files.content(&file).await;
        match &content {
            // Who imports it is not known where the file is read.
            Err(error) if !matches!(error.as_ref(), LoadError::NotAModule { .. }) => {
                return Err(Arc::clone(error));
            }
            _ => {}
        }
        script(&content).cloned().ok_or_else(|| {
            Arc::new(LoadError::NotAModule {
                id: id.clone(),
                importer: importer.cloned(),
            })
        })
    }
}

/// What `import.meta.url` is: a package's modules get an address of their own, under which they can be imported. Boxel
/// gives them the URL that their package is served from; a folder has none to give.
fn public_url(id: &ModuleId) -> String {
    if id.as_str().starts_with('@') {
        format!("https://packages/{id}")
    } else {
        id.to_string()
    }
}
