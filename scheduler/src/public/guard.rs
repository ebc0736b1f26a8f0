//! What every request passes, whatever it asks for.

use std::any::Any;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request};
use axum::http::header::{
    AUTHORIZATION, CONTENT_SECURITY_POLICY, ETAG, HOST, LAST_MODIFIED, LOCATION, REFERRER_POLICY,
    RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use realmdex_store::{RegisteredRealm, Sought};
use realmdex_types::RealmPath;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowHeaders, Any as AnyOrigin, CorsLayer};

use super::file_meta::Asked;
use super::files::{self, Target};
use super::folders::Folder;
use super::served::ServedRealms;
use super::{Problem, Public, Route, realm_info};
use crate::access::Guess;
use crate::requests::{Listener, NO_ROUTE};

/// What scripts of other origins may see of an answer.
const EXPOSED: [HeaderName; 12] = [
    ETAG,
    LAST_MODIFIED,
    LOCATION,
    RETRY_AFTER,
    axum::http::header::CONTENT_RANGE,
    axum::http::header::ACCEPT_RANGES,
    axum::http::header::AUTHORIZATION,
    HeaderName::from_static("x-created"),
    realm_info::REALM_URL,
    realm_info::PUBLIC_READABLE,
    HeaderName::from_static("x-boxel-realm-archived"),
    HeaderName::from_static("x-boxel-not-ready"),
];

/// How long a browser may remember what it may ask for.
const PREFLIGHT_KEPT: Duration = Duration::from_secs(600);

/// Stored files are anyone's: no script of theirs runs here, and nothing is taken for what it does not say it is.
const POLICY: HeaderValue = HeaderValue::from_static("sandbox; default-src 'none'");

/// Puts the guard in front of all routes. It is one service: a layer of a router's own costs each request a copy of all
/// that lies below it.
pub(super) fn guarded(public: Public, routes: Router) -> Router {
    let enter = service_fn(move |request: Request| enter(public.clone(), routes.clone(), request));
    let caught = CatchPanicLayer::custom(panicked).layer(enter);
    let guarded = cors().layer(caught).map_response(secured);
    Router::new().fallback_service(guarded)
}

/// Browser hosts read realms from pages of any origin, and show their rights by a header that they set themselves:
/// cookies are never asked for.
fn cors() -> CorsLayer {
    let methods = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::OPTIONS,
    ];
    CorsLayer::new()
        .allow_origin(AnyOrigin)
        .allow_methods(methods)
        // By name: a wildcard leaves out `Authorization` (Fetch, CORS-safelisted request headers).
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(PREFLIGHT_KEPT)
        // An answer is the same for every origin.
        .vary([])
}

fn secured<B>(answer: axum::http::Response<B>) -> axum::http::Response<B> {
    let (mut parts, body) = answer.into_parts();
    let headers = &mut parts.headers;
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(POLICY);
    axum::http::Response::from_parts(parts, body)
}

fn panicked(what: Box<dyn Any + Send + 'static>) -> Response {
    let words = what
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| what.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = words, "a request panicked");
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "the request failed: the log says why",
    )
    .into_response()
}

/// The realm that a request is for, and the rest of its path as it was asked for.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) realm: Arc<RegisteredRealm>,
    pub(super) below: String,
}

impl Place {
    /// Whether no route could be meant: those of realms begin with `_`, and those of the server lie where the files of a
    /// realm at its root would be. Most requests are such, and need not go through all routes.
    fn is_plainly_a_file(&self) -> bool {
        !self.below.starts_with('_') && self.realm.realm.url.as_url().path() != "/"
    }
}

/// Counts what is answered.
async fn enter(public: Public, routes: Router, request: Request) -> Result<Response, Infallible> {
    let (begun, method) = (Instant::now(), request.method().clone());
    let mut route = None;
    let answered = admitted(&public, routes, request, &mut route).await?;
    let route = route.map_or(NO_ROUTE, Route::template);
    let requests = &public.metrics.requests;
    requests.count(
        Listener::Public,
        route,
        &method,
        answered.status(),
        begun.elapsed(),
    );
    Ok(answered)
}

