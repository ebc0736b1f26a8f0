//! From hints to leases: at most as many jobs are claimed as there are free slots. A hint that brings nothing is
//! forgotten: someone else does the work, or it is done.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use realmdex_queue::{Consumer, Delivery};
use realmdex_store::{ClaimedJob, Claims, JobId};
use realmdex_types::{JobClass, in_words};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_util::sync::CancellationToken;

use super::Post;
use super::flush::Finished;
use super::job;
use super::turns::Turns;
use crate::registry::RegistryError;

/// How long to wait after the index could not be asked, or the realms not be read, at first and at most.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Where hints come from.
pub(super) struct Hints {
    pub(super) interactive: Consumer,
    pub(super) bulk: Consumer,
}

/// A place to do a job in.
pub(super) struct Slot {
    _any: OwnedSemaphorePermit,
    /// Of those that bulk work may take.
    _bulk: Option<OwnedSemaphorePermit>,
}

/// A hint, and the slot that is kept for it.
struct Taken {
    delivery: Delivery,
    class: JobClass,
    slot: Slot,
}

/// Claims jobs until `stop`.
pub(super) async fn claim(
    post: &Arc<Post>,
    mut hints: Hints,
    done: mpsc::Sender<Finished>,
    stop: &CancellationToken,
) {
    let mut turns = Turns::default();
    let mut wait = FIRST_WAIT;
    loop {
        let first = tokio::select! {
            biased;
            () = stop.cancelled() => return,
            first = first_hint(post, &mut hints, &turns) => first,
        };
        let Some(first) = first else { return };
        turns.begun(first.class);
        let mut taken = vec![first];
        while let Some(next) = next_hint(post, &mut hints, &turns) {
            turns.begun(next.class);
            taken.push(next);
        }
        let claimed = begin(post, taken, &done, stop).await;
        match claimed {
            Ok(()) => wait = FIRST_WAIT,
            Err(error) => {
                tracing::warn!(error = %in_words(&error), "no job can be claimed");
                tokio::select! {
                    () = stop.cancelled() => return,
                    () = tokio::time::sleep(wait) => wait = (2 * wait).min(LONGEST_WAIT),
                }
            }
        }
    }
}

/// Waits for a slot and a hint; none when the broker was closed.
async fn first_hint(post: &Post, hints: &mut Hints, turns: &Turns) -> Option<Taken> {
    let any = Arc::clone(&post.slots).acquire_owned().await.ok()?;
    let Hints { interactive, bulk } = hints;
    let interactive = async { (interactive.next().await, None, JobClass::Interactive) };
    let bulk = async {
        let slot = Arc::clone(&post.bulk_slots).acquire_owned().await.ok();
        (bulk.next().await, slot, JobClass::Bulk)
    };
    let (delivery, bulk_slot, class) = if turns.first() == JobClass::Bulk {
        tokio::select! { biased; hint = bulk => hint, hint = interactive => hint }
    } else {
        tokio::select! { biased; hint = interactive => hint, hint = bulk => hint }
    };
    Some(Taken {
        delivery: delivery?,
        class,
        slot: Slot {
            _any: any,
            _bulk: bulk_slot,
        },
    })
}

/// Another hint, if there is one and a slot for it right now.
fn next_hint(post: &Post, hints: &mut Hints, turns: &Turns) -> Option<Taken> {
    let any = Arc::clone(&post.slots).try_acquire_owned().ok()?;
    let classes = match turns.first() {
        JobClass::Bulk => [JobClass::Bulk, JobClass::Interactive],
        _ => [JobClass::Interactive, JobClass::Bulk],
    };
    for class in classes {
        let (delivery, bulk_slot) = if class == JobClass::Bulk {
            let Ok(slot) = Arc::clone(&post.bulk_slots).try_acquire_owned() else {
                continue;
            };
            (hints.bulk.try_next(), Some(slot))
        } else {
            (hints.interactive.try_next(), None)
        };
        if let Some(delivery) = delivery {
            return Some(Taken {
                delivery,
                class,
                slot: Slot {
                    _any: any,
                    _bulk: bulk_slot,
                },
            });
        }
    }
    None
}

