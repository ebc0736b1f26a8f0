//! What each job must be after any play of those who ask for work, offer it, do it, lose it and call it off; and what must
//! hold whatever they do. A model is kept beside, and compared with the table after each step.
#![allow(clippy::unwrap_used)]

mod database;
mod stage;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use realmdex_store::{
    Cause, ChangeSeq, Follow, JobId, Lease, NewJob, OfferTime, Realm, Reaped, TargetState,
};
use realmdex_types::{ContentDigest, JobClass, JobState};
use sqlx::Row;
use stage::{LONG, OVER, Stage, computed, done, file, id, with_stage};

const FILES: [&str; 3] = ["a.md", "b.md", "c.md"];
const TRIES: u32 = 3;

/// A job, as the table has it and as the model says.
#[derive(Clone, Debug, PartialEq)]
struct Job {
    file: usize,
    state: JobState,
    class: JobClass,
    change_seq: i64,
    force: bool,
    attempts: i32,
    was_lost: bool,
    lone_losses: i32,
    /// Whether its time has come.
    is_due: bool,
    /// An offer stands, or has lapsed.
    offer: Option<bool>,
    /// Whether its lease holds on.
    holds: Option<bool>,
    is_called_off: bool,
}

/// A worker that believes it has a job.
#[derive(Clone, Debug)]
struct Worker {
    lease: Lease,
    file: usize,
    change_seq: ChangeSeq,
    claimed_at: usize,
}

#[derive(Clone, Debug)]
enum Step {
    Enqueue {
        files: Vec<usize>,
        is_urgent: bool,
        force: bool,
        cause: Option<bool>,
    },
    Offer {
        is_urgent: bool,
        room: u32,
        stands: bool,
    },
    Withdraw(usize),
    Claim {
        nth: usize,
        count: usize,
        holds: bool,
    },
    ClaimAlone {
        nth: usize,
        holds: bool,
    },
    Beat,
    Retry {
        nth: usize,
        later: bool,
    },
    Release(usize),
    Fail(usize),
    CalledOff(usize),
    Commit(usize),
    Reap {
        spared: usize,
    },
    Cancel(usize),
    CancelAll,
    Redrive(Option<usize>),
    TimePasses,
}

fn step() -> impl Strategy<Value = Step> {
    let nth = || 0..12_usize;
    let flag = any::<bool>;
    prop_oneof![
        6 => (prop::collection::vec(0..FILES.len(), 1..4), flag(), flag(), prop::option::weighted(0.3, flag()))
            .prop_map(|(files, is_urgent, force, cause)| Step::Enqueue { files, is_urgent, force, cause }),
        3 => (flag(), 0..4_u32, flag())
            .prop_map(|(is_urgent, room, stands)| Step::Offer { is_urgent, room, stands }),
        1 => nth().prop_map(Step::Withdraw),
        5 => (nth(), 1..4_usize, prop::bool::weighted(0.7))
            .prop_map(|(nth, count, holds)| Step::Claim { nth, count, holds }),
        3 => (nth(), flag()).prop_map(|(nth, holds)| Step::ClaimAlone { nth, holds }),
        1 => Just(Step::Beat),
        3 => (nth(), flag()).prop_map(|(nth, later)| Step::Retry { nth, later }),
        1 => nth().prop_map(Step::Release),
        1 => nth().prop_map(Step::Fail),
        1 => nth().prop_map(Step::CalledOff),
        4 => nth().prop_map(Step::Commit),
        3 => nth().prop_map(|spared| Step::Reap { spared }),
        1 => nth().prop_map(Step::Cancel),
        1 => Just(Step::CancelAll),
        1 => prop::option::of(nth()).prop_map(Step::Redrive),
        1 => Just(Step::TimePasses),
    ]
}

struct Play {
    stage: Stage,
    realm: Realm,
    jobs: BTreeMap<JobId, Job>,
    workers: Vec<Worker>,
    /// Each file's changes that nobody has looked at yet, by when they came.
    waiting: [Vec<(usize, i64)>; FILES.len()],
    written: [i64; FILES.len()],
    now: usize,
}

fn holds_on(lease: &Lease, held: &BTreeMap<JobId, Lease>) -> bool {
    held.get(&lease.job) == Some(lease)
}

fn class(is_urgent: bool) -> JobClass {
    if is_urgent {
        JobClass::Interactive
    } else {
        JobClass::Bulk
    }
}

