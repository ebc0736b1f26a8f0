//! The operator's listener, called in process.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use realmdex_queue::Broker;
use realmdex_scheduler::operator::wire::{JobsAsked, Numbers, ReindexesAsked, States};
use realmdex_scheduler::operator::{Operator, OperatorToken, router, serve};
use realmdex_store::JobId;
use realmdex_types::{JobClass, JobState};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::index::{Index, metrics, url, with_index};

fn listener(index: &Index) -> Router {
    router(Operator::new(index.store.clone(), metrics()).with_broker(Broker::local()))
}

/// Sends a request, `POST` with a body and `GET` without.
async fn ask(listener: &Router, uri: &str, body: impl Into<Option<Value>>) -> (u16, Value) {
    let request = match body.into() {
        None => Request::get(uri).body(Body::empty()),
        Some(body) => Request::post(uri)
            .header("content-type", "application/json")
            .body(Body::from(body.to_string())),
    };
    answer(listener, request.unwrap()).await
}

async fn answer(listener: &Router, request: Request<Body>) -> (u16, Value) {
    let response = listener.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let value = serde_json::from_slice(&body)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&body).into_owned()));
    (status, value)
}

fn detail(answer: &(u16, Value)) -> (u16, &str) {
    (answer.0, answer.1["errors"][0]["detail"].as_str().unwrap())
}

#[tokio::test]
async fn changes_are_taken_in() {
    with_index(async |index| {
        let listener = listener(&index);
        let realm = index.realm("a").await;
        let changes = json!([
            {"path": "a.md", "operation": "update"},
            {"path": "b.md", "operation": "delete"},
            {"path": "skills/.gitignore"},
        ]);
        let request = json!({"realm": realm.url, "changes": changes});
        let (status, taken) = ask(&listener, "/_changes", request).await;
        assert_eq!((status, &taken["files"]), (202, &json!(3)));
        assert!(
            taken["changeSeq"].is_i64() && taken["reindex"].is_i64(),
            "{taken}"
        );
        assert_eq!(index.waiting(&realm).await.len(), 3);
        assert_eq!(index.reasons(&realm).await, ["skills/.gitignore changed"]);
        let request = json!({"realm": realm.url, "changes": []});
        let (status, taken) = ask(&listener, "/_changes", request).await;
        assert_eq!(
            (status, &taken["files"], &taken["reindex"]),
            (202, &json!(0), &Value::Null)
        );
    })
    .await;
}

#[tokio::test]
async fn realms_come_and_go() {
    with_index(async |index| {
        let listener = listener(&index);
        let a = url("a");
        let new = json!({"url": "https://realm.test/a", "source": "file:///a"});
        for (wanted, is_new) in [(201, true), (200, false)] {
            let (status, added) = ask(&listener, "/_realms", new.clone()).await;
            assert_eq!(status, wanted);
            assert_eq!(
                added,
                json!({"url": a, "source": "file:///a/", "isNew": is_new})
            );
        }
        let rights = json!({"realm": a, "owner": "ada", "readers": ["bob", "ada"]});
        let changed = json!({"hasChanged": true});
        assert_eq!(
            ask(&listener, "/_realms/rights", rights).await,
            (200, changed.clone())
        );
        let rights = json!({"realm": a, "readers": ["bob"]});
        assert_eq!(
            ask(&listener, "/_realms/rights", rights).await,
            (200, changed.clone())
        );
        let archive = json!({"realm": a});
        assert_eq!(
            ask(&listener, "/_realms/archive", archive.clone()).await,
            (200, changed.clone())
        );
        let unchanged = json!({"hasChanged": false});
        assert_eq!(
            ask(&listener, "/_realms/archive", archive).await,
            (200, unchanged)
        );
        let realms = |is_archived| {
            json!({"realms": [{"url": a, "source": "file:///a/", "owner": "ada", "readers": ["bob"],
                               "isArchived": is_archived}]})
        };
        assert_eq!(ask(&listener, "/_realms", None).await, (200, realms(true)));
        let back = json!({"realm": a, "undo": true});
        assert_eq!(
            ask(&listener, "/_realms/archive", back).await,
            (200, changed.clone())
        );
        assert_eq!(ask(&listener, "/_realms", None).await, (200, realms(false)));
        let gone = json!({"realm": a});
        assert_eq!(
            ask(&listener, "/_realms/remove", gone.clone()).await,
            (200, changed)
        );
        assert_eq!(
            ask(&listener, "/_realms", None).await,
            (200, json!({"realms": []}))
        );
        assert_eq!(ask(&listener, "/_realms/remove", gone).await.0, 404);
    })
    .await;
}

