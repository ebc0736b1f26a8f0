//! Schemas of types that say nothing of `OpenAPI` themselves.

use realmdex_types::{FindingKind, JobClass, JobKind, JobState, ReindexOutcome};
use utoipa::openapi::schema::{SchemaType, Type};
use utoipa::openapi::{Object, ObjectBuilder};

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

/// How a reindex ended, or null.
pub(crate) fn outcome() -> Object {
    let names = ReindexOutcome::ALL.map(|outcome| Some(outcome.as_str()));
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(names.into_iter().chain([None])))
        .build()
}
