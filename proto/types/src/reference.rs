//! References as skills and modules write them, made absolute by string rules alone.

use url::Url;

/// A host that stands for the path part of a package specifier while it is joined; it never leaves this file.
const SYNTHETIC_ORIGIN: &str = "https://package.invalid";

/// Resolves `reference` against the URL or package id it was written in.
///
/// Boxel's rules for code references (its "RRI" space, no network involved):
/// - a package specifier (`@…`) or anything with a scheme stays as it is;
/// - `$REALM/…` is the root of a package base, and stays as it is for any other base;
/// - against an `http(s)` base it is a URL join, so a bare name becomes a sibling;
/// - against a package base (`@scope/name/…`) it is a path join that keeps `@scope/name`;
/// - whatever can't be joined stays as it is.
pub fn resolve_reference(reference: &str, base: &str) -> String {
    if reference.starts_with('@') || has_scheme(reference) {
        return reference.to_owned();
    }
    if let Some(path) = reference.strip_prefix("$REALM/") {
        return match package_namespace(base) {
            Some(namespace) => format!("{namespace}/{path}"),
            None => reference.to_owned(),
        };
    }
    if base.starts_with("http://") || base.starts_with("https://") {
        return Url::parse(base)
            .and_then(|base| base.join(reference))
            .map_or_else(|_| reference.to_owned(), Into::into);
    }
    join_in_package(reference, base).unwrap_or_else(|| reference.to_owned())
}

fn join_in_package(reference: &str, base: &str) -> Option<String> {
    let namespace = package_namespace(base)?;
    let path = match &base[namespace.len()..] {
        "" => "/",
        path => path,
    };
    let joined = Url::parse(&format!("{SYNTHETIC_ORIGIN}{path}"))
        .ok()?
        .join(reference)
        .ok()?;
    let query = joined
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    let fragment = joined
        .fragment()
        .map(|fragment| format!("#{fragment}"))
        .unwrap_or_default();
    Some(format!("{namespace}{}{query}{fragment}", joined.path()))
}

/// `@scope/name` of a package id.
fn package_namespace(id: &str) -> Option<&str> {
    if !id.starts_with('@') {
        return None;
    }
    let scope_end = id.find('/')?;
    let name_end = id[scope_end + 1..]
        .find('/')
        .map_or(id.len(), |at| scope_end + 1 + at);
    Some(&id[..name_end])
}

/// An RFC 3986 scheme (`ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` and a colon).
fn has_scheme(reference: &str) -> bool {
    let Some((scheme, _)) = reference.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn follows_the_rules_of_code_references() {
        const SKILL: &str = "https://example.com/realm/skills/a/SKILL.md";
        const PACKAGED: &str = "@acme/tools/skills/a/SKILL.md";
        for (reference, base, expected) in [
            ("./tool", SKILL, "https://example.com/realm/skills/a/tool"),
            (
                "../../tool.gts",
                SKILL,
                "https://example.com/realm/tool.gts",
            ),
            ("tool", SKILL, "https://example.com/realm/skills/a/tool"),
            ("/tool", SKILL, "https://example.com/tool"),
            ("@acme/tools/x", SKILL, "@acme/tools/x"),
            ("https://other.example/x", SKILL, "https://other.example/x"),
            ("data:text/javascript,1", SKILL, "data:text/javascript,1"),
            ("$REALM/tool", SKILL, "$REALM/tool"),
            ("$REALM/tool", PACKAGED, "@acme/tools/tool"),
            ("./tool", PACKAGED, "@acme/tools/skills/a/tool"),
            ("../../../../tool", PACKAGED, "@acme/tools/tool"),
            ("tool?x#y", "@acme/tools", "@acme/tools/tool?x#y"),
            ("./tool", "nonsense", "./tool"),
            ("https//no", "@lonely", "https//no"),
        ] {
            assert_eq!(
                resolve_reference(reference, base),
                expected,
                "{reference} in {base}"
            );
        }
    }

    proptest! {
        #[test]
        fn never_panics_and_is_stable(reference in ".*", base in "(https://h/|@s/n/|)[a-z./]*") {
            let once = resolve_reference(&reference, &base);
            if once != reference {
                prop_assert_eq!(resolve_reference(&once, &base), once);
            }
        }
    }
}
