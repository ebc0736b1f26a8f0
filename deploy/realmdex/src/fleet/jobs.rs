//! `realmdex jobs`: work that waits, runs, or went wrong.

use std::process::ExitCode;

use chrono::{DateTime, Utc};
use realmdex_scheduler::operator::wire::{
    CancelRequest, CancelledAnswer, JobAnswer, JobsAnswer, JobsAsked, RetriedAnswer, RetryRequest,
    States,
};
use realmdex_types::JobState;

use super::table::{Table, ago, counted};
use crate::answer;
use crate::operator_client::{OperatorClient, OperatorPlace, named_realm};

/// `realmdex jobs`
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List jobs, the newest first. A file's job is gone once it is done.
    List(List),
    /// Show everything about one job.
    Show(Show),
    /// Call off one job, or all of a realm. One that runs is stopped.
    Cancel(Cancel),
    /// Try jobs again that failed, are dead or were called off; they start from zero.
    Retry(Retry),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex jobs list
  realmdex jobs list --state dead,failed --limit 1000
  realmdex jobs list --realm https://realms.example/acme/ --json
  realmdex jobs list --state dead,failed --server https://fleet.example:4790 --token-file token")]
struct List {
    /// Only jobs in these states. May be given many times, or with commas.
    #[arg(long = "state", value_name = "STATE", value_delimiter = ',', value_parser = state)]
    states: Vec<JobState>,
    /// Only those of this realm: its URL or folder.
    #[arg(long)]
    realm: Option<String>,
    /// How many, at most 1000.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(i64).range(1..=1000))]
    limit: i64,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex jobs show 4711
  realmdex jobs show 4711 --server https://fleet.example:4790 --token-file token

Exit code 1 if there is no such job.")]
struct Show {
    /// The job's number.
    id: i64,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex jobs cancel 4711
  realmdex jobs cancel --realm https://realms.example/acme/
  realmdex jobs cancel 4711 --server https://fleet.example:4790 --token-file token

Exit code 1 if a job is named that is over already.")]
struct Cancel {
    #[command(flatten)]
    which: Cancelled,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Cancelled {
    /// The job's number.
    id: Option<i64>,
    /// Every job of this realm: its URL or folder.
    #[arg(long)]
    realm: Option<String>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex jobs retry 4711 4712
  realmdex jobs retry --all
  realmdex jobs retry --all --server https://fleet.example:4790 --token-file token

Exit code 1 if a job is named that did not end badly.")]
struct Retry {
    #[command(flatten)]
    which: Retried,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Retried {
    /// The jobs' numbers.
    #[arg(value_name = "ID")]
    ids: Vec<i64>,
    /// Every dead and failed one.
    #[arg(long)]
    all: bool,
}

fn state(text: &str) -> Result<JobState, String> {
    let States(states) = States::try_from(text.to_owned())?;
    states
        .first()
        .copied()
        .ok_or_else(|| "name a state".to_owned())
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.verb {
        Verb::List(asked) => {
            asked
                .place
                .with(async |client| list(client, &asked).await)
                .await
        }
        Verb::Show(asked) => {
            asked
                .place
                .with(async |client| show(client, &asked).await)
                .await
        }
        Verb::Cancel(asked) => {
            asked
                .place
                .with(async |client| cancel(client, &asked).await)
                .await
        }
        Verb::Retry(asked) => {
            asked
                .place
                .with(async |client| retry(client, &asked).await)
                .await
        }
    }
}

async fn list(client: &OperatorClient, asked: &List) -> anyhow::Result<ExitCode> {
    let realm = match &asked.realm {
        Some(realm) => Some(named_realm(client, realm).await?.url),
        None => None,
    };
    let query = JobsAsked {
        state: (!asked.states.is_empty()).then(|| States(asked.states.clone())),
        realm,
        id: None,
        limit: Some(asked.limit),
    };
    let answer: JobsAnswer = client.get("/_jobs", &query).await?;
    let text = if asked.json {
        answer::json(&answer)?
    } else {
        jobs_text(&answer, asked.limit)
    };
    answer::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn jobs_text(answer: &JobsAnswer, limit: i64) -> String {
    if answer.jobs.is_empty() {
        return "no jobs\n".to_owned();
    }
    let mut table = Table::new(&[
        "id", "state", "class", "kind", "file", "attempts", "enqueued", "error",
    ]);
    for job in &answer.jobs {
        table.row([
            job.id.to_string(),
            job.state.as_str().to_owned(),
            job.class.as_str().to_owned(),
            job.kind.as_str().to_owned(),
            file(job),
            job.attempts.to_string(),
            ago(job.created_at),
            job.error.clone().unwrap_or_default(),
        ]);
    }
    let mut text = table.text();
    if answer.jobs.len() as i64 >= limit {
        text += &format!("(the newest {limit}; --limit shows more)\n");
    }
    text
}

/// The file that a job is about, or its realm.
fn file(job: &JobAnswer) -> String {
    match &job.path {
        Some(path) => format!("{}{path}", job.realm),
        None => job.realm.to_string(),
    }
}

async fn show(client: &OperatorClient, asked: &Show) -> anyhow::Result<ExitCode> {
    let query = JobsAsked {
        state: None,
        realm: None,
        id: Some(asked.id),
        limit: None,
    };
    let answer: JobsAnswer = client.get("/_jobs", &query).await?;
    let is_there = !answer.jobs.is_empty();
    let text = match answer.jobs.first() {
        _ if asked.json => answer::json(&answer)?,
        Some(job) => job_text(job),
        None => format!(
            "there is no job {}: a file's job is gone once it is done, and others some time later\n",
            asked.id
        ),
    };
    answer::print(&text)?;
    Ok(if is_there {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn job_text(job: &JobAnswer) -> String {
    let mut text = format!("job {}\n", job.id);
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            text += &format!(
                "  {name:<14}{}\n",
                value.replace('\n', "\n                ")
            );
        }
    };
    let time = |at: DateTime<Utc>| format!("{} ({})", at.format("%F %T UTC"), ago(at));
    let is_open = matches!(job.state, JobState::Queued | JobState::Running);
    line("state", Some(job.state.as_str().to_owned()));
    line("kind", Some(job.kind.as_str().to_owned()));
    line("class", Some(job.class.as_str().to_owned()));
    line("realm", Some(job.realm.to_string()));
    line("file", job.path.as_ref().map(ToString::to_string));
    line("change", Some(job.change_seq.to_string()));
    line("attempts", Some(job.attempts.to_string()));
    line("enqueued", Some(time(job.created_at)));
    // What is to come is no "ago".
    let due = |at: DateTime<Utc>| at.format("%F %T UTC").to_string();
    line("due from", is_open.then(|| due(job.run_at)));
    line("offered until", job.offered_until.map(due));
    line("claimed", job.started_at.map(time));
    line("worker", job.worker.clone());
    line("ended", job.finished_at.map(time));
    line("error", job.error.clone());
    text
}

async fn cancel(client: &OperatorClient, asked: &Cancel) -> anyhow::Result<ExitCode> {
    let Cancelled { id, realm } = &asked.which;
    let realm = match realm {
        Some(realm) => Some(named_realm(client, realm).await?.url),
        None => None,
    };
    let request = CancelRequest { id: *id, realm };
    let cancelled: CancelledAnswer = client.post("/_jobs/cancel", &request).await?;
    let CancelledAnswer { queued, running } = cancelled;
    let is_nothing = queued + running == 0;
    let text = match (id, is_nothing) {
        _ if asked.json => answer::json(&cancelled)?,
        (Some(id), true) => format!("job {id} is over already, or there is no such job\n"),
        (None, true) => "there was nothing to call off\n".to_owned(),
        (_, false) => {
            let mut words = Vec::new();
            if queued > 0 {
                words.push(format!(
                    "{} called off",
                    counted(queued as u64, "job", "jobs")
                ));
            }
            if running > 0 {
                words.push(format!("{running} running told to stop"));
            }
            format!("{}\n", words.join(", "))
        }
    };
    answer::print(&text)?;
    Ok(if is_nothing && id.is_some() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

async fn retry(client: &OperatorClient, asked: &Retry) -> anyhow::Result<ExitCode> {
    let Retried { ids, all } = &asked.which;
    let mut ids = ids.clone();
    ids.sort_unstable();
    ids.dedup();
    let request = RetryRequest {
        ids: (!all).then(|| ids.clone()),
        all: *all,
    };
    let answer: RetriedAnswer = client.post("/_jobs/retry", &request).await?;
    client.say_if_idle();
    let left = ids.len().saturating_sub(answer.retried);
    let text = if asked.json {
        answer::json(&answer)?
    } else {
        let again = counted(answer.retried as u64, "job is", "jobs are");
        let left = match left {
            0 => String::new(),
            left => format!("; {left} did not end badly, or there is no such job"),
        };
        format!("{again} tried again{left}\n")
    };
    answer::print(&text)?;
    Ok(if left > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