/// Answers whoever may ask, and says in `asked` which route was asked for, once that is known.
async fn admitted(
    public: &Public,
    routes: Router,
    request: Request,
    asked: &mut Option<Route>,
) -> Result<Response, Infallible> {
    let (mut head, body) = request.into_parts();
    let peer = head
        .extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map(|ConnectInfo(peer)| peer.ip());
    if let Err(wait) = public.rate.count(peer, &head.headers) {
        return Ok(too_many(wait));
    }
    // Whoever may be guessing: they show something, or act for users.
    let guesser = (head.headers.contains_key(AUTHORIZATION) || head.method == Method::POST)
        .then(|| public.rate.guesser(peer, &head.headers))
        .flatten();
    if let Some(wait) = guesser.and_then(|guesser| public.rate.must_wait(guesser)) {
        return Ok(too_many(wait));
    }
    let host = match host(&head) {
        Ok(host) => host,
        Err(problem) => return Ok(problem.into_response()),
    };
    let answered = async {
        match place(public, host.as_deref(), &head).await {
            Ok((Some(place), target)) if place.is_plainly_a_file() => {
                *asked = Some(Route::File);
                Ok(files::answer(public, &place.realm, target, &head).await)
            }
            Ok((place, target)) => {
                *asked = Route::of(head.uri.path(), place.as_ref());
                head.extensions.insert(target);
                if let Some(place) = place {
                    head.extensions.insert(place);
                }
                let mut request = Request::from_parts(head, body);
                DefaultBodyLimit::max(public.limits.body_bytes).apply(&mut request);
                routes.oneshot(request).await
            }
            Err(problem) => Ok(problem.into_response()),
        }
    };
    match tokio::time::timeout(public.limits.request_time, answered).await {
        Ok(answered) => {
            if let (Some(guesser), Ok(answer)) = (guesser, &answered)
                && is_guess(*asked, answer)
            {
                public.rate.guessed(guesser);
            }
            answered
        }
        Err(_) => Ok(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the answer takes too long: try again",
        )
        .into_response()),
    }
}

/// Whether an answer says that what was shown was not signed by who it should be.
fn is_guess(asked: Option<Route>, answer: &Response) -> bool {
    answer.extensions().get::<Guess>().is_some()
        || asked == Some(Route::DelegateSession) && answer.status() == StatusCode::UNAUTHORIZED
}

fn too_many(wait: Duration) -> Response {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let mut answer = Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        format!("too many requests: wait {seconds} s"),
    )
    .into_response();
    answer
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from(seconds));
    answer
}

/// The host that a request names (RFC 9112, 3.2): its target's before its header's, and never two. Old clients name none.
fn host(head: &Parts) -> Result<Option<String>, Problem> {
    let mut named = head.headers.get_all(HOST).iter();
    let (first, second) = (named.next(), named.next());
    if second.is_some() {
        return Err(Problem::bad("a request names one host"));
    }
    if let Some(authority) = head.uri.authority() {
        return Ok(Some(authority.as_str().to_owned()));
    }
    let Some(first) = first else { return Ok(None) };
    match first.to_str() {
        Ok(host) => Ok(Some(host.to_owned())),
        Err(_) => Err(Problem::bad("`Host` is not a host")),
    }
}

/// Finds what a request is about. The realms as they were last read say which file to look at; should the look tell that
/// there are newer ones, it is done once more by those. So a request costs one statement, and what it sees of realms,
/// rights and rows is as of after it came.
async fn place(
    public: &Public,
    host: Option<&str>,
    head: &Parts,
) -> Result<(Option<Place>, Target), Problem> {
    let mut served = public.realms.known();
    let (served, found, asked) = loop {
        let found = served.find(host, head.uri.path());
        // Rows of files that have become another realm's are there until they are looked at again.
        let path = found.and_then(|(realm, below)| {
            file_path(below).filter(|path| !served.is_anothers(realm.realm.id, path))
        });
        let sought = found.zip(path.clone()).map(|((realm, _), path)| Sought {
            realm: realm.realm.id,
            path,
        });
        let seen = public.rows.look(sought.into_iter().collect()).await?;
        if ServedRealms::are(&served, seen.registry) {
            let asked = path.map(|path| Asked {
                path,
                registry: seen.registry,
                seen: seen.files.first().copied().unwrap_or_default(),
            });
            let found = found.map(|(realm, below)| Place {
                realm: Arc::clone(realm),
                below: below.to_owned(),
            });
            break (Arc::clone(&served), found, asked);
        }
        served = public.realms.at(seen.registry).await?;
        public.sources.keep(served.realms());
    };
    if let Some(host) = host
        && !served.has_host(host)
        && !is_loopback(host)
        && !public
            .limits
            .hosts
            .iter()
            .any(|known| known.eq_ignore_ascii_case(host))
    {
        // Else a page could have a browser ask us under a name of its own, as if we were its server.
        return Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "nothing is served under this host: its operator may add it to the hosts of the configuration",
        ));
    }
    let folder = found
        .as_ref()
        .and_then(|place| Folder::named_by(&place.below));
    Ok((
        found,
        Target {
            file: asked,
            folder,
        },
    ))
}

/// The file that a path below a realm's root names; Boxel takes the root itself for `index`.
fn file_path(below: &str) -> Option<RealmPath> {
    match below {
        "" => RealmPath::parse("index").ok(),
        below => RealmPath::from_encoded(below).ok(),
    }
}

/// Whether a host is this machine, by the names that nobody else can have.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_few_names() {
        for (host, expected) in [
            ("localhost", true),
            ("LOCALHOST:4790", true),
            ("127.0.0.1:80", true),
            ("127.8.9.1", true),
            ("[::1]:4790", true),
            ("[::1]", true),
            ("localhost.evil.test", false),
            ("127.0.0.1.evil.test", false),
            ("[::2]", false),
            ("10.0.0.1", false),
            ("", false),
        ] {
            assert_eq!(is_loopback(host), expected, "{host}");
        }
    }
}
