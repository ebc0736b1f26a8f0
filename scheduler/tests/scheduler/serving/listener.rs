//! The listener on a real socket, and what it allows whom.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use axum::routing::get;
use futures::Stream;
use realmdex_scheduler::public::{Connections, Limits, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{with_limits, with_site};
use crate::index::eventually;

/// A listener, and what stops it.
struct Listening {
    address: SocketAddr,
    stop: CancellationToken,
    serving: tokio::task::JoinHandle<()>,
}

impl Listening {
    async fn of(router: Router, connections: Connections) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let serving = serve(listener, router, connections, stop.clone());
        Self {
            address,
            stop,
            serving: tokio::spawn(async move { serving.await.unwrap() }),
        }
    }

    async fn stop(self) {
        self.stop.cancel();
        self.serving.await.unwrap();
    }
}

async fn answered(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    // A connection that is reset has ended as well.
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test]
async fn requests_on_a_socket() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        site.put("a", "a.md", "hello");
        let listening = Listening::of(site.listener.clone(), Connections::default()).await;
        let address = listening.address;
        let long = "x".repeat(20_000);
        let many: String = (0..200).map(|number| format!("x-{number}: 1\r\n")).collect();
        for (request, status) in [
            ("GET /a/a.md HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "200"),
            ("GET /a/a.md HTTP/1.0\r\n\r\n".to_owned(), "200"),
            ("HEAD /a/a.md HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "200"),
            ("GET /a/a.md HTTP/1.1\r\nhost: evil.test\r\nconnection: close\r\n\r\n".to_owned(), "421"),
            (format!("GET /a/a.md HTTP/1.1\r\nhost: realm.test\r\nx: {long}\r\n\r\n"), "431"),
            (format!("GET /a/a.md HTTP/1.1\r\nhost: realm.test\r\n{many}\r\n"), "431"),
            (format!("GET /a/{long} HTTP/1.1\r\nhost: realm.test\r\n\r\n"), "431"),
            ("GET /a/a.md HTTP/1.1\r\nhost: realm.test\r\nbad header: 1\r\n\r\n".to_owned(), "400"),
            ("GET /a/a.md\0 HTTP/1.1\r\nhost: realm.test\r\n\r\n".to_owned(), "400"),
            ("GET /a/a b.md HTTP/1.1\r\nhost: realm.test\r\n\r\n".to_owned(), "400"),
            ("nonsense\r\n\r\n".to_owned(), "400"),
            // What is said twice, and what could end elsewhere than we think.
            ("GET /a/a.md HTTP/1.1\r\nhost: realm.test\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "400"),
            ("POST /a/_reindex HTTP/1.1\r\nhost: realm.test\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx".to_owned(), "400"),
            ("POST /a/_reindex HTTP/1.1\r\nhost: realm.test\r\ncontent-length: -1\r\n\r\n".to_owned(), "400"),
            ("POST /a/_reindex HTTP/1.1\r\nhost: realm.test\r\ntransfer-encoding: gzip\r\n\r\n".to_owned(), "400"),
            ("GET /a/a.md HTTP/1.1\r\nhost: realm.test\r\nx: 1\r\n folded\r\n\r\n".to_owned(), "400"),
            // Absolute targets, and ones with dots and slashes of all kinds.
            ("GET https://realm.test/a/a.md HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "200"),
            ("GET http://evil.test/a/a.md HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "421"),
            ("GET //evil.test/a/a.md HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "404"),
            ("GET /b/../a/a.md HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "404"),
            ("GET /a/%2e/a.md HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "404"),
            ("GET /a%2fa.md HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "404"),
            ("GET /a/..\\a.md HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "404"),
            ("OPTIONS * HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "200"),
            ("CONNECT realm.test:443 HTTP/1.1\r\nhost: realm.test\r\nconnection: close\r\n\r\n".to_owned(), "404"),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(), ""),
            ("GET /a/a.md HTTP/1.1\r\nhost: realm.test\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\nconnection: close\r\n\r\n0\r\n\r\n".to_owned(), "200"),
        ] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(request.as_bytes()).await.unwrap();
            let answer = answered(&mut stream).await;
            let line = answer.lines().next().unwrap_or_default();
            let shown: String = request.chars().take(60).collect();
            assert_eq!(line.split(' ').nth(1).unwrap_or_default(), status, "{shown:?}: {answer}");
        }
        // Several after another on one connection.
        let mut stream = TcpStream::connect(address).await.unwrap();
        for last in ["", "connection: close\r\n"] {
            let request = format!("GET /a/a.md HTTP/1.1\r\nhost: realm.test\r\n{last}\r\n");
            stream.write_all(request.as_bytes()).await.unwrap();
        }
        let answer = answered(&mut stream).await;
        assert_eq!(answer.matches("HTTP/1.1 200 OK").count(), 2, "{answer}");
        listening.stop().await;
    })
    .await;
}

#[tokio::test]
async fn nobody_holds_a_connection_by_being_slow() {
    with_site(|site| async move {
        let impatient = Connections {
            head_time: Duration::from_millis(100),
            ..Connections::default()
        };
        let listening = Listening::of(site.listener.clone(), impatient).await;
        let address = listening.address;
        // Nothing at all, half a head, and one that comes byte by byte for ever: each is closed.
        for begin in ["", "GET /a/a.md HTTP/1.1\r\nhost: realm"] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(begin.as_bytes()).await.unwrap();
            let answer = answered(&mut stream).await;
            assert!(!answer.contains("200 OK"), "{begin:?}: {answer}");
        }
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: realm.test\r\n")
            .await
            .unwrap();
        let mut buffer = [0; 1024];
        loop {
            if stream.write_all(b"x: 1\r\n").await.is_err() {
                break;
            }
            let read =
                tokio::time::timeout(Duration::from_millis(20), stream.read(&mut buffer)).await;
            if matches!(read, Ok(Ok(0) | Err(_))) {
                break;
            }
        }
        listening.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_stop_waits_for_what_has_begun() {
    let (begun, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (in_route, may_end) = (Arc::clone(&begun), Arc::clone(&go));
    let slow = async move || {
        in_route.notify_one();
        may_end.notified().await;
        "done"
    };
    let router = Router::new().route("/", get(slow));
    let listening = Listening::of(router, Connections::default()).await;
    let mut idle = TcpStream::connect(listening.address).await.unwrap();
    let mut stream = TcpStream::connect(listening.address).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(request).await.unwrap();
    begun.notified().await;
    listening.stop.cancel();
    assert_eq!(answered(&mut idle).await, "");
    go.notify_one();
    let answer = answered(&mut stream).await;
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with("done"),
        "{answer}"
    );
    let address = listening.address;
    listening.stop().await;
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn browsers_of_any_origin_may_ask() {
    with_site(|site| async move {
        site.realm("a", &["*"]).await;
        let preflight = site
            .send(
                Method::OPTIONS,
                "/a/a.md",
                &[
                    ("origin", "https://host.test"),
                    ("access-control-request-method", "GET"),
                    (
                        "access-control-request-headers",
                        "authorization,x-boxel-client-request-id",
                    ),
                ],
            )
            .await;
        assert_eq!(preflight.status, 200);
        assert_eq!(preflight.header("access-control-allow-origin"), "*");
        assert_eq!(
            preflight.header("access-control-allow-headers"),
            "authorization,x-boxel-client-request-id"
        );
        assert!(
            preflight
                .header("access-control-allow-methods")
                .contains("GET")
        );
        assert_eq!(preflight.header("access-control-allow-credentials"), "");
        for uri in ["/a/none.md", "/none", "/_skills"] {
            let answer = site.get(uri, &[("origin", "https://host.test")]).await;
            assert_eq!(answer.header("access-control-allow-origin"), "*", "{uri}");
            assert!(
                answer
                    .header("access-control-expose-headers")
                    .contains("x-boxel-realm-url"),
                "{uri}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_client_that_asks_too_much_waits() {
    let limits = Limits {
        requests_per_second: 1,
        burst: 3,
        ..Limits::default()
    };
    with_limits(limits, |site| async move {
        let ask = async |from: &str| {
            let peer: SocketAddr = from.parse().unwrap();
            let request = Request::get("/_skills").extension(ConnectInfo(peer));
            site.ask(request.body(Body::empty()).unwrap()).await
        };
        for _ in 0..3 {
            assert_eq!(ask("1.1.1.1:1000").await.status, 200);
        }
        let refused = ask("1.1.1.1:2000").await;
        assert_eq!((refused.status, refused.header("retry-after")), (429, "1"));
        assert_eq!(refused.header("content-type"), "application/vnd.api+json");
        assert_eq!(ask("2.2.2.2:1000").await.status, 200);
    })
    .await;
}

/// A body that goes on for ever; it is counted as long as it is to be sent.
struct Endless(Arc<AtomicUsize>);

impl Endless {
    fn counted(open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(open))
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Stream for Endless {
    type Item = Result<Vec<u8>, std::io::Error>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(Some(Ok(vec![b'x'; 64 << 10])))
    }
}

#[tokio::test]
async fn whoever_never_reads_is_cut_off() {
    let open = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&open);
    let begun = Arc::new(Notify::new());
    let in_route = Arc::clone(&begun);
    let endless = async move || {
        in_route.notify_one();
        Body::from_stream(Endless::counted(&counted))
    };
    let impatient = Connections {
        write_time: Duration::from_millis(50),
        ..Connections::default()
    };
    let listening = Listening::of(Router::new().route("/", get(endless)), impatient).await;
    let mut deaf = TcpStream::connect(listening.address).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    deaf.write_all(request).await.unwrap();
    begun.notified().await;
    // The client is there still, and reads nothing.
    eventually("its answer is dropped", async || {
        open.load(Ordering::SeqCst) == 0
    })
    .await;
    drop(deaf);
    listening.stop().await;
}

#[tokio::test]
async fn whoever_guesses_waits() {
    // Ten guesses at once, and then one each ten seconds.
    let limits = Limits {
        requests_per_second: 1,
        burst: 100,
        ..Limits::default()
    };
    with_limits(limits, |site| async move {
        site.realm("p", &[]).await;
        site.realm("a", &["*"]).await;
        site.put("a", "a.md", "fine");
        let ask = async |method: Method, uri: &str, from: &str, token: Option<&str>| {
            let peer: SocketAddr = from.parse().unwrap();
            let mut request = Request::builder().method(method).uri(uri);
            request = request.extension(ConnectInfo(peer));
            if let Some(token) = token {
                request = request.header("authorization", token);
            }
            site.ask(request.body(Body::empty()).unwrap()).await
        };
        let (here, there) = ("1.1.1.1:1000", "2.2.2.2:1000");
        for number in 0..11 {
            let token = format!("Bearer guess-{number}");
            let answer = ask(Method::GET, "/p/x.md", here, Some(&token)).await;
            assert_eq!(answer.status, 401, "{number}");
        }
        let refused = ask(Method::GET, "/p/x.md", here, Some("Bearer another")).await;
        assert_eq!(refused.status, 429);
        assert!((1..=10).contains(&refused.header("retry-after").parse().unwrap()));
        let refused = ask(Method::POST, "/_delegate-session", here, None).await;
        assert_eq!(refused.status, 429);
        // Whoever shows nothing guesses nothing; and others are not to blame.
        assert_eq!(ask(Method::GET, "/p/x.md", here, None).await.status, 401);
        assert_eq!(ask(Method::GET, "/a/a.md", here, None).await.status, 200);
        let other = ask(Method::GET, "/p/x.md", there, Some("Bearer guess")).await;
        assert_eq!(other.status, 401);
    })
    .await;
}
