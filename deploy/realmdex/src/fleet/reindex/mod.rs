//! `realmdex reindex`: whole realms, looked at again by the fleet.

mod progress;
mod stage;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use realmdex_scheduler::operator::wire::{
    Numbers, ReindexAnswer, ReindexOrder, ReindexesAnswer, ReindexesAsked, ReindexesRequested,
};
use realmdex_types::ReindexOutcome;
use tokio::time::sleep;

use super::table::{Table, counted, duration};
use crate::answer;
use crate::operator_client::{AskError, OperatorClient, OperatorPlace, named_realm};
use progress::Progress;

/// How often it is looked at: soon at first, for a small realm is done at once.
const FIRST_LOOK: Duration = Duration::from_millis(100);
const LATER_LOOKS: Duration = Duration::from_secs(1);

/// How long the operator may be gone, for one that starts anew.
const PATIENCE: Duration = Duration::from_secs(60);

/// Reindexes that are asked for at once: as many numbers fit a URL.
const PAGE: usize = 500;

/// `realmdex reindex`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex reindex https://realms.example/acme/ --wait
  realmdex reindex ../my-skills --force --reason 'new icons'
  realmdex reindex --all --wait
  realmdex reindex --all --wait --server https://fleet.example:4790 --token-file token

Only files that may have changed, or that depend on what has, are computed. Edits go first. With --wait, Ctrl-C ends the
waiting and not the work; exit code 1 if one did not end well.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    which: Which,
    /// Compute every file, whatever has changed.
    #[arg(long)]
    force: bool,
    /// Let more than half of a realm's files go, if they are no longer there.
    #[arg(long)]
    allow_mass_delete: bool,
    /// Why, for the ledger.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Wait until it is done, and say how it ended.
    #[arg(long)]
    wait: bool,
    /// Print the answer as JSON: the numbers of the reindexes, or with --wait how each ended.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

/// Which realms.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Which {
    /// The realm's URL or folder.
    realm: Option<String>,
    /// Every realm that is not archived.
    #[arg(long)]
    all: bool,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let place = arguments.place.clone();
    place
        .with(async |client| reindex(client, &arguments).await)
        .await
}

async fn reindex(client: &OperatorClient, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(folder) = client.idle_folder()
        && arguments.wait
    {
        bail!(
            "nobody works on the index in {0}: start `realmdex up --data {0}` first, or leave --wait out",
            folder.display()
        );
    }
    let realm = match &arguments.which.realm {
        Some(realm) => Some(named_realm(client, realm).await?.url),
        None => None,
    };
    let order = ReindexOrder {
        realm,
        all: arguments.which.all,
        force: arguments.force,
        allow_mass_delete: arguments.allow_mass_delete,
        reason: arguments.reason.clone(),
    };
    let asked: ReindexesRequested = client.post("/_reindex", &order).await?;
    if arguments.wait {
        let ended = wait(client, &asked.reindexes).await?;
        let is_done = |one: &ReindexAnswer| one.outcome == Some(ReindexOutcome::Done);
        let are_done = ended.iter().all(is_done) && ended.len() == asked.reindexes.len();
        answer::print(&if arguments.json {
            answer::json(&ReindexesAnswer { reindexes: ended })?
        } else {
            ended_text(&ended, asked.reindexes.len())
        })?;
        return Ok(if are_done {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        });
    }
    answer::print(&if arguments.json {
        answer::json(&asked)?
    } else {
        asked_text(&look(client, &asked.reindexes).await?)
    })?;
    client.say_if_idle();
    Ok(ExitCode::SUCCESS)
}

/// Waits until reindexes have ended, telling how far they are; answers how they did, by number. One whose realm was
/// removed meanwhile is left out.
pub(crate) async fn wait(
    client: &OperatorClient,
    ids: &[i64],
) -> anyhow::Result<Vec<ReindexAnswer>> {
    let mut progress = Progress::new();
    let waited = tokio::select! {
        waited = until_ended(client, ids, &mut progress) => waited,
        stopped = tokio::signal::ctrl_c() => {
            stopped.context("waiting for a signal")?;
            Err(anyhow::anyhow!(
                "stopped waiting; the work goes on: `realmdex queue` says how far it is, `realmdex jobs cancel --realm` ends it"
            ))
        }
    };
    progress.finish();
    waited
}

async fn until_ended(
    client: &OperatorClient,
    ids: &[i64],
    progress: &mut Progress,
) -> anyhow::Result<Vec<ReindexAnswer>> {
    let mut pause = FIRST_LOOK;
    let mut seen = Instant::now();
    loop {
        match look(client, ids).await {
            Ok(reindexes) => {
                seen = Instant::now();
                progress.show(&reindexes);
                if reindexes.iter().all(|one| one.outcome.is_some()) {
                    return Ok(reindexes);
                }
            }
            // The work does not depend on whoever is asked.
            Err(error) if error.may_pass() && seen.elapsed() < PATIENCE => {
                tracing::debug!("{error}");
            }
            Err(error) => return Err(error.into()),
        }
        sleep(pause).await;
        pause = (pause * 2).min(LATER_LOOKS);
    }
}

/// Reindexes by number, in that order.
async fn look(client: &OperatorClient, ids: &[i64]) -> Result<Vec<ReindexAnswer>, AskError> {
    let mut all = Vec::with_capacity(ids.len());
    for page in ids.chunks(PAGE) {
        let query = ReindexesAsked {
            realm: None,
            ids: Some(Numbers(page.to_vec())),
            limit: Some(page.len() as i64),
        };
        let answer: ReindexesAnswer = client.get("/_reindexes", &query).await?;
        all.extend(answer.reindexes);
    }
    all.sort_by_key(|reindex| reindex.id);
    Ok(all)
}

fn asked_text(asked: &[ReindexAnswer]) -> String {
    if asked.is_empty() {
        return "there is no realm to reindex: register one with `realmdex realms add`\n"
            .to_owned();
    }
    let line = |one: &ReindexAnswer| format!("reindex {} of {} is asked for\n", one.id, one.realm);
    asked.iter().map(line).collect()
}

fn ended_text(ended: &[ReindexAnswer], asked: usize) -> String {
    let mut text = String::new();
    if !ended.is_empty() {
        let mut table = Table::new(&["realm", "outcome", "files", "looked at", "time", "why"]);
        for one in ended {
            let took = one.finished_at.unwrap_or(one.requested_at) - one.requested_at;
            table.row([
                one.realm.to_string(),
                one.outcome.map_or("", ReindexOutcome::as_str).to_owned(),
                one.listed
                    .map(|files| files.to_string())
                    .unwrap_or_default(),
                one.planned
                    .map(|files| files.to_string())
                    .unwrap_or_default(),
                duration(took.as_seconds_f64()),
                one.error.clone().unwrap_or_default(),
            ]);
        }
        text += &table.text();
    }
    match asked - ended.len().min(asked) {
        0 if asked == 0 => {
            "there is no realm to reindex: register one with `realmdex realms add`\n".to_owned()
        }
        0 => text,
        gone => {
            text + &format!(
                "{} removed meanwhile\n",
                counted(gone as u64, "realm was", "realms were")
            )
        }
    }
}
