//! `GET <file>` as its file-meta document.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, LAST_MODIFIED};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use moka::sync::Cache;
use realmdex_store::{ChangeSeq, RegisteredRealm, RegistryVersion, RowStamp, SeenFile, Sought};
use realmdex_types::{ContentDigest, EXECUTABLE_EXTENSIONS, RealmPath};
use tokio::time::Instant;

use super::accept::FILE_META;
use super::conditional::{http_date, is_known, tag_of};
use super::document;
use super::{Problem, Public};

/// How long a reader may wait for a change.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a reader who waits looks: soon at first, for most changes are done at once.
const LOOKS: [Duration; 5] = [
    Duration::from_millis(2),
    Duration::from_millis(5),
    Duration::from_millis(10),
    Duration::from_millis(20),
    Duration::from_millis(50),
];

/// Bytes of documents that are kept.
const KEPT_BYTES: u64 = 64 << 20;

/// How long a document is kept that nobody asks for; far less than it takes for a row's version to come again.
const KEPT_IDLE: Duration = Duration::from_secs(600);

/// A document as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    body: Bytes,
    tag: HeaderValue,
    modified: Option<HeaderValue>,
}

impl Page {
    fn of(body: Bytes, modified: Option<u64>) -> Self {
        Self {
            tag: tag_of(&ContentDigest::of(&body)),
            modified: modified.and_then(http_date),
            body,
        }
    }

    fn answer(self, asked: &HeaderMap) -> Response {
        let is_known = is_known(asked, &self.tag);
        let mut answer = if is_known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let length = HeaderValue::from(self.body.len());
            let mut answer = Response::new(axum::body::Body::from(self.body));
            answer.headers_mut().insert(CONTENT_LENGTH, length);
            answer
        };
        let headers = answer.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(FILE_META));
        headers.insert(ETAG, self.tag);
        if let Some(modified) = self.modified {
            headers.insert(LAST_MODIFIED, modified);
        }
        answer
    }
}

/// What a document follows from: a row, the realm it is in, and the name it was asked for by, where that is not its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    row: RowStamp,
    is_open: bool,
    registry: RegistryVersion,
    alias: Option<Box<str>>,
}

/// Documents that were sent lately. Each is looked up by the version of its row that was seen just now, so none that is
/// found is old. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Pages(Cache<Key, Page>);

impl Default for Pages {
    fn default() -> Self {
        let weight = |_: &Key, page: &Page| u32::try_from(page.body.len()).unwrap_or(u32::MAX);
        Self(
            Cache::builder()
                .weigher(weight)
                .max_capacity(KEPT_BYTES)
                .time_to_idle(KEPT_IDLE)
                .build(),
        )
    }
}

/// A file that was asked for, and what its row was when it was.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: RealmPath,
    pub(crate) registry: RegistryVersion,
    pub(crate) seen: SeenFile,
}

/// The document of a file for someone who may read the realm.
pub(crate) async fn answer(
    public: &Public,
    realm: &RegisteredRealm,
    mut asked: Asked,
    query: Option<&str>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let sought = |path: &RealmPath| Sought {
        realm: realm.realm.id,
        path: path.clone(),
    };
    if let Some(change) = waited_for(query)? {
        asked.seen = wait(public, sought(&asked.path), asked.seen, change).await?;
    }
    if let Some(page) = indexed_page(public, realm, &asked, None, asked.seen).await? {
        return Ok(page.answer(headers));
    }
    let mut shown = (asked.path.clone(), asked.seen);
    if !asked.seen.row.is_some_and(|row| row.is_there) {
        // Boxel's file alias: a module answers for its name without the extension.
        for extension in EXECUTABLE_EXTENSIONS {
            let Ok(path) = RealmPath::parse(&format!("{}{extension}", asked.path)) else {
                continue;
            };
            let seen = public.rows.look_at(sought(&path)).await?;
            if let Some(page) = indexed_page(public, realm, &asked, Some(&path), seen).await? {
                return Ok(page.answer(headers));
            }
            if seen.row.is_some_and(|row| row.is_there) {
                shown = (path, seen);
                break;
            }
        }
    }
    let (own, seen) = shown;
    let page = base_page(public, realm, &asked.path, &own, seen).await?;
    Ok(page.answer(headers))
}

