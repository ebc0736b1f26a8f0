//! The listener itself.

use std::io;
use std::time::Duration;

use axum::{Extension, Router};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::events::Stopping;

/// How long requests may take that have begun when it is told to stop.
const DRAIN: Duration = Duration::from_secs(10);

/// Serves until it is told to stop; requests that have begun are answered first, if that does not take long.
///
/// # Errors
/// Whatever the system says of the listener.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    shutdown: CancellationToken,
) -> io::Result<()> {
    // Streams that never end by themselves are told.
    let router = router.layer(Extension(Stopping(shutdown.clone())));
    let serving = axum::serve(listener, router)
        .with_graceful_shutdown(shutdown.clone().cancelled_owned())
        .into_future();
    let drained = async {
        shutdown.cancelled().await;
        tokio::time::sleep(DRAIN).await;
    };
    tokio::select! {
        served = serving => served,
        () = drained => {
            tracing::warn!("requests were still under way: their connections are closed");
            Ok(())
        }
    }
}
