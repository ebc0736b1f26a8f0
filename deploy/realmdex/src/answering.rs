//! The verbs that read an index, answered where the index is: in this process, or by the `realmdex up` that has it.
//!
//! ```text
//! Question ─► the index can be opened ──► answered here ──────────────┐
//!         └─► `realmdex up` has it ─► POST /_answer ─► answered there ─┴─► Answer
//! ```

use std::path::PathBuf;

use anyhow::{Context, bail};
use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use realmdex_scheduler::operator::Operator;
use realmdex_scheduler::operator::wire::{ErrorObject, Errors};
use realmdex_store::Store;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::answer::Answer;
use crate::database::{Database, IndexPlace};
use crate::index::summary;
use crate::operator_client::running::{self, Holder, Missing};
use crate::operator_client::{HttpOperator, OperatorClient};
use crate::realm_place::{asked_location, index_above, lies_in, realm_of};
use crate::{errors, export, folders, show, verify, why};

/// The route that answers questions.
pub(crate) const ROUTE: &str = "/_answer";

/// What is asked of an index.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Question {
    /// The realm, or something in it; none is every realm of the index.
    about: Option<About>,
    verb: Verb,
    /// Whether the answer is for a terminal that shows colours.
    coloured: bool,
}

/// A place in an indexed realm.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct About {
    /// As the person named it.
    given: String,
    /// Where that is: a `file:` or `http(s):` URL.
    location: Url,
}

/// A verb, with what it was told.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verb {
    Show(show::Asked),
    Errors(errors::Asked),
    Export(export::Asked),
    Why(why::Asked),
    Verify(verify::Asked),
    /// What `realmdex index` says at its end.
    Summary(summary::Asked),
}

impl Question {
    /// A question about a path or URL.
    pub(crate) fn about(place: &str, verb: Verb) -> anyhow::Result<Self> {
        Ok(Self {
            about: Some(About {
                given: place.to_owned(),
                location: asked_location(place)?,
            }),
            ..Self::about_all(verb)
        })
    }

    /// A question about every realm of an index.
    pub(crate) fn about_all(verb: Verb) -> Self {
        Self {
            about: None,
            verb,
            coloured: console::colors_enabled(),
        }
    }

    /// Answers it from an index.
    async fn answer(&self, store: &Store) -> anyhow::Result<Answer> {
        let Some(About { given, location }) = &self.about else {
            return match &self.verb {
                Verb::Verify(_) => verify::answer(store, None).await,
                _ => bail!("say which realm is meant"),
            };
        };
        let (realm, path) = realm_of(store, location, given).await?;
        let path = path.as_ref();
        match &self.verb {
            Verb::Show(asked) => show::answer(store, &realm, path, asked).await,
            Verb::Errors(asked) => errors::answer(store, &realm, asked, self.coloured).await,
            Verb::Export(asked) => export::answer(store, &realm, asked).await,
            Verb::Why(asked) => why::answer(store, &realm, path, asked).await,
            Verb::Verify(asked) => verify::answer(store, (!asked.all).then_some(realm.id)).await,
            Verb::Summary(asked) => summary::answer(store, &realm, asked, self.coloured).await,
        }
    }

    /// Answers it from the index that is named, or else the one that has the place.
    pub(crate) async fn put(&self, kept: &IndexPlace) -> anyhow::Result<Answer> {
        match self.index(kept).await? {
            Holder::Here(database) => {
                let answered = self.answer(&database.store).await;
                // What went wrong first is what is told.
                let closed = database.close().await;
                let answer = answered?;
                closed?;
                Ok(answer)
            }
            Holder::Up(operator) => self.ask(operator).await,
        }
    }

    /// Has it answered by whoever has the index.
    pub(crate) async fn ask(&self, operator: HttpOperator) -> anyhow::Result<Answer> {
        Ok(OperatorClient::http(operator).post(ROUTE, self).await?)
    }

    async fn index(&self, kept: &IndexPlace) -> anyhow::Result<Holder> {
        if kept.database.is_some() {
            let nowhere = PathBuf::new();
            return Database::open(kept, &nowhere).await.map(Holder::Here);
        }
        if let Some(folder) = &kept.data {
            return running::holder(folder, Missing::IsAnError).await;
        }
        let About { given, location } = self.about.as_ref().context("say which index is meant")?;
        let holds = |source: &str, url: &str| lies_in(location, source, url);
        let up = running::that_holds(|realm| holds(&realm.source, realm.url.as_str())).await?;
        if let Some(operator) = up {
            return Ok(Holder::Up(operator));
        }
        let fleet = || {
            let folder = folders::indexes().ok()?.join(running::FLEET);
            running::has_index(&folder).then_some(folder)
        };
        let folder = index_above(location)?.or_else(fleet).with_context(|| {
            format!(
                "{given} is in no indexed realm: run `realmdex index` on the realm's folder or URL first"
            )
        })?;
        running::holder(&folder, Missing::IsAnError).await
    }
}

/// `POST /_answer`, for the operator's listener of whoever has an index that nobody else can open.
pub(crate) fn routes(store: Store) -> axum::Router<Operator> {
    axum::Router::new()
        .route(ROUTE, post(take))
        .with_state(store)
}

async fn take(
    State(store): State<Store>,
    asked: Result<Json<Question>, JsonRejection>,
) -> Response {
    let Json(question) = match asked {
        Ok(question) => question,
        Err(refused) => return failure(refused.status(), refused.body_text()),
    };
    match question.answer(&store).await {
        Ok(answer) => Json(answer).into_response(),
        Err(error) => failure(StatusCode::UNPROCESSABLE_ENTITY, format!("{error:#}")),
    }
}

fn failure(status: StatusCode, detail: String) -> Response {
    let error = ErrorObject {
        status: status.as_u16().to_string(),
        title: status.canonical_reason().unwrap_or("Error").to_owned(),
        detail,
    };
    let errors = Errors {
        errors: vec![error],
    };
    (status, Json(errors)).into_response()
}
