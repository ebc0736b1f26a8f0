//! The secrets that say who may do what, read from files: never from a command line, and never logged.

use std::path::Path;

use anyhow::Context;
use realmdex_scheduler::access::{Access, DelegationSecret, RealmSecret};
use realmdex_store::Store;

/// The variable that names the file of the secret which signs realm tokens.
pub(crate) const REALM_SECRET_FILE: &str = "REALMDEX_REALM_SECRET_FILE";

/// Who may do what, by the secrets that there are.
pub(crate) fn access(
    store: &Store,
    realm_secret: Option<&Path>,
    delegation_secret: Option<&Path>,
) -> anyhow::Result<Access> {
    let mut access = Access::default();
    if let Some(file) = realm_secret {
        let secret = read(file, "the secret that signs realm tokens", RealmSecret::new)?;
        access = access.with_sessions(store.clone(), secret);
    }
    if let Some(file) = delegation_secret {
        anyhow::ensure!(
            realm_secret.is_some(),
            "delegation_secret_file is set, but nothing signs the tokens that are made for it: set realm_secret_file too"
        );
        let what = "the secret of whoever acts for users";
        access = access.with_delegation(read(file, what, DelegationSecret::new)?);
    }
    Ok(access)
}

fn read<T>(file: &Path, what: &str, new: impl Fn(String) -> Option<T>) -> anyhow::Result<T> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("reading {what} from {}", file.display()))?;
    new(text).with_context(|| format!("{} is empty: it should hold {what}", file.display()))
}