#[tokio::test]
async fn packages_are_announced() {
    with_index(async |index| {
        let listener = listener(&index);
        let own = index.added("own", "file:///own/").await;
        let rows = [
            // A realm of its own.
            (
                json!({"prefix": "@acme/tools", "location": "file:///acme", "version": "1"}),
                json!({"hasChanged": true, "realm": "https://package.local/@acme/tools/"}),
            ),
            // A new version of it.
            (
                json!({"prefix": "@acme/tools/", "location": "file:///acme/", "version": "2"}),
                json!({"hasChanged": false, "realm": "https://package.local/@acme/tools/"}),
            ),
            // The realm that lies there already.
            (
                json!({"prefix": "@acme/own/", "location": "file:///own/"}),
                json!({"hasChanged": true, "realm": own.url}),
            ),
            // One that goes by a URL, and one whose URL is given.
            (
                json!({"prefix": "https://base.test/base/", "location": "file:///base/"}),
                json!({"hasChanged": true, "realm": "https://base.test/base/"}),
            ),
            (
                json!({"prefix": "@x/", "location": "file:///x/", "url": "https://x.test/"}),
                json!({"hasChanged": true, "realm": "https://x.test/"}),
            ),
            (
                json!({"prefix": "@old/", "alias": "@acme/tools"}),
                json!({"hasChanged": true}),
            ),
        ];
        for (request, wanted) in rows {
            let announced = ask(&listener, "/_packages", request.clone()).await;
            assert_eq!(announced, (200, wanted), "{request}");
        }
        let map = json!({"packages": [
            {"prefix": "@acme/own/", "location": "file:///own/"},
            {"prefix": "@acme/tools/", "location": "file:///acme/", "version": "2"},
            {"prefix": "@old/", "alias": "@acme/tools/"},
            {"prefix": "@x/", "location": "file:///x/"},
            {"prefix": "https://base.test/base/", "location": "file:///base/"},
        ]});
        assert_eq!(ask(&listener, "/_packages", None).await, (200, map));
        for has_changed in [true, false] {
            let gone = ask(&listener, "/_packages/remove", json!({"prefix": "@old/"})).await;
            assert_eq!(gone, (200, json!({"hasChanged": has_changed})));
        }
    })
    .await;
}

