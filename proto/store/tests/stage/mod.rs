//! An index with realms, and the test in the worker's place: it says what was read, and reads what was asked for.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono::Utc;
use realmdex_store::{
    Cause, ChangeSeq, Changes, ClaimedJob, Committed, ComputedRow, FileFacts, FileWrite, Follow,
    Found, JobFilter, JobId, Lease, NewJob, NewRealm, Place, Realm, Store, Work,
};
use realmdex_types::{ContentDigest, JobClass, JobState, ModuleId, ReadState, RealmPath, RealmUrl};
use sqlx::PgPool;

use crate::database::with_url;

pub const LONG: Duration = Duration::from_secs(600);
pub const OVER: Duration = Duration::ZERO;
pub const OPEN: [JobState; 2] = [JobState::Queued, JobState::Running];

/// An index, and a way to look at its tables.
#[derive(Clone)]
pub struct Stage {
    pub store: Store,
    pub tables: PgPool,
}

/// Runs a test on an empty index.
pub async fn with_stage<F>(test: impl FnOnce(Stage) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    with_url(async |url: String| {
        // Many small transactions, of which none has to outlive the machine.
        let sign = if url.contains('?') { '&' } else { '?' };
        let url = format!("{url}{sign}options[synchronous_commit]=off");
        let store = Store::connect(&url, 8).await.unwrap();
        store.migrate().await.unwrap();
        let tables = PgPool::connect(&url).await.unwrap();
        let stage = Stage {
            store: store.clone(),
            tables: tables.clone(),
        };
        let tested = tokio::spawn(test(stage)).await;
        store.close().await;
        tables.close().await;
        tested
    })
    .await;
}

pub fn path(path: &str) -> RealmPath {
    RealmPath::parse(path).unwrap()
}

pub fn id(realm: &Realm, path: &str) -> ModuleId {
    ModuleId::stored(format!("{}{path}", realm.url))
}

pub fn place(realm: &Realm, at: &str) -> Place {
    Place {
        realm: realm.id,
        path: path(at),
    }
}

pub fn file(realm: &Realm, at: &str) -> Work {
    Work::IndexFile {
        realm: realm.id,
        path: path(at),
    }
}

pub fn read(bytes: &str) -> ReadState {
    ReadState::Read {
        digest: ContentDigest::of(bytes.as_bytes()),
    }
}

pub fn facts(bytes: &str) -> FileFacts {
    FileFacts {
        digest: ContentDigest::of(bytes.as_bytes()),
        size: bytes.len() as u64,
        modified: None,
        created: None,
    }
}

/// A row that was computed from those files. Whoever was denied is where the test says.
pub fn row(edges: &[(ModuleId, ReadState)], denied: &[(ModuleId, Place)]) -> ComputedRow {
    ComputedRow {
        document: serde_json::json!({"data": {
            "type": "file-meta", "id": "x", "attributes": {},
            "meta": {"adoptsFrom": {"module": "m", "name": "n"}}, "links": {"self": "x"},
        }}),
        search: serde_json::json!({}),
        tools: None,
        findings: Vec::new(),
        edges: edges.iter().cloned().collect(),
        denied: denied.iter().cloned().collect(),
        indexer: "1".to_owned(),
        packages: None,
        registry: None,
        retry: false,
        took: Duration::ZERO,
    }
}

pub fn computed(bytes: &str, edges: &[(ModuleId, ReadState)]) -> Found {
    Found::Computed(facts(bytes), Box::new(row(edges, &[])))
}

pub fn too_large() -> Found {
    Found::Failed {
        why: "too large".to_owned(),
        transient: false,
    }
}

pub fn down() -> Found {
    Found::Failed {
        why: "no answer".to_owned(),
        transient: true,
    }
}

pub fn names<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.into_iter().map(ToOwned::to_owned).collect()
}

impl Stage {
    /// A realm for everyone to read.
    pub async fn realm(&self, name: &str) -> Realm {
        let url = RealmUrl::parse(&format!("https://realm.test/{name}/")).unwrap();
        let source = format!("file:///{name}/");
        self.store.register_realm(&url, &source).await.unwrap()
    }

    /// A realm that its owner and those readers may read; the job that lists it is done.
    pub async fn owned(&self, name: &str, owner: &str, readers: &[&str]) -> Realm {
        let new = new_realm(name, owner, readers);
        let (realm, is_new) = self.store.add_realm(&new).await.unwrap();
        assert!(is_new);
        self.list_all().await;
        realm
    }

    /// Does every job that lists a realm, and finds nothing.
    pub async fn list_all(&self) {
        let jobs = self.jobs(&OPEN).await;
        for job in jobs {
            if let Work::FullReindex { .. } = job.work {
                let claimed = self.claim(job.id).await.unwrap();
                self.store.begin_listing(claimed.lease).await.unwrap();
                self.store.listed(claimed.lease, 0, 0).await.unwrap();
            }
        }
        self.store.finish_reindexes().await.unwrap();
    }

    pub async fn jobs(&self, states: &[JobState]) -> Vec<realmdex_store::JobRow> {
        let filter = JobFilter {
            states: states.to_vec(),
            ..JobFilter::default()
        };
        self.store.jobs(&filter, 10_000).await.unwrap()
    }

    /// Files with an open job, as their realms' names and paths; realms that are to be listed are there as `a/`.
    pub async fn open(&self) -> BTreeSet<String> {
        let jobs = self.jobs(&OPEN).await;
        jobs.iter()
            .map(|job| {
                let realm = job.realm.as_str().trim_start_matches("https://realm.test/");
                match &job.work {
                    Work::IndexFile { path, .. } => format!("{realm}{path}"),
                    _ => realm.to_owned(),
                }
            })
            .collect()
    }

