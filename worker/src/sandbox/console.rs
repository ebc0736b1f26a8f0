//! What guests write to their console, as tracing events.

/// Longer console lines are cut: a guest must not fill the log.
const MAX_LINE: usize = 2000;

pub(super) fn log(level: &str, message: &str) {
    let end = message
        .char_indices()
        .nth(MAX_LINE)
        .map_or(message.len(), |(at, _)| at);
    let message = &message[..end];
    match level {
        "error" => tracing::warn!(target: "realmdex::guest", message),
        "warn" => tracing::info!(target: "realmdex::guest", message),
        _ => tracing::debug!(target: "realmdex::guest", message),
    }
}
