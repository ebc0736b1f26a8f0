//! What happens, told to those who follow.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, BodyDataStream};
use axum::http::{Request, StatusCode};
use chrono::DateTime;
use futures::StreamExt;
use realmdex_scheduler::Wakes;
use realmdex_scheduler::access::Access;
use realmdex_scheduler::operator::{Operator, router, serve};
use realmdex_scheduler::public::{self, Public};
use realmdex_store::{Found, Moment, ReindexRequest, Store};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::asking::{below, get, post, public};
use crate::index::{Index, eventually, metrics, with_index};

/// Whatever should be told is so long before.
const PATIENCE: Duration = Duration::from_secs(30);

/// Someone who follows.
struct Follower {
    body: BodyDataStream,
    text: String,
}

#[derive(Debug)]
struct Told {
    event: String,
    id: Option<String>,
    data: Value,
}

impl Follower {
    async fn begin(listener: &Router, uri: &str, last: Option<&str>) -> Self {
        let mut request = Request::get(uri);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let answer = listener
            .clone()
            .oneshot(request.body(Body::empty()).unwrap())
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        assert_eq!(answer.headers()["cache-control"], "no-store");
        Self {
            body: answer.into_body().into_data_stream(),
            text: String::new(),
        }
    }

    /// What it is told next; none once it is told nothing more.
    async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let line = block.lines().find_map(|line| line.strip_prefix(name));
                    line.map(|value| value.trim_start().to_owned())
                };
                let told = field("event:").map(|event| Told {
                    event,
                    id: field("id:"),
                    data: serde_json::from_str(&field("data:").unwrap()).unwrap(),
                });
                self.text = rest.to_owned();
                match told {
                    Some(told) => return Some(told),
                    None => continue,
                }
            }
            let more = tokio::time::timeout(PATIENCE, self.body.next()).await;
            let more = more.expect("in vain: something is told")?.unwrap();
            self.text.push_str(std::str::from_utf8(&more).unwrap());
        }
    }

    /// The next of an event's kind.
    async fn told(&mut self, event: &str) -> Told {
        loop {
            let told = self.next().await.expect("more is told");
            if told.event == event {
                return told;
            }
        }
    }
}

fn operator(index: &Index) -> Router {
    router(Operator::new(index.store.clone(), metrics()))
}

#[tokio::test]
async fn what_happens_to_files_is_told() {
    with_index(async |index| {
        let (a, private) = (index.realm("a").await, index.private_realm("private").await);
        index.skill(&a, "old.md", &[], &[]).await;
        let public = public(&index);
        let mut reader = Follower::begin(&public, &below(&a, "_events"), None).await;
        let mut operator = Follower::begin(&operator(&index), "/_events", None).await;
        index.skill(&private, "secret.md", &[], &[]).await;
        index.skill(&a, "b c.md", &[], &[]).await;
        let told = reader.next().await.unwrap();
        assert_eq!(told.event, "index");
        let ever = Moment::before(DateTime::UNIX_EPOCH);
        let known = index.store.happened(Some(a.id), ever, 10).await.unwrap();
        let now = known.last().unwrap();
        assert_eq!(told.data, json!({
            "realm": a.url, "path": "b c.md", "url": "https://realm.test/a/b%20c.md", "state": "present",
            "isDegraded": false, "changeSeq": now.change_seq.number(), "indexedAt": now.indexed_at,
        }));
        let seq = index.wrote(&a, "b c.md", Found::Failed { why: "x".into(), transient: false }).await;
        let told = reader.next().await.unwrap().data;
        let told = [&told["state"], &told["isDegraded"], &told["changeSeq"]];
        assert_eq!(told, [&json!("present"), &json!(true), &json!(seq.number())]);
        index.wrote(&a, "b c.md", Found::Absent).await;
        let told = reader.next().await.unwrap().data;
        assert_eq!([&told["state"], &told["isDegraded"]], [&json!("absent"), &json!(false)]);
        // Operators are told everything.
        let mut paths = Vec::new();
        while paths.last() != Some(&json!("b c.md")) {
            paths.push(operator.told("index").await.data["path"].take());
        }
        assert_eq!(paths, ["secret.md", "b c.md"]);
    })
    .await;
}

