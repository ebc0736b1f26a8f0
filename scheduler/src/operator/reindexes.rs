//! `/_reindex`, `/_reindexes`: whole realms.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use realmdex_store::{RealmId, ReindexRequest, ReindexRow, StoreError};

use super::Operator;
use super::body::{Asked, Body};
use super::failure::Failure;
use super::wire::{
    ReindexAnswer, ReindexOrder, ReindexesAnswer, ReindexesAsked, ReindexesRequested, limit,
};
use crate::intake::IntakeError;

/// Has a realm indexed, or all of them.
#[utoipa::path(
    post, path = "/_reindex", tag = "reindexes", operation_id = "reindex", request_body = ReindexOrder,
    responses((status = 202, description = "They are enqueued.", body = ReindexesRequested)),
)]
pub(super) async fn request(
    State(operator): State<Operator>,
    Body(order): Body<ReindexOrder>,
) -> Result<(StatusCode, Json<ReindexesRequested>), Failure> {
    let (realms, is_one) = match (&order.realm, order.all) {
        (Some(url), false) => {
            let realm = operator.realm(url).await?;
            if realm.is_archived {
                return Err(IntakeError::ArchivedRealm(realm.url).into());
            }
            (vec![realm.id], true)
        }
        (None, true) => (live(&operator).await?, false),
        _ => {
            return Err(Failure::bad(
                "give either `realm`, the URL of one, or `all`: true",
            ));
        }
    };
    let mut reindexes = Vec::with_capacity(realms.len());
    for realm in realms {
        let wanted = ReindexRequest {
            force: order.force,
            allow_mass_delete: order.allow_mass_delete,
            ..ReindexRequest::of(realm, order.reason().to_owned())
        };
        match operator.store.request_reindex(&wanted).await {
            Ok(id) => reindexes.push(id),
            // Archived or removed meanwhile.
            Err(StoreError::Archived) if !is_one => {}
            Err(error) => return Err(error.into()),
        }
    }
    operator.wakes.dispatch.up();
    let answer = ReindexesRequested { reindexes };
    Ok((StatusCode::ACCEPTED, Json(answer)))
}

async fn live(operator: &Operator) -> Result<Vec<RealmId>, Failure> {
    let realms = operator.store.realms().await?;
    Ok(realms
        .into_iter()
        .filter(|realm| !realm.is_archived)
        .map(|realm| realm.id)
        .collect())
}

/// Reindexes, and how far they are.
#[utoipa::path(
    get, path = "/_reindexes", tag = "reindexes", operation_id = "reindexes", params(ReindexesAsked),
    responses((status = 200, description = "Reindexes.", body = ReindexesAnswer)),
)]
pub(super) async fn list(
    State(operator): State<Operator>,
    Asked(asked): Asked<ReindexesAsked>,
) -> Result<Json<ReindexesAnswer>, Failure> {
    let realm = operator.realm_if(asked.realm.as_ref()).await?;
    let ids = asked.ids.as_ref().map(|ids| ids.0.as_slice());
    let rows = operator
        .store
        .reindexes(realm, ids, limit(asked.limit))
        .await?;
    let reindexes = rows.into_iter().map(answer).collect();
    Ok(Json(ReindexesAnswer { reindexes }))
}

fn answer(row: ReindexRow) -> ReindexAnswer {
    ReindexAnswer {
        id: row.id,
        realm: row.realm,
        reason: row.reason,
        force: row.force,
        requested_at: row.requested_at,
        listed_at: row.listed_at,
        listed: row.listed,
        planned: row.planned,
        open: row.open,
        finished_at: row.finished_at,
        outcome: row.outcome,
        error: row.error,
    }
}
