//! Waiting for what was taken in to be done: asking now and then, with no connection held meanwhile.

use std::time::Duration;

use realmdex_store::{ChangeSeq, RealmId, Store, StoreError};
use realmdex_types::RealmPath;
use tokio::time::Instant;

/// How long until it is first asked again; twice that the next time, and so on.
const FIRST: Duration = Duration::from_millis(4);

/// How long at most.
const LONGEST: Duration = Duration::from_millis(100);

/// Waits until something is so. Answers false where that takes longer than there is patience for.
///
/// # Errors
/// Whatever is said when asked.
pub(crate) async fn until<E, F: Future<Output = Result<bool, E>>>(
    patience: Duration,
    mut is_so: impl FnMut() -> F,
) -> Result<bool, E> {
    let end = Instant::now() + patience;
    let mut pause = FIRST;
    loop {
        if is_so().await? {
            return Ok(true);
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(false);
        }
        tokio::time::sleep(pause.min(left)).await;
        pause = (pause * 2).min(LONGEST);
    }
}

/// Waits until files were looked at for a change, and those that depend on them, where people wait for these too.
///
/// # Errors
/// Whatever the database says.
pub(crate) async fn until_seen(
    store: &Store,
    realm: RealmId,
    paths: &[RealmPath],
    change: ChangeSeq,
    patience: Duration,
) -> Result<bool, StoreError> {
    let end = Instant::now() + patience;
    let is_seen = until(patience, || async {
        Ok::<_, StoreError>(store.unseen_files(realm, paths, change).await? == 0)
    });
    if !is_seen.await? {
        return Ok(false);
    }
    // What depends on them was enqueued as they were written, for later changes.
    until_quiet(store, realm, end.saturating_duration_since(Instant::now())).await
}

/// Waits until nobody waits for a file of a realm for what has changed until now.
///
/// # Errors
/// Whatever the database says.
pub(crate) async fn until_quiet(
    store: &Store,
    realm: RealmId,
    patience: Duration,
) -> Result<bool, StoreError> {
    let newest = store.newest_change().await?;
    until(patience, || async {
        Ok::<_, StoreError>(store.awaited_files(realm, newest).await? == 0)
    })
    .await
}
