//! `GET` of a folder as what lies in it (Boxel's directory listing, by which its `realm pull` finds files).

use std::collections::BTreeMap;

use axum::response::Response;
use realmdex_source::Listed;
use realmdex_store::RegisteredRealm;
use realmdex_types::{RealmPath, RealmUrl};
use serde_json::{Map, Value, json};

use super::{Problem, Public, answer, sources};

/// A folder of a realm: the path below its root, empty or ending in a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder(String);

impl Folder {
    /// The folder that a path below a realm's root names, as it stands in a URL: it ends in a slash, or is the root.
    pub(super) fn named_by(below: &str) -> Option<Self> {
        if below.is_empty() {
            return Some(Self(String::new()));
        }
        let path = RealmPath::from_encoded(below.strip_suffix('/')?).ok()?;
        Some(Self(format!("{path}/")))
    }

    /// What of a listing lies in it, by name; the names of folders end in a slash. None where there is nothing: a
    /// folder is there for the files in it.
    fn entries<'a>(
        &self,
        listed: impl IntoIterator<Item = &'a Listed>,
    ) -> Option<BTreeMap<String, Entry>> {
        let mut entries = BTreeMap::new();
        for file in listed {
            let Some(rest) = file.path.as_str().strip_prefix(self.0.as_str()) else {
                continue;
            };
            let (name, entry) = match rest.split_once('/') {
                Some((name, _)) => (format!("{name}/"), Entry::Folder),
                None => (
                    rest.to_owned(),
                    Entry::File {
                        modified: file.modified,
                    },
                ),
            };
            entries.insert(name, entry);
        }
        (!entries.is_empty() || self.0.is_empty()).then_some(entries)
    }

    /// The URL of what is called that in it.
    fn url_of(&self, realm: &RealmUrl, name: &str) -> Option<String> {
        let at = format!("{}{name}", self.0);
        let path = RealmPath::parse(at.trim_end_matches('/')).ok()?;
        let slash = if at.ends_with('/') { "/" } else { "" };
        Some(format!("{}{slash}", realm.file(&path)))
    }

    fn document(&self, realm: &RealmUrl, entries: BTreeMap<String, Entry>) -> Value {
        let id = self.url_of(realm, "").unwrap_or_else(|| realm.to_string());
        let entries = entries.into_iter().filter_map(|(name, entry)| {
            let meta = match entry {
                Entry::Folder => json!({"kind": "directory"}),
                Entry::File { modified } => json!({"kind": "file", "lastModified": modified}),
            };
            let url = self.url_of(realm, &name)?;
            Some((name, json!({"links": {"related": url}, "meta": meta})))
        });
        let entries: Map<_, _> = entries.collect();
        json!({"data": {"id": id, "type": "directory", "relationships": entries}})
    }
}

/// What lies in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// A file, and when it was modified, in unix seconds.
    File { modified: u64 },
    /// Another folder.
    Folder,
}

/// What lies in a folder, for someone who may read the realm. As with `_mtimes`, nothing is told of a source that can't
/// be listed completely: files that are left out look like files that are gone.
pub(super) async fn answer(
    public: &Public,
    realm: &RegisteredRealm,
    folder: &Folder,
) -> Result<Response, Problem> {
    let listed = public.listing(realm).await;
    let listed = listed.map_err(|error| sources::problem(&error))?;
    let served = public.realms.known();
    let own = |file: &&Listed| !served.is_anothers(realm.realm.id, &file.path);
    let entries = folder
        .entries(listed.iter().filter(own))
        .ok_or_else(|| Problem::not_found("there is no such folder"))?;
    let document = folder.document(&realm.realm.url, entries);
    Ok(answer::json_api(realm, &document))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_folder_ends_in_a_slash() {
        for (below, expected) in [
            ("", Some("")),
            ("a/", Some("a/")),
            ("a/b%20c/", Some("a/b c/")),
            ("a", None),
            ("/", None),
            ("a//", None),
            ("../", None),
            ("a/%2e%2e/", None),
            ("a%2Fb/", None),
            ("%00/", None),
        ] {
            let folder = Folder::named_by(below);
            assert_eq!(
                folder,
                expected.map(|text| Folder(text.to_owned())),
                "{below}"
            );
        }
    }

    #[test]
    fn what_lies_deeper_is_one_folder() {
        let listed = ["a.md", "a/x.md", "a/y.md", "ab/z.md", "a.b/c/d.md"].map(|path| Listed {
            path: RealmPath::parse(path).unwrap(),
            modified: 7,
            size: None,
        });
        for (folder, expected) in [
            ("", Some("a.b/ a.md a/ ab/")),
            ("a/", Some("x.md y.md")),
            ("a.b/", Some("c/")),
            ("a.b/c/", Some("d.md")),
            ("b/", None),
            ("a.md/", None),
        ] {
            let entries = Folder::named_by(folder).unwrap().entries(&listed);
            let names = entries.map(|entries| {
                let names: Vec<_> = entries.into_keys().collect();
                names.join(" ")
            });
            assert_eq!(names.as_deref(), expected, "{folder}");
        }
        assert!(
            Folder::named_by("")
                .unwrap()
                .entries(&[])
                .unwrap()
                .is_empty()
        );
    }
}
