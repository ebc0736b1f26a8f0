//! Identities of rows.

use std::fmt;

/// A realm's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct RealmId(pub(crate) i64);

/// A file's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct FileId(pub(crate) i64);

/// A job's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct JobId(pub(crate) i64);

impl JobId {
    /// The job of that number, if there is one.
    pub fn numbered(number: i64) -> Self {
        Self(number)
    }

    /// Its number.
    pub fn number(self) -> i64 {
        self.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Grows with every change taken in: a row is never overwritten by what was read for an older change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct ChangeSeq(pub(crate) i64);

impl ChangeSeq {
    /// The change of that number.
    pub fn numbered(number: i64) -> Self {
        Self(number)
    }

    /// Its number.
    pub fn number(self) -> i64 {
        self.0
    }
}

impl fmt::Display for ChangeSeq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
