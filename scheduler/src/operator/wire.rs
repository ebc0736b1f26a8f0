//! What is sent to the operator's listener, and what it answers. Shared with those who call it.

use chrono::{DateTime, Utc};
use realmdex_types::{JobClass, JobKind, JobState, RealmPath, RealmUrl, ReindexOutcome};
use serde::{Deserialize, Serialize};

pub use crate::intake::{Change, Operation};

/// Rows in an answer, where nobody says how many.
pub const DEFAULT_LIMIT: i64 = 100;

/// Rows in an answer, at most.
pub const MAX_LIMIT: i64 = 1000;

/// How many rows are answered.
pub(super) fn limit(asked: Option<i64>) -> i64 {
    asked.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT)
}

/// Declares types of the wire.
macro_rules! wire {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }
    )*};
}

wire! {
    /// `POST /_changes`
    ChangesRequest {
        /// The realm.
        realm: RealmUrl,
        /// What is said to have changed in it.
        changes: Vec<Change>,
    }

    /// What came of it.
    ChangesTaken {
        /// The number of the change: a row of this or a later one has seen it.
        change_seq: i64,
        /// Files that are looked at.
        files: usize,
        /// The number of the reindex that lists the realm, where only that tells what is there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reindex: Option<i64>,
    }

    /// `GET /_realms`
    RealmsAnswer {
        /// Every realm, by URL.
        realms: Vec<RealmAnswer>,
    }

    /// A realm.
    RealmAnswer {
        /// Its root.
        url: RealmUrl,
        /// Where its bytes are.
        source: String,
        /// Whose it is.
        owner: String,
        /// Who else may read it; `*` is everyone.
        readers: Vec<String>,
        /// Whether it is neither indexed nor read by others.
        is_archived: bool,
    }

    /// `POST /_realms`
    RealmRequest {
        /// Its root.
        url: RealmUrl,
        /// Where its bytes are: a `file:`, `http:` or `https:` URL.
        source: String,
        /// Whose it is; the operator's if nobody is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<String>,
        /// Who else may read it; everyone (`*`) if nothing is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        readers: Option<Vec<String>>,
    }

    /// A realm that is registered now. One that was before is left as it was.
    RealmAdded {
        /// Its root.
        url: RealmUrl,
        /// Where its bytes are.
        source: String,
        /// Whether it was not registered before.
        is_new: bool,
    }

    /// `POST /_realms/rights`
    RightsRequest {
        /// The realm.
        realm: RealmUrl,
        /// Whose it is; whose it was if nobody is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<String>,
        /// Who else may read it, instead of those who could; `*` is everyone.
        readers: Vec<String>,
    }

    /// `POST /_realms/archive`
    ArchiveRequest {
        /// The realm.
        realm: RealmUrl,
        /// Takes it back.
        #[serde(default)]
        undo: bool,
    }

    /// `POST /_realms/remove`
    RemoveRequest {
        /// The realm.
        realm: RealmUrl,
    }

    /// Whether anything is other than it was.
    Changed {
        /// Whether it is.
        has_changed: bool,
    }

    /// `GET /_packages`
    PackagesAnswer {
        /// The package map, by prefix.
        packages: Vec<PackageAnswer>,
    }

    /// An entry of the package map.
    PackageAnswer {
        /// What ids begin with.
        prefix: String,
        /// Where the files below it are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        location: Option<String>,
        /// The prefix it stands for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alias: Option<String>,
        /// What was last announced.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
    }

    /// `POST /_packages`: with a location or an alias.
    PackageRequest {
        /// What ids begin with: a package's name or a realm's URL.
        prefix: String,
        /// Where its files are: a `file:`, `http:` or `https:` URL.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        location: Option<String>,
        /// The prefix it stands for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alias: Option<String>,
        /// What its deployment calls this version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        /// The URL of the realm that its files are indexed as. If none is given: the realm's that lies there already,
        /// else the prefix where that is a URL, else `https://package.local/` and the prefix.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<RealmUrl>,
    }

    /// A package that is announced.
    PackageAnnounced {
        /// Whether the map says something else than it did: then every realm is looked at.
        has_changed: bool,
        /// The realm that its files are indexed as.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        realm: Option<RealmUrl>,
    }

    /// `POST /_packages/remove`
    PackageRemoveRequest {
        /// What ids begin with.
        prefix: String,
    }

    /// `POST /_reindex`: of one realm, or of all that are not archived.
    ReindexOrder {
        /// The one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        realm: Option<RealmUrl>,
        /// All of them.
        #[serde(default)]
        all: bool,
        /// Computes every file, whatever its row says.
        #[serde(default)]
        force: bool,
        /// Lets more than half of a realm's files go.
        #[serde(default)]
        allow_mass_delete: bool,
        /// Why, for the ledger.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    }

    /// The reindexes that do it. One that was asked for before and has not begun does it as well.
    ReindexesRequested {
        /// Their numbers.
        reindexes: Vec<i64>,
    }

    /// `GET /_reindexes`
    ReindexesAsked {
        /// Of one realm.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        realm: Option<RealmUrl>,
        /// By number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ids: Option<Numbers>,
        /// How many, the newest first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<i64>,
    }

    /// Reindexes.
    ReindexesAnswer {
        /// The newest first.
        reindexes: Vec<ReindexAnswer>,
    }

    /// A reindex, and how far it is.
    ReindexAnswer {
        /// Its number.
        id: i64,
        /// The realm.
        realm: RealmUrl,
        /// Why it was asked for.
        reason: String,
        /// Whether it computes every file.
        force: bool,
        /// When it was asked for.
        requested_at: DateTime<Utc>,
        /// When the realm was listed.
        listed_at: Option<DateTime<Utc>>,
        /// Files that the realm's source lists.
        listed: Option<u64>,
        /// Files that were to be looked at.
        planned: Option<u64>,
        /// Those of them, and of older changes, that are still to be.
        open: u64,
        /// When it ended.
        finished_at: Option<DateTime<Utc>>,
        /// How; none while it goes on.
        outcome: Option<ReindexOutcome>,
        /// Why it ended badly.
        error: Option<String>,
    }

    /// `GET /_jobs`
    JobsAsked {
        /// In these states; in any if none is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<States>,
        /// Of one realm.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        realm: Option<RealmUrl>,
        /// By number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<i64>,
        /// How many, the newest first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<i64>,
    }

    /// Jobs.
    JobsAnswer {
        /// The newest first.
        jobs: Vec<JobAnswer>,
    }

    /// A job.
    JobAnswer {
        /// Its number.
        id: i64,
        /// What it does.
        kind: JobKind,
        /// Who waits for it.
        class: JobClass,
        /// Where it is in its life.
        state: JobState,
        /// Its realm.
        realm: RealmUrl,
        /// The file it is about.
        path: Option<RealmPath>,
        /// The newest change that it is for.
        change_seq: i64,
        /// How often it failed.
        attempts: u32,
        /// When it may run.
        run_at: DateTime<Utc>,
        /// Until when it is offered.
        offered_until: Option<DateTime<Utc>>,
        /// Who has it, or had it last.
        worker: Option<String>,
        /// Why it failed the last time.
        error: Option<String>,
        /// When it was enqueued.
        created_at: DateTime<Utc>,
        /// When it was last claimed.
        started_at: Option<DateTime<Utc>>,
        /// When it ended.
        finished_at: Option<DateTime<Utc>>,
    }

    /// `POST /_jobs/cancel`: one job, or all of a realm.
    CancelRequest {
        /// The one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<i64>,
        /// The realm.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        realm: Option<RealmUrl>,
    }

    /// Jobs that were called off.
    CancelledAnswer {
        /// Those that had not begun, and never will.
        queued: usize,
        /// Those whose workers are told.
        running: usize,
    }

    /// `POST /_jobs/retry`: some, or every dead and failed one.
    RetryRequest {
        /// The ones, cancelled ones too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ids: Option<Vec<i64>>,
        /// Every dead and failed one.
        #[serde(default)]
        all: bool,
    }

    /// Jobs that are tried again.
    RetriedAnswer {
        /// How many.
        retried: usize,
    }

    /// `GET /_queue`
    QueueAnswer {
        /// Jobs that are alike, counted.
        backlog: Vec<BacklogAnswer>,
        /// Offers, by class.
        windows: Vec<WindowAnswer>,
        /// How the broker stands; none where this process knows none.
        broker: Option<BrokerAnswer>,
    }

    /// Jobs that are alike.
    BacklogAnswer {
        /// What they do.
        kind: JobKind,
        /// Who waits for them.
        class: JobClass,
        /// Where they are in their life.
        state: JobState,
        /// How many there are.
        jobs: u64,
        /// How long ago the oldest of them was enqueued.
        oldest_seconds: f64,
    }

    /// The offers of a class.
    WindowAnswer {
        /// The class.
        class: JobClass,
        /// How many this process lets stand; none where it offers nothing.
        window: Option<u32>,
        /// How many stand, whoever made them.
        standing: u64,
    }

    /// `GET /_verify`
    VerifyAsked {
        /// Of one realm.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        realm: Option<RealmUrl>,
        /// How many of each are named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<i64>,
    }

    /// Whether every row follows from what its files are.
    VerifyAnswer {
        /// Whether it does.
        is_clean: bool,
        /// How many edges there are.
        edges: u64,
        /// How many of them do not say what their target is.
        broken_edges: usize,
        /// How many rows were computed from other bytes than their file has.
        outdated_files: usize,
        /// Some of those edges.
        broken: Vec<BrokenEdgeAnswer>,
        /// The ids of some of those files.
        outdated: Vec<String>,
    }

    /// An edge that does not say what its target is. A file that is there goes by the beginning of its digest.
    BrokenEdgeAnswer {
        /// The file that was computed.
        source: String,
        /// The file it was computed from.
        target: String,
        /// How that was found then.
        then: String,
        /// What its row says now.
        now: String,
    }

    /// `GET /_readiness`
    Ready {
        /// Whether everything is there.
        is_ready: bool,
        /// What is not, in words.
        missing: Vec<String>,
    }

    /// What could not be done.
    Errors {
        /// Why.
        errors: Vec<ErrorObject>,
    }

    /// Why something could not be done, as in JSON:API.
    ErrorObject {
        /// The status of the answer.
        status: String,
        /// What that is called.
        title: String,
        /// What went wrong, and how to mend it.
        detail: String,
    }
}

impl ReindexOrder {
    /// Why, for the ledger.
    pub fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or("an operator asked for it")
    }
}

