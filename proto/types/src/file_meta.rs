//! The document of one indexed file (`application/vnd.card.file-meta+json`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::CodeRef;

/// A JSON:API document with one file-meta resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileMetaDocument {
    /// The resource.
    pub data: FileMetaResource,
}

/// The resource of one file: its attributes with tool definitions stamped in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileMetaResource {
    /// Always `file-meta`.
    #[serde(rename = "type")]
    pub kind: FileMetaType,
    /// The file's URL.
    pub id: String,
    /// `name`, `url`, `sourceUrl`, `contentType`, `contentHash`, `contentSize` for every file; more by type.
    pub attributes: Map<String, Value>,
    /// What class reads it.
    pub meta: FileMeta,
    /// Where it is.
    pub links: FileLinks,
}

/// The one resource type of file-meta documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileMetaType {
    /// `file-meta`
    #[serde(rename = "file-meta")]
    FileMeta,
}

/// The resource's `meta`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileMeta {
    /// The file class, by Boxel's table of extensions.
    pub adopts_from: CodeRef,
    /// Fields that hold a subclass of what the class declares (a skill's frontmatter).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Value>,
    /// How query fields of the class are answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_field_defs: Option<Value>,
    /// The realm's root.
    #[serde(rename = "realmURL", skip_serializing_if = "Option::is_none")]
    pub realm_url: Option<String>,
}

/// The resource's `links`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLinks {
    /// The same as the id.
    #[serde(rename = "self")]
    pub own: String,
}
