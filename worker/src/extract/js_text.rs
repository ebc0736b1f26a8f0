//! Text as JavaScript sees it. Boxel's rules are written with JavaScript's regular expressions and string
//! methods, whose idea of white space, of a line and of length differs from Rust's.

use std::borrow::Cow;

/// The inside of a regex class that matches what `\s` matches in JavaScript (ECMA-262 `WhiteSpace` and
/// `LineTerminator`): unlike Rust's it has U+FEFF, and has no U+0085.
pub(super) const SPACE_CLASS: &str = r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

/// The characters that end a line in JavaScript: `.` matches none of them, and a multiline `^` matches after each.
pub(super) const LINE_TERMINATORS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

/// Whether `\s` matches the character.
pub(super) fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r'
            | ' '
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
            | '\u{FEFF}'
    )
}

/// `String.prototype.trim`.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `String.prototype.trimEnd`.
pub(super) fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// `String.prototype.length`: UTF-16 units.
pub(super) fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// `text.slice(0, units)`. A surrogate pair cut in two leaves U+FFFD: JSON text can't carry the half, and it is
/// what Boxel's own database layer makes of one.
pub(super) fn utf16_prefix(text: &str, units: usize) -> Cow<'_, str> {
    let mut taken = 0;
    for (at, c) in text.char_indices() {
        match units - taken {
            0 => return Cow::Borrowed(&text[..at]),
            1 if c.len_utf16() == 2 => return Cow::Owned(format!("{}\u{FFFD}", &text[..at])),
            _ => taken += c.len_utf16(),
        }
    }
    Cow::Borrowed(text)
}

/// CRLF and lone CR become LF.
pub(super) fn normalize_newlines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A number as `String(number)` writes it: digits up to 1e21, an exponent beyond and below 1e-6.
pub(super) fn number_text(number: f64) -> String {
    let size = number.abs();
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 {
            "Infinity".to_owned()
        } else {
            "-Infinity".to_owned()
        }
    } else if number == 0.0 {
        "0".to_owned()
    } else if (1e-6..1e21).contains(&size) {
        number.to_string()
    } else {
        let text = format!("{number:e}");
        if size >= 1e21 {
            text.replace('e', "e+")
        } else {
            text
        }
    }
}

/// A number as `JSON.stringify` writes it and a JSON reader reads it back: what is not finite is null.
pub(super) fn number_json(number: f64) -> serde_json::Value {
    serde_json::from_str(&number_text(number)).unwrap_or(serde_json::Value::Null)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_class_and_the_function_agree() {
        let class = regex::Regex::new(&format!("^[{SPACE_CLASS}]$")).unwrap();
        for c in (0..=0xFFFF).filter_map(char::from_u32) {
            assert_eq!(
                class.is_match(c.encode_utf8(&mut [0; 4])),
                is_space(c),
                "{c:?}"
            );
        }
        assert!(
            is_space('\u{FEFF}')
                && !is_space('\u{85}')
                && !is_space('\u{200B}')
                && !is_space('\u{180E}')
        );
    }

    #[test]
    fn a_cut_pair_leaves_a_replacement() {
        for (text, units, expected) in [
            ("abc", 2, "ab"),
            ("abc", 9, "abc"),
            ("a😀b", 1, "a"),
            ("a😀b", 2, "a\u{FFFD}"),
            ("a😀b", 3, "a😀"),
            ("", 0, ""),
        ] {
            assert_eq!(utf16_prefix(text, units), expected, "{text} {units}");
        }
        assert_eq!(utf16_len("a😀日"), 4);
    }

    #[test]
    fn numbers_print_as_in_javascript() {
        for (number, text) in [
            (7.0, "7"),
            (-0.0, "0"),
            (0.5, "0.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (0.000001, "0.000001"),
            (0.00000015, "1.5e-7"),
            (12345678901234567890.0, "12345678901234567000"),
            (-12.25, "-12.25"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(number_text(number), text);
        }
        assert_eq!(number_json(f64::NAN), serde_json::Value::Null);
        assert_eq!(number_json(1e3), serde_json::json!(1000));
    }
}
