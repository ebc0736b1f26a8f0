//! Faults in frontmatter: their place, and words for their author.

use super::MAX_FRONTMATTER_BYTES;
use super::mistake::{Mistake, MistakeKind};
use crate::extract::js_text;

/// Why frontmatter was not read. Line and column count from 1 within the frontmatter, columns in UTF-16 units,
/// as Boxel reports them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::extract) struct Fault {
    pub(in crate::extract) line: usize,
    pub(in crate::extract) column: usize,
    /// What is wrong and how to mend it.
    pub(in crate::extract) message: String,
}

impl Fault {
    /// The line of the file, where the opening fence is the first.
    pub(in crate::extract) fn file_line(&self) -> usize {
        self.line + 1
    }
}

/// Why we stopped the parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Aliases made too much of too little.
    TooMuch,
    /// One mapping has this key twice.
    DoubledKey(String),
}

/// Frontmatter over the limit.
pub(super) fn too_long(bytes: usize) -> Fault {
    let message = format!(
        "the frontmatter is {bytes} bytes long, and at most {MAX_FRONTMATTER_BYTES} are read; move text to the body"
    );
    Fault {
        line: 1,
        column: 1,
        message,
    }
}

/// Frontmatter of more than one document, where the walk found nothing wrong.
pub(super) fn several_documents(text: &str) -> Fault {
    let message = "a second YAML document begins here, and frontmatter is one; \
                   remove the line of `---` or `...` before it";
    fault_at(text, second_document(text), message.to_owned())
}

/// The fault behind a parser's error, given what the walk found.
pub(super) fn explain(
    text: &str,
    error: &serde_yaml::Error,
    refusal: Option<Refusal>,
    mistake: Option<Mistake>,
) -> Fault {
    let parser_place = error
        .location()
        .map(|location| offset(text, location.line(), location.column()));
    let said = error.to_string();
    match refusal {
        Some(Refusal::DoubledKey(key)) => {
            let place = parser_place.unwrap_or(0);
            if mistake.is_none_or(|mistake| place <= mistake.at) {
                return fault_at(text, doubled_key_place(text, place), doubled_key(&key));
            }
        }
        Some(Refusal::TooMuch) => {
            return fault_at(text, parser_place.unwrap_or(0), REPEATS.to_owned());
        }
        None if said.starts_with("repetition limit exceeded") => {
            return fault_at(text, first_alias(text), REPEATS.to_owned());
        }
        None => {}
    }
    if let Some(mistake) = mistake {
        return describe(text, mistake);
    }
    let at = parser_place.unwrap_or(0);
    if said.contains("recursion limit exceeded") {
        return describe(
            text,
            Mistake {
                at,
                kind: MistakeKind::TooDeep,
            },
        );
    }
    if said.contains("while scanning an alias") || said.contains("while scanning an anchor") {
        return describe(
            text,
            Mistake {
                at,
                kind: MistakeKind::UnnamedAnchor,
            },
        );
    }
    if said.contains("unknown anchor") {
        return fault_at(text, at, UNKNOWN_ANCHOR.to_owned());
    }
    let problem = said.split(" at line ").next().unwrap_or(&said);
    let message = format!(
        "this is not YAML ({problem}); look for an unquoted value with `: `, `#` or a quote in it"
    );
    fault_at(text, at, message)
}

const REPEATS: &str = "aliases (`*name`) repeat too much here; write the values out";
const UNKNOWN_ANCHOR: &str = "`*` at the start of a value repeats an anchor, and there is none of this name above; \
                              put the value in quotes";

fn doubled_key(key: &str) -> String {
    let shown: String = key.chars().take(60).collect();
    let cut = if shown.len() < key.len() { "…" } else { "" };
    format!("the key `{shown}{cut}` is there twice in one mapping; remove or rename one")
}

/// The fault for a mistake that the walk found.
pub(super) fn describe(text: &str, mistake: Mistake) -> Fault {
    fault_at(
        text,
        mistake.at,
        mistake
            .kind
            .message(|at| fault_at(text, at, String::new()).file_line()),
    )
}

fn fault_at(text: &str, at: usize, message: String) -> Fault {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Fault {
        line: before.matches('\n').count() + 1,
        column: js_text::utf16_len(&before[line_start..]) + 1,
        message,
    }
}

/// The byte at a line and column of the parser's, which count from 1, columns in characters. A place after the
/// end is the end.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(newline) => start += newline + 1,
            None => return text.len(),
        }
    }
    text[start..]
        .char_indices()
        .nth(column.saturating_sub(1))
        .map_or(text.len(), |(length, _)| start + length)
}

/// Where Boxel's parser reports a doubled key: at the key, but where the line before it is a key without a value,
/// at the end of that line.
fn doubled_key_place(text: &str, key: usize) -> usize {
    let Some(above) = text[..key].trim_end_matches(' ').strip_suffix('\n') else {
        return key;
    };
    let line = above.rsplit('\n').next().unwrap_or_default();
    let value = match line.split_once(": ") {
        Some((_, value)) => value,
        None if line.ends_with(':') => "",
        None => return key,
    };
    let is_empty = value
        .split(' ')
        .all(|word| word.is_empty() || word.starts_with(['&', '!']));
    if is_empty && !line.trim_start().starts_with('#') {
        above.len()
    } else {
        key
    }
}

