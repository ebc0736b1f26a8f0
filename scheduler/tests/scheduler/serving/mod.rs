//! The public listener, called in process.

mod documents;
mod edges;
mod folders;
mod hostile;
mod listener;
mod privacy;
mod realm_headers;
mod skills;
mod sources;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Request};
use chrono::Utc;
use http_body_util::BodyExt;
use realmdex_scheduler::Wakes;
use realmdex_scheduler::access::Access;
use realmdex_scheduler::public::{Limits, Public, router};
use realmdex_source::{FolderSource, OpenSource};
use realmdex_store::{
    ChangeSeq, ComputedRow, FileFacts, FileWrite, Follow, Found, NewRealm, Place, Realm, Store,
};
use realmdex_types::{ContentDigest, ModuleId, ReadState, RealmUrl, base_attributes, file_class};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

use crate::index::{Index, metrics, path, with_index};

pub(crate) const FILE_META: &str = "application/vnd.card.file-meta+json";

/// An index, folders of realms, and what serves them.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) index: Index,
    pub(crate) listener: Router,
    folders: Arc<TempDir>,
}

/// Runs a test on realms that are served.
pub(crate) async fn with_site<F>(test: impl FnOnce(Site) -> F + 'static)
where
    F: Future<Output = ()> + 'static,
{
    with_limits(Limits::default(), test).await;
}

pub(crate) async fn with_limits<F>(limits: Limits, test: impl FnOnce(Site) -> F + 'static)
where
    F: Future<Output = ()> + 'static,
{
    with_index(|index| async move {
        let site = Site {
            listener: listener(index.store.clone(), limits),
            index,
            folders: Arc::new(TempDir::new().unwrap()),
        };
        test(site).await;
    })
    .await;
}

pub(crate) fn listener(store: Store, limits: Limits) -> Router {
    let public = Public::new(store, Access::default(), metrics(), Wakes::default());
    router(public.with_sources(folders()).with_limits(limits))
}

pub(crate) fn folders() -> OpenSource {
    Arc::new(|url| {
        let folder = url.to_file_path().unwrap();
        Ok(Arc::new(FolderSource::at(&folder)?))
    })
}

/// An answer, with what a reader looks at.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The headers of those names, as far as there are such.
    pub(crate) fn headers(&self, names: &[&str]) -> BTreeMap<String, String> {
        names
            .iter()
            .filter_map(|name| {
                let value = self.headers.get(*name)?;
                Some(((*name).to_owned(), value.to_str().unwrap().to_owned()))
            })
            .collect()
    }
}

impl Site {
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.folders.path().join(name)
    }

    /// A realm in a folder, at `https://realm.test/<name>/`.
    pub(crate) async fn realm(&self, name: &str, readers: &[&str]) -> Realm {
        self.realm_at(&format!("https://realm.test/{name}/"), name, readers)
            .await
    }

    pub(crate) async fn realm_at(&self, url: &str, folder: &str, readers: &[&str]) -> Realm {
        std::fs::create_dir_all(self.folder(folder)).unwrap();
        let new = NewRealm {
            url: RealmUrl::parse(url).unwrap(),
            source: url::Url::from_directory_path(self.folder(folder))
                .unwrap()
                .into(),
            owner: "owner".to_owned(),
            readers: readers.iter().map(|reader| (*reader).to_owned()).collect(),
        };
        self.index.store.add_realm(&new).await.unwrap().0
    }

    /// A file of a realm; nobody indexes it.
    pub(crate) fn put(&self, folder: &str, at: &str, bytes: impl AsRef<[u8]>) {
        let file = self.folder(folder).join(at);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }

    pub(crate) async fn write(&self, realm: &Realm, at: &str, found: Found) -> ChangeSeq {
        let change_seq = self.index.store.next_change().await.unwrap();
        let write = FileWrite {
            module_id: ModuleId::stored(realm.url.file(&path(at)).into()),
            place: Some(Place {
                realm: realm.id,
                path: path(at),
            }),
            change_seq,
            lease: None,
            read_at: Utc::now(),
            found,
        };
        let committed = self.index.store.commit(&[write], Follow::Answer).await;
        assert_eq!(committed.unwrap().written, 1);
        change_seq
    }

    /// A file as a worker would have indexed it, with more attributes.
    pub(crate) async fn index(
        &self,
        realm: &Realm,
        at: &str,
        bytes: &str,
        more: Value,
    ) -> ChangeSeq {
        self.write(realm, at, computed(realm, at, bytes, more))
            .await
    }

    pub(crate) async fn get(&self, uri: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(Method::GET, uri, headers).await
    }

    pub(crate) async fn file_meta(&self, uri: &str) -> Answer {
        self.get(uri, &[("accept", FILE_META)]).await
    }

    pub(crate) async fn send(&self, method: Method, uri: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.ask(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn ask(&self, request: Request<Body>) -> Answer {
        let (parts, body) = self
            .listener
            .clone()
            .oneshot(request)
            .await
            .unwrap()
            .into_parts();
        Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: body.collect().await.unwrap().to_bytes(),
        }
    }
}

/// What a worker finds in a file whose document has those attributes besides those of every file.
pub(crate) fn computed(realm: &Realm, at: &str, bytes: &str, more: Value) -> Found {
    let url = realm.url.file(&path(at));
    let mut attributes = base_attributes(&url, path(at).file_name(), bytes.as_bytes());
    let more = more.as_object().cloned().unwrap_or_default();
    attributes.extend(more);
    let tools = attributes
        .get("frontmatter")
        .and_then(|frontmatter| frontmatter["tools"].as_array())
        .map(Vec::len);
    let mut search = attributes.clone();
    search.insert("_title".to_owned(), path(at).file_name().into());
    search.insert("id".to_owned(), url.as_str().into());
    let mut meta = Map::new();
    meta.insert(
        "adoptsFrom".to_owned(),
        json!(file_class(path(at).file_name()).code_ref()),
    );
    meta.insert("realmURL".to_owned(), json!(realm.url));
    if tools.is_some() {
        let fields = json!({"frontmatter": {"adoptsFrom": {
            "module": "@cardstack/base/skill-frontmatter-field", "name": "SkillFrontmatterField",
        }}});
        meta.insert("fields".to_owned(), fields);
    }
    let document = json!({"data": {
        "type": "file-meta", "id": url, "attributes": attributes, "meta": meta, "links": {"self": url},
    }});
    let row = ComputedRow {
        document,
        search: search.into(),
        tools: tools.map(|count| (count, count)),
        findings: Vec::new(),
        edges: BTreeMap::new(),
        denied: BTreeMap::new(),
        indexer: "1".to_owned(),
        packages: None,
        registry: None,
        retry: false,
        took: std::time::Duration::ZERO,
    };
    Found::Computed(facts(bytes), Box::new(row))
}

pub(crate) fn facts(bytes: &str) -> FileFacts {
    FileFacts {
        digest: ContentDigest::of(bytes.as_bytes()),
        size: bytes.len() as u64,
        modified: Some(1_700_000_000),
        created: Some(1_600_000_000),
    }
}

/// The same, computed from other files too.
pub(crate) fn with_edges(found: Found, edges: &[(&str, ReadState)]) -> Found {
    let Found::Computed(facts, mut row) = found else {
        panic!("nothing was computed");
    };
    let edges = edges.iter();
    row.edges = edges
        .map(|(id, state)| (ModuleId::stored((*id).to_owned()), state.clone()))
        .collect();
    Found::Computed(facts, row)
}

/// A skill's attributes.
pub(crate) fn skill(name: &str, description: &str) -> Value {
    json!({
        "title": "A heading",
        "excerpt": "What it is about.",
        "content": "# A heading\n\nWhat it is about.\n",
        "lineCount": 3,
        "kind": "skill",
        "frontmatter": {
            "rawContent": {"name": name, "description": description},
            "name": name,
            "description": description,
            "tools": [{
                "codeRef": {"module": "./greet", "name": "Greet"},
                "functionName": "Greet_a1b2",
                "requiresApproval": true,
                "definition": {"type": "function", "function": {
                    "name": "Greet_a1b2", "description": "Greets.", "parameters": {"type": "object"},
                }},
            }],
        },
    })
}
