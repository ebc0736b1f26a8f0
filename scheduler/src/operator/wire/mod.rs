//! What is sent to the operator's listener, and what it answers. Shared with those who call it.

mod access;
mod boxel;
mod changes;
mod indexed;
mod lists;
mod realms;
mod standing;
mod work;

pub use access::*;
pub use boxel::*;
pub use changes::*;
pub use indexed::*;
pub use lists::{Numbers, States};
pub use realms::*;
pub use standing::*;
pub use work::*;

/// Rows in an answer, where nobody says how many.
pub const DEFAULT_LIMIT: i64 = 100;

/// Rows in an answer, at most.
pub const MAX_LIMIT: i64 = 1000;

/// How many rows are answered.
pub(super) fn limit(asked: Option<i64>) -> i64 {
    asked.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT)
}

/// Declares types of the wire's bodies.
macro_rules! wire {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }
    )*};
}
use wire;

/// Declares types of the wire's queries.
macro_rules! query {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, IntoParams)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[into_params(parameter_in = Query)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }
    )*};
}
use query;
