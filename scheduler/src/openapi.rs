//! `OpenAPI` 3.1 documents: what both listeners' have in common.

use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, ContentBuilder, OpenApi, Ref, ResponseBuilder};

/// What is answered where a request is not done.
pub(crate) struct Refusals {
    /// The type of the document.
    pub(crate) content_type: &'static str,
    /// The schema's name.
    pub(crate) schema: &'static str,
}

/// The name of the one scheme by which whoever asks shows who that is.
const TOKEN: &str = "token";

/// Says of every operation how it is refused and that it may ask for a token, where it says nothing else.
pub(crate) fn complete(document: &mut OpenApi, refusals: &Refusals, token: &str) {
    let mut scheme = Http::new(HttpAuthScheme::Bearer);
    scheme.description = Some(token.to_owned());
    document
        .components
        .get_or_insert_with(Components::new)
        .add_security_scheme(TOKEN, SecurityScheme::Http(scheme));
    for item in document.paths.paths.values_mut() {
        let operations = [
            &mut item.get,
            &mut item.post,
            &mut item.put,
            &mut item.delete,
        ];
        for operation in operations.into_iter().flatten() {
            refuse(operation, refusals);
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

fn refuse(operation: &mut Operation, refusals: &Refusals) {
    let schema = Ref::from_schema_name(refusals.schema);
    let response = ResponseBuilder::new()
        .description("It is not done: the answer says why, and how to mend it.")
        .content(
            refusals.content_type,
            ContentBuilder::new().schema(Some(schema)).build(),
        );
    operation
        .responses
        .responses
        .entry("default".to_owned())
        .or_insert_with(|| response.build().into());
}
