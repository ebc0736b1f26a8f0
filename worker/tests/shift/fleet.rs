//! Realms in folders, a broker in this process, and any number of workers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use prometheus::Registry;
use realmdex_queue::{Broker, Hint};
use realmdex_source::{FileBytes, FolderSource, Listed, Source, SourceError};
use realmdex_store::{
    Changes, FileRow, JobFilter, JobRow, NewRealm, OfferTime, Realm, RealmId, Store, TakenIn,
};
use realmdex_types::{JobClass, JobState, ModuleId, RealmPath, RealmUrl};
use realmdex_worker::modules::{LoadLimits, PackageMap, folder_location};
use realmdex_worker::registry::{KnownRegistry, OpenSource};
use realmdex_worker::sandbox::SandboxLimits;
use realmdex_worker::shift::{Shift, ShiftConfig, ShiftMetrics};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::database::with_url;
use crate::realms::{limited, patient};

/// Long enough for a busy machine, short enough to fail a test.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// A plain tool as a module's default export.
pub fn tool(description: &str) -> String {
    format!(
        "export default {{ description: {description:?}, inputSchema: {{ type: 'object', properties: {{}} }}, run: () => 1 }};"
    )
}

/// A skill that declares the default export of a module.
pub fn skill(module: &str) -> String {
    format!(
        "---\nname: s\ndescription: A skill.\nboxel:\n  kind: skill\n  tools:\n    - codeRef: {{ module: {module:?}, name: default }}\n---\nText.\n"
    )
}

/// What happens when a file is read.
pub type OnRead = Arc<dyn Fn(&str) -> Deed + Send + Sync>;

/// What a source does instead of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Read,
    Hang,
    Panic,
    Fail,
}

/// Everything a test works with.
#[derive(Clone)]
pub struct Fleet {
    url: String,
    pub store: Store,
    pub broker: Broker,
    pub config: ShiftConfig,
    pub limits: SandboxLimits,
    folder: Arc<TempDir>,
    on_read: OnRead,
    /// Files that are being read, or hang.
    reading: Arc<Mutex<BTreeMap<String, usize>>>,
    _offering: Arc<AbortOnDropHandle<()>>,
}

/// Runs a test.
pub async fn fleet<F>(test: impl Fn(Fleet) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    fleet_that(|| |_: &str| Deed::Read, test).await;
}

/// Runs a test whose sources do as they are told: with some connections to the database, and with a single one, which is
/// all that the embedded one has.
pub async fn fleet_that<F, D>(deed: impl Fn() -> D, test: impl Fn(Fleet) -> F)
where
    F: Future<Output = ()> + Send + 'static,
    D: Fn(&str) -> Deed + Send + Sync + 'static,
{
    for connections in [4, 1] {
        let on_read: OnRead = Arc::new(deed());
        with_url(async |url: String| {
            let store = Store::connect(&url, connections).await.unwrap();
            store.migrate().await.unwrap();
            let broker = Broker::local();
            let offering = tokio::spawn(offer(store.clone(), broker.clone()));
            let tested = tokio::spawn(test(Fleet {
                url,
                store: store.clone(),
                broker,
                config: ShiftConfig {
                    name: "w".to_owned(),
                    slots: 4,
                    prefetch: 16,
                    lease: Duration::from_secs(30),
                    beat: Duration::from_millis(50),
                    deadline: Duration::from_secs(60),
                    listing_deadline: Duration::from_secs(60),
                    tries: 2,
                    drain: Duration::from_secs(60),
                    file_bytes: 1 << 20,
                    is_alone: false,
                },
                limits: patient(),
                folder: Arc::new(TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()),
                on_read,
                reading: Arc::default(),
                _offering: Arc::new(AbortOnDropHandle::new(offering)),
            }))
            .await;
            store.close().await;
            tested
        })
        .await;
    }
}

