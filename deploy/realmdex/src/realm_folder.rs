//! A realm in a folder: its markdown files computed, several at once.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use futures::{StreamExt, TryStreamExt, stream};
use realmdex_source::{FolderSource, Source, SourceError};
use realmdex_types::{CodeRef, Finding, FindingKind, RealmPath, RealmUrl};
use realmdex_worker::compute::{ToolCount, compute};
use realmdex_worker::enrich::{DefinitionCache, Describer};
use realmdex_worker::extract::{ToolPlace, is_markdown, tool_place};
use realmdex_worker::modules::ModuleGraph;

use crate::setup::{Modules, describer};
use crate::stamped::{StampedTool, stamped_tools};

/// The largest markdown file that is read, in bytes.
const MAX_MARKDOWN: u64 = 16 << 20;

/// Files computed at once, for each processor: some wait for the disk while others compute.
const FILES_PER_CORE: usize = 2;

/// A realm whose files can be computed. What one of them loads is read once for all of them.
#[derive(Debug)]
pub(crate) struct RealmFolder {
    url: RealmUrl,
    source: FolderSource,
    describer: Describer,
    graph: Arc<ModuleGraph>,
}

/// A markdown file that was computed, or why it could not be read.
#[derive(Debug)]
pub(crate) struct ComputedFile {
    /// Where it lies in its realm.
    pub(crate) path: RealmPath,
    /// How many tools it declares, if it is a skill that declares any.
    pub(crate) tools: Option<ToolCount>,
    /// The tools that have a definition, and where they are declared as far as that can be told.
    pub(crate) stamped: Vec<(StampedTool, Option<ToolPlace>)>,
    /// Its findings, with places likewise.
    pub(crate) findings: Vec<Finding>,
}

impl RealmFolder {
    /// The realm in `folder`, served at `url`.
    pub(crate) fn open(folder: &Path, url: RealmUrl, modules: &Modules) -> anyhow::Result<Self> {
        let source = FolderSource::open(folder)?;
        let packages = modules.packages(Some((url.as_str(), folder)))?;
        // Skills share tools: each is described once.
        let describer = describer(packages, &modules.limits, Some(DefinitionCache::new(None)))?;
        Ok(Self {
            graph: describer.graph(),
            url,
            source,
            describer,
        })
    }

    /// Every file, and which of them are markdown.
    pub(crate) async fn list(&self) -> anyhow::Result<Listing> {
        let listed = self.source.list().await.context("listing the realm")?;
        let total = listed.len();
        let markdown = listed
            .into_iter()
            .map(|file| file.path)
            .filter(|path| is_markdown(path.file_name()))
            .collect();
        Ok(Listing { total, markdown })
    }

    /// Computes markdown files; their order is kept. `done` is called after each.
    pub(crate) async fn compute(
        self: &Arc<Self>,
        paths: &[RealmPath],
        done: impl Fn(),
    ) -> anyhow::Result<Vec<ComputedFile>> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // Each on a thread of its own: computing keeps it busy.
        stream::iter(paths)
            .map(|path| {
                let (realm, path) = (Arc::clone(self), path.clone());
                tokio::spawn(async move { realm.file(&path).await })
            })
            .buffered(cores * FILES_PER_CORE)
            .inspect(|_| done())
            .map(|file| file.context("computing a file"))
            .try_collect()
            .await
    }

    async fn file(&self, path: &RealmPath) -> ComputedFile {
        let mut file = ComputedFile {
            path: path.clone(),
            tools: None,
            stamped: Vec::new(),
            findings: Vec::new(),
        };
        let bytes = match self.source.read(path, MAX_MARKDOWN).await {
            Ok(read) => read.bytes,
            Err(error) => {
                file.findings.push(unread(&error));
                return file;
            }
        };
        let url = self.url.file(path);
        let computed = compute(&self.describer, &self.graph, &self.url, &url, &bytes).await;
        let text = String::from_utf8_lossy(&bytes);
        let place = |tool: &CodeRef| tool_place(&text, url.as_str(), tool);
        file.tools = computed.tools;
        file.findings = computed.listed;
        file.stamped = stamped_tools(&computed.document)
            .into_iter()
            .map(|tool| {
                let place = place(&tool.code_ref);
                (tool, place)
            })
            .collect();
        file
    }
}

/// The files of a realm.
#[derive(Debug)]
pub(crate) struct Listing {
    /// How many there are of any kind.
    pub(crate) total: usize,
    /// The markdown files, sorted.
    pub(crate) markdown: Vec<RealmPath>,
}

fn unread(error: &SourceError) -> Finding {
    Finding {
        kind: FindingKind::IndexingError,
        message: error.to_string(),
        line: None,
        column: None,
        tool: None,
        transient: error.is_transient(),
    }
}