/// Claims what the hints name, and begins it.
async fn begin(
    post: &Arc<Post>,
    taken: Vec<Taken>,
    done: &mpsc::Sender<Finished>,
    stop: &CancellationToken,
) -> Result<(), RegistryError> {
    let mut by_job = HashMap::with_capacity(taken.len());
    for one in taken {
        if one.delivery.is_redelivered() {
            post.metrics.redelivered.inc();
        }
        let job = JobId::numbered(one.delivery.hint().0);
        // Two hints for one job: the first is enough.
        if let Some(twin) = by_job.insert(job, one) {
            twin.delivery.ack().await;
        }
    }
    let ids: Vec<JobId> = by_job.keys().copied().collect();
    let config = &post.config;
    // Where that fails, the hints are given back as they are dropped.
    let claims = post.store.claim(&ids, &config.name, config.lease).await?;
    let alone = claims.alone.clone();
    start(post, claims, &mut by_job, done).await?;
    for job in alone {
        if let Some(Taken { delivery, slot, .. }) = by_job.remove(&job) {
            begin_alone(post, job, delivery, slot, done, stop).await?;
        }
    }
    for (_, nothing) in by_job {
        post.metrics.absorbed.inc();
        nothing.delivery.ack().await;
    }
    Ok(())
}

/// Begins a job whose last worker was lost, once nothing else runs here; nothing else does until it ends.
async fn begin_alone(
    post: &Arc<Post>,
    job: JobId,
    delivery: Delivery,
    slot: Slot,
    done: &mpsc::Sender<Finished>,
    stop: &CancellationToken,
) -> Result<(), RegistryError> {
    tokio::select! {
        () = stop.cancelled() => return Ok(()),
        () = post.running.idle() => {}
    }
    let config = &post.config;
    let claims = post
        .store
        .claim_alone(job, &config.name, config.lease)
        .await?;
    if claims.claimed.is_empty() {
        delivery.ack().await;
        return Ok(());
    }
    tracing::info!(%job, "its last worker was lost: it runs alone");
    let class = JobClass::Bulk;
    let taken = Taken {
        delivery,
        class,
        slot,
    };
    start(post, claims, &mut HashMap::from([(job, taken)]), done).await?;
    tokio::select! {
        () = stop.cancelled() => {}
        () = post.running.idle() => {}
    }
    Ok(())
}

/// Starts what was claimed.
async fn start(
    post: &Arc<Post>,
    claims: Claims,
    taken: &mut HashMap<JobId, Taken>,
    done: &mpsc::Sender<Finished>,
) -> Result<(), RegistryError> {
    if claims.claimed.is_empty() {
        return Ok(());
    }
    for job in &claims.claimed {
        post.running.begin(job.lease);
    }
    let known = match post.registry.at_least(claims.registry).await {
        Ok(known) => known,
        Err(error) => {
            give_back(post, &claims.claimed).await;
            return Err(error);
        }
    };
    // Read after every one of these jobs was asked for: they may share what they read.
    let mut graphs = job::Graphs::new(known);
    for claimed in claims.claimed {
        let Some(Taken { delivery, slot, .. }) = taken.remove(&claimed.lease.job) else {
            // Only what was asked for is claimed.
            continue;
        };
        job::start(post, &mut graphs, claimed, delivery, slot, done.clone());
    }
    Ok(())
}

async fn give_back(post: &Post, claimed: &[ClaimedJob]) {
    // None of them is renewed any more, whether it can be given back or not.
    for job in claimed {
        post.running.end(job.lease);
    }
    for job in claimed {
        if let Err(error) = post.store.release(job.lease).await {
            tracing::warn!(error = %in_words(&error), job = %job.lease.job, "not given back");
        }
    }
}
