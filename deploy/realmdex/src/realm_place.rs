//! Which realm a command is about: a folder or a URL that is given, or the indexed realm that a path lies in.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use realmdex_scheduler::operator::wire::RealmAnswer;
use realmdex_source::{FolderSource, Source};
use realmdex_types::{RealmPath, RealmUrl};
use realmdex_worker::modules::folder_location;
use url::Url;

use crate::describe::LOCAL_REALM;
use crate::{folders, setup};

/// A realm to index.
#[derive(Debug)]
pub(crate) struct RealmPlace {
    /// Its root, where that is given or known. A folder's is the same wherever it lies, unless one is given: the names of
    /// its tools depend on it.
    pub(crate) url: Option<RealmUrl>,
    /// Where its bytes are.
    pub(crate) location: Url,
    pub(crate) source: Arc<dyn Source>,
}

impl RealmPlace {
    /// The realm of a folder or a URL.
    pub(crate) fn of(place: &str, url: Option<RealmUrl>) -> anyhow::Result<Self> {
        if let Some(served) = web_realm(place)? {
            return Ok(Self {
                url: url.or_else(|| Some(served.clone())),
                location: served.as_url().clone(),
                source: setup::http_source(served)?,
            });
        }
        let folder = Path::new(place);
        if folder.is_file() {
            bail!("{place} is a file: give the folder of its realm");
        }
        Ok(Self {
            url,
            location: folder_location(folder)?,
            source: Arc::new(FolderSource::open(folder)?),
        })
    }
}

/// The root of a folder among several, where none is given: each has its own, by its name.
pub(crate) fn one_of_several(location: &str) -> anyhow::Result<RealmUrl> {
    let name = location.trim_end_matches('/').rsplit('/').next();
    let url = format!("{LOCAL_REALM}{}/", name.unwrap_or("realm"));
    RealmUrl::parse(&url).with_context(|| format!("{location} gives no name: say --url"))
}

fn web_realm(place: &str) -> anyhow::Result<Option<RealmUrl>> {
    match Url::parse(place) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Some(RealmUrl::parse(place)?)),
        _ => Ok(None),
    }
}

/// A realm that someone asks about, or a file of it.
#[derive(Clone, Debug)]
pub(crate) struct AskedPlace {
    /// As the person named it.
    pub(crate) given: String,
    /// Where that is: a `file:` or `http(s):` URL.
    pub(crate) location: Url,
}

impl AskedPlace {
    /// A path or URL.
    pub(crate) fn of(given: &str) -> anyhow::Result<Self> {
        Ok(Self {
            given: given.to_owned(),
            location: asked_location(given)?,
        })
    }

    /// The realm that it lies in, and the path below its root; none for the root itself.
    pub(crate) fn among(
        &self,
        realms: Vec<RealmAnswer>,
    ) -> anyhow::Result<(RealmAnswer, Option<RealmPath>)> {
        let Self { given, location } = self;
        let realm = realms
            .into_iter()
            .filter(|realm| lies_in(location, &realm.source, realm.url.as_str()))
            .max_by_key(|realm| realm.source.len())
            .with_context(|| {
                format!(
                    "{given} is in no realm of this index: run `realmdex index` on the realm's folder or URL first, or name it by \
                     its realm's URL; `realmdex realms list` lists the realms of a server"
                )
            })?;
        let path = location
            .as_str()
            .strip_prefix(&realm.source)
            .or_else(|| location.as_str().strip_prefix(realm.url.as_str()))
            .filter(|below| !below.is_empty())
            .map(|below| RealmPath::from_encoded(below.trim_end_matches('/')))
            .transpose()?;
        Ok((realm, path))
    }
}

/// Whether a place is a realm, or lies in it.
pub(crate) fn lies_in(place: &Url, source: &str, url: &str) -> bool {
    // A realm may be named without its last slash.
    let named = format!("{}/", place.as_str().trim_end_matches('/'));
    [source, url]
        .into_iter()
        .any(|root| place.as_str().starts_with(root) || named == root)
}

/// Where a place is, as a URL; a folder's ends in `/`. The file itself need not be there any more.
fn asked_location(place: &str) -> anyhow::Result<Url> {
    if let Ok(mut url) = Url::parse(place)
        && matches!(url.scheme(), "http" | "https")
    {
        url.set_query(None);
        url.set_fragment(None);
        return Ok(url);
    }
    let path = Path::new(place);
    if path.is_dir() {
        return Ok(folder_location(path)?);
    }
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let name = path
        .file_name()
        .with_context(|| format!("{place} is no file"))?;
    Url::from_file_path(
        folder
            .canonicalize()
            .with_context(|| format!("there is no folder {}", folder.display()))?
            .join(name),
    )
    .map_err(|()| anyhow::anyhow!("{place} is no file"))
}

/// The nearest folder or URL at or above a place that has an index of its own.
pub(crate) fn index_above(place: &Url) -> anyhow::Result<Option<PathBuf>> {
    let mut above = place.clone();
    if !above.path().ends_with('/') {
        // A realm may be named without its last slash.
        let named = format!("{}/", above.path());
        let mut realm = above.clone();
        realm.set_path(&named);
        let folder = folders::index_of(&realm)?;
        if folder.is_dir() {
            return Ok(Some(folder));
        }
    }
    loop {
        if above.path().ends_with('/') {
            let folder = folders::index_of(&above)?;
            if folder.is_dir() {
                return Ok(Some(folder));
            }
        }
        let trimmed = above.path().trim_end_matches('/');
        let Some(slash) = trimmed.rfind('/') else {
            return Ok(None);
        };
        let parent = trimmed[..=slash].to_owned();
        if parent == above.path() {
            return Ok(None);
        }
        above.set_path(&parent);
    }
}
