//! `realmdex up`, found by what it leaves in the folder of its index: where its operator listens, and the token.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use realmdex_scheduler::operator::wire::{RealmAnswer, RealmsAnswer};
use serde_json::json;
use url::Url;

use super::OperatorClient;
use super::http::{HttpOperator, Origin, token_in};
use crate::database::{Database, InUse, IndexPlace};
use crate::folders;

/// Where the operator of a folder's index listens: a URL on one line.
pub(crate) const URL_FILE: &str = "operator.url";

/// What it wants to be told. Only its user may read it.
pub(crate) const TOKEN_FILE: &str = "operator.token";

/// The folder of `up`'s index below [`folders::indexes`], where it serves several realms.
pub(crate) const FLEET: &str = "fleet";

/// Who has the embedded index of a folder.
pub(crate) enum Holder {
    /// This process, from now on.
    Here(Database),
    /// `realmdex up`.
    Up(HttpOperator),
}

/// Whether an index is made in a folder that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    IsMade,
    IsAnError,
}

/// Finds the `realmdex up` that serves a folder's index, or else takes that index.
pub(crate) async fn holder(folder: &Path, missing: Missing) -> anyhow::Result<Holder> {
    let left = operator_of(folder)?;
    // An `up` that was killed leaves its files; one on a database server leaves the folder's index alone.
    if let Some(operator) = &left
        && operator.is_alive().await
    {
        return Ok(Holder::Up(operator.clone()));
    }
    if missing == Missing::IsAnError && !has_index(folder) {
        bail!(
            "there is no index in {}: run `realmdex index` or `realmdex up` with that --data first",
            folder.display()
        );
    }
    match (Database::open(&IndexPlace::default(), folder).await, left) {
        (Ok(database), _) => Ok(Holder::Here(database)),
        // It may be starting or ending: whoever asks it is told.
        (Err(error), Some(operator)) if error.is::<InUse>() => Ok(Holder::Up(operator)),
        (Err(error), _) => Err(error),
    }
}

/// Whether a folder has an embedded index.
pub(crate) fn has_index(folder: &Path) -> bool {
    folder.join("postgres").is_dir()
}

/// The operator that a folder's `realmdex up` serves; none where it serves none.
fn operator_of(folder: &Path) -> anyhow::Result<Option<HttpOperator>> {
    let file = folder.join(URL_FILE);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("reading {}", file.display())),
    };
    let url = Url::parse(text.trim())
        .with_context(|| format!("{} holds no URL: start `realmdex up` anew", file.display()))?;
    let token = token_in(&folder.join(TOKEN_FILE))?;
    HttpOperator::new(url, Some(&token), Origin::UpIn(folder.to_owned())).map(Some)
}

/// A `realmdex up` that runs, and the folder of its index.
pub(crate) struct Running {
    pub(crate) folder: PathBuf,
    pub(crate) operator: HttpOperator,
}

/// Every `realmdex up` of this user that runs with an index in its usual place.
pub(crate) async fn all() -> anyhow::Result<Vec<Running>> {
    let indexes = folders::indexes()?;
    let entries = match fs::read_dir(&indexes) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(error).with_context(|| format!("looking in {}", indexes.display()));
        }
    };
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|folder| folder.join(URL_FILE).is_file())
        .collect();
    folders.sort();
    let looked_at = folders.into_iter().map(async |folder| {
        // What one has left behind that is no operator's must not keep others from being found.
        match operator_of(&folder) {
            Ok(Some(operator)) if operator.is_alive().await => Some(Running { folder, operator }),
            Ok(_) => None,
            Err(error) => {
                tracing::warn!("{error:#}");
                None
            }
        }
    });
    let found = futures::future::join_all(looked_at).await;
    Ok(found.into_iter().flatten().collect())
}

/// The running `realmdex up` that has a realm which a place lies in.
pub(crate) async fn that_holds(
    is_in: impl Fn(&RealmAnswer) -> bool,
) -> anyhow::Result<Option<HttpOperator>> {
    for Running { operator, .. } in all().await? {
        let client = OperatorClient::http(operator.clone());
        match client.get::<RealmsAnswer>("/_realms", &json!({})).await {
            Ok(answer) if answer.realms.iter().any(&is_in) => return Ok(Some(operator)),
            Ok(_) => {}
            Err(error) => tracing::warn!("{error}"),
        }
    }
    Ok(None)
}
