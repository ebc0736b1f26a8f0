//! Who may do what with a realm: each case is decided without I/O, and asked of a router.

mod cases;
mod delegating;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::header::HeaderMap;
use chrono::{TimeDelta, Utc};
use http_body_util::BodyExt;
use realmdex_scheduler::access::{
    Access, Caller, Claims, DelegationSecret, Denial, Need, RealmSecret, Refusal, Shown, decide,
};
use realmdex_store::{NewRealm, RegisteredRealm};
use serde_json::json;
use tower::ServiceExt;

use crate::index::{Index, url, with_index};
use cases::And::{self, Archived, Plain, Revoked, RevokedArchived};
use cases::Outcome::{self, Anyone, By, No};
use cases::Shows::{self, *};
use cases::{ALL, NONE, R, REALMS, RW, Row, W, rows};

fn secret() -> RealmSecret {
    RealmSecret::new("the realm secret").unwrap()
}

/// What a token says that was made an hour ago.
fn claims(user: &str, realm: Option<&str>, permissions: Option<&[&str]>) -> Claims {
    let now = Utc::now().timestamp();
    Claims {
        user: user.to_owned(),
        realm: realm.map(|name| url(name).to_string()),
        permissions: permissions.map(|names| names.iter().map(|&name| name.to_owned()).collect()),
        realm_server_url: None,
        delegated: false,
        iat: Some(now - 3600),
        exp: now + 3600,
        nbf: None,
    }
}

fn delegated(user: &str, realm: &str) -> Claims {
    Claims {
        delegated: true,
        ..claims(user, Some(realm), Some(R))
    }
}

impl Shows {
    /// What it comes to before anyone decides, where it was read by whoever knows the secret.
    fn read(self) -> Result<Claims, Denial> {
        match self {
            Nothing | Empty => Err(Denial::MissingHeader),
            Garbage | Foreign(..) => Err(Denial::TokenInvalid),
            Expired(..) | ExpiredDelegated(..) => Err(Denial::TokenExpired),
            Token(user, permissions) => Ok(claims(user, Some("other"), Some(permissions))),
            Unlisted(user) => Ok(claims(user, None, None)),
            Delegated(user, realm) => Ok(delegated(user, realm)),
        }
    }

    /// The `Authorization` header.
    fn header(self) -> Option<String> {
        let expired = |claims: Claims| {
            let exp = claims.exp - 3600;
            secret().sign(&Claims { exp, ..claims }).unwrap()
        };
        let token = match self {
            Nothing => return None,
            Empty => return Some(String::new()),
            Garbage => "nonsense".to_owned(),
            Foreign(user, permissions) => RealmSecret::new("another secret")
                .unwrap()
                .sign(&claims(user, Some("private"), Some(permissions)))
                .unwrap(),
            Expired(user, permissions) => expired(claims(user, Some("private"), Some(permissions))),
            ExpiredDelegated(user, realm) => expired(delegated(user, realm)),
            Token(..) | Unlisted(_) | Delegated(..) => {
                secret().sign(&self.read().unwrap()).unwrap()
            }
        };
        Some(format!("Bearer {token}"))
    }
}

fn need(method: &Method) -> Need {
    match method.as_str() {
        "OWNERS" => Need::Owner,
        _ => Need::of(method),
    }
}

/// The name of the realm that a row is about.
fn realm_name(name: &str, and: And) -> String {
    match and {
        Plain | Revoked => name.to_owned(),
        Archived | RevokedArchived => format!("{name}-old"),
    }
}

type Realms = BTreeMap<String, RegisteredRealm>;

async fn realms(index: &Index) -> Realms {
    for (name, owner, readers, writers) in REALMS {
        for name in [name.to_owned(), format!("{name}-old")] {
            let owned = |names: &[&str]| {
                names
                    .iter()
                    .map(|&name| name.to_owned())
                    .collect::<Vec<_>>()
            };
            let new = NewRealm {
                url: url(&name),
                source: format!("file:///{name}/"),
                owner: owner.to_owned(),
                readers: owned(readers),
            };
            let writers = owned(writers);
            let (realm, _) = index
                .store
                .add_realm_with_writers(&new, &writers)
                .await
                .unwrap();
            if name.ends_with("-old") {
                index.store.archive_realm(realm.id, true).await.unwrap();
            }
        }
    }
    let name = |realm: &RegisteredRealm| {
        let path = realm.realm.url.as_url().path().trim_matches('/');
        path.to_owned()
    };
    let registry = index.store.registry().await.unwrap();
    registry
        .realms
        .into_iter()
        .map(|realm| (name(&realm), realm))
        .collect()
}

