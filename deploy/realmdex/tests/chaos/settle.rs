//! The end of a run: what is left open is done, and nothing is left to do.

use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use realmdex_scheduler::operator::wire::{
    JobsAnswer, QueueAnswer, ReindexOrder, ReindexesAnswer, ReindexesRequested, RetriedAnswer,
    RetryRequest, VerifyAnswer,
};
use realmdex_types::{JobState, ReindexOutcome};
use serde_json::Value;
use sqlx::{Connection, PgConnection};

use crate::mischief::{Stage, url};
use crate::realm::{A, B};
use crate::script::{Action, Step};

/// How often it is asked whether it is done.
const PERIOD: Duration = Duration::from_millis(100);

/// Opens what the script may have left shut, whatever of it was heard: the last steps are said until they are done.
///
/// # Errors
/// When nobody answers until the deadline.
pub async fn open_up(stage: &Stage, steps: &[Step], deadline: Instant) -> anyhow::Result<()> {
    for step in steps {
        let (route, request) = match &step.action {
            Action::Archive { realm, undo } => (
                "/_realms/archive",
                serde_json::json!({ "realm": url(*realm), "undo": undo }),
            ),
            Action::Rights { owner, readers } => (
                "/_realms/rights",
                serde_json::json!({ "realm": url(B), "owner": owner, "readers": readers }),
            ),
            _ => continue,
        };
        stage
            .operators
            .insist::<Value>(route, &request, deadline)
            .await?;
    }
    Ok(())
}

/// Tries dead jobs again, asks for both realms once, and waits until there is nothing more to do. Answers how many jobs
/// were tried again.
///
/// # Errors
/// When that is not so until the deadline, with what is left in words.
pub async fn settle(stage: &Stage, deadline: Instant) -> anyhow::Result<usize> {
    let retry = RetryRequest {
        ids: None,
        all: true,
    };
    let retried: RetriedAnswer = stage
        .operators
        .insist("/_jobs/retry", &retry, deadline)
        .await?;
    let mut asked = Vec::new();
    for realm in [A, B] {
        let order = ReindexOrder {
            realm: Some(url(realm)),
            all: false,
            force: false,
            allow_mass_delete: true,
            reason: Some("the end of the mischief".to_owned()),
        };
        let answer: ReindexesRequested = stage
            .operators
            .insist("/_reindex", &order, deadline)
            .await?;
        asked.extend(answer.reindexes);
    }
    loop {
        let left = what_is_left(stage, &asked).await;
        match left {
            Ok(None) => return Ok(retried.retried),
            Ok(Some(left)) if Instant::now() >= deadline => {
                bail!("it does not settle: {left}\n{}", dump(stage).await)
            }
            Err(error) if Instant::now() >= deadline => return Err(error),
            _ => tokio::time::sleep(PERIOD).await,
        }
    }
}

async fn what_is_left(stage: &Stage, asked: &[i64]) -> anyhow::Result<Option<String>> {
    let queue: QueueAnswer = stage.operators.get("/_queue").await?;
    let open: u64 = queue
        .backlog
        .iter()
        .filter(|jobs| matches!(jobs.state, JobState::Queued | JobState::Running))
        .map(|jobs| jobs.jobs)
        .sum();
    if open > 0 {
        return Ok(Some(format!("{open} jobs are open")));
    }
    let reindexes: ReindexesAnswer = stage.operators.get("/_reindexes?limit=1000").await?;
    for reindex in &reindexes.reindexes {
        match reindex.outcome {
            None => return Ok(Some(format!("reindex {} goes on", reindex.id))),
            Some(ReindexOutcome::Done) => {}
            Some(outcome) => ensure!(
                !asked.contains(&reindex.id),
                "reindex {} ended as {outcome:?}: {:?}",
                reindex.id,
                reindex.error
            ),
        }
    }
    let waiting = waiting_files(stage).await?;
    Ok((!waiting.is_empty()).then(|| format!("files are tried again later: {waiting:?}")))
}

/// Files of which something could not be had.
async fn waiting_files(stage: &Stage) -> anyhow::Result<Vec<String>> {
    let mut connection = PgConnection::connect(&stage.database).await?;
    let waiting = sqlx::query_scalar(
        "select module_id from files where retry_at is not null and realm_id is not null order by 1 limit 5",
    )
    .fetch_all(&mut connection)
    .await?;
    connection.close().await?;
    Ok(waiting)
}

/// What an operator would look at.
async fn dump(stage: &Stage) -> String {
    let mut text = String::new();
    for route in [
        "/_queue",
        "/_jobs?state=queued,running&limit=20",
        "/_reindexes?limit=6",
        "/_readiness",
    ] {
        let answer: Result<Value, _> = stage.operators.get(route).await;
        let said = match answer {
            Ok(answer) => serde_json::to_string_pretty(&answer).unwrap_or_default(),
            Err(error) => error.to_string(),
        };
        text += &format!("{route}\n{said}\n");
    }
    text
}

/// Whether each row follows from what its files are, and nothing ended badly.
///
/// # Errors
/// Where one does not.
pub async fn verify(stage: &Stage) -> anyhow::Result<u64> {
    let verified: VerifyAnswer = stage.operators.get("/_verify").await.context("verifying")?;
    ensure!(verified.is_clean, "verify is not clean: {verified:#?}");
    let bad: JobsAnswer = stage.operators.get("/_jobs?state=dead,failed").await?;
    ensure!(bad.jobs.is_empty(), "jobs ended badly: {:#?}", bad.jobs);
    Ok(verified.edges)
}
