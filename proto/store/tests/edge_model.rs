//! The invariant of edges, at every interleaving of readings and commits that a random play comes to: each edge says what
//! its target is, or a job for one of its ends is open; and when all is done the rows say what lies on the disk.
#![allow(clippy::unwrap_used)]

mod database;
mod stage;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use realmdex_store::{
    ClaimedJob, ComputedRow, FileWrite, Follow, Found, JobId, Place, Realm, RegistryVersion,
    TargetState, Work,
};
use realmdex_types::{ContentDigest, JobState, ModuleId, ReadState};
use stage::{LONG, Stage, facts, id, row, with_stage};

/// Files: of realm `a` or `b`.
const FILES: [(usize, &str); 8] = [
    (0, "s.md"),
    (0, "t.md"),
    (0, "m.js"),
    (0, "m.ts"),
    (1, "k.md"),
    (1, "n.js"),
    (1, "n.ts"),
    (1, "sub/u.js"),
];
const SKILLS: [usize; 3] = [0, 1, 4];
const OWNERS: [&str; 2] = ["alice", "bob"];

/// What lies where, and who may read it.
#[derive(Clone, Debug)]
struct Disk {
    /// Bytes by file; none where there is none.
    bytes: [Option<u64>; FILES.len()],
    /// Whose each realm is, and whether the other's owner may read it.
    owner: [&'static str; 2],
    lets_read: [bool; 2],
}

impl Disk {
    fn new() -> Self {
        Self {
            bytes: [
                Some(0),
                Some(1),
                None,
                Some(0),
                Some(0),
                Some(0),
                None,
                Some(0),
            ],
            owner: OWNERS,
            lets_read: [true, true],
        }
    }

    fn may_read(&self, reading: usize, asked: usize) -> bool {
        reading == asked || self.owner[reading] == self.owner[asked] || self.lets_read[asked]
    }
}

/// What the modules of a skill are, by its bytes: each with every extension in the order in which it is looked for.
fn imports(skill: usize, bytes: u64) -> Vec<&'static [usize]> {
    const M: &[usize] = &[2, 3];
    const N: &[usize] = &[5, 6];
    const U: &[usize] = &[7];
    match (skill, bytes % 3) {
        (0, 0) => vec![M, N],
        (0, 1) => vec![N],
        (1, 0) => vec![U],
        (1, _) => vec![N, U],
        (4, 0) => vec![M, N],
        (4, 1) => vec![],
        _ => vec![M],
    }
}

/// How a skill's modules are found on a disk, with the rights of its realm's owner.
fn find(disk: &Disk, rights: &Disk, skill: usize, import: &[usize]) -> Vec<(usize, ReadState)> {
    let mut found = Vec::new();
    for candidate in import {
        if !rights.may_read(FILES[skill].0, FILES[*candidate].0) {
            found.push((*candidate, ReadState::Denied));
            continue;
        }
        match disk.bytes[*candidate] {
            None => found.push((*candidate, ReadState::Absent)),
            Some(bytes) => {
                found.push((*candidate, read(bytes)));
                break;
            }
        }
    }
    found
}

fn text(bytes: u64) -> String {
    format!("bytes {bytes}")
}

fn read(bytes: u64) -> ReadState {
    stage::read(&text(bytes))
}

/// A worker at its work.
struct Running {
    job: ClaimedJob,
    file: usize,
    registry: RegistryVersion,
    since: DateTime<Utc>,
    bytes: Option<u64>,
    rights: Disk,
    left: Vec<&'static [usize]>,
    edges: BTreeMap<usize, ReadState>,
}

impl Running {
    fn begin(job: ClaimedJob, file: usize, registry: RegistryVersion, disk: &Disk) -> Self {
        let bytes = disk.bytes[file];
        let left = match bytes {
            Some(bytes) if SKILLS.contains(&file) => imports(file, bytes),
            _ => Vec::new(),
        };
        Self {
            job,
            file,
            registry,
            since: Utc::now(),
            bytes,
            rights: disk.clone(),
            left,
            edges: BTreeMap::new(),
        }
    }

