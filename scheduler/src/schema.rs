//! Schemas of types that say nothing of `OpenAPI` themselves.

use realmdex_types::{FindingKind, JobClass, JobKind, JobState, ReindexOutcome, Scope};
use utoipa::openapi::schema::{AdditionalProperties, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{Array, ArrayBuilder, Object, ObjectBuilder};

fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(names))
}

macro_rules! names {
    ($($function:ident: $type:ident,)*) => {$(
        pub(crate) fn $function() -> Object {
            one_of($type::ALL.map($type::as_str)).build()
        }
    )*};
}

names! {
    finding_kind: FindingKind,
    job_class: JobClass,
    job_kind: JobKind,
    job_state: JobState,
}

/// Scopes; of no use where there are none.
pub(crate) fn scopes() -> Array {
    let scope = one_of(Scope::ALL.map(Scope::as_str)).build();
    ArrayBuilder::new().items(scope).build()
}

/// The same, of a token that is to be made.
pub(crate) fn wanted_scopes() -> Array {
    let mut scopes = scopes();
    scopes.min_items = Some(1);
    scopes
}

/// States of jobs, with commas between them.
pub(crate) fn states() -> Object {
    let one = JobState::ALL.map(JobState::as_str).join("|");
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some(format!("^({one})?(,({one})?)*$")))
        .build()
}

/// Numbers with commas between them.
pub(crate) fn numbers() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^(-?[0-9]{1,18})?(,(-?[0-9]{1,18})?)*$"))
        .build()
}

/// What is always null.
pub(crate) fn null() -> Object {
    ObjectBuilder::new().schema_type(Type::Null).build()
}

/// The attributes of a file's document: those of every file, and more by type, such as a skill's `frontmatter`.
pub(crate) fn file_attributes() -> Object {
    let text = |says: &str| {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(says))
    };
    let number = |says: &str| {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(0))
            .description(Some(says))
    };
    ObjectBuilder::new()
        .property("name", text("The file's name."))
        .property(
            "url",
            text("Its URL.").format(Some(SchemaFormat::Custom("uri".into()))),
        )
        .property(
            "sourceUrl",
            text("Where its bytes are served.").format(Some(SchemaFormat::Custom("uri".into()))),
        )
        .property("contentType", text("Its media type."))
        .property(
            "contentHash",
            text("The MD5 of its bytes, in hex; none where they can't be read."),
        )
        .property(
            "contentSize",
            number("How many bytes it has; none where they can't be read."),
        )
        .property(
            "lastModified",
            number("When it was modified, in Unix seconds, where that is known."),
        )
        .property(
            "createdAt",
            number("When it was made, in Unix seconds, where that is known."),
        )
        .required("name")
        .required("url")
        .required("sourceUrl")
        .required("contentType")
        .description(Some(
            "What is known of it. There is more for some types, such as a skill's `frontmatter`.",
        ))
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .build()
}

/// How a reindex ended, or null.
pub(crate) fn outcome() -> Object {
    let names = ReindexOutcome::ALL.map(|outcome| Some(outcome.as_str()));
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(names.into_iter().chain([None])))
        .build()
}
