//! What operators and webhooks say to the schedulers, whichever of them answers.

use std::time::{Duration, Instant};

use reqwest::{Client, Method, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

/// How long one scheduler may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often each is asked before nobody is.
const ROUNDS: usize = 2;

/// Why something was not done.
#[derive(Debug, Error)]
pub enum NotDone {
    #[error("refused with {0}: {1}")]
    Refused(StatusCode, String),
    #[error("nobody answers: {0}")]
    Unanswered(String),
}

/// The schedulers' operator listeners.
#[derive(Clone)]
pub struct Operators {
    client: Client,
    bases: Vec<String>,
}

impl Operators {
    pub fn new(client: Client, bases: Vec<String>) -> Self {
        Self { client, bases }
    }

    /// Sends something to one scheduler after the other until one answers.
    ///
    /// # Errors
    /// [`NotDone`]; what nobody answered may be done all the same.
    pub async fn post<R: DeserializeOwned>(
        &self,
        first: usize,
        route: &str,
        body: &impl Serialize,
    ) -> Result<R, NotDone> {
        self.ask(Method::POST, first, route, Some(body)).await
    }

    /// # Errors
    /// [`NotDone`]
    pub async fn get<R: DeserializeOwned>(&self, route: &str) -> Result<R, NotDone> {
        self.ask(Method::GET, 0, route, None::<&()>).await
    }

    /// Sends something until it is done.
    ///
    /// # Errors
    /// What was said last, once `deadline` has passed; a refusal at once.
    pub async fn insist<R: DeserializeOwned>(
        &self,
        route: &str,
        body: &impl Serialize,
        deadline: Instant,
    ) -> Result<R, NotDone> {
        loop {
            match self.post(0, route, body).await {
                Err(NotDone::Unanswered(_)) if Instant::now() < deadline => {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
                done => return done,
            }
        }
    }

    async fn ask<R: DeserializeOwned>(
        &self,
        method: Method,
        first: usize,
        route: &str,
        body: Option<&impl Serialize>,
    ) -> Result<R, NotDone> {
        let mut last = String::new();
        for turn in 0..ROUNDS * self.bases.len() {
            let base = &self.bases[(first + turn) % self.bases.len()];
            let mut request = self
                .client
                .request(method.clone(), format!("{base}{route}"))
                .timeout(PATIENCE);
            if let Some(body) = body {
                request = request.json(body);
            }
            let answered = async {
                let answer = request.send().await?;
                Ok::<_, reqwest::Error>((answer.status(), answer.text().await?))
            };
            match answered.await {
                Err(error) => last = error.to_string(),
                Ok((status, text)) if status.is_server_error() => {
                    last = format!("{status}: {text}")
                }
                Ok((status, text)) if status.is_success() => {
                    return serde_json::from_str(&text)
                        .map_err(|error| NotDone::Refused(status, format!("{error}: {text}")));
                }
                Ok((status, text)) => {
                    let answer: Value = serde_json::from_str(&text).unwrap_or_default();
                    let why = answer.pointer("/errors/0/detail").and_then(Value::as_str);
                    return Err(NotDone::Refused(status, why.unwrap_or(&text).to_owned()));
                }
            }
        }
        Err(NotDone::Unanswered(last))
    }
}

/// The connections of RabbitMQ, as its management page knows them.
pub struct ManagementPage {
    client: Client,
    base: url::Url,
}

impl ManagementPage {
    /// # Errors
    /// When the URL is none.
    pub fn new(client: Client, url: &str) -> Result<Self, url::ParseError> {
        let base = url::Url::parse(url)?;
        Ok(Self { client, base })
    }

    /// Closes every connection that the page knows of; it hears of new ones a few seconds late. Answers how many.
    ///
    /// # Errors
    /// When the page can't be reached.
    pub async fn close_connections(&self) -> anyhow::Result<u64> {
        let list = self.base.join("/api/connections")?;
        let connections: Vec<Value> = self.client.get(list).send().await?.json().await?;
        let mut closed = 0;
        for name in connections.iter().filter_map(|one| one["name"].as_str()) {
            let mut url = self.base.join("/api/connections/")?;
            if let Ok(mut segments) = url.path_segments_mut() {
                segments.pop_if_empty().push(name);
            }
            let answer = self.client.delete(url).send().await?;
            closed += u64::from(answer.status().is_success());
        }
        Ok(closed)
    }
}