/// What schedulers do, as little of it as will do.
async fn offer(store: Store, broker: Broker) {
    loop {
        for class in [JobClass::Interactive, JobClass::Bulk] {
            let stands = OfferTime(Duration::from_secs(30));
            let Ok(due) = store.offer_due(class, 256, stands).await else {
                return;
            };
            let hints: Vec<Hint> = due.iter().map(|job| Hint(job.number())).collect();
            broker.publish(class, &hints).await;
        }
        if store.finish_reindexes().await.is_err() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A worker that can be told to stop.
pub struct Working {
    stop: CancellationToken,
    task: JoinHandle<()>,
    pub metrics: Registry,
}

impl Working {
    pub async fn stop(self) {
        self.stop.cancel();
        tokio::time::timeout(PATIENCE, self.task)
            .await
            .unwrap()
            .unwrap();
    }

    /// The sum of a metric's series.
    pub fn counted(&self, name: &str) -> f64 {
        let families = self.metrics.gather();
        let family = families
            .iter()
            .find(|family| family.name() == name)
            .unwrap();
        let series = family.get_metric().iter();
        series.map(|one| one.get_counter().get_value()).sum()
    }
}

/// A worker with threads of its own, which can be ended as SIGKILL would.
pub struct Mortal(Option<tokio::runtime::Runtime>);

impl Mortal {
    /// Nothing is given back.
    pub fn kill(mut self) {
        self.0.take().unwrap().shutdown_background();
    }
}

impl Fleet {
    pub fn mortal_worker(&self) -> Mortal {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let mut fleet = self.clone();
        runtime.spawn(async move {
            fleet.store = Store::connect(&fleet.url, 2).await.unwrap();
            let working = fleet.worker().await;
            working.task.await.unwrap();
        });
        Mortal(Some(runtime))
    }

    pub async fn worker(&self) -> Working {
        let open: OpenSource = {
            let (on_read, reading) = (Arc::clone(&self.on_read), Arc::clone(&self.reading));
            Arc::new(move |url| {
                // Only folders: anything else is somewhere that may not be asked.
                let folder = url.to_file_path().map_err(|()| SourceError::Refused {
                    at: url.to_string(),
                    why: "not from here".to_owned(),
                })?;
                Ok(Arc::new(Told {
                    folder: FolderSource::at(&folder)?,
                    on_read: Arc::clone(&on_read),
                    reading: Arc::clone(&reading),
                }))
            })
        };
        let describer = limited(
            PackageMap::builder().build(),
            LoadLimits::default(),
            self.limits.clone(),
        );
        let registry = KnownRegistry::read(self.store.clone(), &describer, open)
            .await
            .unwrap();
        let metrics = Registry::new();
        let shift = Shift::new(
            self.store.clone(),
            self.broker.clone(),
            registry,
            self.config.clone(),
            ShiftMetrics::new(&metrics).unwrap(),
        );
        let stop = CancellationToken::new();
        let running = shift.run(stop.clone());
        Working {
            stop,
            task: tokio::spawn(async move { running.await.unwrap() }),
            metrics,
        }
    }

    pub fn path(&self, realm: &str) -> PathBuf {
        let path = self.folder.path().join(realm);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    pub fn url(realm: &str) -> RealmUrl {
        RealmUrl::parse(&format!("https://{realm}.test/")).unwrap()
    }

    /// A realm with these files, registered and to be indexed.
    pub async fn realm(&self, name: &str, files: &[(&str, &str)]) -> Realm {
        self.realm_of(name, "operator", &["*"], files).await
    }

    pub async fn realm_of(
        &self,
        name: &str,
        owner: &str,
        readers: &[&str],
        files: &[(&str, &str)],
    ) -> Realm {
        for (path, text) in files {
            self.write(name, path, text);
        }
        let new = NewRealm {
            url: Self::url(name),
            source: folder_location(&self.path(name)).unwrap().into(),
            owner: owner.to_owned(),
            readers: readers.iter().map(ToString::to_string).collect(),
        };
        self.store.add_realm(&new).await.unwrap().0
    }

    pub fn write(&self, realm: &str, path: &str, text: &str) {
        let path = self.path(realm).join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn remove(&self, realm: &str, path: &str) {
        std::fs::remove_file(self.path(realm).join(path)).unwrap();
    }

    /// Says that files changed.
    pub async fn changed(&self, realm: &Realm, paths: &[&str]) -> TakenIn {
        let changes = Changes {
            files: paths
                .iter()
                .map(|path| RealmPath::parse(path).unwrap())
                .collect(),
            folders: Vec::new(),
        };
        let class = JobClass::Interactive;
        self.store.take_in(realm.id, &changes, class).await.unwrap()
    }

    pub async fn open_jobs(&self) -> Vec<JobRow> {
        let open = JobFilter {
            states: vec![JobState::Queued, JobState::Running],
            ..JobFilter::default()
        };
        self.store.jobs(&open, 100_000).await.unwrap()
    }

    pub async fn jobs(&self, state: JobState) -> Vec<JobRow> {
        let filter = JobFilter {
            states: vec![state],
            ..JobFilter::default()
        };
        self.store.jobs(&filter, 100_000).await.unwrap()
    }

    /// Waits until nothing is left to do; then the invariant holds, without a reconciler's help.
    pub async fn settled(&self) {
        until!("everything is done", self.open_jobs().await.is_empty());
        let broken = self.store.broken_edges(None).await.unwrap();
        assert!(broken.is_empty(), "{broken:#?}");
        assert_eq!(self.store.outdated_files(None).await.unwrap(), []);
    }

    pub async fn row(&self, realm: &str, path: &str) -> Option<FileRow> {
        let id = ModuleId::stored(format!("{}{path}", Self::url(realm)));
        self.store.file(&id).await.unwrap()
    }

    /// The description of a skill's only tool; null where it has no definition.
    pub async fn described(&self, realm: &str, path: &str) -> Value {
        let row = self.row(realm, path).await.unwrap();
        let document = row.document.unwrap();
        let tools = &document.data.attributes["frontmatter"]["tools"];
        let definition = tools[0].pointer("/definition/function/description");
        definition.cloned().unwrap_or_default()
    }

    /// The files that are computed while something is done, as `realm/path`.
    pub async fn computed_by(
        &self,
        files: &[(&str, &str)],
        deed: impl Future<Output = ()>,
    ) -> BTreeSet<String> {
        let before = self.indexed_at(files).await;
        deed.await;
        self.settled().await;
        let after = self.indexed_at(files).await;
        let changed = after
            .into_iter()
            .filter(|(file, at)| before.get(file) != Some(at));
        changed.map(|(file, _)| file).collect()
    }

    async fn indexed_at(&self, files: &[(&str, &str)]) -> BTreeMap<String, DateTime<Utc>> {
        let mut all = BTreeMap::new();
        for (realm, path) in files {
            let row = self.row(realm, path).await;
            let at = row
                .filter(|row| row.document.is_some())
                .and_then(|row| row.indexed_at);
            all.extend(at.map(|at| (format!("{realm}/{path}"), at)));
        }
        all
    }

    pub async fn findings(&self, realm: RealmId) -> Vec<String> {
        let findings = self.store.findings(realm).await.unwrap();
        findings
            .iter()
            .filter(|one| one.finding.tool.is_some())
            .map(|one| format!("{}: {}", one.path, one.finding.message))
            .collect()
    }

    /// Waits until a file is being read.
    pub async fn until_read(&self, path: &str) {
        until!(path, self.is_reading(path));
    }

    pub fn is_reading(&self, path: &str) -> bool {
        self.reading.lock().unwrap().contains_key(path)
    }
}

/// Waits for a condition, which may await.
macro_rules! until {
    ($what:expr, $condition:expr) => {{
        let begun = std::time::Instant::now();
        while !$condition {
            assert!(
                begun.elapsed() < crate::fleet::PATIENCE,
                "not in time: {}",
                $what
            );
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }};
}
pub(crate) use until;

/// A folder that does as it is told.
#[derive(Clone)]
struct Told {
    folder: FolderSource,
    on_read: OnRead,
    reading: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl std::fmt::Debug for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.folder.fmt(f)
    }
}

/// A file that is being read.
struct Reading<'a>(&'a Told, String);

impl<'a> Reading<'a> {
    fn of(told: &'a Told, path: &RealmPath) -> Self {
        let mut reading = told.reading.lock().unwrap();
        *reading.entry(path.to_string()).or_default() += 1;
        Self(told, path.to_string())
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let mut reading = self.0.reading.lock().unwrap();
        let count = reading.get_mut(&self.1).unwrap();
        *count -= 1;
        if *count == 0 {
            reading.remove(&self.1);
        }
    }
}

#[async_trait]
impl Source for Told {
    async fn list(&self) -> Result<Vec<Listed>, SourceError> {
        self.folder.list().await
    }

    async fn read(&self, path: &RealmPath, max_bytes: u64) -> Result<FileBytes, SourceError> {
        let _reading = Reading::of(self, path);
        match (self.on_read)(path.as_str()) {
            Deed::Read => self.folder.read(path, max_bytes).await,
            Deed::Hang => std::future::pending().await,
            Deed::Panic => panic!("as it was told"),
            Deed::Fail => Err(SourceError::Unreachable {
                at: path.to_string(),
                why: "as it was told".to_owned(),
            }),
        }
    }
}
