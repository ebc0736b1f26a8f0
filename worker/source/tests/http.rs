//! HTTP realms, against a real server on loopback.
#![allow(clippy::unwrap_used)]

mod server;

use std::time::Duration;

use realmdex_source::{
    AddressPolicy, FileBytes, HttpOptions, HttpSource, Listed, SecretToken, Source, SourceError,
    Timeouts,
};
use realmdex_types::{RealmPath, RealmUrl};
use server::{Reply, Server};

const LIMIT: u64 = 1000;

fn local() -> HttpOptions {
    HttpOptions {
        allow_addresses: AddressPolicy::AllowLoopback,
        ..HttpOptions::default()
    }
}

fn realm(server: &Server) -> RealmUrl {
    RealmUrl::parse(&format!("http://{}/realm/", server.address)).unwrap()
}

fn source(server: &Server, options: HttpOptions) -> HttpSource {
    HttpSource::new(realm(server), options).unwrap()
}

async fn read(source: &HttpSource, path: &str) -> Result<FileBytes, SourceError> {
    source.read(&RealmPath::parse(path).unwrap(), LIMIT).await
}

/// What a caller acts upon.
#[derive(Debug, PartialEq)]
enum Verdict {
    Good,
    NotFound,
    Forbidden,
    TooLarge,
    Transient,
    Refused,
}

fn verdict<T>(result: &Result<T, SourceError>) -> Verdict {
    match result {
        Ok(_) => Verdict::Good,
        Err(error) if error.is_not_found() => Verdict::NotFound,
        Err(error) if error.is_forbidden() => Verdict::Forbidden,
        Err(error) if error.is_transient() => Verdict::Transient,
        Err(SourceError::TooLarge { .. }) => Verdict::TooLarge,
        Err(_) => Verdict::Refused,
    }
}

#[tokio::test]
async fn reads_a_file_as_source() {
    let server = Server::start(|_| {
        let dates = "last-modified: Tue, 14 Nov 2023 22:13:20 GMT\r\nx-created: Mon, 01 Jan 2001 00:00:00 GMT\r\n";
        Reply::answer(200, dates, "bytes")
    })
    .await;
    let source = source(
        &server,
        HttpOptions {
            token: Some(SecretToken::new("s3cret")),
            ..local()
        },
    );
    let expected = FileBytes {
        bytes: b"bytes".into(),
        modified: Some(1_700_000_000),
        created: Some(978_307_200),
    };
    assert_eq!(read(&source, "ü/50% #?.md").await.unwrap(), expected);
    let request = server.requests().remove(0);
    assert_eq!(request.target, "/realm/%C3%BC/50%25%20%23%3F.md");
    for (name, value) in [
        ("accept", "application/vnd.card+source"),
        ("authorization", "Bearer s3cret"),
        ("accept-encoding", "identity"),
    ] {
        assert_eq!(request.header(name), value);
    }
    assert!(!format!("{source:?}").contains("s3cret"));
}

#[tokio::test]
async fn each_status_has_its_verdict() {
    use Verdict::*;
    let server = Server::start(|request| {
        let status = request.target.trim_start_matches("/realm/");
        Reply::answer(status.parse().unwrap(), "", "")
    })
    .await;
    let source = source(&server, local());
    for (status, expected) in [
        (200, Good),
        (404, NotFound),
        (410, NotFound),
        (401, Forbidden),
        (403, Forbidden),
        (408, Transient),
        (425, Transient),
        (429, Transient),
        (500, Transient),
        (502, Transient),
        (503, Transient),
        (504, Transient),
        (204, Refused),
        (206, Refused),
        (300, Refused),
        (302, Refused),
        (304, Refused),
        (400, Refused),
        (406, Refused),
        (451, Refused),
    ] {
        assert_eq!(
            verdict(&read(&source, &status.to_string()).await),
            expected,
            "{status}"
        );
    }
}