impl Play {
    async fn new(stage: &Stage) -> Self {
        for realm in stage.store.realms().await.unwrap() {
            stage.store.remove_realm(realm.id).await.unwrap();
        }
        Self {
            stage: stage.clone(),
            realm: stage.realm("a").await,
            jobs: BTreeMap::new(),
            workers: Vec::new(),
            waiting: Default::default(),
            written: [0; FILES.len()],
            now: 0,
        }
    }

    /// The table.
    async fn table(&self) -> BTreeMap<JobId, Job> {
        let rows = sqlx::query(
            "select id, path, state, class, change_seq, force, attempts, was_lost, lone_losses, run_at <= now() as is_due,
                    offered_until > now() as offer, lease_until > now() as holds, cancel_requested from jobs",
        )
        .fetch_all(&self.stage.tables)
        .await
        .unwrap();
        rows.iter()
            .map(|row| {
                let at: String = row.get("path");
                let state = JobState::parse(row.get("state")).unwrap();
                let job = Job {
                    file: FILES.iter().position(|file| *file == at).unwrap(),
                    state,
                    class: JobClass::parse(row.get("class")).unwrap(),
                    change_seq: row.get("change_seq"),
                    force: row.get("force"),
                    attempts: row.get("attempts"),
                    was_lost: row.get("was_lost"),
                    lone_losses: row.get("lone_losses"),
                    is_due: row.get("is_due"),
                    offer: row.get("offer"),
                    holds: row.get("holds"),
                    is_called_off: row.get("cancel_requested"),
                };
                (JobId::numbered(row.get("id")), job)
            })
            .collect()
    }

    fn queued(&self, file: usize) -> Option<JobId> {
        let found = self.jobs.iter();
        let mut found = found.filter(|(_, job)| job.file == file && job.state == JobState::Queued);
        found.next().map(|(id, _)| *id)
    }

    fn nth(&self, nth: usize) -> Option<JobId> {
        let count = self.jobs.len();
        if count == 0 {
            return None;
        }
        self.jobs.keys().nth(nth % count).copied()
    }

    /// Which lease each running job is under: the last worker's that claimed it.
    fn held(&self) -> BTreeMap<JobId, Lease> {
        let mut held = BTreeMap::new();
        for worker in &self.workers {
            held.insert(worker.lease.job, worker.lease);
        }
        held.retain(|job, _| {
            self.jobs
                .get(job)
                .is_some_and(|job| job.state == JobState::Running)
        });
        held
    }

    fn end(&mut self, id: JobId, state: JobState) {
        let job = self.jobs.get_mut(&id).unwrap();
        job.state = state;
        job.holds = None;
    }

    /// Merges into the queued job of a file, or is one.
    fn asked(&mut self, new: Job, is_change: bool, id: JobId) {
        let Some(queued) = self.queued(new.file) else {
            let mut new = new;
            new.was_lost = self
                .jobs
                .values()
                .any(|job| job.file == new.file && job.state == JobState::Dead && job.was_lost);
            self.jobs.insert(id, new);
            return;
        };
        let job = self.jobs.get_mut(&queued).unwrap();
        if new.class == JobClass::Interactive && job.class == JobClass::Bulk {
            job.class = JobClass::Interactive;
            job.offer = None;
        }
        job.change_seq = job.change_seq.max(new.change_seq);
        job.force |= new.force;
        if is_change {
            job.attempts = 0;
            job.is_due = true;
        }
    }

    /// A running job is to be run again.
    fn again(&mut self, id: JobId, change: impl FnOnce(&mut Job), lost: Option<i32>) {
        let job = self.jobs[&id].clone();
        if job.is_called_off {
            self.end(id, JobState::Cancelled);
        } else if let Some(twin) = self.queued(job.file) {
            self.end(id, JobState::Superseded);
            self.asked(job, false, id);
            if let Some(losses) = lost {
                let twin = self.jobs.get_mut(&twin).unwrap();
                twin.was_lost = true;
                twin.lone_losses = twin.lone_losses.max(losses);
            }
        } else {
            let job = self.jobs.get_mut(&id).unwrap();
            job.state = JobState::Queued;
            job.holds = None;
            job.is_due = true;
            change(job);
        }
    }

