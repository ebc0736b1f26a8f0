//! What happened, counted.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Metrics in Prometheus' text format, by series.
pub type Samples = BTreeMap<String, f64>;

/// Reads counters; gauges and histograms say nothing that could be added up here.
pub fn samples(text: &str) -> Samples {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let (series, value) = line.rsplit_once(' ')?;
            let name = series.split('{').next().unwrap_or(series);
            (name.ends_with("_total")).then_some((series.to_owned(), value.parse().ok()?))
        })
        .collect()
}

/// Counts, shared by everyone who does something.
#[derive(Default)]
pub struct Tally {
    counts: Mutex<BTreeMap<(&'static str, String), u64>>,
    metrics: Mutex<Samples>,
}

impl Tally {
    pub fn count(&self, group: &'static str, what: impl Into<String>) {
        self.add(group, what, 1);
    }

    pub fn add(&self, group: &'static str, what: impl Into<String>, number: u64) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry((group, what.into())).or_default() += number;
    }

    /// Adds what a process counted in its life.
    pub fn lived(&self, samples: &Samples) {
        let mut metrics = self.metrics.lock().unwrap_or_else(PoisonError::into_inner);
        for (series, value) in samples {
            *metrics.entry(series.clone()).or_default() += value;
        }
    }

    /// The sum of all series of a name that have some text among their labels.
    fn metric(&self, name: &str, label: &str) -> u64 {
        let metrics = self.metrics.lock().unwrap_or_else(PoisonError::into_inner);
        let sum: f64 = metrics
            .iter()
            .filter(|(series, _)| series.split('{').next() == Some(name) && series.contains(label))
            .map(|(_, value)| value)
            .sum();
        sum as u64
    }

    /// The table, with what phases took below it.
    pub fn table(&self, phases: &[(&str, Duration)]) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{name:<22}{value}");
        };
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut groups: Vec<&str> = Vec::new();
        for (group, _) in counts.keys() {
            if !groups.contains(group) {
                groups.push(group);
            }
        }
        for group in groups {
            let of: Vec<_> = counts.iter().filter(|((of, _), _)| *of == group).collect();
            let total: u64 = of.iter().map(|(_, number)| *number).sum();
            let each: Vec<String> = of
                .iter()
                .map(|((_, what), number)| format!("{what} {number}"))
                .collect();
            line(group, format!("{total}  ({})", each.join(", ")));
        }
        drop(counts);
        for (name, series, label) in [
            ("jobs done", "realmdex_jobs_total", "outcome=\"done\""),
            (
                "jobs tried again",
                "realmdex_jobs_total",
                "outcome=\"again\"",
            ),
            ("jobs stopped", "realmdex_jobs_total", "outcome=\"stopped\""),
            ("jobs failed", "realmdex_jobs_total", "outcome=\"failed\""),
            ("rows written", "realmdex_files_written_total", ""),
            ("files computed", "realmdex_files_computed_total", ""),
            ("redeliveries", "realmdex_redeliveries_total", ""),
            ("hints absorbed", "realmdex_hints_absorbed_total", ""),
            ("writes fenced", "realmdex_fenced_writes_total", ""),
            ("writes outrun", "realmdex_outrun_writes_total", ""),
            ("jobs offered", "realmdex_jobs_offered_total", ""),
            ("offers returned", "realmdex_offers_returned_total", ""),
            ("changes coalesced", "realmdex_changes_coalesced_total", ""),
            ("mended", "realmdex_reconciled_total", "invariant"),
        ] {
            line(name, self.metric(series, label).to_string());
        }
        for (name, series) in [
            (
                "leases expired",
                [
                    "realmdex_leases_expired_total",
                    "realmdex_worker_leases_expired_total",
                ],
            ),
            (
                "jobs dead",
                [
                    "realmdex_jobs_dead_total",
                    "realmdex_worker_jobs_dead_total",
                ],
            ),
        ] {
            let sum: u64 = series.iter().map(|series| self.metric(series, "")).sum();
            line(name, sum.to_string());
        }
        let took: Vec<String> = phases
            .iter()
            .map(|(phase, took)| format!("{phase} {:.1}", took.as_secs_f64()))
            .collect();
        line("seconds", took.join(", "));
        text
    }
}
