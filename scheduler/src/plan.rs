//! What changes come to: which files are looked at again, and whether the realm has to be listed.

use std::collections::BTreeSet;

use realmdex_store::Changes;
use realmdex_types::RealmPath;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::intake::IntakeError;

/// The name of a file that says which others are the realm's.
pub(crate) const GITIGNORE: &str = ".gitignore";

/// Something in a realm that is said to have changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Change {
    /// Where, below the realm's root; a folder's ends in `/`.
    pub path: String,
    /// What happened, if that is known: a hint, for what is there now decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
}

/// What is said to have happened to a file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// It was made or written.
    Update,
    /// It was removed.
    Delete,
}

/// What is to be done about changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Files that are looked at.
    pub files: BTreeSet<RealmPath>,
    /// Folders: every file known below them is looked at.
    pub folders: BTreeSet<RealmPath>,
    /// Why the realm is listed again, where that must be: only its source can tell what is there now.
    pub listing: Option<String>,
}

impl Plan {
    /// What changes come to.
    ///
    /// A file is looked at. A folder that was removed had files that are known. One that came, or came by another name,
    /// may have others, and a `.gitignore` hides files or shows them: then the realm is listed.
    ///
    /// # Errors
    /// [`IntakeError::Path`] for the first that does not name anything below the realm's root.
    pub fn of(changes: &[Change]) -> Result<Self, IntakeError> {
        let mut plan = Self::default();
        for change in changes {
            let folder = change.path.strip_suffix('/');
            let path = folder.unwrap_or(&change.path);
            let path =
                RealmPath::parse(path).map_err(|_| IntakeError::Path(change.path.clone()))?;
            if folder.is_none() {
                plan.file(path);
                continue;
            }
            if change.operation != Some(Operation::Delete) {
                plan.list(|| format!("{path}/ came or was renamed"));
            }
            plan.folders.insert(path);
        }
        Ok(plan)
    }

    /// Adds a file.
    pub(crate) fn file(&mut self, path: RealmPath) {
        if path.file_name() == GITIGNORE {
            self.list(|| format!("{path} changed"));
        }
        self.files.insert(path);
    }

    /// Has the realm listed; the first reason is told.
    pub(crate) fn list(&mut self, reason: impl FnOnce() -> String) {
        self.listing.get_or_insert_with(reason);
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty() && self.listing.is_none()
    }

    /// What the store looks at.
    pub(crate) fn changes(&self) -> Changes {
        Changes {
            files: self.files.iter().cloned().collect(),
            folders: self.folders.iter().cloned().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn change(text: &str) -> Change {
        let (operation, path) = match text.split_at_checked(1) {
            Some(("+", path)) => (Some(Operation::Update), path),
            Some(("-", path)) => (Some(Operation::Delete), path),
            _ => (None, text),
        };
        Change {
            path: path.to_owned(),
            operation,
        }
    }

    fn planned(changes: &[&str]) -> Result<Plan, IntakeError> {
        Plan::of(&changes.iter().copied().map(change).collect::<Vec<_>>())
    }

    /// Changes (`+` written, `-` removed), and the files, folders and listing that they come to.
    #[test]
    fn changes_come_to_files_folders_and_a_listing() {
        type Row = (
            &'static [&'static str],
            &'static [&'static str],
            &'static [&'static str],
            Option<&'static str>,
        );
        let rows: [Row; 11] = [
            (&[], &[], &[], None),
            (&["a.md"], &["a.md"], &[], None),
            (
                &["+b/a.md", "-b/a.md", "a.md"],
                &["a.md", "b/a.md"],
                &[],
                None,
            ),
            (&["-a/"], &[], &["a"], None),
            (&["+a/b/"], &[], &["a/b"], Some("a/b/ came or was renamed")),
            (&["a/"], &[], &["a"], Some("a/ came or was renamed")),
            (
                &["-a/", "+b/"],
                &[],
                &["a", "b"],
                Some("b/ came or was renamed"),
            ),
            (&["-a/", "+a/"], &[], &["a"], Some("a/ came or was renamed")),
            (
                &[".gitignore"],
                &[".gitignore"],
                &[],
                Some(".gitignore changed"),
            ),
            (
                &["-a/.gitignore", "+b/.gitignore"],
                &["a/.gitignore", "b/.gitignore"],
                &[],
                Some("a/.gitignore changed"),
            ),
            (
                &["a.gitignore", "-.gitignore/"],
                &["a.gitignore"],
                &[".gitignore"],
                None,
            ),
        ];
        for (changes, files, folders, listing) in rows {
            let plan = planned(changes).unwrap();
            let names = |paths: &BTreeSet<RealmPath>| -> Vec<String> {
                paths.iter().map(ToString::to_string).collect()
            };
            assert_eq!(names(&plan.files), files, "{changes:?}");
            assert_eq!(names(&plan.folders), folders, "{changes:?}");
            assert_eq!(plan.listing.as_deref(), listing, "{changes:?}");
            assert_eq!(plan.is_empty(), changes.is_empty(), "{changes:?}");
        }
    }

    #[test]
    fn what_is_no_path_below_the_root_is_named() {
        for bad in ["", "/", "/a", "a//", "../a", "a/../b", "a\\b", "a\nb"] {
            let error = planned(&["a", bad]).unwrap_err();
            assert!(
                matches!(&error, IntakeError::Path(path) if path == bad),
                "{bad:?}: {error}"
            );
        }
    }
}