    async fn claimed(&mut self, claimed: Vec<realmdex_store::ClaimedJob>, holds: bool) {
        for claimed in claimed {
            let job = self.jobs.get_mut(&claimed.lease.job).unwrap();
            assert_eq!(
                (claimed.force, claimed.change_seq.number()),
                (job.force, job.change_seq)
            );
            assert_eq!(
                (claimed.is_alone, claimed.attempts as i32),
                (job.was_lost, job.attempts)
            );
            job.state = JobState::Running;
            job.offer = None;
            job.holds = Some(holds);
            self.workers.push(Worker {
                lease: claimed.lease,
                file: job.file,
                change_seq: claimed.change_seq,
                claimed_at: self.now,
            });
        }
    }

    fn worker(&mut self, nth: usize) -> Option<Worker> {
        if self.workers.is_empty() {
            return None;
        }
        Some(self.workers[nth % self.workers.len()].clone())
    }

    async fn play(&mut self, step: &Step) -> Result<(), TestCaseError> {
        self.now += 1;
        let store = self.stage.store.clone();
        let held = self.held();
        match step {
            Step::Enqueue {
                files,
                is_urgent,
                force,
                cause,
            } => {
                let change_seq = store.next_change().await.unwrap();
                let cause = match cause {
                    None => Cause::Change,
                    Some(later) => Cause::FollowUp {
                        after: if *later { LONG } else { OVER },
                    },
                };
                let new: Vec<NewJob> = files
                    .iter()
                    .map(|number| NewJob {
                        work: file(&self.realm, FILES[*number]),
                        class: class(*is_urgent),
                        change_seq,
                        force: *force,
                        cause,
                    })
                    .collect();
                let files: BTreeSet<usize> = files.iter().copied().collect();
                let queued: BTreeSet<JobId> =
                    files.iter().filter_map(|file| self.queued(*file)).collect();
                let enqueued = store.enqueue(&new).await.unwrap();
                prop_assert_eq!(
                    enqueued.merged.iter().copied().collect::<BTreeSet<_>>(),
                    queued
                );
                let is_new = files
                    .iter()
                    .filter(|file| self.queued(**file).is_none())
                    .count();
                prop_assert_eq!(enqueued.new.len(), is_new);
                let table = self.table().await;
                for number in files {
                    let new = enqueued.new.iter().find(|id| table[*id].file == number);
                    let job = Job {
                        file: number,
                        state: JobState::Queued,
                        class: class(*is_urgent),
                        change_seq: change_seq.number(),
                        force: *force,
                        attempts: 0,
                        was_lost: false,
                        lone_losses: 0,
                        is_due: cause != Cause::FollowUp { after: LONG },
                        offer: None,
                        holds: None,
                        is_called_off: false,
                    };
                    let id = new.copied().unwrap_or(JobId::numbered(0));
                    self.asked(job, cause == Cause::Change, id);
                    self.waiting[number].push((self.now, change_seq.number()));
                }
            }
            Step::Offer {
                is_urgent,
                room,
                stands,
            } => {
                let class = class(*is_urgent);
                let time = OfferTime(if *stands { LONG } else { OVER });
                let offered = store.offer_due(class, *room, time).await.unwrap();
                let due: BTreeSet<JobId> = self
                    .jobs
                    .iter()
                    .filter(|(_, job)| {
                        job.state == JobState::Queued
                            && job.class == class
                            && job.is_due
                            && job.offer != Some(true)
                    })
                    .map(|(id, _)| *id)
                    .collect();
                prop_assert_eq!(offered.len(), due.len().min(*room as usize));
                for id in offered {
                    prop_assert!(due.contains(&id), "{id} is offered already, or not due");
                    self.jobs.get_mut(&id).unwrap().offer = Some(*stands);
                }
                let standing = self.jobs.values().filter(|job| {
                    job.state == JobState::Queued && job.class == class && job.offer == Some(true)
                });
                prop_assert_eq!(
                    store.standing_offers(class).await.unwrap(),
                    standing.count() as u64
                );
            }
            Step::Withdraw(nth) => {
                if let Some(id) = self.nth(*nth) {
                    store.withdraw_offers(&[id]).await.unwrap();
                    let job = self.jobs.get_mut(&id).unwrap();
                    if job.state == JobState::Queued {
                        job.offer = None;
                    }
                }
            }
            Step::Claim { nth, count, holds } => {
                let ids: Vec<JobId> = (0..*count)
                    .filter_map(|more| self.nth(nth + more))
                    .collect();
                let lease = if *holds { LONG } else { OVER };
                let claims = store.claim(&ids, "w", lease).await.unwrap();
                let (mut mine, mut alone) = (BTreeSet::new(), BTreeSet::new());
                for id in ids {
                    let job = &self.jobs[&id];
                    if job.state == JobState::Queued && job.is_due {
                        if job.was_lost {
                            alone.insert(id)
                        } else {
                            mine.insert(id)
                        };
                    }
                }
                let claimed = claims.claimed.iter().map(|job| job.lease.job);
                prop_assert_eq!(claimed.collect::<BTreeSet<_>>(), mine);
                prop_assert_eq!(claims.alone.into_iter().collect::<BTreeSet<_>>(), alone);
                self.claimed(claims.claimed, *holds).await;
            }
            Step::ClaimAlone { nth, holds } => {
                // Rather one that is to be.
                let lost = self
                    .jobs
                    .iter()
                    .find(|(_, job)| job.state == JobState::Queued && job.was_lost);
                if let Some(id) = lost.map(|(id, _)| *id).or(self.nth(*nth)) {
                    let job = &self.jobs[&id];
                    let may = job.state == JobState::Queued && job.is_due && job.was_lost;
                    let lease = if *holds { LONG } else { OVER };
                    let claims = store.claim_alone(id, "w", lease).await.unwrap();
                    prop_assert_eq!(claims.claimed.len(), usize::from(may));
                    self.claimed(claims.claimed, *holds).await;
                }
            }
            Step::Beat => {
                let leases: Vec<Lease> = self.workers.iter().map(|worker| worker.lease).collect();
                let beat = store.beat(&leases, LONG).await.unwrap();
                let lost: Vec<Lease> = leases
                    .iter()
                    .filter(|lease| !holds_on(lease, &held))
                    .copied()
                    .collect();
                prop_assert_eq!(beat.lost, lost);
                let mut off = Vec::new();
                for lease in leases.iter().filter(|lease| holds_on(lease, &held)) {
                    let job = self.jobs.get_mut(&lease.job).unwrap();
                    job.holds = Some(true);
                    if job.is_called_off {
                        off.push(*lease);
                    }
                }
                prop_assert_eq!(beat.cancelled, off);
            }
            Step::Retry { nth, later } => {
                let Some(worker) = self.worker(*nth) else {
                    return Ok(());
                };
                let after = if *later { LONG } else { OVER };
                let is_held = store
                    .retry(worker.lease, after, "down", TRIES)
                    .await
                    .unwrap();
                prop_assert_eq!(is_held, holds_on(&worker.lease, &held));
                if is_held {
                    let attempts = self.jobs[&worker.lease.job].attempts + 1;
                    if attempts as u32 >= TRIES {
                        self.end(worker.lease.job, JobState::Dead);
                    } else {
                        let change = |job: &mut Job| {
                            job.attempts = attempts;
                            job.is_due = !later;
                            job.was_lost = false;
                            job.lone_losses = 0;
                        };
                        self.again(worker.lease.job, change, None);
                    }
                }
            }
            Step::Release(nth) => {
                let Some(worker) = self.worker(*nth) else {
                    return Ok(());
                };
                let is_held = store.release(worker.lease).await.unwrap();
                prop_assert_eq!(is_held, holds_on(&worker.lease, &held));
                if is_held {
                    self.again(worker.lease.job, |_| {}, None);
                }
            }
            Step::Fail(nth) | Step::CalledOff(nth) => {
                let Some(worker) = self.worker(*nth) else {
                    return Ok(());
                };
                let (is_held, state) = if matches!(step, Step::Fail(_)) {
                    (
                        store.fail(worker.lease, "never").await.unwrap(),
                        JobState::Failed,
                    )
                } else {
                    (
                        store.cancelled(worker.lease).await.unwrap(),
                        JobState::Cancelled,
                    )
                };
                prop_assert_eq!(is_held, holds_on(&worker.lease, &held));
                if is_held {
                    self.end(worker.lease.job, state);
                }
            }
            Step::Commit(nth) => {
                let Some(worker) = self.worker(*nth) else {
                    return Ok(());
                };
                let at = FILES[worker.file];
                let bytes = format!("{}", self.now);
                let found = computed(&bytes, &[]);
                let write = done(&self.realm, at, worker.lease, worker.change_seq, found);
                let committed = store.commit(&[write], Follow::Enqueue).await.unwrap();
                let is_held = holds_on(&worker.lease, &held);
                prop_assert_eq!(committed.void.is_empty(), is_held);
                let is_newer = self.written[worker.file] <= worker.change_seq.number();
                prop_assert_eq!(committed.written, usize::from(is_held && is_newer));
                let row = store.file(&id(&self.realm, at)).await.unwrap();
                let state = row.map(|row| row.state);
                let is_mine =
                    state == Some(TargetState::Present(ContentDigest::of(bytes.as_bytes())));
                prop_assert_eq!(is_mine, is_held && is_newer);
                if is_held {
                    self.jobs.remove(&worker.lease.job);
                    self.jobs.retain(|_, job| {
                        job.file != worker.file
                            || !matches!(job.state, JobState::Dead | JobState::Failed)
                            || job.change_seq > worker.change_seq.number()
                    });
                    self.waiting[worker.file].retain(|(since, _)| *since > worker.claimed_at);
                    if is_newer {
                        self.written[worker.file] = worker.change_seq.number();
                    }
                }
            }
            Step::Reap { spared } => {
                let spared: Vec<Lease> = self
                    .worker(*spared)
                    .map(|worker| worker.lease)
                    .into_iter()
                    .collect();
                let reaped = store.reap(&spared).await.unwrap();
                let mut expected = Reaped::default();
                let lost: Vec<JobId> = held
                    .iter()
                    .filter(|(id, lease)| {
                        self.jobs[*id].holds == Some(false) && !spared.contains(lease)
                    })
                    .map(|(id, _)| *id)
                    .collect();
                // In the order of their files.
                for id in lost {
                    let job = self.jobs[&id].clone();
                    let losses = job.lone_losses + i32::from(job.was_lost);
                    if losses >= 3 {
                        expected.dead += 1;
                        self.end(id, JobState::Dead);
                        self.jobs.get_mut(&id).unwrap().lone_losses = losses;
                        if let Some(twin) = self.queued(job.file) {
                            self.jobs.get_mut(&twin).unwrap().was_lost = true;
                        }
                        continue;
                    }
                    let twin = self.queued(job.file);
                    let change = |job: &mut Job| {
                        job.was_lost = true;
                        job.lone_losses = losses;
                    };
                    self.again(id, change, Some(losses));
                    if job.is_called_off || twin.is_some() {
                        expected.superseded += 1;
                    } else {
                        expected.requeued += 1;
                    }
                }
                prop_assert_eq!(reaped, expected);
            }
            Step::Cancel(nth) => {
                if let Some(id) = self.nth(*nth) {
                    store.cancel(id).await.unwrap();
                    self.call_off(&[id]);
                }
            }
            Step::CancelAll => {
                store.cancel_realm(self.realm.id).await.unwrap();
                let all: Vec<JobId> = self.jobs.keys().copied().collect();
                self.call_off(&all);
            }
            Step::Redrive(nth) => {
                let ids = nth.and_then(|nth| self.nth(nth)).map(|id| vec![id]);
                let (all, one) = (ids.is_none(), ids.clone().unwrap_or_default());
                let ended: Vec<JobId> = self
                    .jobs
                    .iter()
                    .filter(|(id, job)| match job.state {
                        JobState::Dead | JobState::Failed => all || one.contains(id),
                        JobState::Cancelled => one.contains(id),
                        _ => false,
                    })
                    .map(|(id, _)| *id)
                    .collect();
                prop_assert_eq!(store.redrive(ids.as_deref()).await.unwrap(), ended.len());
                let table = self.table().await;
                for id in &ended {
                    let old = self.jobs[id].clone();
                    let queued = table
                        .iter()
                        .find(|(_, job)| job.file == old.file && job.state == JobState::Queued);
                    let (new, row) = queued.unwrap();
                    let again = Job {
                        state: JobState::Queued,
                        change_seq: row.change_seq,
                        attempts: 0,
                        lone_losses: 0,
                        is_due: true,
                        offer: None,
                        holds: None,
                        is_called_off: false,
                        ..old
                    };
                    self.asked(again, true, *new);
                }
                for id in ended {
                    self.jobs.remove(&id);
                }
            }
            Step::TimePasses => {
                self.stage.time_passes().await;
                for job in self.jobs.values_mut() {
                    job.is_due = true;
                }
            }
        }
        self.hold().await
    }

