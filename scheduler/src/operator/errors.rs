//! `/_errors`: everything that is wrong in a realm.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use realmdex_store::{RealmId, Store, StoreError};
use realmdex_types::Finding;

use super::Operator;
use super::body::Asked;
use super::failure::Failure;
use super::wire::{ErrorsAnswer, FileErrorsAnswer, RealmAsked};
use crate::public::indexing_errors::collisions;

/// Everything that is wrong in a realm.
///
/// What is stored of each file, and what only shows between them.
#[utoipa::path(
    get, path = "/_errors", tag = "indexed", operation_id = "errors", params(RealmAsked),
    responses((status = 200, description = "What is wrong.", body = ErrorsAnswer)),
)]
pub(super) async fn list(
    State(operator): State<Operator>,
    Asked(asked): Asked<RealmAsked>,
) -> Result<Json<ErrorsAnswer>, Failure> {
    let realm = operator.realm(&asked.realm).await?;
    Ok(Json(ErrorsAnswer {
        realm: realm.url,
        files: findings(&operator.store, realm.id).await?,
    }))
}

/// Everything that is wrong in a realm, by path: what is stored of each file, and what only shows between them.
///
/// # Errors
/// Whatever the database says.
pub async fn findings(store: &Store, realm: RealmId) -> Result<Vec<FileErrorsAnswer>, StoreError> {
    let mut by_path: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for one in store.findings(realm).await? {
        by_path.entry(one.path).or_default().push(one.finding);
    }
    for (path, collisions) in collisions::of(&store.shared_names(realm).await?) {
        let of_file = by_path.entry(path).or_default();
        for one in collisions {
            // Whichever is named first shows what is meant.
            if let Some((skill, other)) = one.others.first() {
                of_file.push(Finding::collision(
                    &one.function_name,
                    one.tool,
                    other,
                    skill,
                ));
            }
        }
    }
    Ok(by_path
        .into_iter()
        .map(|(path, findings)| FileErrorsAnswer { path, findings })
        .collect())
}
