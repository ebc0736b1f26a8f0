//! Spellings that the YAML parser we use reads by YAML 1.1 and Boxel's by YAML 1.2, hidden from the former.
//!
//! libyaml takes U+0085, U+2028 and U+2029 for line breaks, refuses control characters, and `serde_yaml` takes
//! `0b11` and `-0x1F` for numbers. All of them are plain text in YAML 1.2 as Boxel reads it. Each such character
//! is parsed as a stand-in from the last plane of private use, and put back in the strings that come out. The
//! number of characters stays the same, so that places in the veiled text are places in the original.

use std::borrow::Cow;

/// Where the stand-in of a character is: so far above it.
const OFFSET: u32 = 0x10_0000;

/// A text with its troublesome characters hidden.
pub(super) struct Veiled<'a> {
    /// What to parse. It ends in a newline: without one, libyaml leaves it out of a last block scalar's value.
    pub(super) text: Cow<'a, str>,
    has_stand_ins: bool,
}

/// Hides what the parser would misread. A text that itself uses the last plane is left alone.
pub(super) fn veil(text: &str) -> Veiled<'_> {
    let mut hidden = hidden_characters(text);
    if text.chars().any(is_stand_in) {
        hidden.clear();
    }
    if hidden.is_empty() && text.ends_with('\n') {
        return Veiled {
            text: Cow::Borrowed(text),
            has_stand_ins: false,
        };
    }
    let has_stand_ins = !hidden.is_empty();
    let mut veiled = String::with_capacity(text.len() + 3 * hidden.len() + 1);
    let mut copied = 0;
    for (at, c) in hidden {
        veiled.push_str(&text[copied..at]);
        veiled.extend(char::from_u32(u32::from(c) + OFFSET));
        copied = at + c.len_utf8();
    }
    veiled.push_str(&text[copied..]);
    if !veiled.ends_with('\n') {
        veiled.push('\n');
    }
    Veiled {
        text: Cow::Owned(veiled),
        has_stand_ins,
    }
}

impl Veiled<'_> {
    /// A string out of the parser, with the hidden characters back.
    pub(super) fn unveil(&self, text: &str) -> String {
        if self.has_stand_ins {
            text.chars().map(original).collect()
        } else {
            text.to_owned()
        }
    }
}

fn is_stand_in(c: char) -> bool {
    u32::from(c) >= OFFSET
}

fn original(c: char) -> char {
    u32::from(c)
        .checked_sub(OFFSET)
        .and_then(char::from_u32)
        .unwrap_or(c)
}

fn hidden_characters(text: &str) -> Vec<(usize, char)> {
    text.char_indices()
        .filter(|&(at, c)| match c {
            '\t' | '\n' => false,
            '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' => true,
            '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => true,
            'b' => starts_number(&text[..at], Sign::Optional),
            'x' | 'o' => starts_number(&text[..at], Sign::Needed),
            _ => false,
        })
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Optional,
    Needed,
}

/// Whether the text ends in the `0` that a radix letter would follow, at the start of a scalar.
fn starts_number(before: &str, sign: Sign) -> bool {
    let Some(before) = before.strip_suffix('0') else {
        return false;
    };
    let unsigned = before.strip_suffix(['-', '+']);
    if sign == Sign::Needed && unsigned.is_none() {
        return false;
    }
    let before = unsigned.unwrap_or(before);
    before.is_empty() || before.ends_with([' ', '\t', '\n', '[', '{', ',', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_only_what_would_be_misread() {
        for (text, hidden) in [
            ("a: 0b11", 1),
            ("a: -0b11, +0b1", 2),
            ("[0b1,-0o7]", 2),
            ("a: 0x1F", 0),
            ("a: -0x1F", 1),
            ("a: 10b", 0),
            ("a: \"\\x0b\"", 0),
            ("a: x\u{85}y\u{2028}z", 2),
            ("a: \0\u{1}\u{7f}\u{feff}", 4),
            ("\tplain text, obvious", 0),
            ("", 0),
        ] {
            let text = &format!("{text}\n");
            let veiled = veil(text);
            assert_eq!(
                veiled.text.chars().filter(|c| is_stand_in(*c)).count(),
                hidden,
                "{text:?}"
            );
            assert_eq!(veiled.text.chars().count(), text.chars().count());
            assert_eq!(&veiled.unveil(&veiled.text), text);
        }
        assert_eq!(veil("a: \u{100041}\0").text, "a: \u{100041}\0\n");
    }
}