    fn call_off(&mut self, ids: &[JobId]) {
        for id in ids {
            let job = self.jobs.get_mut(id).unwrap();
            match job.state {
                JobState::Queued => job.state = JobState::Cancelled,
                JobState::Running => {}
                _ => continue,
            }
            job.is_called_off = true;
            job.offer = None;
        }
    }

    async fn hold(&self) -> Result<(), TestCaseError> {
        let mut table = self.table().await;
        let mut model = self.jobs.clone();
        for job in table.values_mut().chain(model.values_mut()) {
            // Of a job that ended nobody asks when it was due, nor whether it was offered.
            if !matches!(job.state, JobState::Queued | JobState::Running) {
                (job.is_due, job.offer) = (true, None);
            }
            if job.state == JobState::Running {
                job.is_due = true;
            }
        }
        prop_assert_eq!(&table, &model);
        for (file, waiting) in self.waiting.iter().enumerate() {
            let of_file = || table.values().filter(|job| job.file == file);
            prop_assert!(
                of_file()
                    .filter(|job| job.state == JobState::Queued)
                    .count()
                    <= 1
            );
            for (_, change_seq) in waiting {
                let is_covered = of_file()
                    .any(|job| job.change_seq >= *change_seq && job.state != JobState::Superseded);
                prop_assert!(is_covered, "change {change_seq} of {} is lost", FILES[file]);
            }
        }
        Ok(())
    }