#[tokio::test]
async fn lists_by_mtimes() {
    let server = Server::start(|request| {
        let host = request.header("host");
        let mtimes =
            format!(r#"{{"http://{host}/realm/b.md":2,"http://{host}/realm/a%20b/c.md":1}}"#);
        Reply::answer(
            200,
            "",
            &format!(r#"{{"data":{{"attributes":{{"mtimes":{mtimes}}}}}}}"#),
        )
    })
    .await;
    let file = |path, modified| Listed {
        path: RealmPath::parse(path).unwrap(),
        modified,
        size: None,
    };
    let listed = source(&server, local()).list().await.unwrap();
    assert_eq!(listed, [file("a b/c.md", 1), file("b.md", 2)]);
    let request = server.requests().remove(0);
    assert_eq!(request.target, "/realm/_mtimes");
    assert_eq!(request.header("accept"), "application/vnd.api+json");
}

/// Boxel takes any failure here for an empty realm, and then deletes it from its index.
#[tokio::test]
async fn a_failed_listing_is_an_error_and_no_empty_realm() {
    use Verdict::*;
    let empty = r#"{"data":{"attributes":{"mtimes":{}}}}"#;
    let long = format!("{{\"data\":{}", " ".repeat(3000));
    for (status, body, expected) in [
        (200, empty, Good),
        (200, "", Refused),
        (200, "{}", Refused),
        (200, "<html>Sign in</html>", Refused),
        (200, r#"{"errors":[]}"#, Refused),
        (
            200,
            r#"{"data":{"attributes":{"mtimes":{"https://elsewhere.example/realm/a":1}}}}"#,
            Refused,
        ),
        (200, &long, TooLarge),
        (401, empty, Forbidden),
        (403, empty, Forbidden),
        (404, empty, Refused),
        (500, empty, Transient),
        (503, empty, Transient),
        (302, empty, Refused),
    ] {
        let (sent, options) = (
            body.to_owned(),
            HttpOptions {
                max_listing_bytes: 2000,
                ..local()
            },
        );
        let server = Server::start(move |_| Reply::answer(status, "", &sent)).await;
        let listed = source(&server, options).list().await;
        assert_eq!(verdict(&listed), expected, "{status} {body}: {listed:?}");
    }
}

#[tokio::test]
async fn redirects_are_followed_inside_the_realm_only() {
    use Verdict::*;
    let elsewhere = Server::start(|_| Reply::answer(200, "", "elsewhere")).await;
    let outside = format!("http://{}/realm/target", elsewhere.address);
    let server = Server::start(move |request| match request.target.as_str() {
        "/realm/target" => Reply::answer(200, "", "target"),
        "/realm/relative" => Reply::redirect(302, "target"),
        "/realm/absolute" => Reply::redirect(308, "/realm/relative"),
        "/realm/tool" => Reply::redirect(302, "/realm/tool.gts"),
        "/realm/folder" => Reply::redirect(301, "/realm/folder/"),
        "/realm/up" => Reply::redirect(302, "/other/target"),
        "/realm/dots" => Reply::redirect(302, "..%2fother/target"),
        "/realm/host" => Reply::redirect(307, &outside),
        "/realm/loop" => Reply::redirect(302, "loop"),
        _ => Reply::answer(200, "", "unexpected"),
    })
    .await;
    let source = source(
        &server,
        HttpOptions {
            token: Some(SecretToken::new("s3cret")),
            ..local()
        },
    );
    for (path, expected) in [
        ("relative", Good),
        ("absolute", Good),
        ("tool", NotFound),
        ("folder", NotFound),
        ("up", Refused),
        ("dots", Refused),
        ("host", Refused),
        ("loop", Refused),
    ] {
        let read = read(&source, path).await;
        assert_eq!(verdict(&read), expected, "{path}: {read:?}");
        assert!(read.is_err() || read.unwrap().bytes == b"target", "{path}");
    }
    assert!(
        elsewhere.requests().is_empty(),
        "nothing, and no token, went to another server"
    );
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.target.starts_with("/realm/"))
    );
}

#[tokio::test]
async fn a_body_is_counted_as_it_comes() {
    let server = Server::start(|request| match request.target.as_str() {
        "/realm/declared" => Reply::Hang(b"HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n".into()),
        "/realm/chunked" => Reply::Endless(
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".into(),
            format!("64\r\n{}\r\n", "x".repeat(100)).into(),
        ),
        "/realm/undeclared" => Reply::Endless(b"HTTP/1.1 200 OK\r\n\r\n".into(), b"x".into()),
        _ => Reply::answer(200, "", &"x".repeat(LIMIT as usize)),
    })
    .await;
    let source = source(&server, local());
    for path in ["declared", "chunked", "undeclared"] {
        assert_eq!(
            verdict(&read(&source, path).await),
            Verdict::TooLarge,
            "{path}"
        );
    }
    assert_eq!(
        read(&source, "exact").await.unwrap().bytes.len() as u64,
        LIMIT
    );
}

#[tokio::test]
async fn answers_that_are_not_the_file_are_errors() {
    use Verdict::*;
    let server = Server::start(|request| match request.target.as_str() {
        "/realm/cut" => Reply::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc".into()),
        "/realm/closed" => Reply::Raw(Vec::new()),
        "/realm/noise" => Reply::Raw(b"SSH-2.0-server\r\n\r\n".into()),
        "/realm/silent" => Reply::Hang(Vec::new()),
        "/realm/stuck" => Reply::Hang(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc".into()),
        _ => Reply::answer(200, "content-encoding: gzip\r\n", "abc"),
    })
    .await;
    let timeouts = Timeouts {
        idle: Duration::from_millis(50),
        ..Timeouts::default()
    };
    let source = source(
        &server,
        HttpOptions {
            timeouts,
            ..local()
        },
    );
    for (path, expected) in [
        ("cut", Transient),
        ("closed", Transient),
        ("noise", Transient),
        ("silent", Transient),
        ("stuck", Transient),
        ("gzip", Refused),
    ] {
        let read = read(&source, path).await;
        assert_eq!(verdict(&read), expected, "{path}: {read:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_transient() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    for url in [url.as_str(), "http://no-such-host.invalid/"] {
        let source = HttpSource::new(RealmUrl::parse(url).unwrap(), local()).unwrap();
        for error in [
            read(&source, "a").await.unwrap_err(),
            source.list().await.unwrap_err(),
        ] {
            assert!(error.is_transient(), "{url}: {error}");
        }
    }
}

#[tokio::test]
async fn addresses_that_are_not_allowed_are_never_connected_to() {
    let server = Server::start(|_| Reply::answer(200, "", "secret")).await;
    let (_, port) = server.address.split_once(':').unwrap();
    let public_only = HttpOptions::default;
    for host in [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "127.0.0.1.",
    ] {
        let url = RealmUrl::parse(&format!("http://{host}:{port}/")).unwrap();
        let refused = HttpSource::new(url, public_only()).map(|_| ());
        assert_eq!(verdict(&refused), Verdict::Refused, "{host}: {refused:?}");
    }
    // A name is only known to be local once it is resolved.
    let local_name = RealmUrl::parse(&format!("http://localhost:{port}/")).unwrap();
    let refused = read(
        &HttpSource::new(local_name.clone(), public_only()).unwrap(),
        "a",
    )
    .await;
    assert_eq!(verdict(&refused), Verdict::Refused, "{refused:?}");
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("only public addresses")
    );
    assert!(server.requests().is_empty());
    let allowed = HttpSource::new(local_name, local()).unwrap();
    assert_eq!(read(&allowed, "a").await.unwrap().bytes, b"secret");
}

#[test]
fn a_source_that_cannot_work_is_refused_at_once() {
    let realm = |url| RealmUrl::parse(url).unwrap();
    let error = HttpSource::new(
        realm("https://me:s3cret@h.example/"),
        HttpOptions::default(),
    )
    .unwrap_err();
    assert!(matches!(&error, SourceError::Refused { .. }), "{error}");
    assert!(!error.to_string().contains("s3cret"), "{error}");
    let options = HttpOptions {
        token: Some(SecretToken::new("two\nlines")),
        ..HttpOptions::default()
    };
    let error = HttpSource::new(realm("https://h.example/"), options).unwrap_err();
    assert!(!error.to_string().contains("lines"), "{error}");
    assert!(HttpSource::new(realm("https://h.example/"), HttpOptions::default()).is_ok());
}
