//! Why bytes could not be had.

use std::io;

use thiserror::Error;

/// Why a realm could not be listed, or a file not read.
///
/// Each names in `at` what it is about: a file below the realm's root, a URL, or the root itself. Only
/// [`SourceError::NotFound`] says anything about whether a file exists; nothing else may lead to a tombstone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SourceError {
    /// The realm answered, and there is no such file: absent, ignored, or no regular file.
    #[error(
        "{at}: no such file in the realm (an ignored file, a folder or a symlink counts as none)"
    )]
    NotFound {
        /// The file.
        at: String,
    },
    /// The file or the realm may exist, but may not be read by us.
    #[error("{at}: not allowed to read it: {why}")]
    Forbidden {
        /// The file, or the realm.
        at: String,
        /// Who said so, and how to mend it.
        why: String,
    },
    /// More bytes than the limit of this read.
    #[error("{at}: larger than the limit of {limit} bytes; make it smaller or raise the limit")]
    TooLarge {
        /// The file.
        at: String,
        /// The limit, in bytes.
        limit: u64,
    },
    /// No answer this time; a later try may have one. Says nothing about the file.
    #[error("{at}: can't be reached right now: {why}")]
    Unreachable {
        /// The file, or the realm.
        at: String,
        /// What went wrong.
        why: String,
    },
    /// Not read on purpose: it would leave the realm, the address is not allowed, or the answer makes no sense.
    #[error("{at}: refused: {why}")]
    Refused {
        /// The file, or the realm.
        at: String,
        /// The rule that was broken, and how to mend it.
        why: String,
    },
}

impl SourceError {
    /// Whether trying again later may help without anyone mending anything.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }

    /// Whether it is certain that the realm has no such file.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Whether rights are missing.
    pub fn is_forbidden(&self) -> bool {
        matches!(self, Self::Forbidden { .. })
    }

    /// The error for an operating system's error about something below a folder realm's root.
    pub(crate) fn from_io(at: &str, error: &io::Error) -> Self {
        let at = at.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::InvalidFilename => Self::NotFound { at },
            // Without a system's code it is cap-std's own refusal to leave the root.
            io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
                Self::NotFound { at }
            }
            io::ErrorKind::PermissionDenied => Self::Forbidden {
                at,
                why: format!("{error}; give the process read access to it"),
            },
            _ => Self::Unreachable {
                at,
                why: error.to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_definite_absence_is_not_found() {
        for (error, not_found, forbidden, transient) in [
            (io::ErrorKind::NotFound.into(), true, false, false),
            (io::ErrorKind::NotADirectory.into(), true, false, false),
            (io::ErrorKind::InvalidFilename.into(), true, false, false),
            (io::Error::other("stale handle"), false, false, true),
            (io::ErrorKind::TimedOut.into(), false, false, true),
            (io::Error::from_raw_os_error(13), false, true, false),
        ] {
            let read = SourceError::from_io("a.md", &error);
            assert_eq!(read.is_not_found(), not_found, "{read}");
            assert_eq!(read.is_forbidden(), forbidden, "{read}");
            assert_eq!(read.is_transient(), transient, "{read}");
        }
    }
}
