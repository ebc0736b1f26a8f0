//! The way to the database.

use std::time::Duration;

use sqlx::postgres::PgPoolOptions;
use sqlx::{Connection, Executor, PgPool};

use crate::StoreError;

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../../migrations");

/// How long a connection may take to be had.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// A connection that was used so lately is taken for alive; any other is asked first. To ask each time would double the
/// way to the database for every small statement.
const SURELY_ALIVE: Duration = Duration::from_secs(1);

/// The index.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) pool: PgPool,
}

impl Store {
    /// Connects to `url` with at most that many connections. The embedded database takes one.
    ///
    /// # Errors
    /// When there is no database there, or it does not let us in.
    pub async fn connect(url: &str, connections: u32) -> Result<Self, StoreError> {
        let pool = PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(CONNECT_TIMEOUT)
            .test_before_acquire(false)
            .before_acquire(|connection, used| {
                Box::pin(async move {
                    if used.idle_for > SURELY_ALIVE {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            // To compile a statement, or to start helpers for it, takes many times as long as to run it, and estimates
            // over a long backlog ask for it. A queue that was empty when it was last counted would be read whole and
            // sorted, and not from its head.
            .after_connect(|connection, _| {
                Box::pin(async move {
                    let quick = "set jit = off; set max_parallel_workers_per_gather = 0; set enable_bitmapscan = off";
                    connection.execute(quick).await?;
                    Ok(())
                })
            })
            .connect(url)
            .await
            .map_err(StoreError::Connect)?;
        Ok(Self { pool })
    }

    /// Makes the tables, or brings them up to date. Only one process at a time does; the others wait for it.
    ///
    /// # Errors
    /// When the tables were made by a newer version, or the database refuses.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        Ok(MIGRATIONS.run(&self.pool).await?)
    }

    /// What the database calls itself, for people.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn version(&self) -> Result<String, StoreError> {
        let version =
            sqlx::query_scalar!(r#"select current_setting('server_version') as "version!""#)
                .fetch_one(&self.pool)
                .await?;
        Ok(version)
    }

    /// Gives back all connections.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}