/// How a broker stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum BrokerAnswer {
    /// It takes jobs.
    Ready,
    /// It is there, and takes none for now.
    Blocked {
        /// Its own words.
        why: String,
    },
    /// It can't be reached.
    Down {
        /// What went wrong last.
        why: String,
    },
}

/// Numbers in a query, with commas between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Numbers(pub Vec<i64>);

impl TryFrom<String> for Numbers {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = |part: &str| {
            part.trim()
                .parse()
                .map_err(|_| format!("{part:?} is no number"))
        };
        parts(&text).map(number).collect::<Result<_, _>>().map(Self)
    }
}

impl From<Numbers> for String {
    fn from(numbers: Numbers) -> Self {
        let texts: Vec<String> = numbers.0.iter().map(ToString::to_string).collect();
        texts.join(",")
    }
}

/// States in a query, with commas between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct States(pub Vec<JobState>);

impl TryFrom<String> for States {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let state = |part: &str| {
            JobState::parse(part.trim()).ok_or_else(|| {
                let known: Vec<&str> = JobState::ALL.map(JobState::as_str).to_vec();
                format!("{part:?} is no state: give one of {}", known.join(", "))
            })
        };
        parts(&text).map(state).collect::<Result<_, _>>().map(Self)
    }
}

impl From<States> for String {
    fn from(states: States) -> Self {
        let texts: Vec<&str> = states.0.iter().map(|state| state.as_str()).collect();
        texts.join(",")
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|part| !part.trim().is_empty())
}
