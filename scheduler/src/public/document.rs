//! File-meta documents as they are served: what the index has of a file, completed by what is known of it now.

use axum::body::Bytes;
use chrono::SecondsFormat;
use realmdex_source::FileBytes;
use realmdex_store::{RegisteredRealm, ServedFile};
use realmdex_types::{CodeRef, RealmPath, base_attributes, content_type, file_class};
use serde_json::{Map, Value, json};

use super::answer::pretty;
use super::realm_info::realm_info;

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

/// Why a document may be other than it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    fn as_str(self) -> &'static str {
        match self {
            Self::NotIndexed => "not-indexed",
            Self::Unreadable => "unreadable",
            Self::Incomplete => "incomplete",
            Self::ChangePending => "change-pending",
            Self::Outdated => "outdated",
        }
    }

    /// Whether something is missing that the index should have; else it is only not the newest.
    fn degrades(self) -> bool {
        match self {
            Self::NotIndexed | Self::Unreadable | Self::Incomplete => true,
            Self::ChangePending | Self::Outdated => false,
        }
    }
}

/// `meta.indexing`: ours, for readers who must know what they read.
fn indexing(row: Option<&ServedFile>, is_open: bool, is_shown: bool) -> Value {
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
    json!({
        "indexedAt": indexed_at.map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true)),
        "changeSeq": row.map(|row| row.change_seq.number()),
        "stale": reasons.iter().any(|reason| !reason.degrades()),
        "degraded": reasons.iter().any(|reason| reason.degrades()),
        "reasons": reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>(),
    })
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
    let mut meta = meta(realm, &data.meta.adopts_from);
    for (key, value) in [
        ("fields", &data.meta.fields),
        ("queryFieldDefs", &data.meta.query_field_defs),
    ] {
        if let Some(value) = value {
            meta.insert(key.to_owned(), value.clone());
        }
    }
    meta.insert("indexing".to_owned(), indexing(Some(row), is_open, true));
    Some(written(&id(realm, asked, Some(row)), attributes, meta))
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
    let mut meta = meta(realm, &file_class(asked.file_name()).code_ref());
    meta.insert("indexing".to_owned(), indexing(row, is_open, false));
    written(&id(realm, asked, row), attributes, meta)
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

fn meta(realm: &RegisteredRealm, adopts_from: &CodeRef) -> Map<String, Value> {
    let entries = [
        ("adoptsFrom", json!(adopts_from)),
        ("realmInfo", realm_info(realm)),
        ("realmURL", json!(realm.realm.url)),
    ];
    entries
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

fn written(id: &str, attributes: Map<String, Value>, meta: Map<String, Value>) -> Bytes {
    pretty(&json!({"data": {
        "type": "file-meta",
        "id": id,
        "attributes": attributes,
        "meta": meta,
        "links": {"self": id},
    }}))
}
