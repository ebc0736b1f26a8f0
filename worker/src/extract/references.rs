//! Card and file references in a markdown body (Boxel-flavoured markdown): `:card[url]` within a line,
//! `::card[url | size]` at its start, the same with `file`.

use std::collections::HashSet;

use realmdex_types::resolve_reference;

use super::js_text::{self, LINE_TERMINATORS};
use super::markdown::without_fences;

/// The references of a body with one keyword, absolute, in the order they first appear, each once.
/// `url` is the file's own. What code fences and code spans hold is no reference.
pub(super) fn reference_urls(body: &str, url: &str, keyword: Keyword) -> Vec<String> {
    let text = without_code(body);
    let mut found: Vec<(usize, &str)> = directives(&text, keyword, Placement::Block).collect();
    found.extend(directives(&text, keyword, Placement::Inline));
    found.sort_by_key(|(at, _)| *at);

    let mut seen = HashSet::new();
    found
        .into_iter()
        .filter_map(|(_, content)| absolute(content, url))
        .filter(|reference| seen.insert(reference.clone()))
        .collect()
}

/// What a reference names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Card,
    File,
}

impl Keyword {
    /// How a directive begins, counted from its last colon.
    fn opening(self) -> &'static str {
        match self {
            Self::Card => ":card[",
            Self::File => ":file[",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placement {
    /// Two colons at the very start of a line.
    Block,
    /// One colon anywhere.
    Inline,
}

impl Placement {
    fn suits(self, before: &str) -> bool {
        match self {
            Self::Inline => !before.ends_with(':'),
            Self::Block => before
                .strip_suffix(':')
                .is_some_and(|line| line.is_empty() || line.ends_with(LINE_TERMINATORS)),
        }
    }
}

/// Where each directive stands, and what its brackets hold. A bracket that opens inside another directive of
/// the same placement belongs to that one.
fn directives(
    text: &str,
    keyword: Keyword,
    placement: Placement,
) -> impl Iterator<Item = (usize, &str)> {
    let opening = keyword.opening();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + text[from..].find(opening)?;
            let content = at + opening.len();
            from = content;
            if !placement.suits(&text[..at]) {
                continue;
            }
            let length = text[content..].find(']')?;
            if length > 0 {
                from = content + length + 1;
                return Some((at, &text[content..content + length]));
            }
        }
    })
}

/// The reference in a directive's brackets (what stands before the first `|`), made absolute. What stays
/// relative, or names another scheme, can't be looked up and is left out.
fn absolute(content: &str, url: &str) -> Option<String> {
    let reference = js_text::trim(content.split('|').next().unwrap_or(content));
    let mut resolved = resolve_reference(reference, url);
    if !["http://", "https://", "@"]
        .iter()
        .any(|start| resolved.starts_with(start))
    {
        return None;
    }
    if resolved.ends_with(".json") {
        resolved.truncate(resolved.len() - ".json".len());
    }
    Some(resolved)
}

/// The text without fences and code spans.
fn without_code(body: &str) -> String {
    let text = without_fences(body);
    let mut kept = String::with_capacity(text.len());
    for part in paragraphs(&text) {
        push_without_spans(part, &mut kept);
    }
    kept
}

/// The text cut where a paragraph ends (a newline, then nothing but spaces and tabs up to the next), as no code
/// span reaches over that.
fn paragraphs(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut line_end = None;
    for (at, _) in text.match_indices('\n') {
        if line_end.is_some_and(|end| is_blank_line(&text[end..at])) {
            let end = line_end.unwrap_or(at) - 1;
            parts.push(&text[start..end]);
            start = end;
        }
        line_end = Some(at + 1);
    }
    parts.push(&text[start..]);
    parts
}

