//! `realmdex index` on an index that `realmdex up` has: it is asked to do the same.

use std::process::ExitCode;

use anyhow::{Context, bail};
use realmdex_scheduler::operator::wire::{ReindexOrder, ReindexesRequested};
use realmdex_types::ReindexOutcome;
use url::Url;

use super::{Arguments, summary};
use crate::answer::Answer;
use crate::fleet::reindex;
use crate::operator_client::{HttpOperator, OperatorClient, named_realm};

/// Has the realm reindexed, and tells what came of it.
pub(super) async fn run(
    operator: HttpOperator,
    arguments: &Arguments,
    location: &Url,
) -> anyhow::Result<ExitCode> {
    refuse_what_it_can_not(arguments)?;
    let at = operator.url().clone();
    let client = OperatorClient::http(operator);
    let named = arguments
        .url
        .as_ref()
        .map_or(location.as_str(), |url| url.as_str());
    let realm = named_realm(&client, named)
        .await
        .with_context(|| format!("the `realmdex up` at {at} has this index"))?;
    let order = ReindexOrder {
        realm: Some(realm.url.clone()),
        all: false,
        force: arguments.force,
        allow_mass_delete: arguments.allow_mass_delete,
        reason: Some("realmdex index".to_owned()),
    };
    let asked: ReindexesRequested = client.post("/_reindex", &order).await?;
    let ended = reindex::wait(&client, &asked.reindexes).await?;
    let [reindex] = ended.as_slice() else {
        bail!("{} is gone: someone removed it meanwhile", realm.url);
    };
    match reindex.outcome {
        Some(ReindexOutcome::Done) => {}
        outcome => bail!(
            "{}: the reindex ended as {}{}",
            realm.url,
            outcome.map_or("none", ReindexOutcome::as_str),
            reindex
                .error
                .as_ref()
                .map(|why| format!(": {why}"))
                .unwrap_or_default()
        ),
    }
    let took = reindex.finished_at.unwrap_or(reindex.requested_at) - reindex.requested_at;
    let looked_at = reindex.planned.unwrap_or_default();
    let summary = summary::of_others(&client, realm.url, looked_at, took.as_seconds_f64()).await?;
    let text = summary.text(console::colors_enabled());
    let is_refused = arguments.strict && !summary.findings.is_empty();
    let answer = if is_refused {
        Answer::no(text)
    } else {
        Answer::yes(text)
    };
    answer.print()
}

/// What whoever has the index was told at its start, and what it does not tell.
fn refuse_what_it_can_not(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.modules.are_given() {
        bail!(
            "`realmdex up` has this index: map packages with `realmdex packages set`, and set limits where it is started; or give --data another folder"
        );
    }
    if arguments.json {
        bail!(
            "`realmdex up` has this index, and does not tell --json which files it computed: run `realmdex reindex --wait --json`"
        );
    }
    Ok(())
}
