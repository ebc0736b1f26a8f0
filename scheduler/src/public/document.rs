//! File-meta documents as they are served: what the index has of a file, completed by what is known of it now.

use axum::body::Bytes;
use chrono::SecondsFormat;
use realmdex_source::FileBytes;
use realmdex_store::{RegisteredRealm, ServedFile};
use realmdex_types::{CodeRef, RealmPath, RealmUrl, base_attributes, content_type, file_class};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::answer::pretty;
use super::realm_info::{RealmInfo, realm_info};
use crate::schema;

/// Boxel's `FILE_META_RESERVED_KEYS`, in the order in which documents begin with them.
const RESERVED: [&str; 8] = [
    "name",
    "url",
    "sourceUrl",
    "contentType",
    "contentHash",
    "contentSize",
    "lastModified",
    "createdAt",
];

/// A file's document, as it is served.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FileMeta {
    data: FileMetaResource,
}

/// JSON:API's resource.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct FileMetaResource {
    /// `file-meta`
    #[serde(rename = "type")]
    kind: &'static str,
    /// The file's URL as it was asked for; where it goes by a package's name, the same below that.
    id: String,
    #[schema(schema_with = schema::file_attributes)]
    attributes: Map<String, Value>,
    meta: Meta,
    links: Links,
}

/// How the file is read, and how far what is told of it is to be relied on.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Meta {
    /// The class that reads it.
    #[schema(value_type = CodeRefTold)]
    adopts_from: CodeRef,
    realm_info: RealmInfo,
    /// Its realm.
    #[serde(rename = "realmURL")]
    #[schema(value_type = String, format = "uri")]
    realm_url: RealmUrl,
    /// Fields that hold a subclass of what the class declares.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    fields: Option<Value>,
    /// How query fields of the class are answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    query_field_defs: Option<Value>,
    indexing: Indexing,
}

/// Which export of which module.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CodeRefTold {
    module: String,
    name: String,
}

/// Where the document is.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Links {
    /// The same as the id.
    #[serde(rename = "self")]
    own: String,
}

/// Why a document may be other than it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Reason {
    /// Nothing was computed of the file yet.
    NotIndexed,
    /// It could not be read the last time: the row says so, and what was computed before is not shown.
    Unreadable,
    /// Something that it depends on did not answer; it is looked for again.
    Incomplete,
    /// It, or something that it depends on, has changed: a job that computes it anew is open.
    ChangePending,
    /// It has other bytes by now than it was computed from.
    Outdated,
}

impl Reason {
    /// Whether something is missing that the index should have; else it is only not the newest.
    fn degrades(self) -> bool {
        match self {
            Self::NotIndexed | Self::Unreadable | Self::Incomplete => true,
            Self::ChangePending | Self::Outdated => false,
        }
    }
}

/// `meta.indexing`: ours, for readers who must know what they read.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Indexing {
    /// When it was computed; none where it never was.
    #[schema(value_type = Option<String>, format = DateTime)]
    indexed_at: Option<String>,
    /// The change that it was computed for.
    change_seq: Option<i64>,
    /// Whether it is not the newest.
    stale: bool,
    /// Whether something is missing that the index should have.
    degraded: bool,
    /// Why.
    reasons: Vec<Reason>,
}

fn indexing(row: Option<&ServedFile>, is_open: bool, is_shown: bool) -> Indexing {
    let mut reasons = Vec::new();
    if row.is_some_and(|row| row.error.is_some()) {
        reasons.push(Reason::Unreadable);
    } else if !is_shown {
        reasons.push(Reason::NotIndexed);
    } else if row.is_some_and(|row| row.is_retried) {
        reasons.push(Reason::Incomplete);
    }
    if is_open {
        reasons.push(Reason::ChangePending);
    }
    if is_shown && row.is_some_and(|row| row.is_outdated) {
        reasons.push(Reason::Outdated);
    }
    let indexed_at = row.and_then(|row| row.indexed_at);
    Indexing {
        indexed_at: indexed_at.map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true)),
        change_seq: row.map(|row| row.change_seq.number()),
        stale: reasons.iter().any(|reason| !reason.degrades()),
        degraded: reasons.iter().any(|reason| reason.degrades()),
        reasons,
    }
}

