//! What Boxel's operators and monitors send and are answered, by its names.

use realmdex_types::{RealmUrl, ReindexOutcome};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{query, wire};
use crate::schema;

query! {
    /// `POST /_grafana-reindex`
    GrafanaReindexAsked {
        /// The realm's URL, or the path of that.
        realm: String,
    }

    /// `POST /_grafana-complete-job`
    GrafanaCompleteJobAsked {
        /// The job's number.
        #[serde(rename = "job_id")]
        job_id: Option<i64>,
        /// Boxel's number of a worker's claim: there are none here.
        #[serde(rename = "reservation_id")]
        reservation_id: Option<String>,
    }

    /// `GET /_skill-validation`
    SkillValidationAsked {
        /// The realm's URL, or the path of that.
        realm: String,
        /// Has every skill looked at first.
        refresh: Option<bool>,
    }
}

wire! {
    /// What a realm's reindex came to, by Boxel's names: instances are its cards, and there are none here.
    ReindexStats {
        /// None.
        instances_indexed: u64,
        /// Files that were looked at.
        files_indexed: u64,
        /// None.
        instance_errors: u64,
        /// Files of the realm that can't be read.
        file_errors: u64,
        /// Files of the realm that there are.
        total_index_entries: u64,
        /// The reindex's number, for `GET /_reindexes?ids=`.
        reindex: i64,
        /// How it ended; none while it goes on.
        #[schema(schema_with = schema::outcome)]
        outcome: Option<ReindexOutcome>,
    }

    /// Realms that are indexed anew.
    GrafanaFullReindexAnswer {
        /// Their URLs.
        #[schema(value_type = Vec<String>)]
        realms: Vec<RealmUrl>,
    }

    /// How many jobs there are to do (JSON:API).
    QueueStatus {
        /// The resource.
        data: QueueStatusResource,
    }

    /// JSON:API's resource.
    QueueStatusResource {
        /// `queue-status`
        #[serde(rename = "type")]
        kind: String,
        /// `queue-status`
        id: String,
        /// What is told.
        attributes: QueueStatusAttributes,
    }

    /// How many jobs there are to do.
    QueueStatusAttributes {
        /// Those that wait, and those that run.
        pending: u64,
    }

    /// Whether every skill's tools can be called (JSON:API).
    SkillValidation {
        /// The resource.
        data: SkillValidationResource,
    }

    /// JSON:API's resource.
    SkillValidationResource {
        /// `skill-validation`
        #[serde(rename = "type")]
        kind: String,
        /// The realm's URL.
        #[schema(value_type = String, format = "uri")]
        id: RealmUrl,
        /// What is told.
        attributes: SkillValidationAttributes,
    }

    /// Whether every skill's tools can be called.
    SkillValidationAttributes {
        /// Whether nothing fails.
        status: ValidationStatus,
        /// How many skills the realm has.
        skills_checked: u64,
        /// How many tools they declare.
        tools_checked: u64,
        /// What fails, by skill.
        failures: Vec<SkillFailureAnswer>,
        /// How long ago the skill was looked at that was not for the longest time.
        age_seconds: u64,
    }

    /// Something of a skill that fails.
    SkillFailureAnswer {
        /// The skill's URL.
        skill: String,
        /// The tool's module; empty where the skill itself can't be read.
        module: String,
        /// The tool's export; likewise.
        name: String,
        /// Why, and the mend.
        error: String,
    }
}

/// Whether everything works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ValidationStatus {
    /// It does.
    Pass,
    /// Something does not.
    Fail,
}
