//! A realm that a server holds.

use std::error::Error;
use std::fmt;

use async_trait::async_trait;
use realmdex_types::{RealmPath, RealmUrl};
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, HeaderMap, HeaderValue,
    LAST_MODIFIED, LOCATION,
};
use reqwest::{Client, Response, StatusCode};
use url::Url;

use crate::address::{AddressRefused, CheckedResolver};
use crate::listing::{MTIMES, parse_mtimes};
use crate::redirect::{Redirect, has_login, judge};
use crate::{FileBytes, HttpOptions, Listed, SecretToken, Source, SourceError};

/// Asks for a file as it was written; anything else may be answered with transpiled code.
const SOURCE_TYPE: &str = "application/vnd.card+source";
/// Asks for the listing.
const LISTING_TYPE: &str = "application/vnd.api+json";

/// A realm served over HTTP as Boxel's realm server does it (and realmdex itself).
///
/// Redirects are followed inside the realm only, the address is checked when connecting, proxies from the
/// environment are not used. It never retries.
pub struct HttpSource {
    realm: RealmUrl,
    client: Client,
    authorization: Option<HeaderValue>,
    max_listing_bytes: u64,
    max_redirects: usize,
}

impl HttpSource {
    /// A source for `realm`; nothing is asked of its server yet.
    ///
    /// # Errors
    /// [`SourceError::Refused`] where the realm's host is an address that is not allowed, where its URL holds
    /// a user name or password, where the token can't be a header, or where TLS can't be set up.
    pub fn new(realm: RealmUrl, options: HttpOptions) -> Result<Self, SourceError> {
        let refused = |why: String| SourceError::Refused {
            at: realm.to_string(),
            why,
        };
        if has_login(realm.as_url()) {
            let mut at = realm.as_url().clone();
            // Fails only for URLs without a host, which then have no login either.
            let _ = at.set_username("").and_then(|()| at.set_password(None));
            let why = "a realm's URL may not hold a user name or password; give a token instead"
                .to_owned();
            return Err(SourceError::Refused {
                at: at.to_string(),
                why,
            });
        }
        if let Some(host) = realm.as_url().host() {
            options
                .allow_addresses
                .check_literal(&host)
                .map_err(|error| refused(error.to_string()))?;
        }
        let authorization = options.token.as_ref().map(authorization).transpose();
        let authorization = authorization.map_err(|why| refused(why.to_owned()))?;
        let client = build_client(&realm, &options).map_err(|error| {
            refused(format!(
                "{}; TLS needs the system's CA certificates",
                chain(&error)
            ))
        })?;
        let HttpOptions {
            max_listing_bytes,
            max_redirects,
            ..
        } = options;
        Ok(Self {
            realm,
            client,
            authorization,
            max_listing_bytes,
            max_redirects,
        })
    }

    /// Asks for `asked`, following redirects, and gives the one answer that holds its bytes.
    async fn ask(&self, asked: &RealmPath, accept: &'static str) -> Result<Response, SourceError> {
        let mut url = self.realm.file(asked);
        for _ in 0..=self.max_redirects {
            let response = self.send(url.clone(), accept).await?;
            if !is_redirect(response.status()) {
                return accepted(&url, response);
            }
            let location = response.headers().get(LOCATION);
            let location = location.and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
            url = match judge(&self.realm, asked, &url, location) {
                Redirect::Follow(target) => target,
                Redirect::NoSuchFile => {
                    return Err(SourceError::NotFound {
                        at: self.realm.file(asked).into(),
                    });
                }
                Redirect::Refused(why) => {
                    return Err(SourceError::Refused {
                        at: url.into(),
                        why,
                    });
                }
            };
        }
        let why = format!("it redirects more than {} times", self.max_redirects);
        Err(SourceError::Refused {
            at: self.realm.file(asked).into(),
            why,
        })
    }

    async fn send(&self, url: Url, accept: &'static str) -> Result<Response, SourceError> {
        let mut request = self
            .client
            .get(url.clone())
            .header(ACCEPT, accept)
            .header(ACCEPT_ENCODING, "identity");
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        request
            .send()
            .await
            .map_err(|error| from_reqwest(&url, error))
    }
}

