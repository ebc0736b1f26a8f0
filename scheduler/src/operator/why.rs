//! `/_why`: what a file was computed from, and what of that has moved since.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use futures::{StreamExt, stream};
use realmdex_store::{Dependency, TargetState};
use realmdex_types::{ModuleId, ReadState};

use super::Operator;
use super::body::Asked;
use super::failure::Failure;
use super::standing::{now_text, then_text};
use super::whereabouts::{ReadAs, Whereabouts};
use super::wire::{WhyAnswer, WhyAsked, WhyDependency, WhyDependent};

/// Files that are looked at at once.
const AT_ONCE: usize = 16;

/// What a file was computed from, and what of that has moved since.
#[utoipa::path(
    get, path = "/_why", tag = "indexed", operation_id = "why", params(WhyAsked),
    responses((status = 200, description = "What it was computed from.", body = WhyAnswer)),
)]
pub(super) async fn why(
    State(operator): State<Operator>,
    Asked(asked): Asked<WhyAsked>,
) -> Result<Json<WhyAnswer>, Failure> {
    let id = match (&asked.realm, &asked.path, asked.id) {
        (Some(url), Some(path), None) => {
            let realm = operator.realm(url).await?;
            operator.row(&realm, path).await?.module_id
        }
        (None, None, Some(id)) => ModuleId::stored(id),
        _ => {
            return Err(Failure::bad(
                "give either `realm` and `path`, or `id` alone",
            ));
        }
    };
    let store = &operator.store;
    let row = match id.may_exist() {
        true => store.file(&id).await?,
        false => None,
    };
    let row = row.ok_or_else(|| {
        Failure::new(
            StatusCode::NOT_FOUND,
            format!("the index knows nothing of {id}"),
        )
    })?;
    let dependencies = store.dependencies_of(&id).await?;
    let dependents = store.dependents_of(&id).await?;
    let whereabouts = match &operator.sources {
        Some(open) => Some(Whereabouts::of(store.registry().await?, open.clone())),
        None => None,
    };
    let source_of = async |(id, read_as): (ModuleId, ReadAs)| match &whereabouts {
        Some(whereabouts) => Some(whereabouts.state_of(&id, read_as).await),
        None => None,
    };
    // Its own state comes first.
    let modules = dependencies
        .iter()
        .map(|one| (one.target.clone(), ReadAs::Module));
    let own = (id.clone(), ReadAs::Indexed);
    let ids: Vec<(ModuleId, ReadAs)> = [own].into_iter().chain(modules).collect();
    let sources: Vec<Option<ReadState>> = stream::iter(ids)
        .map(source_of)
        .buffered(AT_ONCE)
        .collect()
        .await;
    let mut sources = sources.into_iter();
    let own = sources.next().flatten();
    Ok(Json(WhyAnswer {
        id: id.to_string(),
        state: now_text(&row.state),
        has_moved: own
            .as_ref()
            .is_some_and(|now| !is_as_its_row_says(&row.state, now)),
        source: own.as_ref().map(then_text),
        indexed_at: row.indexed_at,
        duration_ms: row.duration_ms,
        dependencies: dependencies
            .into_iter()
            .zip(sources)
            .map(|(dependency, source)| answer(dependency, source))
            .collect(),
        dependents: dependents
            .into_iter()
            .map(|dependent| WhyDependent {
                id: dependent.source.to_string(),
                is_broken: dependent.is_broken,
            })
            .collect(),
    }))
}

fn answer(dependency: Dependency, source: Option<ReadState>) -> WhyDependency {
    WhyDependency {
        id: dependency.target.to_string(),
        then: then_text(&dependency.then),
        now: now_text(&dependency.now),
        has_moved: source.as_ref().is_some_and(|now| *now != dependency.then),
        source: source.as_ref().map(then_text),
        is_broken: dependency.is_broken,
    }
}

fn is_as_its_row_says(row: &TargetState, now: &ReadState) -> bool {
    match (row, now) {
        (TargetState::Present(then), ReadState::Read { digest }) => then == digest,
        (TargetState::Absent, ReadState::Absent)
        | (TargetState::Forbidden, ReadState::Forbidden) => true,
        _ => false,
    }
}
