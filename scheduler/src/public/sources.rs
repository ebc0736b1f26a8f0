//! Where the bytes of realms are read, each place opened once.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use realmdex_source::{FileBytes, OpenSource, Source, SourceError};
use realmdex_store::RegisteredRealm;
use realmdex_types::RealmPath;
use url::Url;

use super::{Parts, Problem};

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

    /// What reads a realm's bytes.
    pub(crate) fn of(&self, realm: &RegisteredRealm) -> Result<Arc<dyn Source>, SourceError> {
        let place = realm.realm.source.as_str();
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

impl Parts {
    /// A file's bytes. One that is another realm's, though it lies in this one's folder, is not there.
    ///
    /// # Errors
    /// Whatever its source says.
    pub(crate) async fn read_file(
        &self,
        realm: &RegisteredRealm,
        path: &RealmPath,
    ) -> Result<FileBytes, SourceError> {
        self.read_at_most(realm, path, self.limits.source_bytes)
            .await
    }

    /// Whether there is a file, as far as its source can tell; nothing of it is read.
    ///
    /// # Errors
    /// Whatever its source says.
    pub(crate) async fn has_file(
        &self,
        realm: &RegisteredRealm,
        path: &RealmPath,
    ) -> Result<bool, SourceError> {
        match self.read_at_most(realm, path, 0).await {
            Ok(_) | Err(SourceError::TooLarge { .. }) => Ok(true),
            Err(SourceError::NotFound { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn read_at_most(
        &self,
        realm: &RegisteredRealm,
        path: &RealmPath,
        bytes: u64,
    ) -> Result<FileBytes, SourceError> {
        if self.realms.known().is_anothers(realm.realm.id, path) {
            return Err(SourceError::NotFound {
                at: path.to_string(),
            });
        }
        self.sources.of(realm)?.read(path, bytes).await
    }
}

/// Why a realm's source gave nothing, in words that say nothing of this machine.
pub(crate) fn problem(error: &SourceError) -> Problem {
    let (status, words) = match error {
        SourceError::NotFound { .. } => (StatusCode::NOT_FOUND, "there is no such file"),
        SourceError::TooLarge { .. } => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "the file is larger than what is served; its operator may raise the limit",
        ),
        SourceError::Unreachable { .. } => (
            StatusCode::SERVICE_UNAVAILABLE,
            "the realm's source can't be reached now",
        ),
        SourceError::Forbidden { .. } | SourceError::Refused { .. } => (
            StatusCode::BAD_GATEWAY,
            "the realm's source does not give it: its operator finds out why in the log",
        ),
    };
    if status.is_server_error() {
        let error = error as &(dyn std::error::Error + 'static);
        tracing::warn!(error, "a source gave nothing");
    }
    Problem::new(status, words)
}
