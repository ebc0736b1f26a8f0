//! What was found in a realm's file may be about files of other realms: it was read with the rights of the realm's owner,
//! not with those of whoever asks.

use realmdex_types::{Finding, RealmUrl};

use crate::access::Reader;
use crate::public::Served;

const VEILED: &str = "the tool, or something that it is made of, lies in a realm that you may not read: \
                      someone who may is told more";

/// Takes the words of a finding away that names files of a realm which the reader may not read, whether there are such
/// files or not. The tool stays: it is as the author of the file wrote it.
pub(super) fn veil(finding: &mut Finding, realm: &RealmUrl, served: &Served, reader: &Reader) {
    let is_hidden = |id: &str| {
        let of = served.realm_of(id);
        of.is_some_and(|of| of.realm.url != *realm && !reader.may_read(of))
    };
    let names_hidden = finding
        .tool
        .as_ref()
        .is_some_and(|tool| is_hidden(&tool.module));
    if names_hidden || words(&finding.message).any(is_hidden) {
        finding.message = VEILED.to_owned();
    }
}

/// The rest of a text from each of its words on: an id has no end that could be told, but it begins as a realm's do.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut is_within = false;
    text.char_indices().filter_map(move |(at, letter)| {
        let begins = !is_within && (letter.is_alphanumeric() || letter == '@');
        is_within = letter.is_alphanumeric();
        begins.then(|| &text[at..])
    })
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn an_id_is_found_wherever_it_stands() {
        for text in [
            "https://r.test/p/a.ts is not there",
            "can't load \"https://r.test/p/a.ts\"",
            "(https://r.test/p/a.ts:3:1)",
            "from=https://r.test/p/a.ts,and more",
            "é→https://r.test/p/a.ts",
        ] {
            assert!(
                words(text).any(|rest| rest.starts_with("https://r.test/p/")),
                "{text}"
            );
        }
        assert!(words("in `@acme/kit/a`").any(|rest| rest.starts_with("@acme/kit/")));
        assert_eq!(words("").count() + words("…").count(), 0);
    }
}
