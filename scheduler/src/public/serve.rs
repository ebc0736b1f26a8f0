//! The listener itself.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::events::Stopping;

/// How the listener treats connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// How long a request's head may take from its connection's being ready for it to its last byte. So long is an idle
    /// connection kept.
    pub head_time: Duration,
    /// The largest head, in bytes; at least 8 KiB.
    pub head_bytes: usize,
    /// Headers in it.
    pub headers: usize,
    /// How long a client may take nothing of what it is sent. One that never reads is cut off, and costs no more than what
    /// the system holds back for it.
    pub write_time: Duration,
    /// Connections at once; more wait in the system's queue.
    pub at_once: usize,
    /// How long requests may take that have begun when the listener is told to stop.
    pub drain: Duration,
}

impl Default for Connections {
    /// 15 s, 16 KiB, 100 headers, 30 s, 4,096 connections, 10 s.
    fn default() -> Self {
        Self {
            head_time: Duration::from_secs(15),
            head_bytes: 16 << 10,
            headers: 100,
            write_time: Duration::from_secs(30),
            at_once: 4_096,
            drain: Duration::from_secs(10),
        }
    }
}

/// Serves until it is told to stop; requests that have begun are answered first, if that does not take long.
///
/// # Errors
/// Whatever the system says of the listener.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    connections: Connections,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(connections.head_time)
        .max_buf_size(connections.head_bytes.max(8 << 10))
        .max_headers(connections.headers);
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(connections.at_once));
    loop {
        let accepted = async {
            // It is never closed.
            let room = Arc::clone(&room).acquire_owned().await;
            (room, listener.accept().await)
        };
        let (room, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = shutdown.cancelled() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Such as no file handles being left: there will be some once connections end.
                tracing::warn!(
                    error = &error as &(dyn std::error::Error + 'static),
                    "a connection was not accepted"
                );
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let stream = patient_for(connections.write_time, stream);
        let connection = connection(&http, stream, peer, router.clone(), shutdown.clone());
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(room);
        });
    }
    if tokio::time::timeout(connections.drain, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("requests were still under way: their connections are closed");
    }
    Ok(())
}

type Answered = axum::response::Response;

/// A connection whose other end has to read what it is sent.
type Stream = Pin<Box<TimeoutStream<TcpStream>>>;

fn patient_for(write_time: Duration, stream: TcpStream) -> Stream {
    // An answer is written at once; to wait for more would only delay it.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "small packets may be delayed");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(write_time));
    Box::pin(stream)
}

fn connection(
    http: &http1::Builder,
    stream: Stream,
    peer: SocketAddr,
    router: Router,
    shutdown: CancellationToken,
) -> http1::Connection<
    TokioIo<Stream>,
    impl hyper::service::Service<
        hyper::Request<Incoming>,
        Response = Answered,
        Error = Infallible,
        Future: Send,
    > + use<>,
> {
    let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        // Streams that never end by themselves are told.
        request.extensions_mut().insert(Stopping(shutdown.clone()));
        router.clone().oneshot(request.map(axum::body::Body::new))
    });
    http.serve_connection(TokioIo::new(stream), answer)
}
