//! Requests that were answered, counted. Labels are of bounded sets: a route is the template of one, never a path.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, Opts, Registry};

/// Until an answer begins, in seconds.
const BUCKETS: [f64; 13] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
];

/// What a request is counted as that no route is for.
pub(crate) const NO_ROUTE: &str = "none";

/// Who was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listener {
    /// The one of realms.
    Public,
    /// The one of operators.
    Operator,
}

impl Listener {
    fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Operator => "operator",
        }
    }
}

/// Counts requests. Series begin with their first request: most of the possible ones never come.
#[derive(Clone, Debug)]
pub(crate) struct Requests {
    answered: IntCounterVec,
    seconds: HistogramVec,
}

impl Requests {
    /// Registers what it counts in.
    pub(crate) fn new(registry: &Registry) -> Result<Self, prometheus::Error> {
        let answered = IntCounterVec::new(
            Opts::new(
                "realmdex_http_requests_total",
                "Requests that were answered",
            ),
            &["listener", "route", "method", "status"],
        )?;
        let seconds = HistogramVec::new(
            HistogramOpts::new(
                "realmdex_http_request_seconds",
                "From a request's head to the head of its answer",
            )
            .buckets(BUCKETS.to_vec()),
            &["listener", "route"],
        )?;
        registry.register(Box::new(answered.clone()))?;
        registry.register(Box::new(seconds.clone()))?;
        Ok(Self { answered, seconds })
    }

    /// Counts one.
    pub(crate) fn count(
        &self,
        listener: Listener,
        route: &str,
        method: &Method,
        status: StatusCode,
        took: Duration,
    ) {
        let listener = listener.as_str();
        self.answered
            .with_label_values(&[listener, route, known(method), status.as_str()])
            .inc();
        self.seconds
            .with_label_values(&[listener, route])
            .observe(took.as_secs_f64());
    }
}

/// A client may send any word for a method.
fn known(method: &Method) -> &str {
    match method.as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS") => known,
        _ => "other",
    }
}
