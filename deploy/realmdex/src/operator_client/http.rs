//! An operator that listens somewhere.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use axum::http::{Method, StatusCode};
use realmdex_scheduler::operator::wire::Ready;
use reqwest::Client;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use serde::de::DeserializeOwned;
use url::{Host, Url};

use super::refusal::{self, AskError};

/// How long it may take to be reached.
const CONNECT: Duration = Duration::from_secs(5);

/// How long an answer may take: to remove a large realm, or to verify it, takes its time.
const ANSWER: Duration = Duration::from_secs(600);

/// How long it may take to say that it lives, or whether it is ready.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// An operator by its URL, and what it must be told. Cheap to clone.
#[derive(Clone)]
pub(crate) struct HttpOperator {
    client: Client,
    base: Url,
    token: Option<HeaderValue>,
    origin: Origin,
}

/// How its URL is known, and so what to do where nobody listens there.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// It was given with `--server`.
    Given,
    /// It was given with `--url`, as some role's listener.
    Listener,
    /// `realmdex up` left it in the folder of its index.
    UpIn(PathBuf),
}

impl HttpOperator {
    /// An operator at a URL, with what it wants to be told.
    pub(crate) fn new(base: Url, token: Option<&str>, origin: Origin) -> anyhow::Result<Self> {
        let base = checked(base)?;
        let token = token
            .map(|token| {
                let mut value = HeaderValue::try_from(format!("Bearer {token}"))
                    .context("an operator's token is one line of ASCII")?;
                value.set_sensitive(true);
                anyhow::Ok(value)
            })
            .transpose()?;
        // Fails only where the process has chosen a provider already: that one is used then.
        rustls::crypto::ring::default_provider()
            .install_default()
            .ok();
        let mut builder = Client::builder()
            .user_agent(concat!("realmdex/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .timeout(ANSWER);
        if is_loopback(&base) {
            // A proxy would look on its own machine.
            builder = builder.no_proxy();
        }
        if base.scheme() == "http" {
            // It never comes to TLS: a machine without CA certificates can still ask.
            builder = builder.tls_certs_only([]);
        }
        let client = builder
            .build()
            .context("setting up HTTP; TLS needs the system's CA certificates")?;
        Ok(Self {
            client,
            base,
            token,
            origin,
        })
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> &Url {
        &self.base
    }

    /// Whether it lives. Tells nobody the token.
    pub(crate) async fn is_alive(&self) -> bool {
        let Ok(url) = self.base.join("_liveness") else {
            return false;
        };
        let asked = self.client.get(url).timeout(SIGN_OF_LIFE).send().await;
        asked.is_ok_and(|answer| answer.status().is_success())
    }

    /// Whether it can work.
    pub(crate) async fn readiness(&self) -> Result<Ready, AskError> {
        let url = self.at("_readiness")?;
        let asked = self.client.get(url).timeout(SIGN_OF_LIFE).send().await;
        let answer = asked.map_err(|error| self.unreachable(&error))?;
        let status = answer.status();
        let body = answer
            .bytes()
            .await
            .map_err(|error| self.unreachable(&error))?;
        serde_json::from_slice(&body).map_err(|_| self.no_operator(status))
    }

    /// Asks it. A path may have a query.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
    ) -> Result<T, AskError> {
        let mut request = self.client.request(method, self.at(path)?);
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, token.clone());
        }
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        let answer = request
            .send()
            .await
            .map_err(|error| self.unreachable(&error))?;
        let status = answer.status();
        let body = answer
            .bytes()
            .await
            .map_err(|error| self.unreachable(&error))?;
        match refusal::read(status, &body) {
            Some(Err(AskError::Refused { status, detail }))
                if status == StatusCode::UNAUTHORIZED =>
            {
                Err(self.not_let_in(detail))
            }
            Some(read) => read,
            None => Err(self.no_operator(status)),
        }
    }

    fn at(&self, path: &str) -> Result<Url, AskError> {
        // Below whatever path the operator is served at.
        self.base
            .join(path.trim_start_matches('/'))
            .map_err(AskError::unreadable)
    }

    fn unreachable(&self, error: &reqwest::Error) -> AskError {
        let why = if error.is_timeout() {
            "it does not answer".to_owned()
        } else if error.is_connect() {
            format!("no connection ({})", innermost(error))
        } else {
            innermost(error)
        };
        AskError::Unreachable {
            at: self.base.to_string(),
            why,
            mend: match &self.origin {
                Origin::Given => {
                    "start `realmdex scheduler` or `realmdex up` there, or give its operator's URL with --server"
                        .to_owned()
                }
                Origin::Listener => {
                    "start the role whose listener that is, or give another --url".to_owned()
                }
                Origin::UpIn(folder) => format!(
                    "`realmdex up` left that URL in {}: it may be starting or ending, try again",
                    folder.display()
                ),
            },
        }
    }

    fn not_let_in(&self, detail: String) -> AskError {
        AskError::NotLetIn {
            at: self.base.to_string(),
            detail,
            mend: match &self.origin {
                Origin::Given | Origin::Listener => {
                    "give the file that holds its token with --token-file".to_owned()
                }
                Origin::UpIn(folder) => format!(
                    "`realmdex up` left a token in {}: it may have started anew just now, try again",
                    folder.display()
                ),
            },
        }
    }

    fn no_operator(&self, status: StatusCode) -> AskError {
        AskError::NoOperator {
            at: self.base.to_string(),
            status: status.as_u16(),
        }
    }
}

/// Reads a token from a file.
pub(super) fn token_in(file: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("reading the operator's token from {}", file.display()))?;
    let token = text.trim();
    anyhow::ensure!(
        !token.is_empty(),
        "{} is empty: it should hold the operator's token",
        file.display()
    );
    Ok(token.to_owned())
}

/// An operator's URL, ending in `/`.
fn checked(mut base: Url) -> anyhow::Result<Url> {
    anyhow::ensure!(
        matches!(base.scheme(), "http" | "https") && base.has_host(),
        "{base} is no operator's URL: give one such as http://127.0.0.1:4790"
    );
    anyhow::ensure!(
        base.username().is_empty() && base.password().is_none(),
        "an operator's URL holds no user or password: give its token with --token-file"
    );
    base.set_query(None);
    base.set_fragment(None);
    if !base.path().ends_with('/') {
        base.set_path(&format!("{}/", base.path()));
    }
    Ok(base)
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// The last of an error's causes: the others only say that there was one.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    innermost.to_string()
}
