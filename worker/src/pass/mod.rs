//! A pass over a realm in one process: what changed is read and computed, then whatever depends on it, until each row
//! follows from what its files are now.

mod report;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use futures::{StreamExt, stream};
use realmdex_source::Source;
use realmdex_store::{Committed, FileWrite, Follow, Found, KnownFile, Realm, Store, StoreError};
use realmdex_types::{ContentDigest, ModuleId, ReadState, RealmPath};
use tokio::sync::mpsc;
use tokio::task::JoinError;
use tokio_util::task::AbortOnDropHandle;

pub use crate::survey::MassDelete;
pub use report::{PassError, PassReport, Progress, Quiet};

use crate::commit;
use crate::enrich::Describer;
use crate::extract::is_markdown;
use crate::look::{Eye, Look, Task};
use crate::modules::ModuleGraph;
use crate::plan::{Planned, Reason};
use crate::survey::survey;

/// How often what depends on a change is computed before the rest is left to the next pass: a realm that is written
/// all the time would never let go.
const ROUNDS: usize = 16;

/// What a pass is about.
#[derive(Debug)]
pub struct PassConfig {
    /// The realm.
    pub realm: Realm,
    /// Its bytes.
    pub source: Arc<dyn Source>,
    /// Computes every file, whatever its row says.
    pub force: bool,
    /// Lets more than half of the realm's files go.
    pub allow_mass_delete: bool,
    /// The largest file that is read, in bytes.
    pub file_bytes: u64,
    /// Files that are looked at at once.
    pub concurrency: usize,
}

/// Runs a pass.
///
/// # Errors
/// When the realm can't be listed, too much of it would go, or the index fails. Whatever is wrong with one file is in
/// its row instead.
pub async fn run(
    store: &Store,
    describer: Arc<Describer>,
    config: PassConfig,
    progress: &dyn Progress,
) -> Result<PassReport, PassError> {
    let started = Instant::now();
    let change_seq = store.next_change().await?;
    let surveyed = survey(store, &describer, &config.realm, config.source.as_ref()).await?;
    let planned = surveyed.plan(config.force, config.allow_mass_delete)?;
    let mut pass = Pass {
        store,
        progress,
        eye: Arc::new(Eye {
            realm: config.realm,
            source: config.source,
            describer,
            change_seq,
            file_bytes: config.file_bytes,
        }),
        concurrency: config.concurrency,
        report: PassReport {
            listed: surveyed.listed.len(),
            ..PassReport::default()
        },
        again: Again::default(),
    };
    pass.first_round(planned, &surveyed.known).await?;
    pass.until_settled().await?;
    store.realm_indexed(pass.eye.realm.id).await?;
    let mut report = pass.report;
    for paths in [
        &mut report.computed,
        &mut report.skills_computed,
        &mut report.removed,
        &mut report.unsettled,
    ] {
        paths.sort();
        paths.dedup();
    }
    report.took = started.elapsed();
    Ok(report)
}

/// Looks at files, some at once, each on a thread of its own.
async fn look_at_each(
    eye: Arc<Eye>,
    graph: Arc<ModuleGraph>,
    tasks: Vec<Task>,
    concurrency: usize,
    looked: mpsc::Sender<Result<Result<Look, StoreError>, JoinError>>,
) {
    let look = |task: Task| {
        let (eye, graph) = (Arc::clone(&eye), Arc::clone(&graph));
        AbortOnDropHandle::new(tokio::spawn(async move { eye.look(&graph, task).await }))
    };
    let mut looks = stream::iter(tasks).map(look).buffer_unordered(concurrency);
    while let Some(look) = looks.next().await {
        if looked.send(look).await.is_err() {
            return;
        }
    }
}

struct Pass<'a> {
    store: &'a Store,
    progress: &'a dyn Progress,
    eye: Arc<Eye>,
    concurrency: usize,
    report: PassReport,
    again: Again,
}

/// What commits said is to be looked at again.
#[derive(Default)]
struct Again {
    stale: BTreeSet<RealmPath>,
    moved: BTreeSet<ModuleId>,
}

