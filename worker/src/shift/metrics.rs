//! What a worker counts.

use prometheus::{
    Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry,
};

/// Bounds in seconds: from a file that is skipped to a tool that runs out of time.
const SECONDS: [f64; 14] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0, 600.0,
];

/// What a worker counts.
#[derive(Clone, Debug)]
pub struct ShiftMetrics {
    pub(super) jobs: IntCounterVec,
    pub(super) wait_seconds: HistogramVec,
    pub(super) run_seconds: HistogramVec,
    pub(super) commit_seconds: Histogram,
    pub(super) slots: IntGauge,
    pub(super) busy: IntGauge,
    pub(super) redelivered: IntCounter,
    pub(super) absorbed: IntCounter,
    pub(super) fenced: IntCounter,
    pub(super) outrun: IntCounter,
    pub(super) leases_expired: IntCounter,
    pub(super) dead: IntCounter,
    pub(super) files_written: IntCounter,
    pub(super) files_computed: IntCounter,
    pub(super) tools_stamped: IntCounter,
    pub(super) tools_failed: IntCounter,
    pub(super) findings: IntCounterVec,
}

impl ShiftMetrics {
    /// Registers them.
    ///
    /// # Errors
    /// When the registry has some of those names already.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let counter = |name: &str, help: &str| -> prometheus::Result<IntCounter> {
            let counter = IntCounter::new(name, help)?;
            registry.register(Box::new(counter.clone()))?;
            Ok(counter)
        };
        let counters = |name: &str, help: &str, labels: &[&str]| {
            let counters = IntCounterVec::new(Opts::new(name, help), labels)?;
            registry.register(Box::new(counters.clone()))?;
            Ok::<_, prometheus::Error>(counters)
        };
        let gauge = |name: &str, help: &str| {
            let gauge = IntGauge::new(name, help)?;
            registry.register(Box::new(gauge.clone()))?;
            Ok::<_, prometheus::Error>(gauge)
        };
        let histograms = |name: &str, help: &str, labels: &[&str]| {
            let options = HistogramOpts::new(name, help).buckets(SECONDS.to_vec());
            let histograms = HistogramVec::new(options, labels)?;
            registry.register(Box::new(histograms.clone()))?;
            Ok::<_, prometheus::Error>(histograms)
        };
        let tools = counters(
            "realmdex_tools_total",
            "Tools of computed skills, by whether they got a definition.",
            &["outcome"],
        )?;
        let commit_seconds = Histogram::with_opts(
            HistogramOpts::new(
                "realmdex_commit_seconds",
                "How long commits of rows took, retries included.",
            )
            .buckets(SECONDS.to_vec()),
        )?;
        registry.register(Box::new(commit_seconds.clone()))?;
        Ok(Self {
            jobs: counters(
                "realmdex_jobs_total",
                "Jobs that were run, by what became of them.",
                &["kind", "class", "outcome"],
            )?,
            wait_seconds: histograms(
                "realmdex_job_wait_seconds",
                "How long jobs waited from being enqueued to being claimed.",
                &["class"],
            )?,
            run_seconds: histograms(
                "realmdex_job_run_seconds",
                "How long jobs ran, from claim to row.",
                &["kind"],
            )?,
            commit_seconds,
            slots: gauge(
                "realmdex_worker_slots",
                "Jobs that this worker does at once.",
            )?,
            busy: gauge(
                "realmdex_worker_slots_busy",
                "Jobs that this worker has a lease on.",
            )?,
            redelivered: counter(
                "realmdex_redeliveries_total",
                "Hints that were delivered before.",
            )?,
            absorbed: counter(
                "realmdex_hints_absorbed_total",
                "Hints whose job was someone else's, or done.",
            )?,
            fenced: counter(
                "realmdex_fenced_writes_total",
                "Rows that were not written since their lease was void.",
            )?,
            outrun: counter(
                "realmdex_outrun_writes_total",
                "Rows that were not written since a later change had been.",
            )?,
            leases_expired: counter(
                "realmdex_worker_leases_expired_total",
                "Leases that ran out and were ended here.",
            )?,
            dead: counter(
                "realmdex_worker_jobs_dead_total",
                "Jobs that ended dead here.",
            )?,
            files_written: counter("realmdex_files_written_total", "Rows that were written.")?,
            files_computed: counter(
                "realmdex_files_computed_total",
                "Files that were computed; the others were as their rows said.",
            )?,
            tools_stamped: tools.with_label_values(&["stamped"]),
            tools_failed: tools.with_label_values(&["failed"]),
            findings: counters(
                "realmdex_findings_total",
                "Findings of computed files, by kind.",
                &["kind"],
            )?,
        })
    }
}
