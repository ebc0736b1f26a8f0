//! Everything that is wrong in an indexed realm, by file: what is stored of each, and what only shows between them.

use std::collections::BTreeMap;

use realmdex_store::{RealmId, Store, StoreError};
use realmdex_types::{Finding, RealmPath};

use crate::collisions::{self, Declared};
use crate::report::FileFindings;
use crate::stamped::stamped_entries;

/// The findings of a realm's files, by path; files without are left out.
pub(crate) async fn of(store: &Store, realm: RealmId) -> Result<Vec<FileFindings>, StoreError> {
    let mut by_path: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for one in store.findings(realm).await? {
        by_path.entry(one.path).or_default().push(one.finding);
    }
    let skills = store.stamped_skills(realm).await?;
    let declared = skills.iter().flat_map(|skill| {
        let path = RealmPath::parse(&skill.path);
        stamped_entries(&skill.tools)
            .into_iter()
            .filter_map(move |tool| {
                Some(Declared {
                    skill: path.clone().ok()?,
                    function_name: tool.definition.function().name.clone(),
                    tool: tool.code_ref,
                    place: None,
                })
            })
    });
    for (path, findings) in collisions::of(declared) {
        by_path
            .entry(path.to_string())
            .or_default()
            .extend(findings);
    }
    Ok(by_path
        .into_iter()
        .map(|(path, findings)| FileFindings { path, findings })
        .collect())
}