impl Pass<'_> {
    /// What the plan says: first what others may depend on, so that nothing is computed twice.
    async fn first_round(
        &mut self,
        planned: Planned,
        known: &[KnownFile],
    ) -> Result<(), PassError> {
        let before: BTreeMap<&RealmPath, Option<ContentDigest>> = known
            .iter()
            .map(|file| (&file.path, file.computed_from))
            .collect();
        let tasks = planned.into_iter().map(|(path, reason)| Task {
            before: before.get(&path).copied().flatten(),
            path,
            reason,
        });
        let (pages, others): (Vec<_>, Vec<_>) =
            tasks.partition(|task| is_markdown(task.path.file_name()));
        self.progress.planned(pages.len() + others.len());
        let graph = self.eye.describer.graph();
        let foreign = self.store.foreign_edges(self.eye.realm.id).await?;
        let abroad: BTreeSet<ModuleId> = foreign.iter().map(|edge| edge.target.clone()).collect();
        self.look_abroad(&graph, abroad.into_iter().collect())
            .await?;
        for edge in foreign {
            // A file that was refused, or now is, has nothing in its row that would tell.
            let now = graph.state_of(&edge.target).await;
            if (now == ReadState::Refused) != (edge.then == ReadState::Refused)
                && now != ReadState::Unreachable
            {
                self.again.stale.insert(edge.path);
            }
        }
        self.look_at(&graph, others).await?;
        // A page that is due anyway is computed once, for all that changed.
        let mut stale = std::mem::take(&mut self.again.stale);
        let pages = pages.into_iter().map(|task| {
            let is_stale = stale.remove(&task.path);
            Task {
                reason: if is_stale {
                    Reason::Outdated
                } else {
                    task.reason
                },
                ..task
            }
        });
        let pages = pages.collect();
        self.again.stale = stale;
        self.look_at(&graph, pages).await
    }

    async fn until_settled(&mut self) -> Result<(), PassError> {
        for _ in 0..ROUNDS {
            let again = std::mem::take(&mut self.again);
            if again.stale.is_empty() && again.moved.is_empty() {
                return Ok(());
            }
            // Nothing that was read for an earlier round is used again.
            let graph = self.eye.describer.graph();
            let (mut own, mut abroad) = (Vec::new(), Vec::new());
            for id in again.moved {
                match self.eye.path_of(&id) {
                    Some(path) => own.push(path),
                    None => abroad.push(id),
                }
            }
            self.progress.planned(own.len() + again.stale.len());
            self.look_abroad(&graph, abroad).await?;
            let task = |path, reason| Task {
                path,
                reason,
                before: None,
            };
            let own = own.into_iter();
            let own = own.map(|path| task(path, Reason::MayHaveChanged));
            self.look_at(&graph, own.collect()).await?;
            // What these commits found stale is among it, or waits for the next round.
            let stale = again.stale.into_iter();
            let stale: Vec<_> = stale.map(|path| task(path, Reason::Outdated)).collect();
            for due in &stale {
                self.again.stale.remove(&due.path);
            }
            self.look_at(&graph, stale).await?;
        }
        let Again { stale, moved } = std::mem::take(&mut self.again);
        let moved = moved.iter().filter_map(|id| self.eye.path_of(id));
        self.report.unsettled.extend(stale.into_iter().chain(moved));
        Ok(())
    }

    async fn look_abroad(
        &mut self,
        graph: &Arc<ModuleGraph>,
        ids: Vec<ModuleId>,
    ) -> Result<(), PassError> {
        let eye = Arc::clone(&self.eye);
        let look = |id: ModuleId| {
            let (eye, graph) = (Arc::clone(&eye), Arc::clone(graph));
            async move { eye.look_abroad(&graph, id).await }
        };
        let mut looks = stream::iter(ids)
            .map(look)
            .buffer_unordered(self.concurrency)
            .ready_chunks(commit::BATCH);
        while let Some(batch) = looks.next().await {
            let writes: Vec<FileWrite> = batch.into_iter().flatten().collect();
            let committed = self.store.commit(&writes, Follow::Answer).await?;
            self.take_up(committed);
        }
        Ok(())
    }

    async fn look_at(
        &mut self,
        graph: &Arc<ModuleGraph>,
        tasks: Vec<Task>,
    ) -> Result<(), PassError> {
        let (looked, mut looks) = mpsc::channel(2 * commit::BATCH);
        let looking = look_at_each(
            Arc::clone(&self.eye),
            Arc::clone(graph),
            tasks,
            self.concurrency,
            looked,
        );
        // It goes on while a batch is written, and ends with whoever waits for it.
        let _looking = AbortOnDropHandle::new(tokio::spawn(looking));
        let mut batch = Vec::with_capacity(commit::BATCH);
        while looks.recv_many(&mut batch, commit::BATCH).await > 0 {
            let mut writes: Vec<FileWrite> = Vec::with_capacity(batch.len());
            for joined in batch.drain(..) {
                let look = joined
                    .unwrap_or_else(|panicked| std::panic::resume_unwind(panicked.into_panic()))?;
                self.note(&look);
                writes.push(look.write);
            }
            for writes in commit::by_size(writes, |write| write) {
                self.write(writes).await?;
            }
        }
        Ok(())
    }

    async fn write(&mut self, writes: Vec<FileWrite>) -> Result<(), PassError> {
        for committed in commit::write(self.store, writes, Follow::Answer).await? {
            self.take_up(committed);
        }
        Ok(())
    }

    fn note(&mut self, look: &Look) {
        let path = &look.path;
        match &look.write.found {
            Found::Computed(_, row) => {
                self.report.read += 1;
                self.report.computed.push(path.clone());
                if row.tools.is_some() {
                    self.report.skills_computed.push(path.clone());
                }
            }
            Found::Present(_) | Found::Seen(_) => self.report.read += 1,
            Found::Absent => self.report.removed.push(path.clone()),
            Found::Forbidden { .. } | Found::Failed { .. } => {}
        }
        self.progress.done(path);
    }

    fn take_up(&mut self, committed: Committed) {
        // Another pass was here for a later change: it goes on from there.
        let refused = committed.refused.iter();
        let refused = refused.filter_map(|id| self.eye.path_of(id));
        self.report.unsettled.extend(refused);
        for file in committed.stale {
            if file.realm == self.eye.realm.id {
                self.again.stale.insert(file.path);
            } else {
                self.report.elsewhere += 1;
            }
        }
        self.again.moved.extend(committed.moved);
    }
}
