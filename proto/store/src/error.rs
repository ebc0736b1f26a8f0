//! Why the index could not be read or written.

use thiserror::Error;

/// Why the index could not be read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database did not let us in.
    #[error("can't connect to the index's database: check that it runs and that its URL is right")]
    Connect(#[source] sqlx::Error),
    /// The tables could not be made or brought up to date.
    #[error("can't bring the index's tables up to date")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A statement failed.
    #[error("the index's database refused a statement")]
    Statement(#[from] sqlx::Error),
    /// What is stored is not what this version writes.
    #[error("the index holds {what} that this version of realmdex can't read: {why}")]
    Unreadable {
        /// Which value.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// What is archived is not worked on.
    #[error(
        "the realm is archived, or no longer registered: take it back with `realmdex realms archive --undo`"
    )]
    Archived,
    /// A realm of that URL is indexed from somewhere else.
    #[error(
        "the index already holds {url} from {known}, not from {given}: give this realm another --url, or another --data folder"
    )]
    OtherSource {
        /// The realm.
        url: String,
        /// Where it was indexed from.
        known: String,
        /// Where it would be indexed from now.
        given: String,
    },
    /// What is there is indexed as another realm.
    #[error(
        "the index already holds {source_url} as {known}, not as {given}: leave --url out, or give another --data folder"
    )]
    OtherUrl {
        /// Where the bytes are.
        source_url: String,
        /// The realm it is.
        known: String,
        /// The realm it would be now.
        given: String,
    },
}

impl StoreError {
    /// Whether another transaction was in the way: the same again may work.
    pub fn is_conflict(&self) -> bool {
        let Self::Statement(sqlx::Error::Database(error)) = self else {
            return false;
        };
        // serialization_failure and deadlock_detected; or a job was queued while its twin was, a file came to be
        // depended on while it was forgotten, or two wrote a new file at once: `on conflict` waits for one index alone.
        matches!(error.code().as_deref(), Some("40001" | "40P01"))
            || matches!(
                error.constraint(),
                Some("jobs_queued_once" | "edges_target_id_fkey" | "files_realm_id_path_key")
            )
    }

    /// Whether the database could not be reached at all: it may be there in a while.
    pub fn is_about_reaching(&self) -> bool {
        use sqlx::Error::{Io, PoolClosed, PoolTimedOut};
        let is_about_it = |error: &sqlx::Error| match error {
            Io(_) | PoolTimedOut | PoolClosed => true,
            // cannot_connect_now: it is starting or stopping.
            sqlx::Error::Database(error) => error
                .code()
                .is_some_and(|code| code.starts_with("57P") || code.starts_with("08")),
            _ => false,
        };
        match self {
            Self::Connect(error) | Self::Statement(error) => is_about_it(error),
            Self::Migrate(
                sqlx::migrate::MigrateError::Execute(error)
                | sqlx::migrate::MigrateError::ExecuteMigration(error, _),
            ) => is_about_it(error),
            _ => false,
        }
    }

    /// Whether the database refused the values it was given: data exceptions, broken limits and broken constraints.
    pub fn is_about_values(&self) -> bool {
        let Self::Statement(error) = self else {
            return false;
        };
        match error {
            sqlx::Error::Database(error) => error.code().is_some_and(|code| {
                ["22", "23", "54"]
                    .iter()
                    .any(|class| code.starts_with(class))
            }),
            sqlx::Error::Encode(_) => true,
            _ => false,
        }
    }

    /// What is stored can't be read.
    pub fn unreadable(what: &'static str, why: impl ToString) -> Self {
        Self::Unreadable {
            what,
            why: why.to_string(),
        }
    }
}
