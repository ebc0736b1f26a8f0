//! Who may come in at the operator's listener, and the sessions that it makes for realms' users.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::http::header::HeaderMap;
use chrono::{DateTime, TimeDelta, Utc};
use http_body_util::BodyExt;
use realmdex_scheduler::access::{Access, Caller, Denial, Need, RealmSecret, Refusal};
use realmdex_scheduler::operator::wire::{TokenMade, TokenText};
use realmdex_scheduler::operator::{Operator, OperatorToken, router};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::index::{Index, metrics, url, with_index};

fn operator(index: &Index) -> Operator {
    Operator::new(index.store.clone(), metrics())
}

/// Sends a request, `POST` with a body and `GET` without.
async fn ask(
    listener: &Router,
    token: Option<&str>,
    uri: &str,
    body: impl Into<Option<Value>>,
) -> (u16, Value) {
    let mut request = match body.into() {
        None => Request::get(uri).body(Body::empty()),
        Some(body) => Request::post(uri)
            .header("content-type", "application/json")
            .body(Body::from(body.to_string())),
    }
    .unwrap();
    if let Some(token) = token {
        let header = format!("Bearer {token}").parse().unwrap();
        request.headers_mut().insert("authorization", header);
    }
    let answer = listener.clone().oneshot(request).await.unwrap();
    let status = answer.status().as_u16();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

/// Makes a token, and answers its text.
async fn made(listener: &Router, by: Option<&str>, name: &str, scopes: &[&str]) -> String {
    let request = json!({"name": name, "scopes": scopes});
    let (status, made) = ask(listener, by, "/_tokens", request).await;
    assert_eq!(status, 201, "{made}");
    made["token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_token_is_good_for_its_scopes() {
    with_index(async |index| {
        let configured = OperatorToken::new("s3cret").unwrap();
        let listener = router(operator(&index).with_token(configured));
        let realm = index.realm("a").await;
        let mut tokens = Vec::new();
        for scope in ["read", "reindex", "approve", "admin"] {
            let token = made(&listener, Some("s3cret"), scope, &[scope]).await;
            assert!(token.starts_with("rdx_") && token.len() == 68, "{token}");
            tokens.push(token);
        }
        tokens.push(
            made(
                &listener,
                Some(&tokens[3]),
                "both",
                &["reindex", "approve", "reindex"],
            )
            .await,
        );
        tokens.push("s3cret".to_owned());
        // What each may: read, reindex, approve, admin, reindex with approve, and the configured one.
        let changes = json!({"realm": realm.url, "changes": []});
        let rights = json!({"realm": realm.url, "readers": ["*"]});
        let rows: [(&str, Option<Value>, [u16; 6]); 12] = [
            ("/_realms", None, [200; 6]),
            ("/_jobs", None, [200; 6]),
            ("/_nowhere", None, [404; 6]),
            ("/_changes", Some(changes), [403, 202, 403, 202, 202, 202]),
            (
                "/_reindex",
                Some(json!({"realm": realm.url})),
                [403, 202, 403, 202, 202, 202],
            ),
            (
                "/_jobs/cancel",
                Some(json!({"id": 0})),
                [403, 200, 403, 200, 200, 200],
            ),
            (
                "/_realms/rights",
                Some(rights),
                [403, 403, 403, 200, 403, 200],
            ),
            (
                "/_packages/remove",
                Some(json!({"prefix": "@x/"})),
                [403, 403, 403, 200, 403, 200],
            ),
            ("/_tokens", None, [403, 403, 403, 200, 403, 200]),
            // Not a way around it.
            ("/%5Ftokens", None, [404; 6]),
            (
                "/_tokens/revoke",
                Some(json!({"name": "nobody's"})),
                [403, 403, 403, 200, 403, 200],
            ),
            (
                "/_sessions/revoke",
                Some(json!({"user": "eve"})),
                [403, 403, 403, 200, 403, 200],
            ),
        ];
        for (uri, body, wanted) in rows {
            for (token, wanted) in tokens.iter().zip(wanted) {
                let (status, words) = ask(&listener, Some(token), uri, body.clone()).await;
                assert_eq!(status, wanted, "{uri}: {words}");
                if status == 403 {
                    let detail = words["errors"][0]["detail"].as_str().unwrap();
                    let scope = if ["/_changes", "/_reindex", "/_jobs/cancel"].contains(&uri) {
                        "reindex"
                    } else {
                        "admin"
                    };
                    assert!(
                        detail.contains(&format!("scope `{scope}`")),
                        "{uri}: {detail}"
                    );
                }
            }
        }
        for token in [
            None,
            Some("rdx_"),
            Some("rdx_guess"),
            Some("s3cre"),
            Some(""),
        ] {
            assert_eq!(
                ask(&listener, token, "/_realms", None).await.0,
                401,
                "{token:?}"
            );
        }
        for machines in ["/_liveness", "/_readiness", "/metrics"] {
            assert!(
                ask(&listener, None, machines, None).await.0 < 300,
                "{machines}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn tokens_come_and_go() {
    with_index(async |index| {
        let listener = router(operator(&index).with_stored_tokens());
        // Nobody is asked for anything, until there is a first one; one that is configured would not change that it is.
        assert_eq!(ask(&listener, None, "/_tokens", None).await, (200, json!({"tokens": []})));
        assert_eq!(ask(&listener, Some("whatever"), "/_realms", None).await.0, 200);
        let admin = made(&listener, None, "ops", &["admin"]).await;
        assert_eq!(ask(&listener, None, "/_realms", None).await.0, 401);
        assert_eq!(ask(&listener, Some("whatever"), "/_realms", None).await.0, 401);
        let by = Some(admin.as_str());
        let ends = Utc::now() + TimeDelta::days(90);
        let request = json!({"name": "ci", "scopes": ["reindex", "read"], "expiresAt": ends});
        let (status, ci) = ask(&listener, by, "/_tokens", request.clone()).await;
        assert_eq!((status, &ci["scopes"], &ci["name"]), (201, &json!(["read", "reindex"]), &json!("ci")));
        let kept: DateTime<Utc> = serde_json::from_value(ci["expiresAt"].clone()).unwrap();
        assert!((kept - ends).abs() < TimeDelta::milliseconds(1), "{kept} {ends}");
        let ci = ci["token"].as_str().unwrap();
        assert_eq!(ask(&listener, Some(ci), "/_realms", None).await.0, 200);
        for (request, status, words) in [
            (request, 409, "revoke it with"),
            (json!({"name": " ", "scopes": ["read"]}), 400, "is nobody's name"),
            (json!({"name": "x", "scopes": []}), 400, "good for nothing"),
            (json!({"name": "x", "scopes": ["root"]}), 422, "unknown variant `root`"),
            (json!({"name": "x", "scopes": ["read"], "expiresAt": "2001-01-01T00:00:00Z"}), 400, "is over"),
        ] {
            let (got, answer) = ask(&listener, by, "/_tokens", request).await;
            let detail = answer["errors"][0]["detail"].as_str().unwrap();
            assert!(got == status && detail.contains(words), "{status} {words}: {answer}");
        }

        // It is told when each was last used, to the minute, and no text.
        let used = async || {
            let (_, listed) = ask(&listener, by, "/_tokens", None).await;
            assert!(!listed.to_string().contains("rdx_"), "{listed}");
            let listed = listed["tokens"].as_array().unwrap().clone();
            assert_eq!([&listed[0]["name"], &listed[1]["name"]], ["ci", "ops"]);
            listed[0]["lastUsedAt"].clone()
        };
        let first = used().await;
        assert!(first.is_string());
        ask(&listener, Some(ci), "/_realms", None).await;
        assert_eq!(used().await, first);
        let back = "update operator_tokens set last_used_at = last_used_at - interval '2 minutes' where name = 'ci'";
        index.sql(back).await;
        ask(&listener, Some(ci), "/_realms", None).await;
        assert!(used().await.as_str() >= first.as_str(), "it was used again");

        index.sql("update operator_tokens set expires_at = now() where name = 'ci'").await;
        let (status, words) = ask(&listener, Some(ci), "/_realms", None).await;
        let detail = words["errors"][0]["detail"].as_str().unwrap();
        assert!(status == 401 && detail.starts_with("the token held until 20"), "{words}");
        for has_changed in [true, false] {
            let revoked = ask(&listener, by, "/_tokens/revoke", json!({"name": "ops"})).await;
            assert_eq!(revoked, match has_changed {
                true => (200, json!({"hasChanged": true})),
                // Whoever revokes their own is not asked in again.
                false => (401, revoked.1.clone()),
            });
        }
        // The other one has ended, but counts: nobody is let in without any.
        assert_eq!(ask(&listener, None, "/_realms", None).await.0, 401);
        assert!(index.store.revoke_token("ci").await.unwrap());
        assert_eq!(ask(&listener, None, "/_realms", None).await.0, 200);

        let made = TokenMade {
            name: "x".to_owned(),
            token: TokenText("rdx_secret".to_owned()),
            scopes: Vec::new(),
            expires_at: None,
        };
        assert!(!format!("{made:?}").contains("secret"));
    })
    .await;
}

/// Of a token nothing is kept that would let anyone in.
#[tokio::test]
async fn texts_of_tokens_are_not_kept() {
    with_index(async |index| {
        let listener = router(operator(&index));
        let token = made(&listener, None, "ops", &["admin"]).await;
        index
            .sql(&format!(
                "do $$ begin
                     if exists (select from operator_tokens t where t::text like '%{}%') then raise 'kept'; end if;
                     if not exists (select from operator_tokens where digest = sha256('{token}')) then raise 'lost'; end if;
                 end $$",
                &token[4..]
            ))
            .await;
    })
    .await;
}

#[tokio::test]
async fn sessions_are_made_and_revoked() {
    with_index(async |index| {
        let secret = || RealmSecret::new("the realm secret").unwrap();
        let access = Access::default().with_sessions(index.store.clone(), secret());
        let listener = router(operator(&index).with_access(access.clone()));
        let realm = index.realm("a").await;
        let readers = ["bob".to_owned()];
        index
            .store
            .set_rights(realm.id, "ann", &readers)
            .await
            .unwrap();
        let session = |user: &str| json!({"user": user, "realm": realm.url});
        let rows = [
            (
                json!({"user": "bob", "realm": url("nowhere")}),
                404,
                "is not registered",
            ),
            (session("*"), 400, "is nobody's name"),
            (session("users"), 400, "is nobody's name"),
            (session(" "), 400, "is nobody's name"),
            (
                json!({"user": "bob", "realm": realm.url, "hours": 0}),
                400,
                "1 to 168 hours",
            ),
            (
                json!({"user": "bob", "realm": realm.url, "hours": 169}),
                400,
                "1 to 168 hours",
            ),
        ];
        for (request, status, words) in rows {
            let (got, answer) = ask(&listener, None, "/_sessions", request).await;
            let detail = answer["errors"][0]["detail"].as_str().unwrap();
            assert!(
                got == status && detail.contains(words),
                "{status} {words}: {answer}"
            );
        }
        let without = router(operator(&index));
        let (status, answer) = ask(&without, None, "/_sessions", session("bob")).await;
        assert!(
            status == 503 && answer.to_string().contains("realm_secret_file"),
            "{answer}"
        );

        let registry = index.store.registry().await.unwrap();
        let registered = &registry.realms[0];
        let permitted = async |made: &Value, need| {
            let mut headers = HeaderMap::new();
            headers.insert(
                "authorization",
                made["token"].as_str().unwrap().parse().unwrap(),
            );
            match access.permit(registered, need, &headers).await {
                Ok(Caller::User(user)) => Ok(user),
                Err(Refusal::Denied { denial, .. }) => Err(denial),
                other => panic!("{other:?}"),
            }
        };
        for (user, hours, permissions) in [
            ("ann", Some(168), json!(["read", "realm-owner", "write"])),
            ("bob", None, json!(["read"])),
            ("eve", Some(1), json!([])),
        ] {
            let request = json!({"user": user, "realm": realm.url, "hours": hours});
            let (status, made) = ask(&listener, None, "/_sessions", request).await;
            assert_eq!(
                (status, &made["permissions"], &made["user"]),
                (201, &permissions, &json!(user))
            );
            let ends: DateTime<Utc> = serde_json::from_value(made["expiresAt"].clone()).unwrap();
            let left = ends - Utc::now() - TimeDelta::hours(hours.unwrap_or(24));
            assert!(left.abs() < TimeDelta::minutes(1), "{made}");
            let wanted = match user {
                "eve" => Err(Denial::Insufficient),
                user => Ok(user.to_owned()),
            };
            assert_eq!(permitted(&made, Need::Read).await, wanted);
            let wanted = match user {
                "ann" => Ok(user.to_owned()),
                _ => Err(Denial::Insufficient),
            };
            assert_eq!(permitted(&made, Need::Owner).await, wanted);
            let revoked = ask(&listener, None, "/_sessions/revoke", json!({"user": user})).await;
            assert_eq!((revoked.0, &revoked.1["user"]), (200, &json!(user)));
            assert_eq!(
                permitted(&made, Need::Read).await,
                Err(Denial::SessionRevoked)
            );
        }
    })
    .await;
}

/// A page in a browser can make its own name point to this machine; then it is asked with that name, and without a token.
#[tokio::test]
async fn without_a_token_only_names_of_this_machine_are_answered() {
    with_index(async |index| {
        let listener = router(operator(&index).with_stored_tokens());
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
            let answer = listener.clone().oneshot(request).await.unwrap();
            assert_eq!(answer.status().as_u16(), wanted, "{host:?}");
        }
    })
    .await;
}