fn is_blank_line(line: &str) -> bool {
    line.strip_suffix('\r')
        .unwrap_or(line)
        .bytes()
        .all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Deletes the code spans of one paragraph.
///
/// A span is a run of backticks, anything, and the nearest run as long. Boxel's pattern gives up backticks of
/// the opening run one by one until a close is found, so a run of four with no partner is an empty span between
/// two pairs. A longer closing run leaves its rest behind, to open the next span.
fn push_without_spans(paragraph: &str, kept: &mut String) {
    let runs = backtick_runs(paragraph);
    // The longest run from each on: whether a close can be found at all is known without looking for it, which
    // keeps the whole linear.
    let mut longest_from = vec![0; runs.len() + 1];
    for (index, (_, length)) in runs.iter().enumerate().rev() {
        longest_from[index] = longest_from[index + 1].max(*length);
    }

    let mut copied = 0;
    let mut index = 0;
    while let Some(&(run_start, run_length)) = runs.get(index) {
        let open = copied.max(run_start);
        let length = run_start + run_length - open;
        if length == 0 {
            index += 1;
            continue;
        }
        let width = length.min(longest_from[index + 1]).max(length / 2);
        if width == 0 {
            index += 1;
            continue;
        }
        let end = if width <= length / 2 {
            open + 2 * width
        } else {
            index += 1;
            while runs[index].1 < width {
                index += 1;
            }
            runs[index].0 + width
        };
        kept.push_str(&paragraph[copied..open]);
        copied = end;
    }
    kept.push_str(&paragraph[copied..]);
}

/// Start and length of each run of backticks.
fn backtick_runs(text: &str) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in text.match_indices('`') {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == at => *length += 1,
            _ => runs.push((at, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FILE: &str = "https://example.com/realm/docs/page.md";

    #[test]
    fn finds_references() {
        for (body, expected) in [
            (":card[./a]", &["https://example.com/realm/docs/a"][..]),
            (
                "::card[../b.json | embedded]",
                &["https://example.com/realm/b"],
            ),
            ("text ::card[./mid-line]", &[]),
            ("  ::card[./indented]", &[]),
            (":::card[./three]", &[]),
            (
                "x\u{2028}::card[./after-separator]",
                &["https://example.com/realm/docs/after-separator"],
            ),
            (":card[@acme/cards/c|w:10 h:20]", &["@acme/cards/c"]),
            (":card[mailto:someone] :card[$REALM/x]", &[]),
            (
                ":card[] :card[|x]",
                &["https://example.com/realm/docs/page.md"],
            ),
            // The URL standard drops a line feed inside a URL.
            (
                ":card[two\nlines]",
                &["https://example.com/realm/docs/twolines"],
            ),
            (
                ":card[b] :card[a] :card[ b ]",
                &[
                    "https://example.com/realm/docs/b",
                    "https://example.com/realm/docs/a",
                ],
            ),
            (
                "::card[./x\n:card[y]",
                &[
                    "https://example.com/realm/docs/x:card[y",
                    "https://example.com/realm/docs/y",
                ],
            ),
            (":card[never closed", &[]),
            (":cards[x] :Card[y]", &[]),
        ] {
            assert_eq!(
                reference_urls(body, FILE, Keyword::Card),
                expected,
                "{body:?}"
            );
        }
        assert_eq!(
            reference_urls("::file[f.pdf] :card[c]", FILE, Keyword::File),
            ["https://example.com/realm/docs/f.pdf"]
        );
    }

    #[test]
    fn code_hides_references() {
        for (text, expected) in [
            ("a `b` c", "a  c"),
            ("a ``b ` c`` d", "a  d"),
            ("lone ` tick", "lone ` tick"),
            ("a ` b\n\nc ` d", "a ` b\n\nc ` d"),
            ("a ` b\n \t\nc ` d", "a ` b\n \t\nc ` d"),
            ("a ` b\r\n\r\nc ` d", "a ` b\r\n\r\nc ` d"),
            ("a ` b\nc ` d", "a  d"),
            ("``", ""),
            ("``x", "x"),
            ("``x`y", "x`y"),
            ("`x``y`", ""),
            ("`x``y", "`y"),
            ("```` x", " x"),
            ("a ```fence``` b", "a  b"),
        ] {
            assert_eq!(without_code(text), expected, "{text:?}");
        }
    }

    /// Boxel's pattern for code spans, step by step.
    fn spans_by_backtracking(text: &str) -> String {
        let blank = |at: usize| {
            let Some(line) = text[at..]
                .strip_prefix("\r\n")
                .or_else(|| text[at..].strip_prefix('\n'))
            else {
                return false;
            };
            let line = line.trim_start_matches([' ', '\t']);
            line.starts_with('\n') || line.starts_with("\r\n")
        };
        let close_after = |open: usize| {
            let run = text[open..]
                .bytes()
                .take_while(|byte| *byte == b'`')
                .count();
            (1..=run).rev().find_map(|width| {
                let mut at = open + width;
                loop {
                    if text[at..].starts_with(&"`".repeat(width)) {
                        return Some(at + width);
                    }
                    if at == text.len() || blank(at) {
                        return None;
                    }
                    at += text[at..].chars().next().map_or(1, char::len_utf8);
                }
            })
        };
        let (mut kept, mut at) = (String::new(), 0);
        while let Some(c) = text[at..].chars().next() {
            match close_after(at) {
                Some(end) => at = end,
                None => {
                    kept.push(c);
                    at += c.len_utf8();
                }
            }
        }
        kept
    }

    proptest! {
        #[test]
        fn code_spans_are_those_of_the_pattern(text in "(`{1,4}|[ab]|\n|\r\n| |\t){0,24}") {
            let mut kept = String::new();
            for part in paragraphs(&text) {
                push_without_spans(part, &mut kept);
            }
            prop_assert_eq!(kept, spans_by_backtracking(&text));
        }
    }
}