#[tokio::test]
async fn realms_are_indexed_and_jobs_steered() {
    with_index(async |index| {
        let listener = listener(&index);
        let (a, b, c) = (
            index.realm("a").await,
            index.realm("b").await,
            index.realm("c").await,
        );
        index.store.archive_realm(c.id, true).await.unwrap();
        let all = json!({"all": true});
        let (status, all) = ask(&listener, "/_reindex", all).await;
        assert_eq!(
            (status, all["reindexes"].as_array().unwrap().len()),
            (202, 2)
        );
        let one =
            json!({"realm": a.url, "force": true, "allowMassDelete": true, "reason": "a test"});
        let (status, one) = ask(&listener, "/_reindex", one).await;
        assert_eq!(
            (status, &one["reindexes"][0]),
            (202, &all["reindexes"][0]),
            "it joins"
        );
        let id = one["reindexes"][0].as_i64().unwrap();
        let asked = format!("/_reindexes?ids={id},999&realm={}&limit=5", a.url);
        let (status, rows) = ask(&listener, &asked, None).await;
        let row = &rows["reindexes"][0];
        assert_eq!(
            (status, rows["reindexes"].as_array().unwrap().len()),
            (200, 1)
        );
        let told = json!([
            row["id"],
            row["realm"],
            row["force"],
            row["open"],
            row["outcome"],
            row["reason"]
        ]);
        assert_eq!(
            told,
            json!([id, a.url, true, 0, null, "an operator asked for it"])
        );

        let jobs = ask(&listener, "/_jobs?state=queued,running&limit=1", None).await;
        let job = &jobs.1["jobs"][0];
        assert_eq!(
            (&job["kind"], &job["realm"]),
            (&json!("full-reindex"), &json!(b.url))
        );
        assert_eq!(jobs.1["jobs"].as_array().unwrap().len(), 1);
        let file = index
            .enqueue(&a, ["x.md".to_owned()], JobClass::Interactive)
            .await[0];
        let one = ask(&listener, &format!("/_jobs?id={file}"), None).await;
        let job = &one.1["jobs"][0];
        let told = json!([job["path"], job["class"], job["state"], job["attempts"]]);
        assert_eq!(told, json!(["x.md", "interactive", "queued", 0]));

        let claims = index
            .store
            .claim(&[file], "w", Duration::from_secs(60))
            .await
            .unwrap();
        let lease = claims.claimed[0].lease;
        index.store.fail(lease, "it can't be").await.unwrap();
        let failed = ask(&listener, "/_jobs?state=failed", None).await.1;
        assert_eq!(failed["jobs"][0]["error"], json!("it can't be"));
        let again = ask(&listener, "/_jobs/retry", json!({"ids": [file.number()]})).await;
        assert_eq!(again, (200, json!({"retried": 1})));
        let again = ask(&listener, "/_jobs/retry", json!({"all": true})).await;
        assert_eq!(again, (200, json!({"retried": 0})));
        assert_eq!(index.waiting(&a).await.len(), 1);

        let off = ask(&listener, "/_jobs/cancel", json!({"realm": a.url})).await;
        assert_eq!(off, (200, json!({"queued": 2, "running": 0})));
        let file = index.enqueue(&a, ["x.md".to_owned()], JobClass::Bulk).await[0];
        let off = ask(&listener, "/_jobs/cancel", json!({"id": file.number()})).await;
        assert_eq!(off, (200, json!({"queued": 1, "running": 0})));
        let asked = format!("/_jobs?realm={}&state=cancelled", a.url);
        let off = ask(&listener, &asked, None).await.1;
        assert_eq!(off["jobs"].as_array().unwrap().len(), 3);
    })
    .await;
}

