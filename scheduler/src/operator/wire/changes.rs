//! What is said to have changed.

use realmdex_types::RealmUrl;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wire;
pub use crate::intake::{Change, Operation};

wire! {
    /// `POST /_changes`
    ChangesRequest {
        /// The realm.
        #[schema(value_type = String, format = "uri")]
        realm: RealmUrl,
        /// What is said to have changed in it.
        changes: Vec<Change>,
    }

    /// What came of it.
    ChangesTaken {
        /// The number of the change: a row of this or a later one has seen it.
        change_seq: i64,
        /// Files that are looked at.
        files: usize,
        /// The number of the reindex that lists the realm, where only that tells what is there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reindex: Option<i64>,
    }
}
