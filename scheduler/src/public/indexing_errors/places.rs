//! Where the bytes of realms lie is told to operators only: what else is said of them names realms by their URLs.

use std::sync::Arc;

use realmdex_store::RegisteredRealm;
use url::Url;

/// Instead of a server that a realm's bytes come from.
const SOURCE: &str = "(the source)";

/// Texts that name places, each with what is told instead; the longest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Places(Vec<(String, String)>);

impl Places {
    /// Those that what is wrong in a realm may name: the realm's own, and those of modules that are read over HTTP.
    pub(super) fn of(realm: &RegisteredRealm, all: &[Arc<RegisteredRealm>]) -> Self {
        let others = all.iter().map(Arc::as_ref);
        let mut places: Vec<_> = others
            .filter(|other| !other.realm.source.starts_with("file:"))
            .chain([realm])
            .flat_map(|named| hidden(&named.realm.source, named.realm.url.as_str()))
            .collect();
        places.sort_by_key(|(place, _)| std::cmp::Reverse(place.len()));
        places.dedup();
        Self(places)
    }

    /// A message as readers are told it.
    pub(super) fn told(&self, message: &mut String) {
        for (place, instead) in &self.0 {
            if message.contains(place.as_str()) {
                *message = message.replace(place.as_str(), instead);
            }
        }
    }
}

/// What names a source's place. Nothing does where it is the realm's own URL, and its server is known by that as well.
fn hidden(source: &str, realm: &str) -> Vec<(String, String)> {
    let bare = |text: &str| text.trim_end_matches('/').to_owned();
    let (Ok(source), Ok(url)) = (Url::parse(source), Url::parse(realm)) else {
        return Vec::new();
    };
    let mut places = Vec::new();
    if let Ok(folder) = source.to_file_path() {
        places.push((bare(&folder.to_string_lossy()), bare(realm)));
    } else if source.origin() != url.origin() && source.path() != "/" {
        places.push((source.origin().ascii_serialization(), SOURCE.to_owned()));
    }
    if source != url {
        places.push((bare(source.as_str()), bare(realm)));
    }
    // The root of a file system says nothing by itself.
    places.retain(|(place, _)| !place.is_empty());
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_place_is_known() {
        let realm = "https://realm.test/a/";
        for (source, expected) in [
            (realm, &[][..]),
            (
                "https://realm.test/elsewhere/",
                &[("https://realm.test/elsewhere", "https://realm.test/a")],
            ),
            (
                "http://10.0.0.1/",
                &[("http://10.0.0.1", "https://realm.test/a")],
            ),
            (
                "http://10.0.0.1/a/",
                &[
                    ("http://10.0.0.1", "(the source)"),
                    ("http://10.0.0.1/a", "https://realm.test/a"),
                ],
            ),
            (
                "file:///srv/a%20b/",
                &[
                    ("/srv/a b", "https://realm.test/a"),
                    ("file:///srv/a%20b", "https://realm.test/a"),
                ],
            ),
            ("nonsense", &[]),
        ] {
            let told: Vec<_> = expected
                .iter()
                .map(|(place, instead)| ((*place).to_owned(), (*instead).to_owned()))
                .collect();
            assert_eq!(hidden(source, realm), told, "{source}");
        }
    }
}
