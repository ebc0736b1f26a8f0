//! A database of its own for each test, on the server that `REALMDEX_TEST_DATABASE` names.
#![allow(dead_code)]

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use realmdex_store::Store;
use sqlx::{Connection, Executor, PgConnection};

static NUMBER: AtomicU32 = AtomicU32::new(0);

fn server() -> String {
    std::env::var("REALMDEX_TEST_DATABASE").expect(
        "set REALMDEX_TEST_DATABASE to the URL of a Postgres in which databases may be made, or run deploy/test",
    )
}

/// Runs a test on an empty index, and removes that whatever came of it.
pub async fn with_store<F>(test: impl FnOnce(Store) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    with_url(async |url: String| {
        let store = Store::connect(&url, 4).await.unwrap();
        store.migrate().await.unwrap();
        let tested = tokio::spawn(test(store.clone())).await;
        store.close().await;
        tested
    })
    .await;
}

/// The same, on an empty database.
pub async fn with_url(test: impl AsyncFnOnce(String) -> Result<(), tokio::task::JoinError>) {
    let server = server();
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let name = format!(
        "realmdex_test_{}_{}_{}",
        std::process::id(),
        since.as_nanos(),
        NUMBER.fetch_add(1, Ordering::Relaxed)
    );
    let mut admin = PgConnection::connect(&server).await.unwrap();
    let create = sqlx::AssertSqlSafe(format!("create database {name}"));
    admin.execute(create).await.unwrap();
    let mut url = url::Url::parse(&server).unwrap();
    url.set_path(&name);
    let tested = test(url.to_string()).await;
    let drop = sqlx::AssertSqlSafe(format!("drop database {name} with (force)"));
    admin.execute(drop).await.unwrap();
    if let Err(panicked) = tested {
        std::panic::resume_unwind(panicked.into_panic());
    }
}