impl fmt::Debug for HttpSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSource")
            .field("realm", &self.realm.as_str())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Source for HttpSource {
    /// By Boxel's `_mtimes`. Any answer but a complete, well-formed one is an error.
    async fn list(&self) -> Result<Vec<Listed>, SourceError> {
        let at = format!("{}{MTIMES}", self.realm);
        let refused = |why: String| SourceError::Refused {
            at: at.clone(),
            why,
        };
        let asked = RealmPath::parse(MTIMES).map_err(|error| refused(error.to_string()))?;
        let response = match self.ask(&asked, LISTING_TYPE).await {
            // That the listing is missing does not mean that a file is.
            Err(SourceError::NotFound { .. }) => {
                return Err(refused(
                    "no realm answers there; check the realm's URL and that its server runs"
                        .to_owned(),
                ));
            }
            answer => answer?,
        };
        let document = body(&at, response, self.max_listing_bytes).await?;
        let realm = self.realm.clone();
        // Large listings take a while: not on a thread that others wait for.
        let parsed = tokio::task::spawn_blocking(move || parse_mtimes(&realm, &document)).await;
        match parsed {
            Ok(listed) => listed.map_err(refused),
            Err(stopped) => Err(SourceError::Unreachable {
                at,
                why: stopped.to_string(),
            }),
        }
    }

    async fn read(&self, path: &RealmPath, max_bytes: u64) -> Result<FileBytes, SourceError> {
        let response = self.ask(path, SOURCE_TYPE).await?;
        let modified = http_date(response.headers(), LAST_MODIFIED.as_str());
        let created = http_date(response.headers(), "x-created");
        let at = self.realm.file(path);
        let bytes = body(at.as_str(), response, max_bytes).await?;
        Ok(FileBytes {
            bytes,
            modified,
            created,
        })
    }
}

fn authorization(token: &SecretToken) -> Result<HeaderValue, &'static str> {
    let mut value = HeaderValue::try_from(token.authorization()).map_err(
        |_| "the token holds characters that no header can; check where it is read from",
    )?;
    value.set_sensitive(true);
    Ok(value)
}

fn build_client(realm: &RealmUrl, options: &HttpOptions) -> Result<Client, reqwest::Error> {
    // Fails only where the process has chosen a provider already: that one is used then.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let mut builder = Client::builder()
        .user_agent(concat!("realmdex/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .dns_resolver(CheckedResolver(options.allow_addresses))
        .connect_timeout(options.timeouts.connect)
        .read_timeout(options.timeouts.idle)
        .timeout(options.timeouts.whole);
    if realm.as_url().scheme() == "http" {
        // It never comes to TLS: a machine without CA certificates can still read such a realm.
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Lets the answer pass whose body is the file; each other status is an error of its kind.
fn accepted(url: &Url, response: Response) -> Result<Response, SourceError> {
    let at = url.to_string();
    let status = response.status();
    match status.as_u16() {
        200 => {}
        404 | 410 => return Err(SourceError::NotFound { at }),
        401 => {
            return Err(SourceError::Forbidden {
                at,
                why: format!("{status}; give a valid token for this realm"),
            });
        }
        403 => {
            return Err(SourceError::Forbidden {
                at,
                why: format!("{status}; give the token's user read access to this realm"),
            });
        }
        408 | 425 | 429 | 500..=599 => {
            return Err(SourceError::Unreachable {
                at,
                why: format!("the server answers {status}"),
            });
        }
        _ => {
            return Err(SourceError::Refused {
                at,
                why: format!("the server answers {status} instead of the file"),
            });
        }
    }
    match response.headers().get(CONTENT_ENCODING) {
        Some(encoding) if encoding != "identity" => {
            let why = format!(
                "the body comes as {encoding:?} though that was not asked for; switch compression off at the server"
            );
            Err(SourceError::Refused { at, why })
        }
        _ => Ok(response),
    }
}

/// The whole body, counted as it comes: what the headers say about its length only serves to give up early.
async fn body(at: &str, mut response: Response, limit: u64) -> Result<Vec<u8>, SourceError> {
    let too_large = || SourceError::TooLarge {
        at: at.to_owned(),
        limit,
    };
    if response
        .content_length()
        .is_some_and(|length| length > limit)
    {
        return Err(too_large());
    }
    let url = response.url().clone();
    let mut bytes = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| from_reqwest(&url, error))?
    {
        if (bytes.len() + chunk.len()) as u64 > limit {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// An HTTP date (RFC 9110, 5.6.7) in unix seconds; `None` where the header is missing or no date.
fn http_date(headers: &HeaderMap, name: &str) -> Option<u64> {
    let date = httpdate::parse_http_date(headers.get(name)?.to_str().ok()?).ok()?;
    Some(date.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs())
}

fn from_reqwest(url: &Url, error: reqwest::Error) -> SourceError {
    let at = url.to_string();
    let error = error.without_url();
    let refused = causes(&error).find_map(|cause| cause.downcast_ref::<AddressRefused>());
    match refused {
        Some(refused) => SourceError::Refused {
            at,
            why: refused.to_string(),
        },
        None if error.is_builder() => SourceError::Refused {
            at,
            why: chain(&error),
        },
        None => SourceError::Unreachable {
            at,
            why: chain(&error),
        },
    }
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// The error and its causes as one text: reqwest's own says no more than that sending failed.
fn chain(error: &(dyn Error + 'static)) -> String {
    causes(error)
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
