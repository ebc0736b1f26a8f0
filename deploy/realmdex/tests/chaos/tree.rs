//! A realm's files as they are meant to be, and how they come onto the disk.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fastrand::Rng;

/// Something that is done to a realm's folder. Paths are below its root.
#[derive(Clone, Debug)]
pub enum FileOp {
    /// A file is made or written; `at_once` replaces it by a rename, else a reader may see half of it.
    Write {
        path: String,
        text: String,
        at_once: bool,
    },
    /// A file is removed.
    Remove { path: String },
    /// A file goes by another name.
    Rename { from: String, to: String },
    /// A folder goes by another name.
    RenameFolder { from: String, to: String },
    /// A folder is removed with all that is in it.
    RemoveFolder { path: String },
}

/// What part a file plays, by the folder it lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A `SKILL.md`.
    Skill,
    /// A module that skills declare.
    Tool,
    /// A module that tools import.
    Lib,
    /// A module that those import.
    Base,
    /// A `.gitignore`.
    Rules,
    /// Anything else.
    Plain,
}

impl Part {
    pub fn of(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let top = path.split('/').next().unwrap_or(path);
        match (top, name) {
            (_, ".gitignore") => Self::Rules,
            ("skills", "SKILL.md") => Self::Skill,
            ("tools", _) => Self::Tool,
            ("lib", _) => Self::Lib,
            ("base", _) => Self::Base,
            _ => Self::Plain,
        }
    }
}

/// The files of a realm, hidden ones included.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The realm's root.
    pub url: &'static str,
    files: BTreeMap<String, String>,
}

impl Tree {
    pub fn new(url: &'static str) -> Self {
        Self {
            url,
            files: BTreeMap::new(),
        }
    }

    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    pub fn paths(&self, part: Part) -> Vec<String> {
        let paths = self.files.keys();
        paths
            .filter(|path| Part::of(path) == part)
            .cloned()
            .collect()
    }

    /// One file of a part; the first in order are met more often than the last, as in real realms.
    pub fn pick(&self, part: Part, rng: &mut Rng) -> Option<String> {
        let paths = || self.files.keys().filter(|path| Part::of(path) == part);
        let at = skewed(rng, paths().count())?;
        paths().nth(at).cloned()
    }

    /// One of the folders below a top folder that hold files, top folders themselves aside.
    pub fn pick_folder(&self, top: &str, rng: &mut Rng) -> Option<String> {
        let mut folders: Vec<&str> = self
            .files
            .keys()
            .filter(|path| path.split('/').next() == Some(top) && path.matches('/').count() >= 2)
            .filter_map(|path| path.match_indices('/').nth(1).map(|(end, _)| &path[..end]))
            .collect();
        folders.dedup();
        rng.choice(folders).map(str::to_owned)
    }

    pub fn below(&self, folder: &str) -> Vec<String> {
        let paths = self.files.keys();
        paths
            .filter(|path| is_below(path, folder))
            .cloned()
            .collect()
    }

    pub fn write(&mut self, path: &str, text: String, at_once: bool) -> FileOp {
        self.files.insert(path.to_owned(), text.clone());
        FileOp::Write {
            path: path.to_owned(),
            text,
            at_once,
        }
    }

    pub fn remove(&mut self, path: &str) -> FileOp {
        self.files.remove(path);
        FileOp::Remove {
            path: path.to_owned(),
        }
    }

    pub fn rename(&mut self, from: &str, to: &str) -> FileOp {
        if let Some(text) = self.files.remove(from) {
            self.files.insert(to.to_owned(), text);
        }
        FileOp::Rename {
            from: from.to_owned(),
            to: to.to_owned(),
        }
    }

    pub fn rename_folder(&mut self, from: &str, to: &str) -> FileOp {
        for path in self.below(from) {
            if let Some(text) = self.files.remove(&path) {
                self.files
                    .insert(format!("{to}{}", &path[from.len()..]), text);
            }
        }
        FileOp::RenameFolder {
            from: from.to_owned(),
            to: to.to_owned(),
        }
    }

    pub fn remove_folder(&mut self, path: &str) -> FileOp {
        self.files.retain(|file, _| !is_below(file, path));
        FileOp::RemoveFolder {
            path: path.to_owned(),
        }
    }

    /// Writes all files.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn lay_out(&self, root: &Path) -> io::Result<()> {
        for (path, text) in self.files() {
            write(&root.join(path), text)?;
        }
        Ok(())
    }

    /// Where the disk has something else than is meant to be there.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn differences(&self, root: &Path) -> io::Result<Vec<String>> {
        let mut on_disk = BTreeMap::new();
        collect(root, root, &mut on_disk)?;
        let mut paths: Vec<&String> = self.files.keys().chain(on_disk.keys()).collect();
        paths.sort();
        paths.dedup();
        Ok(paths
            .into_iter()
            .filter(|path| self.files.get(*path) != on_disk.get(*path))
            .cloned()
            .collect())
    }
}

/// The lower of two throws.
pub fn skewed(rng: &mut Rng, length: usize) -> Option<usize> {
    (length > 0).then(|| rng.usize(..length).min(rng.usize(..length)))
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, found)?;
        } else {
            let below = path.strip_prefix(root).unwrap_or(&path);
            let text = fs::read_to_string(&path)?;
            found.insert(below.to_string_lossy().into_owned(), text);
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

impl FileOp {
    /// Does it. `aside` is a folder on the same disk, outside of every realm.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn apply(&self, root: &Path, aside: &Path) -> io::Result<()> {
        let at = |path: &str| -> PathBuf { root.join(path) };
        match self {
            Self::Write {
                path,
                text,
                at_once: false,
            } => write(&at(path), text),
            Self::Write {
                path,
                text,
                at_once: true,
            } => {
                let made = aside.join("written");
                write(&made, text)?;
                if let Some(folder) = at(path).parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::rename(made, at(path))
            }
            Self::Remove { path } => fs::remove_file(at(path)),
            Self::Rename { from, to } => {
                if let Some(folder) = at(to).parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::rename(at(from), at(to))?;
                // Two files of one length and one second can't be told apart by whoever trusts a listing.
                File::options()
                    .append(true)
                    .open(at(to))?
                    .set_modified(SystemTime::now())
            }
            Self::RenameFolder { from, to } => fs::rename(at(from), at(to)),
            Self::RemoveFolder { path } => fs::remove_dir_all(at(path)),
        }
    }
}
