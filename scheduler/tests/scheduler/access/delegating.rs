//! Sessions of whoever acts for a user.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::HeaderMap;
use chrono::Utc;
use realmdex_scheduler::access::{Access, Caller, DelegationSecret, Denial, Need, Refusal};
use realmdex_scheduler::public::{self, Public};
use realmdex_store::RegisteredRealm;
use serde_json::{Value, json};

use super::{realms, secret, send};
use crate::index::{Index, metrics, url, with_index};

const BOTS: &str = "what both sides know";

/// A request for a delegated session, signed some time ago.
fn request(body: &str, secret: &str, milliseconds_ago: i64) -> Request {
    let timestamp = (Utc::now().timestamp_millis() - milliseconds_ago).to_string();
    let signature = DelegationSecret::new(secret)
        .unwrap()
        .sign(&timestamp, body.as_bytes());
    Request::post("/_delegate-session")
        .header("x-boxel-delegation-timestamp", timestamp)
        .header("x-boxel-delegation-signature", signature)
        .body(Body::from(body.to_owned()))
        .unwrap()
}

fn for_user(user: &str, realm: &str) -> String {
    json!({"onBehalfOf": user, "realm": url(realm)}).to_string()
}

fn listener(index: &Index, access: Access) -> Router {
    public::router(Public::new(
        index.store.clone(),
        access,
        metrics(),
        Default::default(),
    ))
}

#[tokio::test]
async fn whoever_proves_to_act_for_a_user_gets_a_token() {
    with_index(async |index| {
        let realms = realms(&index).await;
        let bots = || DelegationSecret::new(BOTS).unwrap();
        let access = Access::default()
            .with_sessions(index.store.clone(), secret())
            .with_delegation(bots());
        let listener = self::listener(&index, access.clone());
        let untold = Request::post("/_delegate-session")
            .body(Body::from(for_user("bob", "private")))
            .unwrap();
        let too_long = "x".repeat(100_000);
        let no_slash =
            json!({"onBehalfOf": "bob", "realm": "https://realm.test/private?q#f"}).to_string();
        let rows = [
            (untold, 401, "send the headers"),
            (
                request(&for_user("bob", "private"), "a guess", 0),
                401,
                "does not fit",
            ),
            (
                request(&for_user("bob", "private"), BOTS, 120_000),
                401,
                "more than a minute off",
            ),
            (
                request(&for_user("bob", "private"), BOTS, -120_000),
                401,
                "more than a minute off",
            ),
            // What is not proven is not read.
            (request("{", "a guess", 0), 401, "does not fit"),
            (request("{", BOTS, 0), 400, "no JSON"),
            (request("[]", BOTS, 0), 400, "onBehalfOf is missing"),
            (
                request(r#"{"onBehalfOf": "", "realm": "x"}"#, BOTS, 0),
                400,
                "onBehalfOf is missing",
            ),
            (
                request(r#"{"onBehalfOf": "bob"}"#, BOTS, 0),
                400,
                "realm is missing",
            ),
            (
                request(r#"{"onBehalfOf": "bob", "realm": "x"}"#, BOTS, 0),
                400,
                "is no realm's URL",
            ),
            (
                request(r#"{"onBehalfOf": "bob", "realm": "file:///a/"}"#, BOTS, 0),
                400,
                "is no realm's URL",
            ),
            (
                request(&for_user("eve", "private"), BOTS, 0),
                403,
                "User eve has no read access to https://realm.test/private/",
            ),
            (
                request(&for_user("wes", "private"), BOTS, 0),
                403,
                "no read access",
            ),
            (
                request(&for_user("bob", "nowhere"), BOTS, 0),
                403,
                "no read access",
            ),
            (
                request(&for_user("*", "public"), BOTS, 0),
                403,
                "no read access",
            ),
            (
                request(&for_user("users", "members"), BOTS, 0),
                403,
                "no read access",
            ),
            (request(&too_long, BOTS, 0), 413, ""),
            (
                request(&for_user("bob", "private"), BOTS, 50_000),
                200,
                "token",
            ),
            (request(&for_user("ann", "private"), BOTS, 0), 200, "token"),
            (request(&for_user("eve", "members"), BOTS, 0), 200, "token"),
            (
                request(&no_slash, BOTS, 0),
                200,
                "https://realm.test/private/",
            ),
        ];
        for (request, wanted, words) in rows {
            let (status, headers, body) = send(&listener, request).await;
            assert!(
                status == wanted && body.contains(words),
                "{wanted} {words}: {status} {body}"
            );
            if matches!(status, 400 | 401 | 403) {
                assert_eq!(
                    headers["content-type"], "application/vnd.api+json",
                    "{body}"
                );
            }
        }
        let closed = [
            Access::default(),
            Access::default().with_sessions(index.store.clone(), secret()),
            Access::default().with_delegation(bots()),
        ];
        for access in closed {
            let listener = self::listener(&index, access);
            let answer = send(&listener, request(&for_user("bob", "private"), BOTS, 0)).await;
            assert!(
                answer.0 == 503 && answer.2.contains("secret_file"),
                "{answer:?}"
            );
        }

        // The token reads, and no more, until that user's sessions are revoked; a new one holds at once.
        let token = async || {
            let (_, _, body) = send(&listener, request(&for_user("rwa", "private"), BOTS, 0)).await;
            let session: Value = serde_json::from_str(&body).unwrap();
            assert_eq!(session["permissions"], json!(["read"]));
            assert_eq!(session["realm"], json!(url("private")));
            let mut headers = HeaderMap::new();
            headers.insert(
                "authorization",
                session["token"].as_str().unwrap().parse().unwrap(),
            );
            headers
        };
        let private = &realms["private"];
        let rwa = Ok(Caller::User("rwa".to_owned()));
        let refused = |denial, realm: &RegisteredRealm| {
            Err(Refusal::Denied {
                denial,
                realm: Some(realm.realm.url.clone()),
            })
        };
        let mut headers = token().await;
        for _ in 0..3 {
            assert_eq!(access.permit(private, Need::Read, &headers).await, rwa);
            index.store.revoke_sessions("rwa").await.unwrap();
            let again = access.permit(private, Need::Read, &headers).await;
            assert_eq!(again, refused(Denial::SessionRevoked, private));
            headers = token().await;
        }
        let write = access.permit(private, Need::Write, &headers).await;
        assert_eq!(write, refused(Denial::DelegatedReadOnly, private));
        // Rights are those of now.
        index
            .store
            .set_rights(private.realm.id, "ann", &[])
            .await
            .unwrap();
        let registry = index.store.registry().await.unwrap();
        let private = registry
            .realms
            .iter()
            .find(|realm| realm.realm.id == private.realm.id)
            .unwrap();
        assert_eq!(
            private.writers,
            ["rwa", "wes"],
            "who may change it is as it was"
        );
        let lost = access.permit(private, Need::Read, &headers).await;
        assert_eq!(lost, refused(Denial::PermissionMismatch, private));
    })
    .await;
}