/// A listener that does nothing but ask who may, and says who did.
fn asking(access: Access, realms: Realms) -> Router {
    let answer = async |State((access, realms)): State<(Access, Arc<Realms>)>, request: Request| {
        let realm = &realms[request.uri().path().trim_matches('/')];
        let need = need(request.method());
        let caller = access.permit(realm, need, request.headers()).await?;
        Ok::<_, Refusal>(format!("{caller:?}"))
    };
    Router::new()
        .fallback(answer)
        .with_state((access, Arc::new(realms)))
}

async fn send(router: &Router, request: Request) -> (u16, HeaderMap, String) {
    let answer = router.clone().oneshot(request).await.unwrap();
    let (parts, body) = answer.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let text = String::from_utf8(body.to_vec()).unwrap();
    (parts.status.as_u16(), parts.headers, text)
}

/// What is answered: the status, the headers that clients look at, and the words.
fn wanted(outcome: Outcome, realm: &str) -> (u16, [Option<String>; 4], String) {
    let url = url(realm).to_string();
    let text = Some("text/plain; charset=utf-8".to_owned());
    let bearer = Some("Bearer".to_owned());
    let no = |status: u16, words: &str| match status {
        401 => (
            401,
            [text.clone(), bearer.clone(), Some(url.clone()), None],
            words.to_owned(),
        ),
        _ => (403, [text.clone(), None, None, None], words.to_owned()),
    };
    match outcome {
        Anyone => (
            200,
            [text, None, None, None],
            format!("{:?}", Caller::Anyone),
        ),
        By(user) => {
            let caller = Caller::User(user.to_owned());
            (200, [text, None, None, None], format!("{caller:?}"))
        }
        No(Denial::MissingHeader) => no(401, "Missing Authorization header"),
        No(Denial::TokenExpired) => no(401, "Token expired"),
        No(Denial::TokenInvalid) => no(401, "Token invalid"),
        No(Denial::SessionRevoked) => no(401, "Session revoked"),
        No(Denial::PermissionMismatch) => no(
            401,
            "User permissions in the JWT payload do not match the server's permissions",
        ),
        No(Denial::DelegatedReadOnly) => no(403, "Delegated sessions are read-only"),
        No(Denial::Insufficient) => no(403, "Insufficient permissions to perform this action"),
        No(Denial::Archived) => {
            let body = json!({"errors": [{"status": "403", "code": "archived", "title": "Realm Archived",
                                          "detail": format!("Realm {url} is archived")}]});
            let json = Some("application/vnd.api+json".to_owned());
            (
                403,
                [json, None, Some(url), Some("true".to_owned())],
                body.to_string(),
            )
        }
    }
}

