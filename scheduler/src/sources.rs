//! Where bytes are read, each place opened once.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use realmdex_source::{OpenSource, Source, SourceError};
use realmdex_store::RegisteredRealm;
use url::Url;

/// Opened sources by their place: they keep what they compiled of a realm. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Sources {
    open: OpenSource,
    opened: Arc<Mutex<HashMap<String, Arc<dyn Source>>>>,
}

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

impl Sources {
    pub(crate) fn new(open: OpenSource) -> Self {
        Self {
            open,
            opened: Arc::default(),
        }
    }

    /// None can be read.
    pub(crate) fn none() -> Self {
        Self::new(Arc::new(|url: &Url| {
            Err(SourceError::Refused {
                at: url.to_string(),
                why: "this process reads no sources".to_owned(),
            })
        }))
    }

    /// What reads the bytes that lie at a place.
    ///
    /// # Errors
    /// Where it is no place, or none that may be read.
    pub(crate) fn at(&self, place: &str) -> Result<Arc<dyn Source>, SourceError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(source) = opened.get(place) {
            return Ok(Arc::clone(source));
        }
        let url = Url::parse(place).map_err(|error| SourceError::Refused {
            at: place.to_owned(),
            why: error.to_string(),
        })?;
        let source = (self.open)(&url)?;
        opened.insert(place.to_owned(), Arc::clone(&source));
        Ok(source)
    }

    /// Forgets those that are no realm's any more.
    pub(crate) fn keep(&self, realms: &[Arc<RegisteredRealm>]) {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.len() > realms.len() {
            opened.retain(|place, _| realms.iter().any(|realm| realm.realm.source == *place));
        }
    }
}
