//! How people name a realm: by its URL, or by the folder it lies in.

use std::path::{Path, absolute};

use anyhow::{Context, bail};
use realmdex_scheduler::operator::wire::{RealmAnswer, RealmsAnswer};
use realmdex_types::RealmUrl;
use realmdex_worker::modules::folder_location;
use serde_json::json;
use url::Url;

use super::OperatorClient;

/// The registered realm that is meant.
pub(crate) async fn named_realm(
    client: &OperatorClient,
    name: &str,
) -> anyhow::Result<RealmAnswer> {
    let answer: RealmsAnswer = client.get("/_realms", &json!({})).await?;
    named(answer.realms, name)
}

/// Where the bytes of a realm or package are: a URL as it is given, or a folder of this machine.
pub(crate) fn source_of(place: &str) -> anyhow::Result<String> {
    if let Some(url) = as_url(place) {
        return Ok(url.into());
    }
    let folder = Path::new(place);
    if folder.is_file() {
        bail!("{place} is a file: give its folder");
    }
    let location = folder_location(folder).with_context(|| {
        format!("{place} is no folder here: give one, or a URL; a folder of the fleet's machines is given as file:///…")
    })?;
    Ok(location.into())
}

fn named(realms: Vec<RealmAnswer>, name: &str) -> anyhow::Result<RealmAnswer> {
    let (meant, what) = match as_url(name) {
        Some(url) => (slashed(url), name.to_owned()),
        None => {
            // A folder that is gone still names its realm.
            let path = Path::new(name);
            let path = path.canonicalize().or_else(|_| absolute(path))?;
            let url = Url::from_directory_path(&path)
                .map_err(|()| anyhow::anyhow!("{name} is no folder"))?;
            (url, format!("the folder {}", path.display()))
        }
    };
    let is_meant =
        |realm: &RealmAnswer| realm.url.as_url() == &meant || realm.source == meant.as_str();
    if let Some(index) = realms.iter().position(is_meant) {
        return realms
            .into_iter()
            .nth(index)
            .context("a realm that was just found");
    }
    let above = realms
        .iter()
        .filter(|realm| {
            meant.as_str().starts_with(realm.url.as_str())
                || meant.as_str().starts_with(&realm.source)
        })
        .max_by_key(|realm| realm.source.len());
    match above {
        Some(realm) => bail!("{what} lies in the realm {}: name that", realm.url),
        None => bail!(
            "{what} is not registered: add it with `realmdex realms add`; `realmdex realms list` lists what is"
        ),
    }
}

/// A name that is a URL, and no path.
fn as_url(name: &str) -> Option<Url> {
    let url = Url::parse(name).ok()?;
    matches!(url.scheme(), "http" | "https" | "file").then_some(url)
}

fn slashed(mut url: Url) -> Url {
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    url
}

/// The root of a realm that is read from a place, where none is given: where it is served. A folder has none of its own.
pub(crate) fn served_at(source: &str) -> Option<RealmUrl> {
    let url = Url::parse(source).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(())?;
    RealmUrl::parse(source).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn realm(url: &str, source: &str) -> RealmAnswer {
        RealmAnswer {
            url: RealmUrl::parse(url).unwrap(),
            source: source.to_owned(),
            owner: "operator".to_owned(),
            readers: Vec::new(),
            writers: Vec::new(),
            is_archived: false,
        }
    }

    #[test]
    fn realms_go_by_url_and_by_folder() {
        let realms = || {
            vec![
                realm("https://h/a/", "file:///srv/a/"),
                realm("https://h/b/", "https://h/b/"),
            ]
        };
        for (name, wanted) in [
            ("https://h/a/", Ok("https://h/a/")),
            ("https://h/b", Ok("https://h/b/")),
            ("file:///srv/a", Ok("https://h/a/")),
            ("/srv/a", Ok("https://h/a/")),
            ("/srv/./a/", Ok("https://h/a/")),
            ("/srv/a/skills", Err("lies in the realm https://h/a/")),
            ("https://h/b/skills/", Err("lies in the realm https://h/b/")),
            ("https://h/c/", Err("https://h/c/ is not registered")),
            ("/srv", Err("the folder /srv is not registered")),
        ] {
            match (named(realms(), name), wanted) {
                (Ok(found), Ok(url)) => assert_eq!(found.url.as_str(), url, "{name}"),
                (Err(refused), Err(why)) => {
                    assert!(refused.to_string().contains(why), "{name}: {refused}");
                }
                (found, _) => panic!("{name}: {found:?}"),
            }
        }
    }
}
