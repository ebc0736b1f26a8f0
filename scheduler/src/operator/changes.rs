//! `POST /_changes`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::Operator;
use super::body::Body;
use super::failure::Failure;
use super::wire::{ChangesRequest, ChangesTaken};

/// Says what changed in a realm.
#[utoipa::path(
    post, path = "/_changes", tag = "changes", operation_id = "takeIn", request_body = ChangesRequest,
    responses((status = 202, description = "They are taken in.", body = ChangesTaken)),
)]
pub(super) async fn take_in(
    State(operator): State<Operator>,
    Body(request): Body<ChangesRequest>,
) -> Result<(StatusCode, Json<ChangesTaken>), Failure> {
    let intake = operator.intake();
    let realm = intake.realm(&request.realm).await?;
    let taken = intake.take_in(&realm, &request.changes).await?;
    let answer = ChangesTaken {
        change_seq: taken.change_seq.number(),
        files: taken.files,
        reindex: taken.listing,
    };
    Ok((StatusCode::ACCEPTED, Json(answer)))
}
