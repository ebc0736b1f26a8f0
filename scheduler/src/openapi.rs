//! `OpenAPI` 3.1 documents: what both listeners' have in common, and how they are shown.

use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::Type;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    Components, ContentBuilder, ObjectBuilder, OpenApi, Ref, ResponseBuilder, Server,
};
use utoipa_swagger_ui::{Config, SwaggerUi};

/// Where a listener's document is.
pub(crate) const DOCUMENT: &str = "/_openapi.json";

/// Where the page is that shows it.
const PAGE: &str = "/_docs";

/// The page's scripts and styles come from here alone, and it asks nobody else. What it shows sets styles of its own.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// The name of the one scheme by which whoever asks shows who that is.
const TOKEN: &str = "token";

/// The body of a refusal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told {
    /// Words, as plain text.
    Words,
    /// A document: its media type and its schema's name.
    Document(&'static str, &'static str),
}

/// An answer to a request that is not done.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    pub(crate) status: u16,
    pub(crate) why: &'static str,
    pub(crate) told: &'static [Told],
    /// Names of its headers, and what they say.
    pub(crate) headers: &'static [(&'static str, &'static str)],
}

impl Refused {
    /// One that has a body and no headers of its own.
    pub(crate) const fn new(status: u16, why: &'static str, told: &'static [Told]) -> Self {
        Self {
            status,
            why,
            told,
            headers: &[],
        }
    }
}

/// Says of every operation how it is refused and that it may ask for a token, where it says nothing else.
pub(crate) fn complete(
    document: &mut OpenApi,
    token: &str,
    refusals: impl Fn(&str, &Operation) -> Vec<Refused>,
) {
    let mut scheme = Http::new(HttpAuthScheme::Bearer);
    scheme.description = Some(token.to_owned());
    document
        .components
        .get_or_insert_with(Components::new)
        .add_security_scheme(TOKEN, SecurityScheme::Http(scheme));
    for (path, item) in &mut document.paths.paths {
        let operations = [
            &mut item.get,
            &mut item.head,
            &mut item.post,
            &mut item.put,
            &mut item.delete,
        ];
        for operation in operations.into_iter().flatten() {
            for refused in refusals(path, operation) {
                refuse(operation, &refused);
            }
            let no_scheme: [&str; 0] = [];
            operation.security.get_or_insert_with(|| {
                vec![
                    SecurityRequirement::default(),
                    SecurityRequirement::new(TOKEN, no_scheme),
                ]
            });
        }
    }
}

/// Whether an operation says itself that it never asks for a token.
pub(crate) fn is_for_everyone(operation: &Operation) -> bool {
    operation
        .security
        .as_ref()
        .is_some_and(|all| all == &[SecurityRequirement::default()])
}

fn refuse(operation: &mut Operation, refused: &Refused) {
    let mut response = ResponseBuilder::new().description(refused.why);
    for told in refused.told {
        let (content_type, content) = match told {
            Told::Words => {
                let text = ObjectBuilder::new().schema_type(Type::String).build();
                ("text/plain", ContentBuilder::new().schema(Some(text)))
            }
            Told::Document(content_type, schema) => {
                let schema = Ref::from_schema_name(*schema);
                (*content_type, ContentBuilder::new().schema(Some(schema)))
            }
        };
        response = response.content(content_type, content.build());
    }
    for (name, says) in refused.headers {
        let header = HeaderBuilder::new().description(Some(*says)).build();
        response = response.header(*name, header);
    }
    operation
        .responses
        .responses
        .entry(refused.status.to_string())
        .or_insert_with(|| response.build().into());
}

/// The document, and a page that shows it. They are told to everyone: they say nothing of what is indexed.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>(document: OpenApi) -> Router<S> {
    let page: Router<S> = SwaggerUi::new(PAGE).config(Config::from(DOCUMENT)).into();
    let page = page.layer(axum::middleware::map_response(guarded));
    Router::new()
        .route(DOCUMENT, get(async || Json(document)))
        .merge(page)
}

/// What the page may do, said to browsers. The public listener's rule for stored files would leave nothing of it.
async fn guarded(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, PAGE_POLICY);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    answer
}

/// The listener's own root, for operations that are nowhere else.
pub(crate) fn listener_root() -> Vec<Server> {
    vec![Server::new("/")]
}
