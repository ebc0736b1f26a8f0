//! Where things are: the cache, and the realm a file belongs to.

use std::path::{Path, PathBuf};

use anyhow::Context;
use realmdex_types::{ContentDigest, RealmPath};
use url::Url;

/// What marks the top folder of a realm or a checkout. A realm's folders may have an index of their own, so that one
/// counts only where nothing else does.
const TOP_MARKERS: [&[&str]; 2] = [&["realm.json", ".realm.json", ".git"], &["index.json"]];

/// The folder for compiled code: `REALMDEX_CACHE`, else the user's cache folder.
pub(crate) fn cache() -> anyhow::Result<PathBuf> {
    let folder = under("REALMDEX_CACHE", "")
        .or_else(|| under("XDG_CACHE_HOME", "realmdex"))
        .or_else(|| under("HOME", ".cache/realmdex"))
        .context("there is no HOME to keep the cache in: set REALMDEX_CACHE to a folder")?;
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("making the cache folder {}", folder.display()))?;
    folder
        .canonicalize()
        .with_context(|| format!("finding the cache folder {}", folder.display()))
}

/// The folder below which indexes are kept, one folder each; it need not be there yet.
pub(crate) fn indexes() -> anyhow::Result<PathBuf> {
    under("XDG_DATA_HOME", "realmdex")
        .or_else(|| under("HOME", ".local/share/realmdex"))
        .context("there is no HOME to keep the index in: give --data a folder")
}

/// The folder of the index of one realm, by where the realm's bytes are. Each realm that is indexed on its own has an
/// index of its own, so that none has to be given a URL only to tell it from the others.
pub(crate) fn index_of(source: &Url) -> anyhow::Result<PathBuf> {
    let name: String = source
        .path_segments()
        .and_then(|segments| segments.rev().find(|segment| !segment.is_empty()))
        .or(source.host_str())
        .unwrap_or("realm")
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .take(40)
        .collect();
    let digest = ContentDigest::of(source.as_str().as_bytes()).short();
    Ok(indexes()?.join(format!("{name}-{digest}")))
}

fn under(base: &str, below: &str) -> Option<PathBuf> {
    std::env::var_os(base)
        .filter(|value| !value.is_empty())
        .map(|value| Path::new(&value).join(below))
}

/// The top of the realm that a file lies in: the nearest folder above with a marker of one, else the file's own.
/// Answers that folder and the file's path below it.
pub(crate) fn realm_of(file: &Path) -> anyhow::Result<(PathBuf, RealmPath)> {
    // The file itself may be a symbolic link: it is what was asked for, wherever it leads.
    let named = file
        .file_name()
        .with_context(|| format!("{} is no file", file.display()))?;
    let folder = match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let own = folder
        .canonicalize()
        .with_context(|| format!("there is no folder {}", folder.display()))?;
    let marked = |markers: &[&str]| {
        own.ancestors()
            .find(|folder| markers.iter().any(|marker| folder.join(marker).exists()))
    };
    let top = TOP_MARKERS
        .iter()
        .find_map(|markers| marked(markers))
        .unwrap_or(&own);
    let below = own
        .strip_prefix(top)
        .context("a file lies below its folder")?
        .join(named);
    let segments: Option<Vec<&str>> = below.iter().map(|segment| segment.to_str()).collect();
    let path = segments
        .with_context(|| format!("{} is not UTF-8", below.display()))?
        .join("/");
    Ok((top.to_owned(), RealmPath::parse(&path)?))
}