#[tokio::test]
async fn how_it_stands_is_told() {
    with_index(async |index| {
        let listener = listener(&index);
        let realm = index.realm("a").await;
        index.enqueue(&realm, ["a.md".to_owned()], JobClass::Bulk).await;
        let (status, mut queue) = ask(&listener, "/_queue", None).await;
        let age = queue["backlog"][0]["oldestSeconds"].take();
        assert!(age.as_f64().unwrap() >= 0.0);
        let window = |class| json!({"class": class, "window": null, "standing": 0});
        let backlog = json!({"kind": "index-file", "class": "bulk", "state": "queued", "jobs": 1, "oldestSeconds": null});
        let wanted = json!({
            "backlog": [backlog],
            "windows": [window("interactive"), window("bulk"), window("calls")],
            "broker": {"state": "ready"},
        });
        assert_eq!((status, queue), (200, wanted));

        let clean = json!({"isClean": true, "edges": 0, "brokenEdges": 0, "outdatedFiles": 0, "broken": [], "outdated": []});
        assert_eq!(ask(&listener, "/_verify", None).await, (200, clean.clone()));
        index.known(&realm, &["s.md", "m.js"], 0).await;
        index.known(&realm, &["o.md"], 1).await;
        index
            .sql("insert into edges (source_id, target_id, state)
                  select s.id, m.id, 'absent' from files s, files m where s.path = 's.md' and m.path = 'm.js'")
            .await;
        let other = index.realm("b").await;
        let wanted = json!({
            "isClean": false, "edges": 1, "brokenEdges": 1, "outdatedFiles": 1,
            "broken": [{"source": "https://realm.test/a/s.md", "target": "https://realm.test/a/m.js",
                        "then": "absent", "now": "000000000000"}],
            "outdated": ["https://realm.test/a/o.md"],
        });
        for (asked, wanted) in [
            ("/_verify".to_owned(), &wanted),
            (format!("/_verify?realm={}&limit=10", realm.url), &wanted),
            (format!("/_verify?realm={}", other.url), &clean),
        ] {
            assert_eq!(ask(&listener, &asked, None).await, (200, wanted.clone()), "{asked}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_in_words() {
    with_index(async |index| {
        let listener = listener(&index);
        let realm = index.added("a", "file:///a/").await;
        let gone = index.realm("gone").await;
        index.store.archive_realm(gone.id, true).await.unwrap();
        let a = &realm.url;
        let rows: [(&str, Option<Value>, u16, &str); 27] = [
            ("/_nowhere", None, 404, "there is no /_nowhere here"),
            ("/_changes", None, 405, "/_changes does not take GET"),
            ("/_realms/rights", None, 405, "does not take GET"),
            (
                "/_changes",
                Some(json!({"realm": "https://x.test/", "changes": []})),
                404,
                "realmdex realms add",
            ),
            (
                "/_changes",
                Some(json!({"realm": gone.url, "changes": []})),
                409,
                "--undo",
            ),
            (
                "/_changes",
                Some(json!({"realm": "nonsense", "changes": []})),
                422,
                "\"nonsense\" is not a URL",
            ),
            (
                "/_changes",
                Some(json!({"realm": a})),
                422,
                "missing field `changes`",
            ),
            (
                "/_changes",
                Some(json!({"realm": a, "changes": [{"path": "a", "op": "delete"}]})),
                422,
                "unknown field `op`",
            ),
            (
                "/_changes",
                Some(json!({"realm": a, "changes": [{"path": "/etc/passwd"}]})),
                400,
                "\"/etc/passwd\" is no path",
            ),
            (
                "/_changes",
                Some(json!({"realm": a, "changes": [{"path": "a\u{0}"}]})),
                400,
                "is no path",
            ),
            (
                "/_realms",
                Some(json!({"url": "file:///a/", "source": "file:///a/"})),
                422,
                "give an http or https URL",
            ),
            (
                "/_realms",
                Some(json!({"url": a, "source": "/a"})),
                400,
                "is no place to read from",
            ),
            (
                "/_realms",
                Some(json!({"url": a, "source": "file:///b/"})),
                409,
                "already holds",
            ),
            (
                "/_realms",
                Some(json!({"url": "https://b.test/", "source": "file:///a/"})),
                409,
                "already holds",
            ),
            (
                "/_realms",
                Some(json!({"url": "https://b.test/", "source": "file:///b/", "owner": " "})),
                400,
                "is nobody's name",
            ),
            (
                "/_realms/rights",
                Some(json!({"realm": a, "readers": [""]})),
                400,
                "is nobody's name",
            ),
            (
                "/_packages",
                Some(json!({"prefix": "@x/"})),
                400,
                "either `location`",
            ),
            (
                "/_packages",
                Some(json!({"prefix": "@x/", "location": "file:///x/", "alias": "@y/"})),
                400,
                "either `location`",
            ),
            (
                "/_packages",
                Some(json!({"prefix": "@x/", "alias": "@y/", "url": a})),
                400,
                "leave `url` out",
            ),
            (
                "/_packages",
                Some(json!({"prefix": "./x/", "alias": "@y/"})),
                400,
                "is no prefix",
            ),
            (
                "/_packages",
                Some(json!({"prefix": "@x/", "location": "file:///a/", "url": "https://x.test/"})),
                409,
                "already holds",
            ),
            ("/_reindex", Some(json!({})), 400, "either `realm`"),
            (
                "/_reindex",
                Some(json!({"realm": gone.url})),
                409,
                "is archived",
            ),
            (
                "/_jobs/cancel",
                Some(json!({"id": 1, "realm": a})),
                400,
                "either `id`",
            ),
            (
                "/_jobs/retry",
                Some(json!({"ids": [1], "all": true})),
                400,
                "either `ids`",
            ),
            (
                "/_jobs?state=sleeping",
                None,
                400,
                "\"sleeping\" is no state: give one of queued",
            ),
            ("/_reindexes?ids=1,x", None, 400, "\"x\" is no number"),
        ];
        for (uri, body, status, words) in rows {
            let answer = ask(&listener, uri, body.clone()).await;
            let (got, detail) = detail(&answer);
            assert!(
                got == status && detail.contains(words),
                "{uri} {body:?}: {answer:?}"
            );
            let title = StatusCode::from_u16(status)
                .unwrap()
                .canonical_reason()
                .unwrap();
            let error = &answer.1["errors"][0];
            assert_eq!(
                (&error["status"], &error["title"]),
                (&json!(status.to_string()), &json!(title))
            );
        }
        let too_long = json!({"realm": a, "changes": [{"path": "x".repeat(5 << 20)}]});
        assert_eq!(ask(&listener, "/_changes", too_long).await.0, 413);
        let many: Vec<Value> = (0..10_001)
            .map(|number| json!({"path": number.to_string()}))
            .collect();
        let answer = ask(&listener, "/_changes", json!({"realm": a, "changes": many})).await;
        assert!(
            detail(&answer).1.contains("ask for a reindex"),
            "{answer:?}"
        );
        let untyped = Request::post("/_reindex").body(Body::from("{}")).unwrap();
        assert_eq!(self::answer(&listener, untyped).await.0, 415);
    })
    .await;
}

#[tokio::test]
async fn only_who_has_the_token_comes_in() {
    with_index(async |index| {
        assert!(OperatorToken::new(" \n").is_none());
        let token = OperatorToken::new("s3cret\n").unwrap();
        assert!(!format!("{token:?}").contains("s3cret"));
        let listener = router(Operator::new(index.store.clone(), metrics()).with_token(token));
        let rows = [
            ("/_realms", None, 401),
            ("/_realms", Some("s3cret"), 401),
            ("/_realms", Some("Bearer s3cre"), 401),
            ("/_realms", Some("Bearer s3cret2"), 401),
            ("/_realms", Some("Basic s3cret"), 401),
            ("/_realms", Some("Bearer "), 401),
            ("/_realms", Some("Bearer s3cret"), 200),
            ("/_realms", Some("bearer s3cret"), 200),
            ("/_nowhere", None, 401),
            ("/_liveness", None, 204),
            ("/_readiness", None, 200),
            ("/metrics", None, 200),
        ];
        for (uri, header, status) in rows {
            let mut request = Request::get(uri);
            if let Some(header) = header {
                request = request.header("authorization", header);
            }
            let answer = answer(&listener, request.body(Body::empty()).unwrap()).await;
            assert_eq!(answer.0, status, "{uri} {header:?}: {answer:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn machines_are_told_whether_it_works() {
    with_index(async |index| {
        let broker = Broker::local();
        let operator = Operator::new(index.store.clone(), metrics()).with_broker(broker.clone());
        let listener = router(operator);
        let ready = json!({"isReady": true, "missing": []});
        assert_eq!(ask(&listener, "/_readiness", None).await, (200, ready));
        let realm = index.realm("a").await;
        index
            .enqueue(
                &realm,
                ["a.md".to_owned(), "b.md".to_owned()],
                JobClass::Bulk,
            )
            .await;
        let metrics = ask(&listener, "/metrics", None).await.1;
        for line in [
            "realmdex_queue_depth{class=\"bulk\",state=\"queued\"} 2",
            "realmdex_queue_depth{class=\"calls\",state=\"running\"} 0",
            "realmdex_jobs_offered_total{class=\"interactive\"} 0",
            "realmdex_reconcile_errors_total{reconciler=\"leases\"} 0",
            "realmdex_build_info{version=\"",
        ] {
            assert!(
                metrics.as_str().unwrap().contains(line),
                "{line} in {metrics}"
            );
        }
        index.store.cancel_realm(realm.id).await.unwrap();
        let metrics = ask(&listener, "/metrics", None).await.1;
        let drained = "realmdex_queue_depth{class=\"bulk\",state=\"queued\"} 0";
        assert!(metrics.as_str().unwrap().contains(drained), "{metrics}");

        broker.close().await;
        index.store.close().await;
        let (status, words) = ask(&listener, "/_readiness", None).await;
        assert_eq!((status, &words["isReady"]), (503, &json!(false)));
        let words: Vec<&str> = words["missing"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap())
            .collect();
        assert!(
            words[0].starts_with("database: ") && words[1].starts_with("broker: "),
            "{words:?}"
        );
        assert_eq!(ask(&listener, "/_liveness", None).await.0, 204);
        assert_eq!(
            ask(&listener, "/metrics", None).await.0,
            200,
            "the rest is told"
        );
        let answer = ask(&listener, "/_realms", None).await;
        assert_eq!(detail(&answer).0, 503);
    })
    .await;
}

#[tokio::test]
async fn it_is_served_until_told_to_stop() {
    with_index(async |index| {
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let shutdown = CancellationToken::new();
        let serving = tokio::spawn(serve(socket, listener(&index), shutdown.clone()));
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = b"GET /_liveness HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        tokio::io::AsyncWriteExt::write_all(&mut stream, request)
            .await
            .unwrap();
        let mut answer = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut stream, &mut answer)
            .await
            .unwrap();
        assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
        shutdown.cancel();
        serving.await.unwrap().unwrap();
        assert!(tokio::net::TcpStream::connect(address).await.is_err());
    })
    .await;
}

/// What the command line asks, the listener understands.
#[test]
fn queries_are_written_as_they_are_read() {
    let jobs = JobsAsked {
        state: Some(States(vec![JobState::Dead, JobState::Failed])),
        realm: Some(url("a")),
        id: Some(JobId::numbered(7).number()),
        limit: None,
    };
    let written = serde_json::to_value(&jobs).unwrap();
    assert_eq!(
        written,
        json!({"state": "dead,failed", "realm": url("a"), "id": 7})
    );
    assert_eq!(serde_json::from_value::<JobsAsked>(written).unwrap(), jobs);
    let reindexes = ReindexesAsked {
        realm: None,
        ids: Some(Numbers(vec![1, 2])),
        limit: Some(5),
    };
    let written = serde_json::to_value(&reindexes).unwrap();
    assert_eq!(written, json!({"ids": "1,2", "limit": 5}));
    assert_eq!(
        serde_json::from_value::<ReindexesAsked>(written).unwrap(),
        reindexes
    );
}

/// A page in a browser can make its own name point to this machine; then it is asked with that name, and without a token.
#[tokio::test]
async fn without_a_token_only_names_of_this_machine_are_answered() {
    with_index(async |index| {
        let listener = listener(&index);
        for (host, wanted) in [
            (None, 200),
            (Some("127.0.0.1:4790"), 200),
            (Some("[::1]:4790"), 200),
            (Some("localhost"), 200),
            (Some("LOCALHOST:4790"), 200),
            (Some("rebound.example:4790"), 403),
            (Some("localhost.rebound.example"), 403),
            (Some("10.0.0.5"), 403),
            (Some(""), 403),
        ] {
            let mut request = Request::get("/_realms").body(Body::empty()).unwrap();
            if let Some(host) = host {
                request.headers_mut().insert("host", host.parse().unwrap());
            }
            assert_eq!(answer(&listener, request).await.0, wanted, "{host:?}");
        }
    })
    .await;
}
