//! One job, on a task of its own: it can be stopped at any time, it may take only so long, and a panic in it is a finding
//! about its file and nothing else.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::Utc;
use realmdex_queue::Delivery;
use realmdex_store::{ClaimedJob, FileWrite, Found, Place, RealmId, StoreError, Work};
use realmdex_types::{ReadState, RealmPath, in_words};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::Post;
use super::claim::Slot;
use super::flush::{Finished, hand_over};
use super::listing;
use crate::INDEXER_VERSION;
use crate::look::{Eye, Task};
use crate::modules::{ModuleGraph, PackageMap};
use crate::plan::{ComputedBy, reason_of_job};
use crate::registry::{Known, KnownRealm};

/// What jobs that were claimed together read, by the realm they read it for.
pub(super) struct Graphs {
    known: Arc<Known>,
    by_realm: HashMap<RealmId, Arc<ModuleGraph>>,
}

impl Graphs {
    pub(super) fn new(known: Arc<Known>) -> Self {
        Self {
            known,
            by_realm: HashMap::new(),
        }
    }

    fn of(&mut self, realm: &KnownRealm) -> Arc<ModuleGraph> {
        let describer = &self.known.describer;
        let graph = self
            .by_realm
            .entry(realm.realm.id)
            .or_insert_with(|| describer.graph_for(realm.rights.clone()));
        Arc::clone(graph)
    }
}

