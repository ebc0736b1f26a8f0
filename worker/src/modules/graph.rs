//! Loads modules with their static closures. One graph serves one job: what it has read it does not read again,
//! and nothing read for another job is reused.

use std::collections::VecDeque;
use std::sync::Arc;

use futures::future::join_all;
use realmdex_types::ModuleId;

use super::closure::Closure;
use super::files::{Files, LoadResult, OncePer};
use super::lookup::{Resolved, Resolver};
use super::resolve::Target;
use super::{LoadError, LoadLimits, PackageMap, Session, TranspileCache};
use crate::transpile::Transpiled;

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
    imports: OncePer<ModuleId, Arc<[Resolved]>>,
}

impl ModuleGraph {
    /// A graph for one job.
    pub fn new(map: Arc<PackageMap>, transpiled: TranspileCache, limits: LoadLimits) -> Self {
        let files = Files::new(Arc::clone(&map), transpiled, limits.clone());
        Self {
            resolver: Resolver::new(map, files),
            limits,
            imports: OncePer::default(),
        }
    }

    /// Loads what `specifier` names in `importer`, with its static closure, and records it in the session.
    pub(crate) async fn load(
        &self,
        session: &mut Session,
        specifier: &str,
        importer: Option<&ModuleId>,
    ) -> LoadResult<Loaded> {
        let budget = self.limits.source_wait.saturating_sub(session.waited);
        let started = tokio::time::Instant::now();
        let loading = self.load_closure(session, specifier, importer);
        let loaded = tokio::time::timeout(budget, loading).await;
        session.waited += started.elapsed();
        loaded.unwrap_or_else(|_| Err(self.too_slow()))
    }

    /// The bytes of the wasm component that `specifier` names; `None` where it names something else. Only a
    /// component is recorded: a script is loaded, and recorded, by whoever runs it.
    pub(crate) async fn load_wasm(
        &self,
        session: &mut Session,
        specifier: &str,
    ) -> LoadResult<Option<Arc<[u8]>>> {
        let finding = self.find_wasm(session, specifier);
        let found = tokio::time::timeout(self.limits.source_wait, finding).await;
        found.map_err(|_| self.too_slow())
    }

    async fn find_wasm(&self, session: &mut Session, specifier: &str) -> Option<Arc<[u8]>> {
        let resolved = self.resolver.resolve(specifier, None).await;
        let Ok(Target::Module(id)) = &resolved.target else {
            return None;
        };
        let component = Arc::clone(self.resolver.files.by_id(id).await.wasm()?);
        session.record(None, &resolved);
        Some(component)
    }

    fn too_slow(&self) -> Arc<LoadError> {
        Arc::new(LoadError::SourcesTooSlow {
            seconds: self.limits.source_wait.as_secs(),
        })
    }

    /// The static closure of a module by its id (the extension may be left out), without running anything of it; and
    /// why it does not load, if so.
    pub async fn closure_of(&self, id: &str) -> (Closure, Result<(), Arc<LoadError>>) {
        let mut session = Session::default();
        // As from within its own package, where nothing is hidden.
        let importer = ModuleId::from_guest(id.to_owned());
        let loaded = self.load(&mut session, id, Some(&importer)).await;
        (session.into_closure(), loaded.map(|_| ()))
    }

    /// The file of a module by its id; none where there is no such file.
    pub async fn locate(&self, id: &str) -> Option<ModuleId> {
        let importer = ModuleId::from_guest(id.to_owned());
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
        session.record(importer, &resolved);
        let target = resolved.target?;
        let mut modules = Vec::new();
        let mut wave = VecDeque::new();
        if let Target::Module(id) = &target {
            wave.push_back((id.clone(), importer.cloned()));
        }
        while !wave.is_empty() {
            let mut fresh = Vec::new();
            for (id, importer) in wave.drain(..) {
                if session.seen.insert(id.clone()) {
                    let script = self.admit(session, &id, importer.as_ref()).await?;
                    fresh.push((id, script));
                }
            }
            // The files of a whole level are read at once; what is in them is taken in order.
            let imports = join_all(fresh.iter().map(|(id, script)| self.imports_of(id, script)));
            for ((id, script), imports) in fresh.iter().zip(imports.await) {
                let mut bound = Vec::with_capacity(imports.len());
                for import in imports.iter() {
                    session.record(Some(id), import);
                    let target = import.target.clone()?;
                    if let Target::Module(next) = &target {
                        wave.push_back((next.clone(), Some(id.clone())));
                    }
                    bound.push((import.specifier.clone(), target));
                }
                modules.push(LoadedModule {
                    id: id.clone(),
                    url: public_url(id),
                    script: Arc::clone(script),
                    imports: bound,
                });
            }
        }
        Ok(Loaded { target, modules })
    }

    /// Counts a module towards the limits, before anything of it is used.
    async fn admit(
        &self,
        session: &mut Session,
        id: &ModuleId,
        importer: Option<&ModuleId>,
    ) -> LoadResult<Arc<Transpiled>> {
        let file = self.resolver.files.by_id(id).await;
        session.bytes += file.bytes;
        if let Some(limit) = self.limits.reached(session.seen.len(), session.bytes) {
            return Err(Arc::new(LoadError::Limit {
                id: id.clone(),
                limit,
            }));
        }
        match &file.module {
            // Who imports it is not known where the file is read.
            Err(error) if !matches!(error.as_ref(), LoadError::NotAModule { .. }) => {
                return Err(Arc::clone(error));
            }
            _ => {}
        }
        file.script().cloned().ok_or_else(|| {
            Arc::new(LoadError::NotAModule {
                id: id.clone(),
                importer: importer.cloned(),
            })
        })
    }

    async fn imports_of(&self, id: &ModuleId, script: &Transpiled) -> Arc<[Resolved]> {
        let resolve_all = || async {
            let specifiers = script.imports.iter();
            let resolved = specifiers.map(|specifier| self.resolver.resolve(specifier, Some(id)));
            Arc::from(join_all(resolved).await)
        };
        self.imports.get(id, resolve_all).await
    }
}

/// What `import.meta.url` is: a package's modules get the made-up origin that Boxel gives them.
fn public_url(id: &ModuleId) -> String {
    if id.as_str().starts_with('@') {
        format!("https://packages/{id}")
    } else {
        id.to_string()
    }
}