/// The document of a file that is indexed, as it was asked for at `asked`; none where its row has none. Attributes come
/// from the computed document before the search document (Boxel's order), and times from the row.
pub(crate) fn indexed(
    realm: &RegisteredRealm,
    asked: &RealmPath,
    row: &ServedFile,
    is_open: bool,
) -> Option<Bytes> {
    let data = &row.document.as_ref()?.data;
    let own = |key: &str| data.attributes.get(key).or_else(|| row.search.get(key));
    let mut attributes = Map::new();
    for key in RESERVED {
        let told = match key {
            "lastModified" => Some(last_modified(row).into()),
            "createdAt" => Some(row.created.unwrap_or_else(|| last_modified(row)).into()),
            _ => own(key).cloned(),
        };
        let value = told.or_else(|| match key {
            "name" => Some(asked.file_name().into()),
            "url" | "sourceUrl" => Some(realm.realm.url.file(asked).as_str().into()),
            "contentType" => Some(content_type(asked.file_name()).into()),
            // Those of other bytes than the rest was computed from would be wrong.
            _ => None,
        });
        attributes.extend(value.map(|value| (key.to_owned(), value)));
    }
    for (key, value) in data.attributes.iter().chain(&row.search) {
        if !attributes.contains_key(key) {
            attributes.insert(key.clone(), value.clone());
        }
    }
    let meta = Meta {
        fields: data.meta.fields.clone(),
        query_field_defs: data.meta.query_field_defs.clone(),
        ..meta(
            realm,
            data.meta.adopts_from.clone(),
            indexing(Some(row), is_open, true),
        )
    };
    Some(written(id(realm, asked, Some(row)), attributes, meta))
}

/// The document of a file of which nothing computed can be shown: what its name and its bytes tell, as far as those could
/// be read.
pub(crate) fn base(
    realm: &RegisteredRealm,
    asked: &RealmPath,
    row: Option<&ServedFile>,
    is_open: bool,
    file: Option<&FileBytes>,
) -> Bytes {
    let url = realm.realm.url.file(asked);
    let bytes = file.map_or(&[][..], |file| &file.bytes);
    let mut known = base_attributes(&url, asked.file_name(), bytes);
    if file.is_none() {
        known.shift_remove("contentHash");
        known.shift_remove("contentSize");
    }
    let modified = file
        .and_then(|file| file.modified)
        .or_else(|| row.and_then(|row| row.modified));
    let created = file
        .and_then(|file| file.created)
        .or_else(|| row.and_then(|row| row.created))
        .or(modified);
    let times = [("lastModified", modified), ("createdAt", created)];
    for (key, time) in times {
        known.extend(time.map(|time| (key.to_owned(), time.into())));
    }
    let attributes = RESERVED
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), known.shift_remove(*key)?)))
        .collect();
    let class = file_class(asked.file_name()).code_ref();
    let meta = meta(realm, class, indexing(row, is_open, false));
    written(id(realm, asked, row), attributes, meta)
}

/// When a file was last modified, in unix seconds; where its source does not tell, when it was indexed.
pub(crate) fn last_modified(row: &ServedFile) -> u64 {
    let indexed = row.indexed_at.map_or(0, |at| at.timestamp());
    row.modified.unwrap_or(u64::try_from(indexed).unwrap_or(0))
}

/// The URL as it was asked for; where the file goes by a package's name, the same below that.
fn id(realm: &RegisteredRealm, asked: &RealmPath, row: Option<&ServedFile>) -> String {
    let packaged = row.and_then(|row| {
        let prefix = row.module_id.as_str().split('/');
        let is_package = row.module_id.as_str().starts_with('@');
        // Its own path is the asked one, or that with an extension.
        let depth = asked.segments().count();
        let segments: Vec<_> = prefix.collect();
        let root = segments.len().checked_sub(depth).filter(|_| is_package)?;
        let asked = realm.realm.url.file(asked);
        let below: Vec<_> = asked.path().rsplit('/').take(depth).collect();
        let below = below.into_iter().rev();
        let id: Vec<_> = segments[..root].iter().copied().chain(below).collect();
        Some(id.join("/"))
    });
    packaged.unwrap_or_else(|| realm.realm.url.file(asked).into())
}

fn meta(realm: &RegisteredRealm, adopts_from: CodeRef, indexing: Indexing) -> Meta {
    Meta {
        adopts_from,
        realm_info: realm_info(realm),
        realm_url: realm.realm.url.clone(),
        fields: None,
        query_field_defs: None,
        indexing,
    }
}

fn written(id: String, attributes: Map<String, Value>, meta: Meta) -> Bytes {
    pretty(&FileMeta {
        data: FileMetaResource {
            kind: "file-meta",
            links: Links { own: id.clone() },
            id,
            attributes,
            meta,
        },
    })
}
