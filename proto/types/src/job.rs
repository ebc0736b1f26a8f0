//! Units of work.

use serde::{Deserialize, Serialize};

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobKind {
    /// Reads one file and writes its row.
    IndexFile,
    /// Lists a realm and enqueues its files.
    FullReindex,
    /// Runs a tool.
    ExecuteTool,
}

impl JobKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::IndexFile, Self::FullReindex, Self::ExecuteTool];

    /// Its name, as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::IndexFile => "index-file",
            Self::FullReindex => "full-reindex",
            Self::ExecuteTool => "execute-tool",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// Who waits for a job: each class has a queue, a window of offers and slots of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobClass {
    /// Someone who saved a file.
    Interactive,
    /// Nobody in particular.
    Bulk,
    /// An agent that called a tool.
    Calls,
}

impl JobClass {
    /// All classes.
    pub const ALL: [Self; 3] = [Self::Interactive, Self::Bulk, Self::Calls];

    /// Its name, as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Bulk => "bulk",
            Self::Calls => "calls",
        }
    }

    /// The class of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == name)
    }
}

/// Where a job is in its life. One that succeeds is gone, but for tool calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// It waits for its turn, or for its time.
    Queued,
    /// A worker has a lease on it.
    Running,
    /// It failed, and would fail again.
    Failed,
    /// Its tries are used up.
    Dead,
    /// Someone called it off.
    Cancelled,
    /// A newer job does its work.
    Superseded,
    /// It is done.
    Succeeded,
}

impl JobState {
    /// All states.
    pub const ALL: [Self; 7] = [
        Self::Queued,
        Self::Running,
        Self::Failed,
        Self::Dead,
        Self::Cancelled,
        Self::Superseded,
        Self::Succeeded,
    ];

    /// Its name, as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Failed => "failed",
            Self::Dead => "dead",
            Self::Cancelled => "cancelled",
            Self::Superseded => "superseded",
            Self::Succeeded => "succeeded",
        }
    }

    /// The state of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// How a request to index a whole realm ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReindexOutcome {
    /// Every file was looked at.
    Done,
    /// Too much of the realm would have gone: someone has to say so first.
    Stopped,
    /// The realm could not be listed.
    Failed,
    /// Someone called it off, or a later request does its work.
    Cancelled,
}

impl ReindexOutcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Done, Self::Stopped, Self::Failed, Self::Cancelled];

    /// Its name, as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The outcome of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == name)
    }
}
