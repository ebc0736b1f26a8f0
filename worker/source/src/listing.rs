//! Boxel's `_mtimes` document: the listing of an HTTP realm.

use std::collections::HashMap;

use realmdex_types::RealmUrl;
use serde::Deserialize;
use url::Url;

use crate::Listed;

/// The name below a realm's root under which its server lists it.
pub(crate) const MTIMES: &str = "_mtimes";

#[derive(Deserialize)]
struct Document {
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    attributes: Attributes,
}

#[derive(Deserialize)]
struct Attributes {
    /// Unix seconds by file URL. Boxel writes whole ones; fractions are what other servers may have.
    mtimes: HashMap<String, f64>,
}

/// Reads the answer to `GET <realm>_mtimes`; sorted by path.
///
/// What is no such document, or names a file outside the realm, is an error, told as text: an answer that
/// can't be trusted must never look like a realm with fewer files. A file whose name can't be a realm path
/// is left out with a warning.
pub(crate) fn parse_mtimes(realm: &RealmUrl, body: &[u8]) -> Result<Vec<Listed>, String> {
    let document: Document = serde_json::from_slice(body).map_err(|error| {
        format!("the answer is not the JSON document that Boxel's `_mtimes` is: {error}")
    })?;
    let mut listed = Vec::with_capacity(document.data.attributes.mtimes.len());
    for (text, modified) in document.data.attributes.mtimes {
        let url = Url::parse(&text)
            .map_err(|error| format!("it lists {text:?}, which is no URL: {error}"))?;
        if url.origin() != realm.as_url().origin() || !url.path().starts_with(realm.as_url().path())
        {
            return Err(format!(
                "it lists {text:?}, outside the realm {realm}; register it under the URL its server lists"
            ));
        }
        // Boxel does not escape `?` and `#` in file names: what comes before is not the file's path.
        let whole = url.query().is_none() && url.fragment().is_none();
        let Some(path) = realm.path_of(&url).filter(|_| whole) else {
            tracing::warn!(
                url = text,
                "left out of the listing: rename the file, its name can't be a realm path"
            );
            continue;
        };
        // `as` saturates: a time before 1970 reads as 1970.
        listed.push(Listed {
            path,
            modified: modified as u64,
            size: None,
        });
    }
    // Two spellings of one path: the newer time counts.
    listed.sort_unstable_by(|a, b| (&a.path, b.modified).cmp(&(&b.path, a.modified)));
    listed.dedup_by(|a, b| a.path == b.path);
    Ok(listed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parse(mtimes: &str) -> Result<Vec<(String, u64)>, String> {
        let realm = RealmUrl::parse("https://h.example/my%20realm/").unwrap();
        let body = format!(
            r#"{{"data":{{"id":"x","type":"mtimes","attributes":{{"mtimes":{mtimes}}}}}}}"#
        );
        let listed = parse_mtimes(&realm, body.as_bytes())?;
        Ok(listed
            .into_iter()
            .map(|file| (file.path.to_string(), file.modified))
            .collect())
    }

    #[test]
    fn files_come_sorted_and_decoded() {
        let listed = parse(
            r#"{"https://h.example/my%20realm/b/%C3%BC%20x.md": 2, "https://h.example/my%20realm/.gitignore": 1.9,
                "https://h.example/my%20realm/a.gts": 1700000000, "https://h.example/my realm/old": -5,
                "https://h.example/my%20realm/%61.gts": 5}"#,
        );
        let expected = [
            (".gitignore", 1),
            ("a.gts", 1_700_000_000),
            ("b/ü x.md", 2),
            ("old", 0),
        ];
        assert_eq!(
            listed.unwrap(),
            expected.map(|(path, modified)| (path.to_owned(), modified))
        );
        assert_eq!(parse("{}").unwrap(), []);
    }

    #[test]
    fn names_that_are_no_path_are_left_out() {
        for name in [
            "a%00b", "a%5Cb", "a%2Fb", "a?b", "a#b", "50%", "folder/", "",
        ] {
            let listed = parse(&format!(
                r#"{{"https://h.example/my%20realm/{name}": 1, "https://h.example/my%20realm/ok": 1}}"#
            ));
            assert_eq!(listed.unwrap(), [("ok".to_owned(), 1)], "{name}");
        }
    }

    #[test]
    fn nothing_doubtful_is_taken_for_a_listing() {
        for mtimes in [
            "null",
            "[]",
            r#"{"https://h.example/my%20realm/a": null}"#,
            r#"{"https://h.example/my%20realm/a": "1"}"#,
            r#"{"https://h.example/my%20realm/../a": 1}"#,
            r#"{"https://h.example/other/a": 1}"#,
            r#"{"https://evil.example/my%20realm/a": 1}"#,
            r#"{"http://h.example/my%20realm/a": 1}"#,
            r#"{"a.md": 1}"#,
        ] {
            assert!(parse(mtimes).is_err(), "{mtimes}");
        }
        let realm = RealmUrl::parse("https://h.example/").unwrap();
        for body in [
            "",
            "{}",
            "<html>Sign in</html>",
            r#"{"errors":[{"status":"500"}]}"#,
            r#"{"data":{}}"#,
        ] {
            assert!(parse_mtimes(&realm, body.as_bytes()).is_err(), "{body}");
        }
    }
}
