//! How it stands.

use realmdex_types::{JobClass, JobKind, JobState, RealmUrl};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{query, wire};
use crate::schema;

query! {
    /// `GET /_verify`
    VerifyAsked {
        /// Of one realm.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[param(value_type = Option<String>, format = "uri")]
        realm: Option<RealmUrl>,
        /// How many of each are named: 100 if nothing is said. What is not from 1 to 1000 is taken for the nearer of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<i64>,
    }
}

wire! {
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
        #[schema(schema_with = schema::job_kind)]
        kind: JobKind,
        /// Who waits for them.
        #[schema(schema_with = schema::job_class)]
        class: JobClass,
        /// Where they are in their life.
        #[schema(schema_with = schema::job_state)]
        state: JobState,
        /// How many there are.
        jobs: u64,
        /// How long ago the oldest of them was enqueued.
        oldest_seconds: f64,
    }

    /// The offers of a class.
    WindowAnswer {
        /// The class.
        #[schema(schema_with = schema::job_class)]
        class: JobClass,
        /// How many this process lets stand; none where it offers nothing.
        window: Option<u32>,
        /// How many stand, whoever made them.
        standing: u64,
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

/// How a broker stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
