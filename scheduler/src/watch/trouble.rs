//! Why a folder can't be watched, and what to do about it.

use std::io;

use notify::ErrorKind;
use realmdex_source::SourceError;
use thiserror::Error;

/// Why a folder can't be watched.
#[derive(Debug, Error)]
pub(super) enum Trouble {
    /// The system keeps count of what is watched.
    #[error(
        "the system lets no more folders be watched: raise it with `sysctl fs.inotify.max_user_watches=1048576`, or ignore folders that are no realm's"
    )]
    TooManyFolders,
    /// It keeps count of the watching as well.
    #[error(
        "the system lets no more be watched: raise it with `sysctl fs.inotify.max_user_instances=1024`, or the limit of open files"
    )]
    TooManyWatchers,
    /// The folder can't be read as a realm.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Folders come and go faster than they can be watched.
    #[error("its folders come and go too fast")]
    Restless,
    /// It is another folder than was watched, or none.
    #[error("the folder was replaced, or is gone")]
    Replaced,
    /// The system stopped telling.
    #[error("the system no longer tells what happens in it")]
    Silent,
    /// Whatever else the system says.
    #[error("the system refused to watch it")]
    System(#[source] notify::Error),
}

impl Trouble {
    /// What the system says about making a watcher.
    pub(super) fn making(error: notify::Error) -> Self {
        match &error.kind {
            // Of inotify instances, and of open files.
            ErrorKind::Io(io) if matches!(io.raw_os_error(), Some(23 | 24)) => {
                Self::TooManyWatchers
            }
            _ => Self::watching(error),
        }
    }

    /// What the system says about watching a folder.
    pub(super) fn watching(error: notify::Error) -> Self {
        match error.kind {
            ErrorKind::MaxFilesWatch => Self::TooManyFolders,
            _ => Self::System(error),
        }
    }
}

/// Whether an error only says that the folder is not there any more, or is none.
pub(super) fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
        ),
        _ => false,
    }
}
