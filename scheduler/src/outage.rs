//! Something that fails again and again is told of once, and once more when it is over.

use std::error::Error;

use realmdex_types::in_words;

/// Whether something works.
#[derive(Debug)]
pub(crate) struct Outage {
    what: String,
    is_on: bool,
}

impl Outage {
    /// Of `what`, which works so far.
    pub(crate) fn none(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            is_on: false,
        }
    }

    /// It failed.
    pub(crate) fn began(&mut self, error: &(dyn Error + 'static)) {
        let error = in_words(error);
        if self.is_on {
            tracing::debug!(what = self.what, error, "still does not work");
        } else {
            tracing::warn!(what = self.what, error, "does not work; it is tried again");
        }
        self.is_on = true;
    }

    /// It worked.
    pub(crate) fn is_over(&mut self) {
        if self.is_on {
            tracing::info!(what = self.what, "works again");
        }
        self.is_on = false;
    }
}