    /// Whatever is open gets done, and whatever was asked for is then written.
    async fn end_all(&mut self) -> Result<(), TestCaseError> {
        self.workers.clear();
        sqlx::query("update jobs set lease_until = now() - interval '1 s' where state = 'running'")
            .execute(&self.stage.tables)
            .await
            .unwrap();
        self.stage.store.reap(&[]).await.unwrap();
        self.stage
            .work(|name| {
                let at = name.trim_start_matches("a/").to_owned();
                (self.realm.clone(), at, computed("end", &[]))
            })
            .await;
        let left = self.table().await;
        for (file, waiting) in self.waiting.iter().enumerate() {
            let Some((_, newest)) = waiting.last() else {
                continue;
            };
            let ended = left.values().any(|job| job.file == file);
            let seq: Option<i64> = sqlx::query_scalar(
                "select change_seq from files where path = $1 and realm_id is not null",
            )
            .bind(FILES[file])
            .fetch_optional(&self.stage.tables)
            .await
            .unwrap();
            prop_assert!(
                ended || seq >= Some(*newest),
                "{} is not written",
                FILES[file]
            );
        }
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_job_is_what_it_must_be() {
    with_stage(async |stage| {
        let handle = tokio::runtime::Handle::current();
        let cases = std::env::var("PROPTEST_CASES").ok();
        let config = Config {
            cases: cases.and_then(|cases| cases.parse().ok()).unwrap_or(24),
            max_shrink_iters: 300,
            failure_persistence: None,
            ..Config::default()
        };
        let run = move || {
            TestRunner::new(config)
                .run(&prop::collection::vec(step(), 1..80), |steps| {
                    handle.block_on(async {
                        let mut play = Play::new(&stage).await;
                        for step in &steps {
                            play.play(step).await?;
                        }
                        play.end_all().await
                    })
                })
                .unwrap_or_else(|error| panic!("{error}"));
        };
        tokio::task::spawn_blocking(run).await.unwrap();
    })
    .await;
}

/// What failed for a later change is not taken away by whoever ends an earlier one.
#[tokio::test(flavor = "multi_thread")]
async fn a_later_failure_stays() {
    with_stage(async |stage| {
        let enqueue = || Step::Enqueue {
            files: vec![1],
            is_urgent: false,
            force: false,
            cause: None,
        };
        let claim = |nth| Step::Claim {
            nth,
            count: 1,
            holds: true,
        };
        for last in [Some(Step::Commit(0)), None] {
            let mut play = Play::new(&stage).await;
            let steps = [enqueue(), claim(0), enqueue(), claim(1), Step::Fail(1)];
            for step in steps.into_iter().chain(last) {
                play.play(&step).await.unwrap();
            }
            play.end_all().await.unwrap();
        }
    })
    .await;
}
