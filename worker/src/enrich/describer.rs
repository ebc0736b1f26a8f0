//! From a code reference to a definition.

use std::path::PathBuf;
use std::sync::Arc;

use realmdex_types::{CodeRef, Definition, FunctionDefinition, function_name};
use tokio::sync::RwLock;

use super::provider_rules;
use crate::modules::{Closure, LoadLimits, ModuleGraph, PackageMap, Session, TranspileCache};
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
}

/// Computes definitions.
#[derive(Debug)]
pub struct Describer {
    packages: Arc<PackageMap>,
    transpiled: TranspileCache,
    load_limits: LoadLimits,
    scripts: ScriptSandbox,
    components: ComponentSandbox,
    /// Held shared by every run, exclusively by one that is tried alone.
    alone: RwLock<()>,
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
        Ok(Self {
            packages: Arc::new(config.packages),
            transpiled: TranspileCache::default(),
            load_limits: config.load_limits,
            scripts: ScriptSandbox::new(config.sandbox_limits.clone(), cache)?,
            components: ComponentSandbox::new(config.sandbox_limits, cache, config.compiler)?,
            alone: RwLock::new(()),
        })
    }

    /// A fresh module graph, for one job: it reads everything anew.
    pub fn graph(&self) -> Arc<ModuleGraph> {
        Arc::new(ModuleGraph::new(
            Arc::clone(&self.packages),
            self.transpiled.clone(),
            self.load_limits.clone(),
        ))
    }

    /// Describes a tool by its absolute reference.
    ///
    /// A tool that runs out of time may only have had bad neighbours, so it is tried once more, alone and for
    /// longer, before that is said of it.
    pub async fn describe(&self, graph: &Arc<ModuleGraph>, code_ref: &CodeRef) -> DescribedTool {
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

fn define(code_ref: &CodeRef, described: Described) -> Result<Definition, ToolFault> {
    let function = FunctionDefinition {
        name: function_name(code_ref),
        description: described.description,
        parameters: described.parameters,
    };
    provider_rules::check(&function).map_err(ToolFault::Refused)?;
    Ok(Definition::Function { function })
}
