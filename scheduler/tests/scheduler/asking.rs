//! Listeners, asked in process.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request};
use http_body_util::BodyExt;
use realmdex_scheduler::Wakes;
use realmdex_scheduler::access::Access;
use realmdex_scheduler::public::{Public, router};
use realmdex_store::Realm;
use serde_json::Value;
use tower::ServiceExt;

use crate::index::{Index, metrics};

/// What a listener answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    /// A header, as text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The words of a refusal.
    pub(crate) fn detail(&self) -> &str {
        self.body["errors"][0]["detail"].as_str().unwrap()
    }
}

/// The public listener.
pub(crate) fn public(index: &Index) -> Router {
    let access = Access::default();
    router(Public::new(
        index.store.clone(),
        access,
        metrics(),
        Wakes::default(),
    ))
}

/// The path of something below a realm.
pub(crate) fn below(realm: &Realm, route: &str) -> String {
    format!("{}{route}", realm.url.as_url().path())
}

pub(crate) async fn get(listener: &Router, uri: &str) -> Answer {
    send(listener, Request::get(uri).body(Body::empty()).unwrap()).await
}

pub(crate) async fn post(listener: &Router, uri: &str, body: impl Into<Body>) -> Answer {
    send(listener, Request::post(uri).body(body.into()).unwrap()).await
}

async fn send(listener: &Router, request: Request<Body>) -> Answer {
    let response = listener.clone().oneshot(request).await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let body = serde_json::from_slice(&bytes)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
    Answer {
        status,
        headers,
        body,
    }
}

impl Index {
    /// A realm that everyone may read and have worked on.
    pub(crate) async fn open_realm(&self, name: &str) -> Realm {
        let realm = self.realm(name).await;
        self.sql(&format!(
            "insert into realm_writers select id, '*' from realms where url = '{}';
             update registry set version = version + 1",
            realm.url
        ))
        .await;
        realm
    }

    /// A realm that nobody but its owner may read or have worked on.
    pub(crate) async fn private_realm(&self, name: &str) -> Realm {
        let realm = self.realm(name).await;
        self.store.set_rights(realm.id, "ada", &[]).await.unwrap();
        realm
    }
}
