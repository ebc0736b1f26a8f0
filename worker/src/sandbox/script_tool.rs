//! Describes tools written in JavaScript or TypeScript, in our own JavaScript engine.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::Semaphore;
use wasmtime::component::{Component, HasData, Linker};
use wasmtime::{Engine, Store, StoreLimitsBuilder};

use super::engine::{EngineError, Trust, engine};
use super::engine_bindings::EnginePre;
use super::epoch::{GuestClock, start_ticking};
use super::host::{MemoryLimits, ScriptHost};
use super::{Described, SandboxLimits, ToolFault, answer, engine_bindings};
use crate::modules::{Closure, ModuleGraph, Session};

/// The engine component: QuickJS with our guest scripts already run, made by `build.rs`.
const ENGINE_COMPONENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/engine.wasm"));

struct HostOf;

impl HasData for HostOf {
    type Data<'a> = &'a mut ScriptHost;
}

/// Describes script tools: each in an instance of its own, made from a snapshot in which the guest runtime has
/// already run.
pub struct ScriptSandbox {
    engine: Engine,
    pre: EnginePre<ScriptHost>,
    limits: SandboxLimits,
    /// One permit for each instance that the pool has room for.
    room: Semaphore,
}

impl std::fmt::Debug for ScriptSandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScriptSandbox")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl ScriptSandbox {
    /// Compiles the engine component, or takes it from `cache` (a folder).
    ///
    /// # Errors
    /// When this machine can't run it.
    pub fn new(limits: SandboxLimits, cache: Option<&Path>) -> Result<Self, EngineError> {
        let engine = engine(Trust::OurEngine, &limits, cache)?;
        start_ticking(&engine)?;
        let component = Component::new(&engine, ENGINE_COMPONENT)?;
        let mut linker = Linker::new(&engine);
        engine_bindings::Engine::add_to_linker::<_, HostOf>(&mut linker, |host| host)?;
        let pre = EnginePre::new(linker.instantiate_pre(&component)?)?;
        Ok(Self {
            engine,
            pre,
            room: Semaphore::new(limits.instances as usize),
            limits,
        })
    }

    /// Describes the tool that `module` exports as `name`, and says what that depended on.
    pub async fn describe(
        &self,
        graph: &Arc<ModuleGraph>,
        module: &str,
        name: &str,
        times: u32,
    ) -> (Result<Described, ToolFault>, Closure) {
        let limits = SandboxLimits {
            guest_time: self.limits.guest_time * times,
            ..self.limits.clone()
        };
        let _room = self.room.acquire().await;
        let mut store = Store::new(
            &self.engine,
            ScriptHost {
                graph: Arc::clone(graph),
                session: Session::default(),
                limits: MemoryLimits {
                    within: StoreLimitsBuilder::new()
                        .memory_size(limits.memory_bytes)
                        .build(),
                    denied: false,
                },
                failed_load: None,
            },
        );
        store.limiter(|host| &mut host.limits);
        GuestClock::default().arm(&mut store, limits.guest_time);
        let answered = self.run(&mut store, module, name).await;
        let memory_denied = store.data().limits.denied;
        let host = store.into_data();
        let outcome = match answered {
            Ok(Ok(text)) => answer::of_script(&text, &limits),
            Ok(Err(_)) if memory_denied => Err(ToolFault::memory(&limits)),
            // A load that failed is told as such, unless the tool caught that and threw something else.
            Ok(Err(thrown)) => Err(match host.failed_load {
                Some(error) if error.to_string() == thrown => ToolFault::Load(error),
                _ => answer::thrown(thrown),
            }),
            Err(trap) => Err(ToolFault::from_trap(&trap, &limits, memory_denied)),
        };
        (outcome, host.session.into_closure())
    }

    async fn run(
        &self,
        store: &mut Store<ScriptHost>,
        module: &str,
        name: &str,
    ) -> wasmtime::Result<Result<String, String>> {
        let instance = self.pre.instantiate_async(&mut *store).await?;
        let (module, name) = (module.to_owned(), name.to_owned());
        store
            .run_concurrent(async |accessor| instance.call_describe(accessor, module, name).await)
            .await?
    }
}
