//! What is read of realms' sources, and what is told where they give nothing.

use axum::http::StatusCode;
use realmdex_source::{FileBytes, SourceError};
use realmdex_store::RegisteredRealm;
use realmdex_types::RealmPath;

use super::{Parts, Problem};

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
        self.sources
            .at(&realm.realm.source)?
            .read(path, bytes)
            .await
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
