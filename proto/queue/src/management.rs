//! The management API of RabbitMQ, as far as policies need it.

use std::time::Duration;

use lapin::uri::AMQPUri;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Client, Method, StatusCode};
use serde_json::Value;
use url::Url;

use crate::{BrokerError, Policy};

/// How long it may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The management API of the broker that an AMQP URL names.
#[derive(Clone)]
pub struct Management {
    client: Client,
    base: Url,
    user: String,
    password: Option<String>,
    vhost: String,
}

/// Without the password.
impl std::fmt::Debug for Management {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Management")
            .field("base", &self.base.as_str())
            .field("vhost", &self.vhost)
            .finish_non_exhaustive()
    }
}

impl Management {
    /// `url` is the page's, with user and password; the virtual host is the one that `amqp_url` names.
    ///
    /// # Errors
    /// When one of the URLs is none.
    pub fn new(url: &str, amqp_url: &str) -> Result<Self, BrokerError> {
        let refused = |why: String| BrokerError::ManagementUrl { why };
        let amqp: AMQPUri = amqp_url.parse().map_err(|why| BrokerError::Url { why })?;
        let mut base = Url::parse(url).map_err(|error| refused(error.to_string()))?;
        if !matches!(base.scheme(), "http" | "https") || !base.has_host() {
            return Err(refused("it is no http(s) URL".to_owned()));
        }
        let decoded = |text: &str| {
            percent_encoding::percent_decode_str(text)
                .decode_utf8_lossy()
                .into_owned()
        };
        let (user, password) = (decoded(base.username()), base.password().map(decoded));
        // They go into a header; neither fails where there is a host.
        base.set_username("").ok();
        base.set_password(None).ok();
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        // Fails only where the process has chosen a provider already: that one is used then.
        rustls::crypto::ring::default_provider()
            .install_default()
            .ok();
        let client = Client::builder()
            .timeout(TIMEOUT)
            .build()
            .map_err(BrokerError::Unreachable)?;
        Ok(Self {
            client,
            base,
            user,
            password,
            vhost: amqp.vhost,
        })
    }

    /// Sets the policies. Those of the same names are replaced, others are left alone.
    ///
    /// # Errors
    /// When the page can't be reached, or the user may not set policies.
    pub async fn apply(&self) -> Result<(), BrokerError> {
        for policy in Policy::all() {
            self.ask(
                Method::PUT,
                &["policies", &self.vhost, policy.name],
                Some(policy.body()),
            )
            .await?;
        }
        Ok(())
    }

    /// Whether the policies are in force, whoever set them: a warning for each queue for which they are not. It
    /// takes RabbitMQ a moment until a policy that was just set is.
    ///
    /// # Errors
    /// When the page can't be reached, or the user may not look.
    pub async fn check(&self) -> Result<Vec<String>, BrokerError> {
        let mut warnings = Vec::new();
        for policy in Policy::all() {
            for queue in policy.queues {
                let path = ["queues", &self.vhost, queue];
                let found = match self.ask(Method::GET, &path, None).await {
                    Ok(found) => Some(found),
                    Err(BrokerError::Refused { status: 404, .. }) => None,
                    Err(error) => return Err(error),
                };
                warnings.extend(policy.warning(queue, found.as_ref()));
            }
        }
        Ok(warnings)
    }

    async fn ask(
        &self,
        method: Method,
        path: &[&str],
        body: Option<Value>,
    ) -> Result<Value, BrokerError> {
        // The virtual host `/` is one segment of the path.
        let segments: Vec<String> = path
            .iter()
            .map(|segment| utf8_percent_encode(segment, NON_ALPHANUMERIC).to_string())
            .collect();
        let path = format!("api/{}", segments.join("/"));
        let url = self
            .base
            .join(&path)
            .map_err(|error| BrokerError::ManagementUrl {
                why: error.to_string(),
            })?;
        let asked = format!("{method} {}", url.path());
        let mut request = self
            .client
            .request(method, url)
            .basic_auth(&self.user, self.password.as_ref());
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.map_err(BrokerError::Unreachable)?;
        let status = answer.status();
        let text = answer.text().await.map_err(BrokerError::Unreachable)?;
        if !status.is_success() {
            return Err(BrokerError::Refused {
                asked,
                status: status.as_u16(),
                why: reason(status, &text),
            });
        }
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }
}

/// The reason in an error's body, or what the status is called.
fn reason(status: StatusCode, body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let reason = body["reason"].as_str().or(status.canonical_reason());
    reason.unwrap_or("no reason given").to_owned()
}
