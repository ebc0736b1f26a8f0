//! How far a token reaches: functions of the text that starts with it. They read bytes of valid UTF-8 and never go
//! past the end; what is not closed reaches to the end, or to the line break that may not be in it.

/// White space and comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trivia {
    pub length: usize,
    /// A line break is in it.
    pub line_break: bool,
    /// Behind it is `<!--` or `-->`, at the start of a line: a comment in scripts, not in modules.
    pub html_comment: bool,
}

/// White space and comments at the start of `text`. `line_start` says that nothing stands before them in their line.
pub(super) fn trivia(text: &[u8], line_start: bool) -> Trivia {
    let mut line_break = line_start;
    let mut at = 0;
    let mut html_comment = false;
    loop {
        match &text[at..] {
            [b'\n' | b'\r', ..] => {
                line_break = true;
                at += 1;
            }
            [b' ' | b'\t' | 0x0B | 0x0C, ..] => at += 1,
            [b'/', b'/', ..] => at += line(&text[at..]),
            [b'/', b'*', body @ ..] => {
                let closed = find(body, b"*/");
                let comment = &body[..closed.unwrap_or(body.len())];
                line_break |= has_line_break(comment);
                at += 2 + closed.map_or(body.len(), |length| length + 2);
            }
            rest @ [0x80..=0xFF, ..] => {
                let length = space(rest);
                if length == 0 {
                    break;
                }
                line_break |= is_line_separator(rest);
                at += length;
            }
            rest => {
                html_comment =
                    line_break && (rest.starts_with(b"<!--") || rest.starts_with(b"-->"));
                break;
            }
        }
    }
    Trivia {
        length: at,
        line_break,
        html_comment,
    }
}

/// Up to the next line break.
pub(super) fn line(text: &[u8]) -> usize {
    let ends = |at: &usize| matches!(text[*at], b'\n' | b'\r') || is_line_separator(&text[*at..]);
    (0..text.len()).find(ends).unwrap_or(text.len())
}

/// An identifier or keyword. `None` if there is a `\` in it that is no escape of a character beyond ASCII: nobody writes
/// the others, and a keyword written with one might be taken for another.
pub(super) fn word(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if byte == b'\\' {
            at += unicode_escape(&text[at..])?;
        } else if is_word_byte(byte) && space(&text[at..]) == 0 {
            at += 1;
        } else {
            break;
        }
    }
    Some(at)
}

/// A number, with a fraction and exponent if it has them.
pub(super) fn number(text: &[u8]) -> usize {
    let is_hexadecimal = matches!(text, [_, b'x' | b'X', ..]);
    let mut seen_dot = false;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'.' if !seen_dot => seen_dot = true,
            b'+' | b'-' if at > 0 && matches!(text[at - 1], b'e' | b'E') && !is_hexadecimal => {}
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' => {}
            _ => break,
        }
        at += 1;
    }
    at
}

/// A string, quotes included.
pub(super) fn string(text: &[u8]) -> usize {
    let quote = text.first();
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' if text[at + 1..].starts_with(b"\r\n") => at += 2,
            b'\\' => at += 1,
            b'\n' | b'\r' => return at,
            _ if Some(byte) == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// From `` ` `` or `}` to the end of the template literal, or to where the next substitution starts, which is told by
/// the second part of the result.
pub(super) fn template(text: &[u8]) -> (usize, bool) {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'`' => return (at + 1, false),
            b'$' if text.get(at + 1) == Some(&b'{') => return (at + 2, true),
            _ => {}
        }
        at += 1;
    }
    (text.len(), false)
}

/// A regular expression, flags included; `None` if its line does not close it.
pub(super) fn regex(text: &[u8]) -> Option<usize> {
    let mut in_class = false;
    let mut at = 1;
    loop {
        match *text.get(at)? {
            b'\n' | b'\r' => return None,
            0xE2 if is_line_separator(&text[at..]) => return None,
            // An escaped line break ends the line all the same.
            b'\\' if !matches!(text.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => break,
            _ => {}
        }
        at += 1;
    }
    let flags = text[at + 1..]
        .iter()
        .take_while(|byte| is_word_byte(**byte));
    Some(at + 1 + flags.count())
}

/// A sign. What is one operator is one sign, but `<` and `>` stay single, as type arguments want them.
pub(super) fn sign(text: &[u8]) -> usize {
    const SIGNS: [&[u8]; 16] = [
        b"===", b"!==", b"...", b"&&=", b"||=", b"??=", b"**=", b"=>", b"==", b"!=", b"++", b"--",
        b"&&", b"||", b"??", b"**",
    ];
    if let Some(sign) = SIGNS.iter().find(|sign| text.starts_with(sign)) {
        return sign.len();
    }
    let is_optional_chain = text.starts_with(b"?.") && !text.get(2).is_some_and(u8::is_ascii_digit);
    if is_optional_chain { 2 } else { 1 }
}

/// Where `wanted` starts.
pub(super) fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|b| *b == first) {
        let start = from + at;
        if text[start..].starts_with(wanted) {
            return Some(start);
        }
        from = start + 1;
    }
    None
}

/// Length of the `\uXXXX` or `\u{X…}` at the start, if it is beyond ASCII.
fn unicode_escape(text: &[u8]) -> Option<usize> {
    let (digits, length) = match text {
        [b'\\', b'u', b'{', rest @ ..] => {
            let end = rest.iter().position(|byte| *byte == b'}')?;
            (&rest[..end], end + 4)
        }
        [b'\\', b'u', rest @ ..] => (rest.get(..4)?, 6),
        _ => return None,
    };
    let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    (code > 0x7F && char::from_u32(code).is_some()).then_some(length)
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

/// U+2028 or U+2029.
fn is_line_separator(text: &[u8]) -> bool {
    matches!(text, [0xE2, 0x80, 0xA8 | 0xA9, ..])
}

fn has_line_break(text: &[u8]) -> bool {
    text.iter().any(|b| matches!(b, b'\n' | b'\r')) || text.windows(3).any(is_line_separator)
}

/// Length of the white space character beyond ASCII at the start, or 0.
fn space(text: &[u8]) -> usize {
    match text {
        [0xC2, 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}
