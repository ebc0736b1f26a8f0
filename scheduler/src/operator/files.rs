//! `/_files` and `/_holdings`: a file as the index has it, and how many there are.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use realmdex_store::{Realm, ServedFile, Sought};
use realmdex_types::{Finding, FindingKind, RealmPath};

use super::Operator;
use super::body::Asked;
use super::failure::Failure;
use super::standing::now_text;
use super::wire::{FileAnswer, FileAsked, HoldingsAnswer, RealmAsked};

/// One file as the index has it.
#[utoipa::path(
    get, path = "/_files", tag = "indexed", operation_id = "file", params(FileAsked),
    responses((status = 200, description = "The file.", body = FileAnswer)),
)]
pub(super) async fn one(
    State(operator): State<Operator>,
    Asked(asked): Asked<FileAsked>,
) -> Result<Json<FileAnswer>, Failure> {
    let realm = operator.realm(&asked.realm).await?;
    let row = operator.row(&realm, &asked.path).await?;
    let path = asked.path.as_str();
    let mut known = operator.store.wrong_files(realm.id, &[path]).await?;
    // Whoever took the row away did so just now.
    let known = known
        .remove(path)
        .ok_or_else(|| not_indexed(&realm, &asked.path))?;
    let error = known.error.iter().map(|why| Finding {
        kind: FindingKind::IndexingError,
        message: why.clone(),
        line: None,
        column: None,
        tool: None,
        transient: known.retry_at.is_some(),
    });
    Ok(Json(FileAnswer {
        id: row.module_id.to_string(),
        realm: realm.url,
        path: asked.path,
        state: now_text(&known.state),
        indexed_at: known.indexed_at,
        duration_ms: known.duration_ms,
        retry_at: known.retry_at,
        document: row.document,
        findings: error.chain(known.findings.iter().cloned()).collect(),
        error: known.error,
    }))
}

/// How much a realm holds.
#[utoipa::path(
    get, path = "/_holdings", tag = "indexed", operation_id = "holdings", params(RealmAsked),
    responses((status = 200, description = "How much.", body = HoldingsAnswer)),
)]
pub(super) async fn holdings(
    State(operator): State<Operator>,
    Asked(asked): Asked<RealmAsked>,
) -> Result<Json<HoldingsAnswer>, Failure> {
    let realm = operator.realm(&asked.realm).await?;
    let holdings = operator.store.holdings(realm.id).await?;
    Ok(Json(HoldingsAnswer {
        files: holdings.files,
        skills: holdings.skills,
        tools_declared: holdings.tools_declared,
        tools_stamped: holdings.tools_stamped,
    }))
}

impl Operator {
    /// The row of a realm's file.
    pub(super) async fn row(&self, realm: &Realm, path: &RealmPath) -> Result<ServedFile, Failure> {
        let sought = Sought {
            realm: realm.id,
            path: path.clone(),
        };
        let seen = self.store.look(&[sought]).await?;
        let row = seen.files.first().and_then(|file| file.row);
        let row = match row {
            Some(row) => self.store.served_file(row.stamp.file).await?,
            None => None,
        };
        row.ok_or_else(|| not_indexed(realm, path))
    }
}

fn not_indexed(realm: &Realm, path: &RealmPath) -> Failure {
    Failure::new(
        StatusCode::NOT_FOUND,
        format!(
            "{path} is not in the index of {}: it may be new, or ignored; run `realmdex index`",
            realm.url
        ),
    )
}
