//! From a code reference to a definition.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use realmdex_store::DefinitionKey;
use realmdex_types::{CodeRef, ContentDigest, Definition, FunctionDefinition, function_name};
use tokio::sync::RwLock;

use super::{DefinitionCache, provider_rules};
use crate::INDEXER_VERSION;
use crate::modules::{
    Closure, LoadLimits, ModuleGraph, PackageMap, Rights, Session, TranspileCache,
};
use crate::sandbox::{
    Compiler, ComponentSandbox, Described, EngineError, SandboxLimits, ScriptSandbox, ToolFault,
};

/// How much longer a tool may run when it is given the machine to itself.
const ALONE_TIMES: u32 = 10;

/// What a [`Describer`] is made of.
#[derive(Debug)]
pub struct DescriberConfig {
    /// Where modules are read from.
    pub packages: PackageMap,
    /// Limits on what a tool may load.
    pub load_limits: LoadLimits,
    /// Limits on what a tool may use.
    pub sandbox_limits: SandboxLimits,
    /// Where compiled code is kept between runs; none to compile at each start.
    pub cache: Option<PathBuf>,
    /// Who compiles wasm tools.
    pub compiler: Compiler,
    /// Where definitions are kept; none to compute each anew.
    pub definitions: Option<DefinitionCache>,
}

/// Computes definitions.
#[derive(Debug)]
pub struct Describer {
    packages: Arc<PackageMap>,
    fingerprint: ContentDigest,
    definitions: Option<DefinitionCache>,
    transpiled: TranspileCache,
    load_limits: LoadLimits,
    sandbox_limits: SandboxLimits,
    scripts: Arc<ScriptSandbox>,
    components: Arc<ComponentSandbox>,
    /// Held shared by every run, exclusively by one that is tried alone.
    alone: Arc<RwLock<()>>,
}

/// A definition, or why there is none, and what that depended on.
#[derive(Debug)]
pub struct DescribedTool {
    /// The definition.
    pub outcome: Result<Definition, ToolFault>,
    /// Everything that was read, looked for or refused.
    pub closure: Closure,
}

impl Describer {
    /// Sets up the sandboxes.
    ///
    /// # Errors
    /// When this machine can't run them.
    pub fn new(config: DescriberConfig) -> Result<Self, EngineError> {
        let cache = config.cache.as_deref();
        let limits = config.sandbox_limits;
        Ok(Self {
            fingerprint: fingerprint(&config.packages, &config.load_limits, &limits),
            packages: Arc::new(config.packages),
            definitions: config.definitions,
            transpiled: TranspileCache::default(),
            load_limits: config.load_limits,
            scripts: Arc::new(ScriptSandbox::new(limits.clone(), cache)?),
            components: Arc::new(ComponentSandbox::new(
                limits.clone(),
                cache,
                config.compiler,
            )?),
            sandbox_limits: limits,
            alone: Arc::default(),
        })
    }

    /// The same sandboxes and caches under another package map.
    pub fn under(&self, packages: PackageMap) -> Self {
        Self {
            fingerprint: fingerprint(&packages, &self.load_limits, &self.sandbox_limits),
            packages: Arc::new(packages),
            definitions: self.definitions.clone(),
            transpiled: self.transpiled.clone(),
            load_limits: self.load_limits.clone(),
            sandbox_limits: self.sandbox_limits.clone(),
            scripts: Arc::clone(&self.scripts),
            components: Arc::clone(&self.components),
            alone: Arc::clone(&self.alone),
        }
    }

    /// A fresh module graph, for one job: it reads everything anew, with the rights of whoever runs this process.
    pub fn graph(&self) -> Arc<ModuleGraph> {
        self.graph_for(Rights::default())
    }

    /// The same with someone's rights.
    pub fn graph_for(&self, rights: Rights) -> Arc<ModuleGraph> {
        Arc::new(ModuleGraph::new(
            Arc::clone(&self.packages),
            self.transpiled.clone(),
            self.load_limits.clone(),
            rights,
        ))
    }

    /// Where modules are read from.
    pub fn packages(&self) -> &PackageMap {
        &self.packages
    }

    /// Which package map and limits definitions are computed under.
    pub fn fingerprint(&self) -> &ContentDigest {
        &self.fingerprint
    }

    /// Describes a tool by its absolute reference, or takes the definition from the cache where nothing that it was
    /// computed from has changed.
    pub async fn describe(&self, graph: &Arc<ModuleGraph>, code_ref: &CodeRef) -> DescribedTool {
        let Some(definitions) = &self.definitions else {
            return self.compute(graph, code_ref).await;
        };
        let key = DefinitionKey::new(
            code_ref,
            INDEXER_VERSION,
            &self.fingerprint,
            graph.rights().reader(),
        );
        if let Some(held) = definitions.get(&key, graph).await {
            let closure = Closure {
                files: held.manifest.clone(),
                lookups: BTreeSet::new(),
                is_cut: false,
            };
            return DescribedTool {
                outcome: Ok(held.definition.clone()),
                closure,
            };
        }
        let described = self.compute(graph, code_ref).await;
        if let Ok(definition) = &described.outcome {
            definitions.put(key, &described.closure, definition).await;
        }
        described
    }

    /// Describes a tool in the sandbox.
    ///
    /// A tool that runs out of time may only have had bad neighbours, so it is tried once more, alone and for
    /// longer, before that is said of it.
    async fn compute(&self, graph: &Arc<ModuleGraph>, code_ref: &CodeRef) -> DescribedTool {
        let (mut described, mut closure) = {
            let _shared = self.alone.read().await;
            self.run(graph, code_ref, 1).await
        };
        if matches!(described, Err(ToolFault::TimeLimit { .. })) {
            let _exclusive = self.alone.write().await;
            (described, closure) = self.run(graph, code_ref, ALONE_TIMES).await;
        }
        let outcome = described.and_then(|described| define(code_ref, described));
        DescribedTool { outcome, closure }
    }

    async fn run(
        &self,
        graph: &Arc<ModuleGraph>,
        code_ref: &CodeRef,
        times: u32,
    ) -> (Result<Described, ToolFault>, Closure) {
        let mut session = Session::default();
        match graph.load_wasm(&mut session, &code_ref.module).await {
            Ok(Some(component)) => {
                let described = self
                    .components
                    .describe(&component, &code_ref.name, times)
                    .await;
                (described, session.into_closure())
            }
            Ok(None) => {
                self.scripts
                    .describe(graph, &code_ref.module, &code_ref.name, times)
                    .await
            }
            Err(error) => (Err(ToolFault::Load(error)), session.into_closure()),
        }
    }
}

/// What definitions depend on besides the files they are computed from.
fn fingerprint(packages: &PackageMap, load: &LoadLimits, sandbox: &SandboxLimits) -> ContentDigest {
    ContentDigest::of(format!("{} {load:?} {sandbox:?}", packages.fingerprint()).as_bytes())
}

fn define(code_ref: &CodeRef, described: Described) -> Result<Definition, ToolFault> {
    let function = FunctionDefinition {
        name: function_name(code_ref),
        description: described.description,
        parameters: described.parameters,
    };
    provider_rules::check(&function).map_err(ToolFault::Refused)?;
    Ok(Definition::Function { function })
}