/// Where the second of several documents begins. Their marks stand at the start of a line, and nothing else can.
fn second_document(text: &str) -> usize {
    let is_mark = |line: &str, mark: &str| {
        line.strip_prefix(mark)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
    };
    let (mut started, mut ended) = (false, false);
    let mut offset = 0;
    for line in text.split('\n') {
        let is_content = !line.trim().is_empty() && !line.starts_with('#');
        if is_mark(line, "...") {
            ended = started;
        } else if is_content && (ended || (started && is_mark(line, "---"))) {
            return offset;
        } else if is_content && !line.starts_with('%') {
            started = true;
        }
        offset += line.len() + 1;
    }
    0
}

/// Where the first alias is, or what looks like one.
fn first_alias(text: &str) -> usize {
    text.match_indices('*')
        .map(|(at, _)| at)
        .find(|at| text[..*at].ends_with([' ', '\t', '\n', '[', ',', '{']))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::extract::yaml::parse;

    fn place(text: &str) -> (usize, usize) {
        let fault = parse(text).expect_err("a fault");
        (fault.line, fault.column)
    }

    #[test]
    fn faults_stand_where_boxel_reports_them() {
        for (text, expected) in [
            // values with a colon
            ("name: x\ndescription: Use when: asked", (2, 14)),
            ("a: 1\n b: 2", (1, 4)),
            ("a: \"b\": c", (1, 4)),
            ("a: \"b\" c: d", (1, 4)),
            ("a: {b: c: d}", (1, 8)),
            // keys without one
            ("a: b\nc", (2, 1)),
            ("a: b\nc\nd: e", (2, 1)),
            ("a\nb: 1", (1, 1)),
            ("kind:skill\nname: x", (1, 1)),
            ("a: b\n'c\nd': e", (2, 1)),
            // layout
            ("a:\n\tb: 1", (2, 1)),
            ("a:\n  \tb: 1", (2, 3)),
            ("a:\n  b: 1\n c: 2", (3, 1)),
            ("a: >\n  b\n\n c\nd: e", (3, 1)),
            ("a:\n- b\n- c\n d: e", (3, 3)),
            ("a:\n- b\n- c: 1\n d: e", (4, 1)),
            ("a: |\n\tb", (2, 1)),
            (" a: 1\nb: 2", (2, 1)),
            ("- a\nb: 1", (2, 1)),
            ("a: 1\n- b", (2, 1)),
            ("a: - b", (1, 4)),
            ("a: > b\n  c: d", (1, 6)),
            ("a: |2-b\n  c", (1, 7)),
            // quotes
            ("a: 'b\nc: d", (2, 5)),
            ("a: \"b\nc: d\"", (1, 6)),
            ("a: \"é😀b\nc\"", (1, 9)),
            ("a: \"b\" c", (1, 8)),
            ("a: \"b\"#c", (1, 7)),
            ("a: \"\\q\"", (1, 5)),
            ("a: \"\\u12\"", (1, 5)),
            // brackets
            ("a: [1,2\nb: 3", (2, 1)),
            ("a: [1,\n2]", (2, 1)),
            ("a: {b: 1\nc: 3", (2, 1)),
            ("a: [1, 2", (1, 9)),
            ("a: [\"b\" \"c\"]", (1, 9)),
            ("a: [b,,c]", (1, 7)),
            ("a: ]", (1, 4)),
            // characters YAML keeps
            ("a: @b", (1, 4)),
            ("a: `b`", (1, 4)),
            ("a: %b", (1, 4)),
            ("a: & b", (1, 4)),
            ("a: * b", (1, 4)),
            // documents
            ("a: 1\n...\nb: 2", (3, 1)),
            ("a: 1\n--- b", (2, 1)),
            // doubled keys
            ("a: 1\nb: 2\na: 3", (3, 1)),
            ("a:\n  b: 1\n  b: 2", (3, 3)),
            ("a:\na: 1", (1, 3)),
            ("a:\n  b:\n  b: 1", (2, 5)),
            ("1: a\n1.0: b", (2, 1)),
            ("a: {b: 1, b: 2}", (1, 11)),
        ] {
            assert_eq!(place(text), expected, "{text:?}");
        }
    }

    #[test]
    fn messages_say_the_mend() {
        for (text, part) in [
            ("name: x\nname: y", "`name` is there twice"),
            ("a: b: c", "quotes"),
            ("a:\n\tb: 1", "spaces"),
            ("a: *nobody", "quotes"),
            ("a: **bold** text", "quotes"),
            ("a: &b [*b]", "128 levels"),
            ("a: 1\n...\nb: 2", "remove the line"),
            ("a: \"\\d\"", "single quotes"),
        ] {
            let fault = parse(text).expect_err("a fault");
            assert!(fault.message.contains(part), "{text:?}: {}", fault.message);
        }
    }
}
