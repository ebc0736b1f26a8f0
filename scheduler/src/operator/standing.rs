//! `/_queue` and `/_verify`: how it stands.

use axum::Json;
use axum::extract::State;
use realmdex_queue::BrokerState;
use realmdex_store::TargetState;
use realmdex_types::{JobClass, ReadState};

use super::Operator;
use super::body::Asked;
use super::failure::Failure;
use super::wire::{
    BacklogAnswer, BrokenEdgeAnswer, BrokerAnswer, QueueAnswer, VerifyAnswer, VerifyAsked,
    WindowAnswer, limit,
};

/// How much there is to do, and how the broker stands.
#[utoipa::path(
    get, path = "/_queue", tag = "standing", operation_id = "queue",
    responses((status = 200, description = "How it stands.", body = QueueAnswer)),
)]
pub(super) async fn queue(State(operator): State<Operator>) -> Result<Json<QueueAnswer>, Failure> {
    let backlog = operator.store.backlog().await?;
    let mut windows = Vec::new();
    for class in JobClass::ALL {
        windows.push(WindowAnswer {
            class,
            window: operator.metrics.window(class),
            standing: operator.store.standing_offers(class).await?,
        });
    }
    let mut backlog: Vec<BacklogAnswer> = backlog
        .into_iter()
        .map(|jobs| BacklogAnswer {
            kind: jobs.kind,
            class: jobs.class,
            state: jobs.state,
            jobs: jobs.jobs,
            oldest_seconds: jobs.oldest,
        })
        .collect();
    backlog.sort_by_key(|jobs| (jobs.kind.as_str(), jobs.class.as_str(), jobs.state.as_str()));
    Ok(Json(QueueAnswer {
        backlog,
        windows,
        broker: operator.broker.as_ref().map(|broker| match broker.state() {
            BrokerState::Ready => BrokerAnswer::Ready,
            BrokerState::Blocked { why } => BrokerAnswer::Blocked { why },
            BrokerState::Down { why } => BrokerAnswer::Down { why },
        }),
    }))
}

/// Whether every row follows from what its files are.
#[utoipa::path(
    get, path = "/_verify", tag = "standing", operation_id = "verify", params(VerifyAsked),
    responses((status = 200, description = "Whether it does.", body = VerifyAnswer)),
)]
pub(super) async fn verify(
    State(operator): State<Operator>,
    Asked(asked): Asked<VerifyAsked>,
) -> Result<Json<VerifyAnswer>, Failure> {
    let realm = operator.realm_if(asked.realm.as_ref()).await?;
    let broken = operator.store.broken_edges(realm).await?;
    let outdated = operator.store.outdated_files(realm).await?;
    let edges = operator.store.edge_count(realm).await?;
    let shown = usize::try_from(limit(asked.limit)).unwrap_or(usize::MAX);
    Ok(Json(VerifyAnswer {
        is_clean: broken.is_empty() && outdated.is_empty(),
        edges,
        broken_edges: broken.len(),
        outdated_files: outdated.len(),
        broken: broken
            .into_iter()
            .take(shown)
            .map(|edge| BrokenEdgeAnswer {
                source: edge.source.to_string(),
                target: edge.target.to_string(),
                then: then_text(&edge.then),
                now: now_text(&edge.now),
            })
            .collect(),
        outdated: outdated
            .iter()
            .take(shown)
            .map(ToString::to_string)
            .collect(),
    }))
}

/// How a file was found.
pub(super) fn then_text(found: &ReadState) -> String {
    match found {
        ReadState::Read { digest } => digest.short(),
        ReadState::Absent => "absent".to_owned(),
        ReadState::Forbidden => "forbidden".to_owned(),
        ReadState::Denied => "denied".to_owned(),
        ReadState::Refused => "refused".to_owned(),
        ReadState::Unreachable => "unreachable".to_owned(),
    }
}

/// What a row says a file is.
pub(super) fn now_text(state: &TargetState) -> String {
    match state {
        TargetState::Present(digest) => digest.short(),
        TargetState::Absent => "absent".to_owned(),
        TargetState::Forbidden => "forbidden".to_owned(),
        TargetState::Unread => "unread".to_owned(),
    }
}