/// The page of a file whose row may be shown; none where it may not.
async fn indexed_page(
    public: &Public,
    realm: &RegisteredRealm,
    asked: &Asked,
    own: Option<&RealmPath>,
    seen: SeenFile,
) -> Result<Option<Page>, Problem> {
    let Some(seen_row) = seen.row.filter(|row| row.is_good) else {
        return Ok(None);
    };
    let key = |row| Key {
        row,
        is_open: seen.is_open,
        registry: asked.registry,
        alias: own.map(|_| asked.path.as_str().into()),
    };
    if let Some(page) = public.pages.0.get(&key(seen_row.stamp)) {
        return Ok(Some(page));
    }
    let Some(row) = public.store.served_file(seen_row.stamp.file).await? else {
        return Ok(None);
    };
    if row.error.is_some() || !row.is_there {
        return Ok(None);
    }
    let Some(body) = document::indexed(realm, &asked.path, &row, seen.is_open) else {
        return Ok(None);
    };
    let page = Page::of(body, Some(told_at(&row)));
    // By what was read now, which may be newer than what was seen.
    public.pages.0.insert(key(row.stamp), page.clone());
    Ok(Some(page))
}

/// When the newest of what a document says came to be: the file changed, or it was indexed.
fn told_at(row: &realmdex_store::ServedFile) -> u64 {
    let indexed = row.indexed_at.map_or(0, |at| at.timestamp());
    document::last_modified(row).max(u64::try_from(indexed).unwrap_or(0))
}

/// The page of a file of which nothing computed can be shown. Boxel has none for paths that begin with `_` or end in
/// `.json`.
async fn base_page(
    public: &Public,
    realm: &RegisteredRealm,
    asked: &RealmPath,
    own: &RealmPath,
    seen: SeenFile,
) -> Result<Page, Problem> {
    let nothing = || Problem::not_found("there is no such file");
    if own.as_str().starts_with('_') || own.as_str().ends_with(".json") {
        return Err(nothing());
    }
    let read = public.read_file(realm, own).await;
    if read.as_ref().is_err_and(|error| error.is_not_found()) {
        return Err(nothing());
    }
    let row = match seen.row {
        Some(row) => public.store.served_file(row.stamp.file).await?,
        None => None,
    };
    let is_open = seen.is_open;
    match read {
        Ok(file) => {
            let body = document::base(realm, asked, row.as_ref(), is_open, Some(&file));
            Ok(Page::of(body, file.modified))
        }
        // Its row says that there is such a file.
        Err(_) if row.as_ref().is_some_and(|row| row.is_there) => {
            let body = document::base(realm, asked, row.as_ref(), is_open, None);
            Ok(Page::of(body, None))
        }
        Err(error) => Err(super::sources::problem(&error)),
    }
}

/// The change that a reader wants to see: `?wait=SEQ`.
fn waited_for(query: Option<&str>) -> Result<Option<ChangeSeq>, Problem> {
    let Some(query) = query else { return Ok(None) };
    let wait = url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "wait");
    let Some((_, number)) = wait else {
        return Ok(None);
    };
    match number.parse() {
        Ok(number) if number >= 0 => Ok(Some(ChangeSeq::numbered(number))),
        _ => Err(Problem::bad(
            "`wait` is the number of a change, as it was answered when the change was taken in",
        )),
    }
}

/// Waits until a file was read for a change, or nobody is going to. A job that a change was merged into is for a later
/// one: any open job may be the one. Past the time that a reader waits, what there is is answered, and says that a change
/// is pending.
async fn wait(
    public: &Public,
    sought: Sought,
    mut seen: SeenFile,
    change: ChangeSeq,
) -> Result<SeenFile, Problem> {
    let end = Instant::now() + PATIENCE;
    let mut looks = LOOKS.iter();
    let mut pause = LOOKS[0];
    loop {
        let is_read = seen.row.is_some_and(|row| row.change_seq >= change);
        let is_done = is_read || !seen.is_open;
        if is_done || Instant::now() >= end {
            return Ok(seen);
        }
        pause = looks.next().copied().unwrap_or(pause);
        tokio::time::sleep(pause).await;
        seen = public.rows.look_at(sought.clone()).await?;
    }
}