#[tokio::test]
async fn reindexes_are_told_as_they_get_on() {
    with_index(async |index| {
        let realm = index.realm("a").await;
        let listener = public(&index);
        let before = index.store.request_reindex(&ReindexRequest::of(realm.id, "x".into())).await.unwrap();
        let uri = below(&realm, "_events");
        let mut follower = Follower::begin(&listener, &uri, None).await;
        let told = follower.next().await.unwrap();
        let wanted = |outcome: Value| {
            let url = &realm.url;
            json!({"id": before, "realm": url, "listed": null, "planned": null, "open": 0, "outcome": outcome})
        };
        // What is under way comes first.
        assert_eq!((told.event.as_str(), told.id), ("reindex", None));
        assert_eq!(told.data, wanted(Value::Null));
        index.store.cancel_realm(realm.id).await.unwrap();
        loop {
            let told = follower.told("reindex").await;
            if told.data["outcome"] != Value::Null {
                assert_eq!(told.data, wanted(json!("cancelled")));
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn who_comes_back_has_missed_nothing() {
    with_index(async |index| {
        let (a, b) = (index.realm("a").await, index.realm("b").await);
        let listener = public(&index);
        let uri = below(&a, "_events");
        let mut follower = Follower::begin(&listener, &uri, None).await;
        index.skill(&a, "first.md", &[], &[]).await;
        let last = follower.next().await.unwrap().id.unwrap();
        drop(follower);
        index.skill(&a, "second.md", &[], &[]).await;
        index.skill(&b, "other.md", &[], &[]).await;
        index.wrote(&a, "first.md", Found::Absent).await;
        let mut follower = Follower::begin(&listener, &uri, Some(&last)).await;
        // At least those; in order.
        let mut told = Vec::new();
        while told.last() != Some(&("first.md".to_owned(), "absent".to_owned())) {
            let one = follower.next().await.unwrap().data;
            assert_eq!(one["realm"], json!(a.url));
            told.push((
                one["path"].as_str().unwrap().to_owned(),
                one["state"].as_str().unwrap().to_owned(),
            ));
        }
        assert!(
            told.contains(&("second.md".to_owned(), "present".to_owned())),
            "{told:?}"
        );
        // What follows is told once.
        index.skill(&a, "third.md", &[], &[]).await;
        index.skill(&a, "fourth.md", &[], &[]).await;
        for path in ["third.md", "fourth.md"] {
            assert_eq!(follower.next().await.unwrap().data["path"], json!(path));
        }
        // Nonsense is from now on.
        let mut follower = Follower::begin(&listener, &uri, Some("nonsense")).await;
        index.skill(&a, "fifth.md", &[], &[]).await;
        assert_eq!(
            follower.next().await.unwrap().data["path"],
            json!("fifth.md")
        );
    })
    .await;
}

#[tokio::test]
async fn who_loses_the_right_is_told_no_more() {
    with_index(async |index| {
        let (realm, gone) = (index.realm("a").await, index.realm("gone").await);
        let listener = public(&index);
        let mut reader = Follower::begin(&listener, &below(&realm, "_events"), None).await;
        let mut other = Follower::begin(&listener, &below(&gone, "_events"), None).await;
        index.skill(&realm, "before.md", &[], &[]).await;
        assert_eq!(
            reader.next().await.unwrap().data["path"],
            json!("before.md")
        );
        index.store.set_rights(realm.id, "ada", &[]).await.unwrap();
        index.store.remove_realm(gone.id).await.unwrap();
        index.skill(&realm, "after.md", &[], &[]).await;
        assert!(reader.next().await.is_none());
        assert!(other.next().await.is_none());
        assert_eq!(get(&listener, &below(&realm, "_events")).await.status, 401);
        let private = index.private_realm("private").await;
        assert_eq!(
            get(&listener, &below(&private, "_events")).await.status,
            401
        );
    })
    .await;
}

#[tokio::test]
async fn streams_end_when_the_listener_stops() {
    with_index(async |index| {
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let shutdown = CancellationToken::new();
        let serving = tokio::spawn(serve(socket, operator(&index), shutdown.clone()));
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream
            .write_all(b"GET /_events HTTP/1.1\r\nhost: x\r\n\r\n")
            .await
            .unwrap();
        let mut answer = vec![0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(answer, b"HTTP/1.1 200");
        shutdown.cancel();
        let mut rest = String::new();
        stream.read_to_string(&mut rest).await.unwrap();
        assert!(
            rest.ends_with("\r\n0\r\n\r\n"),
            "it is ended, not cut off: {rest}"
        );
        serving.await.unwrap().unwrap();
    })
    .await;
}

/// The embedded index has one connection: nobody holds it while they wait.
#[tokio::test]
async fn one_connection_is_enough() {
    with_index(async |index| {
        let realm = index.open_realm("a").await;
        let alone: Store = index.with_one_connection().await;
        let access = Access::default();
        let public = public::router(Public::new(
            alone.clone(),
            access,
            metrics(),
            Wakes::default(),
        ));
        let operator = router(Operator::new(alone.clone(), metrics()));
        let mut followers = Vec::new();
        for _ in 0..3 {
            followers.push(Follower::begin(&public, &below(&realm, "_events"), Some("0-0")).await);
            followers.push(Follower::begin(&operator, "/_events", None).await);
        }
        let body = json!({"data": {"attributes": {"urls": ["https://realm.test/a/x.md"]}}});
        let waiting = tokio::spawn({
            let (public, uri) = (public.clone(), below(&realm, "_invalidate"));
            async move { post(&public, &uri, body.to_string()).await }
        });
        eventually("it is enqueued", async || {
            !index.waiting(&realm).await.is_empty()
        })
        .await;
        index.store.cancel_realm(realm.id).await.unwrap();
        assert_eq!(waiting.await.unwrap().status, 204);
        index.skill(&realm, "x.md", &[], &[]).await;
        for follower in &mut followers {
            assert_eq!(follower.told("index").await.data["path"], json!("x.md"));
        }
        assert_eq!(
            get(&public, &below(&realm, "_indexing-errors"))
                .await
                .status,
            200
        );
        drop(followers);
        alone.close().await;
    })
    .await;
}