#[tokio::test]
async fn each_case_is_decided_and_answered() {
    with_index(async |index| {
        let realms = realms(&index).await;
        let rows = rows();
        assert!(rows.len() >= 60);
        let access = Access::default().with_sessions(index.store.clone(), secret());
        let router = asking(access, realms.clone());
        // First those whose sessions were not revoked, so that they can be.
        let (before, after): (Vec<Row>, Vec<Row>) = rows
            .into_iter()
            .partition(|row| matches!(row.3, Plain | Archived));
        for is_revoked in [false, true] {
            if is_revoked {
                for user in ["ann", "bob", "eve"] {
                    index.store.revoke_sessions(user).await.unwrap();
                }
            }
            for row in if is_revoked { &after } else { &before } {
                let (shows, name, method, and, outcome) = row;
                let name = realm_name(name, *and);
                let shown = match shows.read() {
                    Err(denial) => Shown::Nothing(denial),
                    Ok(claims) => Shown::Token {
                        claims,
                        revoked_at: is_revoked.then(|| Utc::now() - TimeDelta::minutes(1)),
                    },
                };
                let decided = decide(&realms[&name], need(method), &shown);
                let expected = match *outcome {
                    Anyone => Ok(Caller::Anyone),
                    By(user) => Ok(Caller::User(user.to_owned())),
                    No(denial) => Err(denial),
                };
                assert_eq!(decided, expected, "{row:?}");

                let mut request = Request::builder().method(method).uri(format!("/{name}/"));
                if let Some(header) = shows.header() {
                    request = request.header("authorization", header);
                }
                let (status, headers, words) =
                    send(&router, request.body(Body::empty()).unwrap()).await;
                let told = [
                    "content-type",
                    "www-authenticate",
                    "x-boxel-realm-url",
                    "x-boxel-realm-archived",
                ];
                let told = told.map(|name| Some(headers.get(name)?.to_str().unwrap().to_owned()));
                let mut wanted = wanted(*outcome, &name);
                if *method == Method::HEAD {
                    wanted.2.clear();
                }
                assert_eq!((status, told, words), wanted, "{row:?}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn without_a_secret_no_token_holds() {
    with_index(async |index| {
        let router = asking(Access::default(), realms(&index).await);
        for (name, status) in [("public", 200), ("private", 401)] {
            let request = Request::get(format!("/{name}/"))
                .header("authorization", Token("bob", R).header().unwrap());
            let answer = send(&router, request.body(Body::empty()).unwrap()).await;
            assert_eq!(answer.0, status, "{answer:?}");
        }
        let access = Access::default()
            .with_sessions(index.store.clone(), secret())
            .with_delegation(DelegationSecret::new("the other secret").unwrap());
        let shown = format!("{access:?}");
        assert!(
            !shown.contains("realm secret") && !shown.contains("other secret"),
            "{shown}"
        );
    })
    .await;
}

/// A signature costs no query: with the database gone, only a good token is told so.
#[tokio::test]
async fn only_bearers_of_good_tokens_cost_a_query() {
    with_index(async |index| {
        let realms = realms(&index).await;
        let router = asking(
            Access::default().with_sessions(index.store.clone(), secret()),
            realms,
        );
        index.store.close().await;
        for (shows, wanted) in [
            (Nothing, 401),
            (Garbage, 401),
            (Foreign("bob", R), 401),
            (Expired("bob", R), 401),
            (Token("bob", R), 503),
        ] {
            let mut request = Request::get("/private/");
            if let Some(header) = shows.header() {
                request = request.header("authorization", header);
            }
            let (status, _, words) = send(&router, request.body(Body::empty()).unwrap()).await;
            assert_eq!(status, wanted, "{shows:?}: {words}");
        }
    })
    .await;
}

#[tokio::test]
async fn of_several_realms_each_reads_their_own() {
    with_index(async |index| {
        let realms = realms(&index).await;
        let access = Access::default().with_sessions(index.store.clone(), secret());
        index.store.revoke_sessions("gone").await.unwrap();
        let all = "members private public wiki";
        let rows: [(Shows, Result<&str, u16>); 12] = [
            (Nothing, Ok("public wiki")),
            (Garbage, Err(401)),
            (Expired("bob", R), Err(401)),
            (Token("gone", R), Err(401)),
            // What a token lists is about one realm, and not compared with.
            (Token("bob", NONE), Ok(all)),
            (Token("bob", RW), Ok(all)),
            (Token("wes", W), Ok("members public wiki")),
            (Token("eve", R), Ok("members public wiki")),
            (Token("ann", ALL), Ok("dropbox members private public wiki")),
            (Delegated("bob", "private"), Ok("private public wiki")),
            (Delegated("eve", "private"), Ok("public wiki")),
            (Delegated("bob", "private-old"), Ok("public wiki")),
        ];
        for (shows, wanted) in rows {
            let mut headers = HeaderMap::new();
            if let Some(header) = shows.header() {
                headers.insert("authorization", header.parse().unwrap());
            }
            let read = match access.reader(&headers).await {
                Err(Refusal::Denied {
                    denial,
                    realm: None,
                }) => Err(denial.status().as_u16()),
                Err(refusal) => panic!("{refusal:?}"),
                Ok(reader) => {
                    let names = realms.iter().filter(|(_, realm)| reader.may_read(realm));
                    Ok(names
                        .map(|(name, _)| name.as_str())
                        .collect::<Vec<_>>()
                        .join(" "))
                }
            };
            assert_eq!(read, wanted.map(str::to_owned), "{shows:?}");
        }
    })
    .await;
}