/// What a job came to.
pub(super) enum Outcome {
    /// A row, to be committed with the others.
    Row(Box<FileWrite>),
    /// It has ended in the index already.
    Ended(&'static str),
    /// It failed for a reason that passes.
    Again(String),
    /// It would fail again.
    Failed(String),
}

/// Starts a job.
pub(super) fn start(
    post: &Arc<Post>,
    graphs: &mut Graphs,
    claimed: ClaimedJob,
    delivery: Delivery,
    slot: Slot,
    done: mpsc::Sender<Finished>,
) {
    let config = &post.config;
    let span = tracing::info_span!("job", job = %claimed.lease.job, kind = claimed.work.kind().as_str(),
        realm = tracing::field::Empty, path = tracing::field::Empty);
    let lease = claimed.lease;
    let waited = (Utc::now() - claimed.created_at)
        .to_std()
        .unwrap_or_default();
    post.metrics
        .wait_seconds
        .with_label_values(&[claimed.class.as_str()])
        .observe(waited.as_secs_f64());
    let known = Arc::clone(&graphs.known);
    let realm = known.realm(claimed.work.realm()).cloned();
    let graph = realm.as_ref().map(|realm| graphs.of(realm));
    let limit = match &claimed.work {
        Work::FullReindex { .. } => config.listing_deadline,
        _ => config.deadline,
    };
    if let Some(realm) = &realm {
        span.record("realm", realm.realm.url.as_str());
    }
    if let Work::IndexFile { path, .. } = &claimed.work {
        span.record("path", path.as_str());
    }
    let started = Instant::now();
    let work = {
        let (post, claimed) = (Arc::clone(post), claimed.clone());
        let doing = async move {
            match (realm, graph) {
                (Some(realm), Some(graph)) => do_job(&post, &known, &realm, &graph, &claimed).await,
                _ => Ok(Outcome::Failed(
                    "its realm is archived, or no longer registered".to_owned(),
                )),
            }
        };
        AbortOnDropHandle::new(tokio::spawn(doing.instrument(span.clone())))
    };
    post.running.does(lease, work.abort_handle());
    let post = Arc::clone(post);
    let ending = async move {
        let outcome = match timeout(limit, work).await {
            Ok(Ok(Ok(outcome))) => outcome,
            Ok(Ok(Err(error))) => Outcome::Again(in_words(&error)),
            Ok(Err(join)) if join.is_panic() => panicked(&claimed),
            // Called off, or another's: whoever stopped it has said so in the index.
            Ok(Err(_)) => Outcome::Ended("stopped"),
            Err(_) => Outcome::Again(format!("it took longer than {limit:?}")),
        };
        post.metrics
            .run_seconds
            .with_label_values(&[claimed.work.kind().as_str()])
            .observe(started.elapsed().as_secs_f64());
        end(&post, &claimed, outcome, delivery, slot, &done).await;
    };
    tokio::spawn(ending.instrument(span));
}

async fn end(
    post: &Post,
    claimed: &ClaimedJob,
    outcome: Outcome,
    delivery: Delivery,
    slot: Slot,
    done: &mpsc::Sender<Finished>,
) {
    let lease = claimed.lease;
    let count = |outcome: &str| {
        let labels = [
            claimed.work.kind().as_str(),
            claimed.class.as_str(),
            outcome,
        ];
        post.metrics.jobs.with_label_values(&labels).inc();
    };
    let ended = match outcome {
        Outcome::Row(mut write) => {
            count("done");
            write.lease = Some(lease);
            let write = *write;
            hand_over(done, Finished { write, delivery }, slot).await;
            return;
        }
        Outcome::Ended(how) => {
            count(how);
            Ok(true)
        }
        Outcome::Again(why) => {
            count("again");
            tracing::warn!(why, "tried again later");
            let after = pause(claimed.attempts);
            post.store
                .retry(lease, after, &why, post.config.tries)
                .await
        }
        Outcome::Failed(why) => {
            count("failed");
            tracing::warn!(why, "failed");
            post.store.fail(lease, &why).await
        }
    };
    if let Err(error) = ended {
        // It is found out when the lease ends.
        tracing::warn!(error = %in_words(&error), "a job's end was not noted");
    }
    post.running.end(lease);
    delivery.ack().await;
}

/// How long to wait before a job is tried again: a second, doubled each time, up to five minutes, and not for all at
/// the same time.
fn pause(attempts: u32) -> Duration {
    let longest = Duration::from_secs(300);
    let doubled = Duration::from_secs(1)
        .saturating_mul(1_u32.checked_shl(attempts).unwrap_or(u32::MAX))
        .min(longest);
    doubled.mul_f64(0.75 + fastrand::f64() / 2.0)
}

async fn do_job(
    post: &Post,
    known: &Arc<Known>,
    realm: &KnownRealm,
    graph: &Arc<ModuleGraph>,
    claimed: &ClaimedJob,
) -> Result<Outcome, StoreError> {
    match &claimed.work {
        Work::IndexFile { path, .. } => {
            let packages = known.describer.packages();
            if packages.is_anothers(&realm.realm.url, path) {
                return give_up(post, realm, packages, claimed, path).await;
            }
            if !packages.id_of(&realm.realm.url, path).may_exist() {
                return Ok(Outcome::Failed(
                    "its name is longer than the index keeps: give it a shorter one".to_owned(),
                ));
            }
            let write = index_file(post, known, realm, graph, claimed, path).await?;
            Ok(Outcome::Row(Box::new(write)))
        }
        Work::FullReindex { .. } => listing::list(post, known, realm, claimed).await,
        Work::ExecuteTool { .. } => Ok(Outcome::Failed(
            "this worker does not execute tools".to_owned(),
        )),
    }
}

async fn index_file(
    post: &Post,
    known: &Known,
    realm: &KnownRealm,
    graph: &Arc<ModuleGraph>,
    claimed: &ClaimedJob,
    path: &RealmPath,
) -> Result<FileWrite, StoreError> {
    let eye = Eye {
        realm: realm.realm.clone(),
        source: Arc::clone(&realm.source),
        describer: Arc::clone(&known.describer),
        change_seq: claimed.change_seq,
        file_bytes: post.config.file_bytes,
    };
    let by = ComputedBy {
        indexer: INDEXER_VERSION.to_owned(),
        packages: known.describer.fingerprint().to_string(),
    };
    let before = claimed.before.as_ref();
    let task = Task {
        reason: reason_of_job(before, &eye.id_of(path), &by, claimed.force),
        before: before.and_then(|before| before.computed_from),
        path: path.clone(),
    };
    let mut write = eye.look(graph, task).await?.write;
    if let Found::Computed(_, row) = &mut write.found {
        row.registry = Some(known.version);
        let mut denied = BTreeMap::new();
        row.edges.retain(|id, found| {
            if *found != ReadState::Denied {
                return true;
            }
            // Only what lies in a realm can be denied.
            let place = known.place_of(id);
            let is_placed = place.is_some();
            denied.extend(place.map(|place| (id.clone(), place)));
            is_placed
        });
        row.denied = denied;
    }
    Ok(write)
}

/// A file that is the realm's no more, since another lies within it now: the row that it had under another id is a
/// tombstone; one under the same id is the other realm's to write.
async fn give_up(
    post: &Post,
    realm: &KnownRealm,
    packages: &PackageMap,
    claimed: &ClaimedJob,
    path: &RealmPath,
) -> Result<Outcome, StoreError> {
    let id = packages.id_of(&realm.realm.url, path);
    match &claimed.before {
        Some(before) if before.module_id != id => Ok(Outcome::Row(Box::new(FileWrite {
            module_id: before.module_id.clone(),
            place: Some(Place {
                realm: realm.realm.id,
                path: path.clone(),
            }),
            change_seq: claimed.change_seq,
            lease: None,
            read_at: Utc::now(),
            found: Found::Absent,
        }))),
        _ => {
            post.store.done(claimed.lease).await?;
            Ok(Outcome::Ended("done"))
        }
    }
}

fn panicked(claimed: &ClaimedJob) -> Outcome {
    tracing::error!("indexing this file panicked: that is a defect of realmdex");
    Outcome::Again(format!(
        "indexing panicked (attempt {}): that is a defect of realmdex, please report it with the log",
        claimed.attempts + 1
    ))
}
