//! What a document says of every file, whatever it is.

use serde_json::{Map, Value};
use url::Url;

use crate::{content_hash, content_type};

/// The attributes of every file, in Boxel's order. `url` is the file's own, `name` its last segment without escapes.
pub fn base_attributes(url: &Url, name: &str, bytes: &[u8]) -> Map<String, Value> {
    let mut attributes = Map::new();
    attributes.insert("sourceUrl".to_owned(), url.as_str().into());
    attributes.insert("url".to_owned(), url.as_str().into());
    attributes.insert("name".to_owned(), name.into());
    attributes.insert("contentType".to_owned(), content_type(name).into());
    attributes.insert("contentHash".to_owned(), content_hash(bytes).into());
    attributes.insert("contentSize".to_owned(), bytes.len().into());
    attributes
}
