//! The index's database: one that is given, or an embedded one in a folder.

use std::path::{Path, PathBuf};

use anyhow::Context;
use realmdex_store::Store;
use thiserror::Error;

/// Connections to a database server; the embedded one has a single one to give.
const CONNECTIONS: u32 = 8;

/// Where the index is kept.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct IndexPlace {
    /// Keep the index in this Postgres (15 or later) instead of an embedded one.
    #[arg(
        long,
        env = "REALMDEX_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    pub(crate) database: Option<String>,
    /// Keep the embedded index in this folder, which may hold several realms; by default each realm has a folder of its
    /// own in the user's data folder.
    #[arg(
        long,
        env = "REALMDEX_DATA",
        value_name = "DIR",
        conflicts_with = "database"
    )]
    pub(crate) data: Option<PathBuf>,
}

/// Another process has the embedded index.
#[derive(Debug, Error)]
#[error(
    "the index in {} is in use by another realmdex{by}: wait until it ends, or give --data another folder",
    folder.display()
)]
#[cfg_attr(
    not(feature = "embedded"),
    allow(dead_code, reason = "there is no such index")
)]
pub(crate) struct InUse {
    /// The index's folder.
    folder: PathBuf,
    /// Which process, where that is known.
    by: String,
}

/// An open index.
pub(crate) struct Database {
    pub(crate) store: Store,
    #[cfg(feature = "embedded")]
    embedded: Option<embedded::Embedded>,
}

impl Database {
    /// Opens the index, its tables up to date. `folder` is that of an embedded one, where no other was asked for.
    /// [`InUse`] is among the errors.
    pub(crate) async fn open(place: &IndexPlace, folder: &Path) -> anyhow::Result<Self> {
        let database = match &place.database {
            Some(url) => Self {
                store: Store::connect(url, CONNECTIONS).await?,
                #[cfg(feature = "embedded")]
                embedded: None,
            },
            None => Self::open_embedded(place.data.as_deref().unwrap_or(folder)).await?,
        };
        database.store.migrate().await?;
        Ok(database)
    }

    #[cfg(feature = "embedded")]
    async fn open_embedded(folder: &Path) -> anyhow::Result<Self> {
        let folder = folder.to_owned();
        let embedded = tokio::task::spawn_blocking(move || embedded::Embedded::start(&folder))
            .await
            .context("starting the embedded database")??;
        let store = Store::connect(&embedded.url(), 1).await?;
        Ok(Self {
            store,
            embedded: Some(embedded),
        })
    }

    #[cfg(not(feature = "embedded"))]
    async fn open_embedded(_: &Path) -> anyhow::Result<Self> {
        anyhow::bail!("this build has no embedded database: give --database URL")
    }

    /// Closes it; everything that was committed is on disk already.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.store.close().await;
        #[cfg(feature = "embedded")]
        if let Some(embedded) = self.embedded {
            tokio::task::spawn_blocking(move || embedded.stop())
                .await
                .context("stopping the embedded database")??;
        }
        Ok(())
    }
}

#[cfg(feature = "embedded")]
mod embedded {
    use std::fs::{self, File, TryLockError};
    use std::io::{Read, Seek, Write};
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    use std::path::Path;

    use anyhow::Context;
    use pglite_oxide::PgliteServer;
    use tempfile::TempDir;

    use super::InUse;

    /// An embedded Postgres. Whoever holds it has its folder's lock.
    pub(super) struct Embedded {
        server: PgliteServer,
        // After the server: it is given up last.
        _socket: TempDir,
        _lock: File,
    }

    impl Embedded {
        pub(super) fn start(folder: &Path) -> anyhow::Result<Self> {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)
                .with_context(|| format!("making the index's folder {}", folder.display()))?;
            let lock = lock(folder)?;
            // A socket in a folder of its own, where only this user may go: a port would be open to everyone here, and
            // the path of a socket must be short.
            let socket = tempfile::Builder::new()
                .prefix("realmdex-")
                .tempdir()
                .context("making a folder for the database's socket")?;
            let server = PgliteServer::builder()
                .path(folder.join("postgres"))
                .unix(socket.path().join(".s.PGSQL.5432"))
                .start()
                .map_err(|error| {
                    error.context(format!(
                        "starting the embedded database in {}: if it stays broken, remove that folder and index again",
                        folder.display()
                    ))
                })?;
            Ok(Self {
                server,
                _socket: socket,
                _lock: lock,
            })
        }

        pub(super) fn url(&self) -> String {
            // A URL without a host is none to sqlx; the socket's folder is in the query, and comes first.
            self.server.database_url().replace("@/", "@localhost/")
        }

        pub(super) fn stop(self) -> anyhow::Result<()> {
            self.server
                .shutdown()
                .map_err(|error| error.context("stopping the embedded database"))
        }
    }

    /// Takes the folder for this process. Who holds it says so in the lock file.
    fn lock(folder: &Path) -> anyhow::Result<File> {
        let path = folder.join("lock");
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .with_context(|| format!("opening {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Only for the message: what can't be read is left out.
                let _ = file.read_to_string(&mut holder);
                return Err(InUse {
                    folder: folder.to_owned(),
                    by: match holder.trim() {
                        "" => String::new(),
                        process => format!(" (process {process})"),
                    },
                }
                .into());
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("locking {}", path.display()));
            }
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .with_context(|| format!("writing {}", path.display()))?;
        Ok(file)
    }
}