    /// Looks for one more of its modules.
    fn read_on(&mut self, disk: &Disk) -> bool {
        let Some(import) = self.left.pop() else {
            return false;
        };
        self.edges
            .extend(find(disk, &self.rights, self.file, import));
        true
    }

    fn write(&self, realms: &[Realm; 2]) -> FileWrite {
        let (realm, at) = FILES[self.file];
        let found = match self.bytes {
            None => Found::Absent,
            Some(bytes) => {
                let facts = facts(&text(bytes));
                let is_settled = self.job.before.as_ref().is_some_and(|before| {
                    before.computed_from == Some(facts.digest)
                        && !before.is_broken
                        && !before.is_unsettled
                });
                if is_settled && !self.job.force {
                    Found::Present(facts)
                } else {
                    Found::Computed(facts, Box::new(self.row(realms)))
                }
            }
        };
        FileWrite {
            module_id: id(&realms[realm], at),
            place: Some(stage::place(&realms[realm], at)),
            change_seq: self.job.change_seq,
            lease: Some(self.job.lease),
            read_at: self.since,
            found,
        }
    }

    fn row(&self, realms: &[Realm; 2]) -> ComputedRow {
        let target = |file: usize| {
            let (realm, at) = FILES[file];
            (id(&realms[realm], at), stage::place(&realms[realm], at))
        };
        let edges: Vec<(ModuleId, ReadState)> = self
            .edges
            .iter()
            .map(|(file, found)| (target(*file).0, found.clone()))
            .collect();
        let denied: Vec<(ModuleId, Place)> = self
            .edges
            .iter()
            .filter(|(_, found)| **found == ReadState::Denied)
            .map(|(file, _)| target(*file))
            .collect();
        ComputedRow {
            packages: Some("map".to_owned()),
            registry: Some(self.registry),
            ..row(&edges, &denied)
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// A file gets new bytes, is made or removed; and someone says so, or not.
    Edit {
        file: usize,
        is_told: bool,
    },
    Delete {
        file: usize,
        is_told: bool,
    },
    /// Who owns the realm, and whether the other's owner may read it.
    Rights {
        realm: usize,
        owner: usize,
        lets: bool,
    },
    /// A job is claimed and its file read; it looks for one module more; it is written, alone or with another.
    Begin(usize),
    Read(usize),
    Commit(usize),
    CommitTwo(usize, usize),
    /// A worker is given up for lost, though it goes on.
    Reap(usize),
    Release(usize),
    Mend,
}

fn step() -> impl Strategy<Value = Step> {
    let file = 0..FILES.len();
    prop_oneof![
        4 => (file.clone(), prop::bool::weighted(0.7)).prop_map(|(file, is_told)| Step::Edit { file, is_told }),
        2 => (file, prop::bool::weighted(0.7)).prop_map(|(file, is_told)| Step::Delete { file, is_told }),
        1 => (0..2_usize, 0..2_usize, any::<bool>())
            .prop_map(|(realm, owner, lets)| Step::Rights { realm, owner, lets }),
        6 => (0..8_usize).prop_map(Step::Begin),
        4 => (0..8_usize).prop_map(Step::Read),
        5 => (0..8_usize).prop_map(Step::Commit),
        1 => (0..8_usize, 0..8_usize).prop_map(|(one, two)| Step::CommitTwo(one, two)),
        1 => (0..8_usize).prop_map(Step::Reap),
        1 => (0..8_usize).prop_map(Step::Release),
        1 => Just(Step::Mend),
    ]
}

struct Play {
    stage: Stage,
    realms: [Realm; 2],
    disk: Disk,
    running: Vec<Running>,
    /// Whether something changed that nobody was told of.
    is_unannounced: bool,
    number: u64,
}

impl Play {
    async fn new(stage: &Stage) -> Self {
        for realm in stage.store.realms().await.unwrap() {
            stage.store.remove_realm(realm.id).await.unwrap();
        }
        sqlx::query("delete from files")
            .execute(&stage.tables)
            .await
            .unwrap();
        let realms = [
            stage.owned("a", "alice", &["*"]).await,
            stage.owned("b", "bob", &["*"]).await,
        ];
        let play = Self {
            stage: stage.clone(),
            realms,
            disk: Disk::new(),
            running: Vec::new(),
            is_unannounced: false,
            number: 10,
        };
        play.look_at_all().await;
        play
    }

    async fn look_at_all(&self) {
        for (number, realm) in self.realms.iter().enumerate() {
            let files: Vec<&str> = FILES
                .iter()
                .filter(|(of, _)| *of == number)
                .map(|(_, at)| *at)
                .collect();
            self.stage.take_in(realm, &files, &[]).await;
        }
    }

    async fn told(&mut self, file: usize, is_told: bool) {
        let (realm, at) = FILES[file];
        if is_told {
            self.stage.take_in(&self.realms[realm], &[at], &[]).await;
        } else {
            self.is_unannounced = true;
        }
    }

    fn file_of(&self, work: &Work) -> usize {
        let Work::IndexFile { realm, path } = work else {
            panic!("not a file");
        };
        let number = usize::from(*realm == self.realms[1].id);
        FILES
            .iter()
            .position(|(of, at)| *of == number && *at == path.as_str())
            .unwrap()
    }

    /// The nth of the queued jobs; the oldest is the first.
    async fn begin(&mut self, nth: usize) -> bool {
        self.stage.time_passes().await;
        let queued = self.stage.jobs(&[JobState::Queued]).await;
        if queued.is_empty() {
            return false;
        }
        let job: JobId = queued[queued.len() - 1 - nth % queued.len()].id;
        let mut claims = self.stage.store.claim(&[job], "w", LONG).await.unwrap();
        if !claims.alone.is_empty() {
            claims = self.stage.store.claim_alone(job, "w", LONG).await.unwrap();
        }
        for job in claims.claimed {
            let file = self.file_of(&job.work);
            let running = Running::begin(job, file, claims.registry, &self.disk);
            self.running.push(running);
        }
        true
    }

    async fn commit(&mut self, nth: &[usize]) {
        let mut writes = Vec::new();
        for nth in nth {
            if self.running.is_empty() {
                break;
            }
            let mut running = self.running.remove(nth % self.running.len());
            while running.read_on(&self.disk) {}
            writes.push(running.write(&self.realms));
        }
        let committed = self.stage.store.commit(&writes, Follow::Enqueue).await;
        committed.unwrap();
    }

    async fn play(&mut self, step: &Step) {
        match *step {
            Step::Edit { file, is_told } => {
                self.number += 1;
                self.disk.bytes[file] = Some(self.number);
                self.told(file, is_told).await;
            }
            Step::Delete { file, is_told } => {
                self.disk.bytes[file] = None;
                self.told(file, is_told).await;
            }
            Step::Rights { realm, owner, lets } => {
                self.disk.owner[realm] = OWNERS[owner];
                self.disk.lets_read[realm] = lets;
                let readers: Vec<String> = if lets {
                    OWNERS.map(ToOwned::to_owned).to_vec()
                } else {
                    Vec::new()
                };
                let id = self.realms[realm].id;
                let set = self.stage.store.set_rights(id, OWNERS[owner], &readers);
                set.await.unwrap();
            }
            Step::Begin(nth) => {
                self.begin(nth).await;
            }
            Step::Read(nth) => {
                if !self.running.is_empty() {
                    let nth = nth % self.running.len();
                    self.running[nth].read_on(&self.disk);
                }
            }
            Step::Commit(nth) => self.commit(&[nth]).await,
            Step::CommitTwo(one, two) => self.commit(&[one, two]).await,
            Step::Reap(nth) => {
                if !self.running.is_empty() {
                    let nth = nth % self.running.len();
                    sqlx::query("update jobs set lease_until = now() - interval '1 s', lone_losses = 0 where lease_token = $1")
                        .bind(self.running[nth].job.lease.token)
                        .execute(&self.stage.tables)
                        .await
                        .unwrap();
                    self.stage.store.reap(&[]).await.unwrap();
                }
            }
            Step::Release(nth) => {
                if !self.running.is_empty() {
                    let running = self.running.remove(nth % self.running.len());
                    self.stage.store.release(running.job.lease).await.unwrap();
                }
            }
            Step::Mend => {
                self.stage.store.mend().await.unwrap();
            }
        }
    }

    /// The invariant itself.
    async fn hold(&self) -> Result<(), TestCaseError> {
        let open = self.stage.open().await;
        for edge in self.stage.broken().await {
            let is_covered = edge.split(" -> ").any(|end| open.contains(end));
            prop_assert!(is_covered, "nobody looks at {edge}, only at {open:?}");
        }
        let outdated = self.stage.store.outdated_files(None).await.unwrap();
        for file in outdated {
            let name = file.as_str().trim_start_matches("https://realm.test/");
            prop_assert!(open.contains(name), "nobody looks at {name}");
        }
        Ok(())
    }

    async fn drain(&mut self) -> Result<(), TestCaseError> {
        for round in 0.. {
            prop_assert!(
                round < 300,
                "there is no end of it: {:?}",
                self.stage.open().await
            );
            self.hold().await?;
            if !self.running.is_empty() {
                self.commit(&[0]).await;
            } else if !self.begin(0).await {
                break;
            }
        }
        Ok(())
    }

    async fn end(&mut self) -> Result<(), TestCaseError> {
        self.drain().await?;
        prop_assert_eq!(self.stage.broken().await, BTreeSet::new());
        prop_assert_eq!(self.stage.store.mend().await.unwrap(), 0);
        if self.is_unannounced {
            self.look_at_all().await;
            self.drain().await?;
        }
        self.is_as_on_disk().await
    }

    async fn is_as_on_disk(&self) -> Result<(), TestCaseError> {
        let store = &self.stage.store;
        prop_assert_eq!(self.stage.broken().await, BTreeSet::new());
        prop_assert_eq!(store.outdated_files(None).await.unwrap(), vec![]);
        for (file, (realm, at)) in FILES.iter().enumerate() {
            let id = id(&self.realms[*realm], at);
            let row = store.file(&id).await.unwrap();
            let expected = match self.disk.bytes[file] {
                Some(bytes) => TargetState::Present(ContentDigest::of(text(bytes).as_bytes())),
                None => TargetState::Absent,
            };
            prop_assert_eq!(row.map(|row| row.state), Some(expected), "{}", at);
            let mut edges: BTreeMap<String, ReadState> = BTreeMap::new();
            if let (Some(bytes), true) = (self.disk.bytes[file], SKILLS.contains(&file)) {
                for import in imports(file, bytes) {
                    for (target, found) in find(&self.disk, &self.disk, file, import) {
                        let (realm, at) = FILES[target];
                        let target = stage::id(&self.realms[realm], at);
                        edges.insert(target.as_str().to_owned(), found);
                    }
                }
            }
            prop_assert_eq!(self.stage.edges(&id).await, edges, "{}", at);
        }
        Ok(())
    }
}

fn config() -> Config {
    let cases = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: cases.and_then(|cases| cases.parse().ok()).unwrap_or(24),
        max_shrink_iters: 300,
        failure_persistence: None,
        ..Config::default()
    }
}

/// One worker's or person's step after another.
#[tokio::test(flavor = "multi_thread")]
async fn edges_say_what_is_or_someone_looks() {
    with_stage(async |stage| {
        let handle = tokio::runtime::Handle::current();
        let run = move || {
            let steps = prop::collection::vec(step(), 1..60);
            TestRunner::new(config())
                .run(&steps, |steps| {
                    handle.block_on(async {
                        let mut play = Play::new(&stage).await;
                        for step in &steps {
                            play.play(step).await;
                            play.hold().await?;
                        }
                        play.end().await
                    })
                })
                .unwrap_or_else(|error| panic!("{error}"));
        };
        tokio::task::spawn_blocking(run).await.unwrap();
    })
    .await;
}

/// Workers, editors and reapers all at once, on connections of their own.
#[tokio::test(flavor = "multi_thread")]
async fn edges_say_what_is_in_the_end() {
    with_stage(async |stage| {
        let mut play = Play::new(&stage).await;
        let disk = Arc::new(Mutex::new(play.disk.clone()));
        let numbers = Arc::new(AtomicU64::new(100));
        let workers = (0..5).map(|worker| {
            let (stage, disk) = (stage.clone(), Arc::clone(&disk));
            let realms = play.realms.clone();
            tokio::spawn(work(stage, realms, disk, worker))
        });
        let workers: Vec<_> = workers.collect();
        let editors = (0..2).map(|editor| {
            let (stage, disk) = (stage.clone(), Arc::clone(&disk));
            let (realms, numbers) = (play.realms.clone(), Arc::clone(&numbers));
            tokio::spawn(edit(stage, realms, disk, numbers, editor))
        });
        for task in editors.collect::<Vec<_>>().into_iter().chain(workers) {
            task.await.unwrap();
        }
        play.disk = disk.lock().unwrap().clone();
        play.end().await.unwrap();
    })
    .await;
}

/// Edits for a while: bytes, and now and then rights.
async fn edit(
    stage: Stage,
    realms: [Realm; 2],
    disk: Arc<Mutex<Disk>>,
    numbers: Arc<AtomicU64>,
    editor: usize,
) {
    for round in 0..60_usize {
        let file = (round * 5 + editor * 3) % FILES.len();
        let (realm, at) = FILES[file];
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        {
            let mut disk = disk.lock().unwrap();
            disk.bytes[file] = (!number.is_multiple_of(4)).then_some(number);
        }
        stage.take_in(&realms[realm], &[at], &[]).await;
        if editor == 0 && round % 6 == 0 {
            let lets = round % 12 == 0;
            // Who asks for rights between the two sees either; the version that it asked for tells it which.
            let readers: Vec<String> = if lets { vec!["*".to_owned()] } else { vec![] };
            let set = stage.store.set_rights(realms[1].id, "bob", &readers);
            set.await.unwrap();
            disk.lock().unwrap().lets_read[1] = lets;
        }
    }
}

async fn work(stage: Stage, realms: [Realm; 2], disk: Arc<Mutex<Disk>>, worker: usize) {
    let mut idle = 0;
    while idle < 20 {
        stage.time_passes().await;
        let queued = stage.jobs(&[JobState::Queued]).await;
        let hints: Vec<JobId> = queued
            .iter()
            .skip(worker % 3)
            .take(3)
            .map(|job| job.id)
            .collect();
        let claims = stage.store.claim(&hints, "w", LONG).await.unwrap();
        idle = if claims.claimed.is_empty() {
            idle + 1
        } else {
            0
        };
        // The rights as of that version, or a later one.
        let registry = stage.store.registry().await.unwrap();
        let mut seen = disk.lock().unwrap().clone();
        seen.lets_read[1] = registry.realms[1].lets_read("alice");
        let mut running: Vec<Running> = claims
            .claimed
            .into_iter()
            .map(|job| {
                let Work::IndexFile { realm, path: at } = &job.work else {
                    panic!("not a file");
                };
                let of = usize::from(*realm == realms[1].id);
                let file = FILES.iter().position(|file| *file == (of, at.as_str()));
                let mut running =
                    Running::begin(job.clone(), file.unwrap(), registry.version, &seen);
                running.rights = seen.clone();
                running
            })
            .collect();
        for running in &mut running {
            tokio::task::yield_now().await;
            let now = disk.lock().unwrap().clone();
            while running.read_on(&now) {}
        }
        let writes: Vec<FileWrite> = running
            .iter()
            .map(|running| running.write(&realms))
            .collect();
        if !writes.is_empty() {
            stage.store.commit(&writes, Follow::Enqueue).await.unwrap();
        }
    }
}
