//! What is counted. Labels name classes, states and reconcilers, never realms or files: their number is not ours to
//! bound.

use prometheus::{
    GaugeVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
};
use realmdex_store::{Backlog, Reaped};
use realmdex_types::{JobClass, JobState};

use crate::reconcile::Reconciler;
use crate::requests::Requests;

/// The scheduler's metrics. Handed around, for there are no global ones.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    offered: IntCounterVec,
    returned: IntCounterVec,
    dispatch_errors: IntCounterVec,
    depth: IntGaugeVec,
    oldest: GaugeVec,
    window: IntGaugeVec,
    standing: IntGaugeVec,
    changes: IntCounterVec,
    coalesced: IntCounter,
    reconciled: IntCounterVec,
    reconcile_errors: IntCounterVec,
    leases_expired: IntCounter,
    dead: IntCounter,
    broker_up: IntGauge,
    pub(crate) requests: Requests,
}

impl Metrics {
    /// Registers them in a registry, which other roles in this process may share.
    ///
    /// # Errors
    /// When they, or others of their names, are registered there already.
    pub fn new(registry: Registry) -> Result<Self, prometheus::Error> {
        let counters = |name: &str, help: &str, label: &str| {
            let counters = IntCounterVec::new(Opts::new(name, help), &[label])?;
            registry.register(Box::new(counters.clone()))?;
            Ok::<_, prometheus::Error>(counters)
        };
        let counter = |name: &str, help: &str| {
            let counter = IntCounter::new(name, help)?;
            registry.register(Box::new(counter.clone()))?;
            Ok::<_, prometheus::Error>(counter)
        };
        let gauges = |name: &str, help: &str, labels: &[&str]| {
            let gauges = IntGaugeVec::new(Opts::new(name, help), labels)?;
            registry.register(Box::new(gauges.clone()))?;
            Ok::<_, prometheus::Error>(gauges)
        };
        let oldest = GaugeVec::new(
            Opts::new(
                "realmdex_queue_oldest_seconds",
                "How long ago the oldest open job was enqueued",
            ),
            &["class"],
        )?;
        registry.register(Box::new(oldest.clone()))?;
        let broker_up = IntGauge::new("realmdex_broker_up", "Whether the broker takes jobs")?;
        registry.register(Box::new(broker_up.clone()))?;
        let build = gauges("realmdex_build_info", "The version that runs", &["version"])?;
        build.with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1);
        let metrics = Self {
            offered: counters(
                "realmdex_jobs_offered_total",
                "Jobs that the broker took",
                "class",
            )?,
            returned: counters(
                "realmdex_offers_returned_total",
                "Jobs that the broker did not take: they were due again at once",
                "class",
            )?,
            dispatch_errors: counters(
                "realmdex_dispatch_errors_total",
                "Rounds of offers that the database refused",
                "class",
            )?,
            depth: gauges(
                "realmdex_queue_depth",
                "Jobs in the database",
                &["class", "state"],
            )?,
            oldest,
            window: gauges("realmdex_offer_window", "Offers that may stand", &["class"])?,
            standing: gauges(
                "realmdex_offers_standing",
                "Offers that stand: published and not claimed",
                &["class"],
            )?,
            changes: counters(
                "realmdex_changes_total",
                "Files that were said to have changed",
                "class",
            )?,
            coalesced: counter(
                "realmdex_changes_coalesced_total",
                "Those of them for which a job was queued already",
            )?,
            reconciled: counters(
                "realmdex_reconciled_total",
                "What reconcilers found and mended",
                "reconciler",
            )?,
            reconcile_errors: counters(
                "realmdex_reconcile_errors_total",
                "Activations of reconcilers that failed",
                "reconciler",
            )?,
            leases_expired: counter(
                "realmdex_leases_expired_total",
                "Jobs whose worker was lost",
            )?,
            dead: counter(
                "realmdex_jobs_dead_total",
                "Jobs given up because their workers were lost again and again",
            )?,
            broker_up,
            requests: Requests::new(&registry)?,
            registry,
        };
        metrics.begin_at_zero();
        Ok(metrics)
    }

    /// All series are there from the start: one that appears with its first count hides it from a rate.
    fn begin_at_zero(&self) {
        for class in JobClass::ALL {
            let class = [class.as_str()];
            for counters in [
                &self.offered,
                &self.returned,
                &self.dispatch_errors,
                &self.changes,
            ] {
                counters.with_label_values(&class).inc_by(0);
            }
        }
        for reconciler in Reconciler::ALL {
            let name = [reconciler.name()];
            self.reconciled.with_label_values(&name).inc_by(0);
            self.reconcile_errors.with_label_values(&name).inc_by(0);
        }
        self.backlog(&[]);
    }

    /// The registry, for whoever adds to it.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Everything in Prometheus' text format.
    ///
    /// # Errors
    /// When a metric can't be written.
    pub(crate) fn text(&self) -> Result<String, prometheus::Error> {
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }

    /// What waits and runs now. What is not among it is zero.
    pub(crate) fn backlog(&self, backlog: &[Backlog]) {
        for class in JobClass::ALL {
            let of_class = || backlog.iter().filter(move |jobs| jobs.class == class);
            for state in JobState::ALL {
                let jobs: u64 = of_class()
                    .filter(|jobs| jobs.state == state)
                    .map(|jobs| jobs.jobs)
                    .sum();
                self.depth
                    .with_label_values(&[class.as_str(), state.as_str()])
                    .set(signed(jobs));
            }
            let oldest = of_class()
                .filter(|jobs| matches!(jobs.state, JobState::Queued | JobState::Running))
                .map(|jobs| jobs.oldest)
                .fold(0.0, f64::max);
            self.oldest.with_label_values(&[class.as_str()]).set(oldest);
        }
    }

    /// The window of a class as its dispatcher in this process knows it; none where there is none.
    pub(crate) fn window(&self, class: JobClass) -> Option<u32> {
        let window = self.window.with_label_values(&[class.as_str()]).get();
        u32::try_from(window).ok().filter(|window| *window > 0)
    }

    pub(crate) fn window_measured(&self, class: JobClass, window: u32, standing: u64) {
        let class = [class.as_str()];
        self.window.with_label_values(&class).set(window.into());
        self.standing
            .with_label_values(&class)
            .set(signed(standing));
    }

    pub(crate) fn offers_made(&self, class: JobClass, offered: usize, returned: usize) {
        let class = [class.as_str()];
        self.offered
            .with_label_values(&class)
            .inc_by(offered as u64);
        self.returned
            .with_label_values(&class)
            .inc_by(returned as u64);
    }

    pub(crate) fn dispatch_failed(&self, class: JobClass) {
        self.dispatch_errors
            .with_label_values(&[class.as_str()])
            .inc();
    }

    pub(crate) fn changes_taken_in(&self, class: JobClass, taken: realmdex_store::TakenIn) {
        self.changes
            .with_label_values(&[class.as_str()])
            .inc_by(taken.files as u64);
        self.coalesced.inc_by(taken.merged as u64);
    }

    pub(crate) fn reconciled(&self, reconciler: Reconciler, rows: u64) {
        self.reconciled
            .with_label_values(&[reconciler.name()])
            .inc_by(rows);
    }

    pub(crate) fn reconcile_failed(&self, reconciler: Reconciler) {
        self.reconcile_errors
            .with_label_values(&[reconciler.name()])
            .inc();
    }

    pub(crate) fn reaped(&self, reaped: Reaped) {
        let expired = reaped.requeued + reaped.superseded + reaped.dead;
        self.leases_expired.inc_by(expired as u64);
        self.dead.inc_by(reaped.dead as u64);
    }

    pub(crate) fn broker_is_up(&self, is_up: bool) {
        self.broker_up.set(is_up.into());
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
