//! Log output: for people on a terminal, JSON elsewhere.

use std::io::IsTerminal;

use anyhow::Context;
use tracing_subscriber::EnvFilter;

/// Processes that fill the cache of compiled code at the same time get in each other's way, and the engine warns of that
/// though nothing is lost by it; whether the cache can be written to is `doctor`'s to say. A broker that is gone is told of
/// by whoever needs it, once; the AMQP client would call each attempt an error.
pub(crate) const DEFAULT: &str = "warn,wasmtime_internal_cache=error,lapin=off";

/// A role's log is read later, by whoever asks what it did.
pub(crate) const OF_ROLES: &str = "info,wasmtime_internal_cache=error,lapin=off";

/// Starts logging to standard error.
pub(crate) fn start(directives: &str) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(directives)
        .with_context(|| format!("--log {directives:?} is no list of log directives, e.g. `info` or `warn,realmdex=debug`"))?;
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    if std::io::stderr().is_terminal() {
        subscriber.without_time().init();
    } else {
        subscriber.json().init();
    }
    Ok(())
}
