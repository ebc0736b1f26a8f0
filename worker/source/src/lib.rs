//! Reads a realm's bytes: from a folder or over HTTP, and never from outside the realm.
//!
//! Whatever goes wrong is a [`SourceError`]. A realm that can't be listed is an error and never an empty
//! realm, and only [`SourceError::NotFound`] means that a file is gone: rights that are missing, a server
//! that fails and a root that is not there say nothing about its files.

mod address;
mod error;
mod folder;
mod http;
mod ignore_rules;
mod listing;
mod options;
mod redirect;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use realmdex_types::RealmPath;
use url::Url;

pub use address::AddressPolicy;
pub use error::SourceError;
pub use folder::{FolderSource, Sight, Walked};
pub use http::HttpSource;
pub use options::{HttpOptions, SecretToken, Timeouts};

/// Where a realm's files come from.
#[async_trait]
pub trait Source: Send + Sync + fmt::Debug {
    /// Every file of the realm that is not ignored, sorted by path (byte order).
    ///
    /// A file whose name can't be written as a [`RealmPath`] is left out, with a warning in the log.
    ///
    /// # Errors
    /// When the realm can't be listed *completely*: there is no partial answer.
    async fn list(&self) -> Result<Vec<Listed>, SourceError>;

    /// The bytes of a file; at most `max_bytes` of them.
    ///
    /// # Errors
    /// [`SourceError::NotFound`] where the realm has no such file or ignores it, [`SourceError::TooLarge`]
    /// where it is larger than `max_bytes`, and the others as they say.
    async fn read(&self, path: &RealmPath, max_bytes: u64) -> Result<FileBytes, SourceError>;
}

/// Opens what reads the bytes at a `file:`, `http:` or `https:` URL: which places may be read is up to whoever runs us.
pub type OpenSource = Arc<dyn Fn(&Url) -> Result<Arc<dyn Source>, SourceError> + Send + Sync>;

/// A file of a realm, as its listing names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where it lies.
    pub path: RealmPath,
    /// When it was last modified, in unix seconds.
    pub modified: u64,
    /// Its length in bytes, where the listing tells.
    pub size: Option<u64>,
}

/// A file's bytes, and what the source knows about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileBytes {
    /// All its bytes.
    pub bytes: Vec<u8>,
    /// When it was last modified, in unix seconds.
    pub modified: Option<u64>,
    /// When it was created, in unix seconds.
    pub created: Option<u64>,
}
