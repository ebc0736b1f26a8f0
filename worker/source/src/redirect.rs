//! Where a realm's server may send us.

use realmdex_types::{EXECUTABLE_EXTENSIONS, RealmPath, RealmUrl};
use url::Url;

/// What to make of a redirect.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Redirect {
    /// It stays in the realm.
    Follow(Url),
    /// It says, in its way, that there is no file of the name that was asked for.
    NoSuchFile,
    /// It would leave the realm, or leads nowhere. The reason, and how to mend it.
    Refused(String),
}

/// Judges the `Location` that `from` answered with, when `asked` was to be read.
///
/// Boxel's realm server answers a miss of `tool` with a redirect to `tool.gts` where that exists. Here a
/// name means the file of exactly that name, so that a file's absence can be told; looking for extensions is
/// up to whoever loads modules. A redirect to `…/` is what file servers answer for a folder.
pub(crate) fn judge(
    realm: &RealmUrl,
    asked: &RealmPath,
    from: &Url,
    location: Option<&str>,
) -> Redirect {
    let Some(location) = location else {
        return Redirect::Refused("it redirects without a readable Location header".to_owned());
    };
    let Ok(target) = from.join(location) else {
        return Redirect::Refused(format!("it redirects to {location:?}, which is no URL"));
    };
    let below_root = target.path().strip_prefix(realm.as_url().path());
    let (true, false, Some(below_root)) = (
        target.origin() == realm.as_url().origin(),
        has_login(&target),
        below_root,
    ) else {
        return Redirect::Refused(format!(
            "it redirects to {target}, outside the realm {realm}; if it moved, register its new URL"
        ));
    };
    if below_root.is_empty() || below_root.ends_with('/') {
        return Redirect::NoSuchFile;
    }
    match realm.path_of(&target) {
        None => Redirect::Refused(format!(
            "it redirects to {target}, which names no file of the realm {realm}"
        )),
        Some(path) if adds_extension(asked, &path) => Redirect::NoSuchFile,
        Some(_) => Redirect::Follow(target),
    }
}

/// Whether a URL carries a user name or password: sent on as credentials, they would replace our token.
pub(crate) fn has_login(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

fn adds_extension(asked: &RealmPath, found: &RealmPath) -> bool {
    let added = found.as_str().strip_prefix(asked.as_str());
    added.is_some_and(|added| added == ".json" || EXECUTABLE_EXTENSIONS.contains(&added))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_redirect_stays_in_the_realm_or_is_refused() {
        let realm = RealmUrl::parse("https://h.example/my/realm/").unwrap();
        let asked = RealmPath::parse("skills/a tool").unwrap();
        let judged = |location| judge(&realm, &asked, &realm.file(&asked), location);
        for inside in [
            "moved.md",
            "/my/realm/skills/b",
            "https://h.example:443/my/realm/x?version=3",
            "?again",
        ] {
            assert!(
                matches!(judged(Some(inside)), Redirect::Follow(_)),
                "{inside}"
            );
        }
        for nothing in [
            "a%20tool.gts",
            "/my/realm/skills/a tool.json",
            "a%20tool/",
            "/my/realm/",
        ] {
            assert_eq!(judged(Some(nothing)), Redirect::NoSuchFile, "{nothing}");
        }
        for outside in [
            "/",
            "/my/realm",
            "/my/realms/x",
            "../../other/x",
            "/my/realm/%2e%2e/other",
            "/my/realm/..%2f..%2fother",
            "/my/realm/..\\other",
            "/my/realm/%2e%2e%5cother",
            "//evil.example/my/realm/x",
            "\\\\evil.example\\my\\realm\\x",
            "http://h.example/my/realm/x",
            "https://h.example:444/my/realm/x",
            "https://me:secret@h.example/my/realm/x",
            "file:///my/realm/x",
            "javascript:1",
            "https://[",
        ] {
            assert!(
                matches!(judged(Some(outside)), Redirect::Refused(_)),
                "{outside}"
            );
        }
        assert!(matches!(judged(None), Redirect::Refused(_)));
    }
}
