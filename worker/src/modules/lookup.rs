//! Finds the file that a specifier names: the plan carried out.

use std::sync::Arc;

use realmdex_types::{ModuleId, ReadState};

use super::files::{Files, LoadResult, script};
use super::resolve::{Candidate, Plan, Target, plan};
use super::{LoadError, PackageMap, host_tools};

/// The longest specifier that is looked up, in bytes: each is kept, and so is each file it may mean.
const MAX_SPECIFIER: usize = 1024;

/// One specifier as it was resolved.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) specifier: String,
    pub(super) target: LoadResult<Target>,
    /// Every file that was looked for, in order.
    pub(super) probed: Vec<(ModuleId, ReadState)>,
}

/// Resolves specifiers among the files of one job.
#[derive(Debug)]
pub(super) struct Resolver {
    map: Arc<PackageMap>,
    pub(super) files: Files,
}

impl Resolver {
    pub(super) fn new(map: Arc<PackageMap>, files: Files) -> Self {
        Self { map, files }
    }

    /// An id with aliases followed.
    pub(super) fn unaliased(&self, id: &str) -> ModuleId {
        ModuleId::from_guest(self.map.unalias(id))
    }

    pub(super) async fn resolve(&self, specifier: &str, importer: Option<&ModuleId>) -> Resolved {
        if specifier.len() > MAX_SPECIFIER {
            return Resolved {
                specifier: specifier.chars().take(MAX_SPECIFIER / 4).collect(),
                target: Err(Arc::new(LoadError::LongSpecifier {
                    bytes: specifier.len(),
                    limit: MAX_SPECIFIER,
                    importer: importer.cloned(),
                })),
                probed: Vec::new(),
            };
        }
        match host_tools::name_of(&self.map, specifier, importer) {
            Some(name) => self.host_tool(specifier, &name, importer).await,
            None => self.planned(specifier, importer).await,
        }
    }

    /// A host tool goes by the name under which the host registers it, where its index can be read.
    async fn host_tool(
        &self,
        specifier: &str,
        name: &str,
        importer: Option<&ModuleId>,
    ) -> Resolved {
        let index = self.planned(host_tools::INDEX, None).await;
        let Ok(Target::Module(index_id)) = &index.target else {
            return self.planned(specifier, importer).await;
        };
        let file = self.files.by_id(index_id).await;
        let content = self.files.content(&file).await;
        let registered =
            script(&content).and_then(|script| host_tools::registered_as(name, &script.imports));
        let (target, tool_probed) = match registered {
            Some(path) => {
                let tool = self.planned(path, Some(index_id)).await;
                (tool.target, tool.probed)
            }
            None => {
                let looked_for =
                    format!("the host application registers no such tool in {index_id}");
                (Err(not_found(specifier, importer, looked_for)), Vec::new())
            }
        };
        let mut probed = index.probed;
        probed.extend(tool_probed);
        Resolved {
            specifier: specifier.to_owned(),
            target,
            probed,
        }
    }

    async fn planned(&self, specifier: &str, importer: Option<&ModuleId>) -> Resolved {
        let mut probed = Vec::new();
        let target = match plan(&self.map, specifier, importer) {
            Plan::Provided(id) => Ok(Target::Provided(id)),
            Plan::Nowhere { mend, later } => {
                // A realm that is registered later makes a difference here.
                probed.extend(later.into_iter().map(|id| (id, ReadState::Absent)));
                Err(Arc::new(LoadError::Unmapped {
                    specifier: specifier.to_owned(),
                    importer: importer.cloned(),
                    mend,
                }))
            }
            Plan::Look {
                candidates,
                otherwise,
            } => match (
                self.first_present(&candidates, &mut probed).await,
                otherwise,
            ) {
                (Some(found), _) => found.map(Target::Module),
                (None, Some(stand_in)) => Ok(Target::Provided(stand_in)),
                (None, None) => Err(not_found(specifier, importer, looked_for(&candidates))),
            },
        };
        Resolved {
            specifier: specifier.to_owned(),
            target,
            probed,
        }
    }

    /// Probes candidates in order. A source that does not answer ends the search: the next name could be the wrong file.
    async fn first_present(
        &self,
        candidates: &[Candidate],
        probed: &mut Vec<(ModuleId, ReadState)>,
    ) -> Option<LoadResult<ModuleId>> {
        for candidate in candidates {
            let file = self.files.file(candidate).await;
            probed.push((candidate.id.clone(), file.state.clone()));
            match &file.state {
                ReadState::Absent | ReadState::Forbidden | ReadState::Denied => {}
                ReadState::Read { .. } => return Some(Ok(candidate.id.clone())),
                ReadState::Refused | ReadState::Unreachable => {
                    let failed = file.unreadable.clone();
                    return Some(failed.map_or_else(|| Ok(candidate.id.clone()), Err));
                }
            }
        }
        None
    }
}

fn not_found(specifier: &str, importer: Option<&ModuleId>, looked_for: String) -> Arc<LoadError> {
    Arc::new(LoadError::NotFound {
        specifier: specifier.to_owned(),
        importer: importer.cloned(),
        looked_for,
    })
}

fn looked_for(candidates: &[Candidate]) -> String {
    match candidates {
        [] => "there is nothing to look for".to_owned(),
        [only] => format!("{} does not exist", only.id),
        [exact, rest @ ..] => {
            let extensions: Vec<_> = rest
                .iter()
                .map(|candidate| candidate.id.extension().to_owned())
                .collect();
            format!(
                "{} does not exist, nor with {}",
                exact.id,
                extensions.join(", ")
            )
        }
    }
}
