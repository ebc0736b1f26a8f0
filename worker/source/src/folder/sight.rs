//! What lies at single paths of a folder realm, for those who watch it.

use realmdex_types::RealmPath;

use super::{Descent, Folder, FolderSource, Listing, folder_in};
use crate::SourceError;
use crate::ignore_rules::Kind;

/// What lies at a path of a folder realm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A file of the realm.
    File,
    /// A folder whose files are the realm's.
    Folder,
    /// Nothing, or no regular file; if there were one, it would be the realm's.
    Nothing,
    /// Whatever is there is ignored.
    Hidden,
    /// It can't be told: something on the way may not be read.
    Unclear,
}

/// What lies below a folder of a realm and is not ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// The folders, and the one that the walk began at unless that is the root; each before those within it.
    pub folders: Vec<RealmPath>,
    /// The files, sorted.
    pub files: Vec<RealmPath>,
}

impl FolderSource {
    /// What lies at each of some paths now.
    ///
    /// # Errors
    /// Where the root can't be opened.
    pub async fn look(
        &self,
        paths: Vec<RealmPath>,
    ) -> Result<Vec<(RealmPath, Sight)>, SourceError> {
        self.blocking(move |folder| {
            folder.open_root()?;
            Ok(paths
                .into_iter()
                .map(|path| {
                    let sight = folder.sight(&path).unwrap_or(Sight::Unclear);
                    (path, sight)
                })
                .collect())
        })
        .await
    }

    /// Folders and files at and below a folder, or of the whole realm; none where that is hidden or not there.
    ///
    /// # Errors
    /// As for a listing: there is no partial answer.
    pub async fn walk(&self, below: Option<&RealmPath>) -> Result<Walked, SourceError> {
        let below = below.cloned();
        self.blocking(move |folder| folder.walk_below(below.as_ref()))
            .await
    }
}

impl Folder {
    fn sight(&self, path: &RealmPath) -> Result<Sight, SourceError> {
        let (dir, rules) = match self.descend(path)? {
            Descent::At(dir, rules) => (dir, rules),
            Descent::Hidden => return Ok(Sight::Hidden),
            Descent::Missing(rules) if rules.hides(path.as_str(), Kind::File) => {
                return Ok(Sight::Hidden);
            }
            Descent::Missing(_) => return Ok(Sight::Nothing),
        };
        let metadata = match dir.symlink_metadata(path.file_name()) {
            Ok(metadata) => Some(metadata),
            Err(error) => match SourceError::from_io(path.as_str(), &error) {
                SourceError::NotFound { .. } => None,
                other => return Err(other),
            },
        };
        let is_folder = metadata.as_ref().is_some_and(cap_std::fs::Metadata::is_dir);
        let kind = if is_folder { Kind::Folder } else { Kind::File };
        Ok(match metadata {
            _ if rules.hides(path.as_str(), kind) => Sight::Hidden,
            Some(_) if is_folder => Sight::Folder,
            Some(metadata) if metadata.is_file() => Sight::File,
            _ => Sight::Nothing,
        })
    }

    fn walk_below(&self, below: Option<&RealmPath>) -> Result<Walked, SourceError> {
        let Some(path) = below else {
            let mut listing = Listing::new(self, super::RuleStack::default());
            listing.walk(&self.open_root()?, "", 0)?;
            return Ok(walked(listing));
        };
        let Descent::At(dir, rules) = self.descend(path)? else {
            return Ok(Walked::default());
        };
        if rules.hides(path.as_str(), Kind::Folder) {
            return Ok(Walked::default());
        }
        let Some(inner) = folder_in(&dir, path.file_name(), path)? else {
            return Ok(Walked::default());
        };
        let mut listing = Listing::new(self, rules);
        listing.folders.push(path.clone());
        listing.walk(&inner, &format!("{path}/"), path.segments().count())?;
        Ok(walked(listing))
    }
}

fn walked(listing: Listing<'_>) -> Walked {
    let mut files: Vec<RealmPath> = listing
        .found
        .into_iter()
        .map(|listed| listed.path)
        .collect();
    files.sort_unstable();
    Walked {
        folders: listing.folders,
        files,
    }
}
