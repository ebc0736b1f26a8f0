//! The operator's interface as a command reaches it: over HTTP, or in this process on the index's database. Whoever
//! asks does not see which.

mod found;
mod http;
mod naming;
mod place;
mod refusal;
pub(crate) mod running;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, Request};
use prometheus::Registry;
use realmdex_scheduler::Metrics;
use realmdex_scheduler::access::Access;
use realmdex_scheduler::operator::wire::{RealmAnswer, RealmsAnswer};
use realmdex_scheduler::operator::{self, Operator};
use realmdex_store::Store;
use realmdex_types::RealmPath;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::database::Database;
use crate::realm_place::AskedPlace;
use crate::roles;
use crate::secrets::{self, REALM_SECRET_FILE};
pub(crate) use http::{HttpOperator, Origin};
pub(crate) use naming::{named_realm, served_at, source_of};
pub(crate) use place::OperatorPlace;
pub(crate) use refusal::AskError;

/// An operator that answers.
pub(crate) struct OperatorClient(Reach);

enum Reach {
    Http(HttpOperator),
    InProcess {
        router: Router,
        database: Database,
        /// The folder of an embedded index, which nobody works on while this process has it.
        embedded: Option<PathBuf>,
    },
}

impl OperatorClient {
    /// One that listens somewhere.
    pub(crate) fn http(operator: HttpOperator) -> Self {
        Self(Reach::Http(operator))
    }

    /// One in this process. What it enqueues is found by whoever works on that database.
    fn in_process(database: Database, embedded: Option<PathBuf>) -> anyhow::Result<Self> {
        let metrics = Metrics::new(Registry::new()).context("setting up metrics")?;
        let operator = Operator::new(database.store.clone(), Arc::new(metrics))
            .with_access(access(&database.store))
            // Whoever runs this command names the database, and with it the addresses.
            .with_sources(roles::opener(true));
        Ok(Self(Reach::InProcess {
            router: operator::router(operator),
            database,
            embedded,
        }))
    }

    /// The folder of an embedded index that nobody works on now.
    pub(crate) fn idle_folder(&self) -> Option<&Path> {
        match &self.0 {
            Reach::Http(_) => None,
            Reach::InProcess { embedded, .. } => embedded.as_deref(),
        }
    }

    /// Says so where what was asked for waits until someone works on the index.
    pub(crate) fn say_if_idle(&self) {
        if let Some(folder) = self.idle_folder() {
            eprintln!(
                "nobody works on this index now: what follows is done once `realmdex up --data {}` runs",
                folder.display()
            );
        }
    }

    /// Asks for something.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        asked: &impl Serialize,
    ) -> Result<T, AskError> {
        let query = query(&serde_json::to_value(asked).map_err(AskError::unreadable)?);
        let path = if query.is_empty() {
            path.to_owned()
        } else {
            format!("{path}?{query}")
        };
        self.ask(Method::GET, &path, None).await
    }

    /// Has something done.
    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, AskError> {
        let body = serde_json::to_vec(body).map_err(AskError::unreadable)?;
        self.ask(Method::POST, path, Some(body)).await
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
    ) -> Result<T, AskError> {
        match &self.0 {
            Reach::Http(operator) => operator.ask(method, path, body).await,
            Reach::InProcess { router, .. } => call(router.clone(), method, path, body).await,
        }
    }

    /// The realm that a place lies in, and the path below its root; none for the root itself.
    pub(crate) async fn realm_of(
        &self,
        place: &AskedPlace,
    ) -> anyhow::Result<(RealmAnswer, Option<RealmPath>)> {
        let answer: RealmsAnswer = self.get("/_realms", &json!({})).await?;
        place.among(answer.realms)
    }

    /// Lets go of it, having done something. What went wrong first is what is told.
    async fn close<T>(self, done: anyhow::Result<T>) -> anyhow::Result<T> {
        let closed = match self.0 {
            Reach::Http(_) => Ok(()),
            Reach::InProcess { database, .. } => database.close().await,
        };
        let done = done?;
        closed?;
        Ok(done)
    }
}

impl OperatorPlace {
    /// Does something with the operator that is there.
    pub(crate) async fn with(
        &self,
        work: impl AsyncFnOnce(&OperatorClient) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<ExitCode> {
        let client = self.reach().await?;
        let done = work(&client).await;
        client.close(done).await
    }

    /// The same, with whoever has the index that a place lies in, where nothing else is said.
    pub(crate) async fn with_index_of(
        &self,
        asked: &AskedPlace,
        work: impl AsyncFnOnce(&OperatorClient) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<ExitCode> {
        let client = self.reach_index_of(asked).await?;
        let done = work(&client).await;
        client.close(done).await
    }
}

async fn call<T: DeserializeOwned>(
    router: Router,
    method: Method,
    path: &str,
    body: Option<Vec<u8>>,
) -> Result<T, AskError> {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body.unwrap_or_default()))
        .map_err(AskError::unreadable)?;
    let answer = match router.oneshot(request).await {
        Ok(answer) => answer,
        Err(never) => match never {},
    };
    let status = answer.status();
    let body = axum::body::to_bytes(answer.into_body(), usize::MAX)
        .await
        .map_err(AskError::unreadable)?;
    refusal::read(status, &body).ok_or_else(|| AskError::Unreadable {
        why: format!("status {status}"),
    })?
}

/// What sessions are made with: what is not about them works without.
fn access(store: &Store) -> Access {
    let file = std::env::var_os(REALM_SECRET_FILE).filter(|file| !file.is_empty());
    secrets::access(store, file.as_deref().map(Path::new), None).unwrap_or_else(|error| {
        tracing::warn!("{error:#}");
        Access::default()
    })
}

/// A flat object as a query; what is null is left out.
fn query(asked: &Value) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for (key, value) in asked.as_object().into_iter().flatten() {
        match value {
            Value::Null => {}
            Value::String(text) => {
                query.append_pair(key, text);
            }
            other => {
                query.append_pair(key, &other.to_string());
            }
        }
    }
    query.finish()
}

#[cfg(test)]
mod tests {
    use super::query;
    use serde_json::json;

    #[test]
    fn a_query_is_made_of_what_is_there() {
        for (asked, wanted) in [
            (json!({}), ""),
            (json!(null), ""),
            (json!({ "state": null, "limit": 3 }), "limit=3"),
            (
                json!({ "realm": "https://h/a b/", "ids": "1,2" }),
                "realm=https%3A%2F%2Fh%2Fa+b%2F&ids=1%2C2",
            ),
        ] {
            assert_eq!(query(&asked), wanted);
        }
    }
}
