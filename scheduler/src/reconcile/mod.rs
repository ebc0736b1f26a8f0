//! Reconcilers: what was lost on the way, heals.
//!
//! Each looks at what is, takes no input, does the same however often it is activated, and wakes by a period or when
//! someone says so. One that fails is logged and counted; its next activation heals. Several schedulers may run them all
//! at once.

mod run;

use std::time::Duration;

use realmdex_store::{Retention, Store, StoreError};

use crate::Metrics;
pub(crate) use run::run;

/// Pages in one activation: whatever the store says, it ends.
const MAX_PAGES: usize = 100;

/// A page of the store's own reconciliations: fewer rows mean that there is nothing left.
const PAGE: u64 = 1000;

/// What heals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reconciler {
    /// Jobs whose worker was lost are queued again.
    Leases,
    /// Requests to index a realm end when all their work is done, or never will be.
    Reindexes,
    /// Files of which something could not be had are looked at again in time.
    Unsettled,
    /// Files that are not what they were computed from, and that nobody looks at, are looked at.
    Invariant,
    /// What was kept long enough goes.
    Retention,
}

impl Reconciler {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Leases,
        Self::Reindexes,
        Self::Unsettled,
        Self::Invariant,
        Self::Retention,
    ];

    /// Its name, in metrics and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Leases => "leases",
            Self::Reindexes => "reindexes",
            Self::Unsettled => "unsettled",
            Self::Invariant => "invariant",
            Self::Retention => "retention",
        }
    }
}

/// When reconcilers are activated, and what they keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReconcileConfig {
    /// The period of [`Reconciler::Leases`]; none where the workers are in this process, which never gives up on
    /// itself.
    pub leases: Option<Duration>,
    /// The period of [`Reconciler::Reindexes`].
    pub reindexes: Duration,
    /// The period of [`Reconciler::Unsettled`].
    pub unsettled: Duration,
    /// The period of [`Reconciler::Invariant`]: one look at every edge.
    pub invariant: Duration,
    /// The period of [`Reconciler::Retention`].
    pub retention: Duration,
    /// What [`Reconciler::Retention`] keeps.
    pub keep: Retention,
}

/// A day.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Default for ReconcileConfig {
    fn default() -> Self {
        Self {
            leases: Some(Duration::from_secs(5)),
            reindexes: Duration::from_secs(1),
            unsettled: Duration::from_secs(5),
            invariant: Duration::from_secs(60),
            retention: Duration::from_secs(600),
            keep: Retention {
                jobs: 7 * DAY,
                tombstones: 7 * DAY,
                reindexes: 30 * DAY,
                definitions: 30 * DAY,
            },
        }
    }
}

impl ReconcileConfig {
    /// How often a reconciler is activated; none where it never is.
    pub fn period(&self, reconciler: Reconciler) -> Option<Duration> {
        match reconciler {
            Reconciler::Leases => self.leases,
            Reconciler::Reindexes => Some(self.reindexes),
            Reconciler::Unsettled => Some(self.unsettled),
            Reconciler::Invariant => Some(self.invariant),
            Reconciler::Retention => Some(self.retention),
        }
    }
}

/// What an activation did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activation {
    /// Rows that it mended.
    pub rows: u64,
    /// Whether jobs are due because of it.
    pub has_enqueued: bool,
}

impl Reconciler {
    /// Activates it once: page after page while there is more.
    ///
    /// # Errors
    /// Whatever the database says. What was done until then stays.
    pub async fn activate(
        self,
        store: &Store,
        keep: Retention,
        metrics: &Metrics,
    ) -> Result<Activation, StoreError> {
        let mut activation = Activation::default();
        for _ in 0..MAX_PAGES {
            let page = self.page(store, keep, metrics).await?;
            metrics.reconciled(self, page.rows);
            activation.rows += page.rows;
            activation.has_enqueued |= page.has_enqueued;
            if !page.is_full {
                break;
            }
        }
        Ok(activation)
    }

    async fn page(
        self,
        store: &Store,
        keep: Retention,
        metrics: &Metrics,
    ) -> Result<Page, StoreError> {
        Ok(match self {
            Self::Leases => {
                let reaped = store.reap(&[]).await?;
                metrics.reaped(reaped);
                let rows = reaped.requeued + reaped.superseded + reaped.dead;
                Page {
                    rows: rows as u64,
                    // One that was superseded made its twin due.
                    has_enqueued: reaped.requeued + reaped.superseded > 0,
                    is_full: false,
                }
            }
            Self::Reindexes => Page {
                rows: store.finish_reindexes().await? as u64,
                has_enqueued: false,
                is_full: false,
            },
            Self::Unsettled => Page::enqueued(store.retry_unsettled().await?),
            Self::Invariant => Page::enqueued(store.mend().await?),
            Self::Retention => {
                let rows = store.forget(keep).await?;
                Page {
                    rows,
                    has_enqueued: false,
                    is_full: rows > 0,
                }
            }
        })
    }
}

/// What one page of an activation did.
struct Page {
    rows: u64,
    has_enqueued: bool,
    is_full: bool,
}

impl Page {
    fn enqueued(files: usize) -> Self {
        let rows = files as u64;
        Self {
            rows,
            has_enqueued: rows > 0,
            is_full: rows >= PAGE,
        }
    }
}
