//! Where things are: the cache, and the realm a file belongs to.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// What marks the top folder of a realm or a checkout.
const TOP_MARKERS: [&str; 4] = ["realm.json", ".realm.json", "index.json", ".git"];

/// The folder for compiled code: `REALMDEX_CACHE`, else the user's cache folder.
pub(crate) fn cache() -> anyhow::Result<PathBuf> {
    let under = |base: &str, below: &str| {
        std::env::var_os(base)
            .filter(|value| !value.is_empty())
            .map(|value| Path::new(&value).join(below))
    };
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

/// The top of the realm that a file lies in: the nearest folder above with a marker of one, else the file's own.
/// Answers that folder and the file's path below it.
pub(crate) fn realm_of(file: &Path) -> anyhow::Result<(PathBuf, String)> {
    let file = file
        .canonicalize()
        .with_context(|| format!("there is no file {}", file.display()))?;
    let own = file.parent().unwrap_or(Path::new("/"));
    let top = own
        .ancestors()
        .find(|folder| {
            TOP_MARKERS
                .iter()
                .any(|marker| folder.join(marker).exists())
        })
        .unwrap_or(own);
    let path = file
        .strip_prefix(top)
        .context("a file lies below its folder")?;
    let path = path
        .to_str()
        .with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok((top.to_owned(), path.replace(std::path::MAIN_SEPARATOR, "/")))
}