    /// Broken edges, as `a/s.md -> b/m.js`.
    pub async fn broken(&self) -> BTreeSet<String> {
        let broken = self.store.broken_edges(None).await.unwrap();
        let name = |id: &ModuleId| {
            id.as_str()
                .trim_start_matches("https://realm.test/")
                .to_owned()
        };
        broken
            .iter()
            .map(|edge| format!("{} -> {}", name(&edge.source), name(&edge.target)))
            .collect()
    }

    pub async fn enqueue(&self, work: Work, class: JobClass, cause: Cause) -> JobId {
        let change_seq = self.store.next_change().await.unwrap();
        let job = NewJob {
            work,
            class,
            change_seq,
            force: false,
            cause,
        };
        let enqueued = self.store.enqueue(&[job]).await.unwrap();
        let job = enqueued.new.into_iter().chain(enqueued.merged).next();
        job.unwrap()
    }

    /// A change of a file is announced; answers its job.
    pub async fn change(&self, realm: &Realm, at: &str) -> JobId {
        self.enqueue(file(realm, at), JobClass::Interactive, Cause::Change)
            .await
    }

    pub async fn take_in(&self, realm: &Realm, files: &[&str], folders: &[&str]) -> usize {
        let changes = Changes {
            files: files.iter().map(|at| path(at)).collect(),
            folders: folders.iter().map(|at| path(at)).collect(),
        };
        let class = JobClass::Interactive;
        let taken = self.store.take_in(realm.id, &changes, class).await.unwrap();
        taken.files
    }

    /// Whatever is to be done later is due now.
    pub async fn time_passes(&self) {
        sqlx::query("update jobs set run_at = now() where run_at > now()")
            .execute(&self.tables)
            .await
            .unwrap();
    }

    pub async fn claim_for(&self, job: JobId, lease: Duration) -> Option<ClaimedJob> {
        let claims = self.store.claim(&[job], "w", lease).await.unwrap();
        claims.claimed.into_iter().next()
    }

    pub async fn claim(&self, job: JobId) -> Option<ClaimedJob> {
        self.claim_for(job, LONG).await
    }

    pub async fn claim_alone(&self, job: JobId, lease: Duration) -> Option<ClaimedJob> {
        let claims = self.store.claim_alone(job, "w", lease).await.unwrap();
        claims.claimed.into_iter().next()
    }

    /// A file as it was read for a new change; no job did it.
    pub async fn write(&self, realm: &Realm, at: &str, found: Found) -> FileWrite {
        FileWrite {
            module_id: id(realm, at),
            place: Some(place(realm, at)),
            change_seq: self.store.next_change().await.unwrap(),
            lease: None,
            read_at: Utc::now(),
            found,
        }
    }

    /// What is found is written, and what follows enqueued.
    pub async fn commit(&self, realm: &Realm, at: &str, found: Found) -> Committed {
        let write = self.write(realm, at, found).await;
        self.store.commit(&[write], Follow::Enqueue).await.unwrap()
    }

    /// A claimed job comes to an end.
    pub async fn done(&self, realm: &Realm, at: &str, job: &ClaimedJob, found: Found) -> Committed {
        let write = done(realm, at, job.lease, job.change_seq, found);
        self.store.commit(&[write], Follow::Enqueue).await.unwrap()
    }

    /// Does the open jobs of files, each of which finds what `look` says; answers them in the order in which they were
    /// done. There may be up to a hundred.
    pub async fn work(&self, look: impl Fn(&str) -> (Realm, String, Found)) -> Vec<String> {
        let mut order = Vec::new();
        while order.len() < 100 {
            self.time_passes().await;
            let jobs = self.jobs(&[JobState::Queued]).await;
            let Some(job) = jobs.last() else { return order };
            let Work::IndexFile { path, .. } = &job.work else {
                panic!("not a file");
            };
            let realm = job.realm.as_str().trim_start_matches("https://realm.test/");
            let name = format!("{realm}{path}");
            let mut claimed = self.claim(job.id).await;
            if claimed.is_none() {
                claimed = self.claim_alone(job.id, LONG).await;
            }
            let (realm, at, found) = look(&name);
            self.done(&realm, &at, &claimed.unwrap(), found).await;
            order.push(name);
        }
        panic!("there is no end of it: {:?}", &order[80..]);
    }

    /// Every edge of a file, by the target's name.
    pub async fn edges(&self, of: &ModuleId) -> BTreeMap<String, ReadState> {
        let edges = self.store.dependencies_of(of).await.unwrap();
        edges
            .into_iter()
            .map(|edge| (edge.target.as_str().to_owned(), edge.then))
            .collect()
    }
}

pub fn new_realm(name: &str, owner: &str, readers: &[&str]) -> NewRealm {
    NewRealm {
        url: RealmUrl::parse(&format!("https://realm.test/{name}/")).unwrap(),
        source: format!("file:///{name}/"),
        owner: owner.to_owned(),
        readers: readers.iter().map(|reader| (*reader).to_owned()).collect(),
    }
}

pub fn done(
    realm: &Realm,
    at: &str,
    lease: Lease,
    change_seq: ChangeSeq,
    found: Found,
) -> FileWrite {
    FileWrite {
        module_id: id(realm, at),
        place: Some(place(realm, at)),
        change_seq,
        lease: Some(lease),
        read_at: Utc::now(),
        found,
    }
}
