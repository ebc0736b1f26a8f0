//! From the paths of a command line to realms and files in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use realmdex_types::RealmPath;
use realmdex_worker::extract::is_markdown;

use crate::folders;

/// A realm, and which of its files are meant.
#[derive(Debug, PartialEq)]
pub(super) struct Target {
    /// The realm's folder.
    pub(super) folder: PathBuf,
    files: Files,
}

#[derive(Debug, PartialEq)]
enum Files {
    /// All there are; the folder as the user wrote it goes before their paths.
    All { prefix: String },
    /// These, each with the path that the user wrote.
    Some(BTreeMap<RealmPath, String>),
}

/// The realms that the paths name: a folder is one, and files are grouped by theirs.
pub(super) fn of(paths: &[PathBuf]) -> anyhow::Result<Vec<Target>> {
    let mut targets = Vec::new();
    let mut grouped: BTreeMap<PathBuf, BTreeMap<RealmPath, String>> = BTreeMap::new();
    for path in paths {
        let metadata =
            std::fs::metadata(path).with_context(|| format!("can't look at {}", path.display()))?;
        if metadata.is_dir() {
            targets.push(Target {
                folder: path.clone(),
                files: Files::All {
                    prefix: written(path),
                },
            });
        } else {
            let (folder, file) = folders::realm_of(path)?;
            grouped
                .entry(folder)
                .or_default()
                .insert(file, written(path));
        }
    }
    targets.extend(grouped.into_iter().map(|(folder, files)| Target {
        folder,
        files: Files::Some(files),
    }));
    Ok(targets)
}

impl Target {
    /// The files that were named one by one; none where the whole realm is meant.
    pub(super) fn files(&self) -> Option<&BTreeMap<RealmPath, String>> {
        match &self.files {
            Files::All { .. } => None,
            Files::Some(files) => Some(files),
        }
    }

    /// Those of them that are markdown.
    pub(super) fn markdown(&self) -> Vec<RealmPath> {
        let files = self.files().into_iter().flat_map(BTreeMap::keys);
        files
            .filter(|path| is_markdown(path.file_name()))
            .cloned()
            .collect()
    }

    /// A file's path as the user would write it.
    pub(super) fn shown(&self, path: &RealmPath) -> String {
        match &self.files {
            Files::All { prefix } if prefix.is_empty() => path.to_string(),
            Files::All { prefix } => format!("{prefix}/{path}"),
            Files::Some(files) => files.get(path).cloned().unwrap_or_else(|| path.to_string()),
        }
    }
}

/// A path in few signs: no `./` before it, no `/` behind it.
fn written(path: &Path) -> String {
    path.components()
        .collect::<PathBuf>()
        .strip_prefix(".")
        .map(Path::to_path_buf)
        .unwrap_or_else(|_| path.components().collect())
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_as_they_were_written() {
        let shown = |given: &str| {
            let target = Target {
                folder: given.into(),
                files: Files::All {
                    prefix: written(Path::new(given)),
                },
            };
            target.shown(&RealmPath::parse("a/SKILL.md").unwrap())
        };
        for (given, expected) in [
            (".", "a/SKILL.md"),
            ("./", "a/SKILL.md"),
            ("realms/acme/", "realms/acme/a/SKILL.md"),
            ("./realms/acme", "realms/acme/a/SKILL.md"),
            ("../acme", "../acme/a/SKILL.md"),
            ("/srv/acme", "/srv/acme/a/SKILL.md"),
        ] {
            assert_eq!(shown(given), expected, "{given}");
        }
    }
}
