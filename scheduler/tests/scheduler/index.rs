//! An index to test on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use prometheus::Registry;
use realmdex_queue::{Broker, Consumer};
use realmdex_scheduler::Metrics;
use realmdex_store::{Cause, JobFilter, JobId, NewJob, NewRealm, Realm, Store, Work};
use realmdex_types::{JobClass, JobState, RealmPath, RealmUrl};
use sqlx::{Connection, Executor, PgConnection};
use tokio::task::LocalSet;

use crate::database::with_url;

/// Whatever should happen does so long before.
const PATIENCE: Duration = Duration::from_secs(30);

/// An index of its own.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) store: Store,
    url: String,
}

/// Runs a test on an empty index.
pub(crate) async fn with_index<F>(test: impl FnOnce(Index) -> F)
where
    F: Future<Output = ()> + 'static,
{
    with_url(async |url: String| {
        let store = Store::connect(&url, 8).await.unwrap();
        store.migrate().await.unwrap();
        let index = Index {
            store: store.clone(),
            url,
        };
        // A task of its own, so that a panic is an answer.
        let tested = LocalSet::new()
            .run_until(async { tokio::task::spawn_local(test(index)).await })
            .await;
        store.close().await;
        tested
    })
    .await;
}

/// Waits until something is so.
pub(crate) async fn eventually(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so().await {
        assert!(Instant::now() < end, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

pub(crate) fn metrics() -> Arc<Metrics> {
    Arc::new(Metrics::new(Registry::new()).unwrap())
}

/// The value of one series; none where it is not told.
pub(crate) fn counted(metrics: &Metrics, series: &str) -> Option<f64> {
    let text = prometheus::TextEncoder::new()
        .encode_to_string(&metrics.registry().gather())
        .unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(series))?;
    line.trim().parse().ok()
}

/// Everything that a broker has for a class now.
pub(crate) fn delivered(broker: &Broker, class: JobClass) -> Vec<i64> {
    let mut consumer: Consumer = broker.consume(class, u16::MAX);
    // Together, so that none is given back and comes again.
    let deliveries: Vec<_> = std::iter::from_fn(|| consumer.try_next()).collect();
    deliveries
        .iter()
        .map(|delivery| delivery.hint().0)
        .collect()
}

pub(crate) fn path(text: &str) -> RealmPath {
    RealmPath::parse(text).unwrap()
}

pub(crate) fn url(name: &str) -> RealmUrl {
    RealmUrl::parse(&format!("https://realm.test/{name}/")).unwrap()
}

impl Index {
    /// The same index by a single connection, as the embedded database has it.
    pub(crate) async fn store_of_one_connection(&self) -> Store {
        Store::connect(&self.url, 1).await.unwrap()
    }

    /// A realm that nobody has asked to be indexed.
    pub(crate) async fn realm(&self, name: &str) -> Realm {
        let source = format!("file:///nowhere/{name}/");
        self.store
            .register_realm(&url(name), &source)
            .await
            .unwrap()
    }

    /// The same, as operators do it: it is to be indexed.
    pub(crate) async fn added(&self, name: &str, source: &str) -> Realm {
        let new = NewRealm {
            url: url(name),
            source: source.to_owned(),
            owner: "operator".to_owned(),
            readers: vec!["*".to_owned()],
        };
        self.store.add_realm(&new).await.unwrap().0
    }

    pub(crate) async fn enqueue(
        &self,
        realm: &Realm,
        paths: impl IntoIterator<Item = String>,
        class: JobClass,
    ) -> Vec<JobId> {
        let change_seq = self.store.next_change().await.unwrap();
        let jobs: Vec<NewJob> = paths
            .into_iter()
            .map(|text| NewJob {
                work: Work::IndexFile {
                    realm: realm.id,
                    path: path(&text),
                },
                class,
                change_seq,
                force: false,
                cause: Cause::Change,
            })
            .collect();
        self.store.enqueue(&jobs).await.unwrap().new
    }

    /// The files that wait to be looked at.
    pub(crate) async fn waiting(&self, realm: &Realm) -> BTreeSet<String> {
        let filter = JobFilter {
            states: vec![JobState::Queued],
            realm: Some(realm.id),
            ..JobFilter::default()
        };
        let jobs = self.store.jobs(&filter, 100_000).await.unwrap();
        jobs.into_iter()
            .filter_map(|job| match job.work {
                Work::IndexFile { path, .. } => Some(path.to_string()),
                _ => None,
            })
            .collect()
    }

    /// Why the realm was asked to be indexed, the newest last.
    pub(crate) async fn reasons(&self, realm: &Realm) -> Vec<String> {
        let rows = self.store.reindexes(Some(realm.id), None, 1000).await;
        rows.unwrap()
            .into_iter()
            .rev()
            .map(|row| row.reason)
            .collect()
    }

    /// Has files known, as if they had been computed from bytes that are all `from`.
    pub(crate) async fn known(&self, realm: &Realm, paths: &[&str], from: u8) {
        for path in paths {
            let id = realm.url.file(&crate::index::path(path));
            self.sql(&format!(
                "insert into files (module_id, realm_id, path, state, digest, computed_from, change_seq, read_at, changed_at)
                 select '{id}', id, '{path}', 'present', decode(repeat('00', 32), 'hex'),
                        decode(repeat('{from:02x}', 32), 'hex'), 1, now(), now()
                 from realms where url = '{}'",
                realm.url
            ))
            .await;
        }
    }

    /// The same index by a single connection.
    pub(crate) async fn with_one_connection(&self) -> Store {
        Store::connect(&self.url, 1).await.unwrap()
    }

    /// Runs a statement that nobody but a test would.
    pub(crate) async fn sql(&self, statement: &str) {
        let mut connection = PgConnection::connect(&self.url).await.unwrap();
        let statement = sqlx::AssertSqlSafe(statement.to_owned());
        connection.execute(statement).await.unwrap();
        connection.close().await.unwrap();
    }
}
