//! Reindexes and jobs.

use chrono::{DateTime, Utc};
use realmdex_types::{JobClass, JobKind, JobState, RealmPath, RealmUrl, ReindexOutcome};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::lists::{Numbers, States};
use super::{query, wire};
use crate::schema;

query! {
    /// `GET /_reindexes`
    ReindexesAsked {
        /// Of one realm.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[param(value_type = Option<String>, format = "uri")]
        realm: Option<RealmUrl>,
        /// By number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[param(schema_with = schema::numbers, required = false)]
        ids: Option<Numbers>,
        /// How many, the newest first: 100 if nothing is said. What is not from 1 to 1000 is taken for the nearer of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<i64>,
    }

    /// `GET /_jobs`
    JobsAsked {
        /// In these states; in any if none is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[param(schema_with = schema::states, required = false)]
        state: Option<States>,
        /// Of one realm.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[param(value_type = Option<String>, format = "uri")]
        realm: Option<RealmUrl>,
        /// By number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<i64>,
        /// How many, the newest first: 100 if nothing is said. What is not from 1 to 1000 is taken for the nearer of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<i64>,
    }
}

wire! {
    /// `POST /_reindex`: of one realm, or of all that are not archived.
    ReindexOrder {
        /// The one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<String>, format = "uri")]
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
        #[schema(value_type = String, format = "uri")]
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
        #[schema(schema_with = schema::outcome)]
        outcome: Option<ReindexOutcome>,
        /// Why it ended badly.
        error: Option<String>,
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
        #[schema(schema_with = schema::job_kind)]
        kind: JobKind,
        /// Who waits for it.
        #[schema(schema_with = schema::job_class)]
        class: JobClass,
        /// Where it is in its life.
        #[schema(schema_with = schema::job_state)]
        state: JobState,
        /// Its realm.
        #[schema(value_type = String, format = "uri")]
        realm: RealmUrl,
        /// The file it is about.
        #[schema(value_type = Option<String>)]
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
        #[schema(value_type = Option<String>, format = "uri")]
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
}

impl ReindexOrder {
    /// Why, for the ledger.
    pub fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or("an operator asked for it")
    }
}
