//! Title, excerpt and line count of a markdown body, by Boxel's rules. They are text rules, not a markdown
//! parser's: a `# comment` inside a code fence is a heading to them.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::js_text::{self, SPACE_CLASS};

/// The longest excerpt, in UTF-16 units.
const EXCERPT_UNITS: usize = 500;
const ELLIPSIS: &str = "...";

const FENCE: &str = "```";

/// Compiles a pattern in which `\s` stands for JavaScript's white space.
fn pattern(source: &str) -> Regex {
    let inside_class = source.replace(r"[\s]", &format!("[{SPACE_CLASS}]"));
    // The patterns are constants of this file, each compiled by a test.
    #[allow(clippy::expect_used)]
    Regex::new(&inside_class).expect("a constant pattern")
}

static HEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"\A[\s]*#{1,6}[\s]+"));
static HEADING_TEXT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\A[\s]*#{1,6}[\s]+([^\n\r\u{2028}\u{2029}]+?)[\s]*#*[\s]*\z"));
static PARAGRAPH_BREAK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\n[\s]*\n"));
static CODE_SPAN: LazyLock<Regex> = LazyLock::new(|| pattern("`([^`]+)`"));
static IMAGE: LazyLock<Regex> = LazyLock::new(|| pattern(r"!\[[^\]]*\]\([^)]+\)"));
static LINK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\]]+)\]\([^)]+\)"));
static HEADING_MARK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[\s]*#{1,6}[\s]+"));
static QUOTE_MARK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[\s]*>[\s]?"));
static BULLET_MARK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[\s]*[-*+][\s]+"));

/// The first heading with any text, else `fallback`.
pub(super) fn title(body: &str, fallback: &str) -> String {
    js_text::normalize_newlines(body)
        .split('\n')
        .filter_map(|line| HEADING_TEXT.captures(line)?.get(1))
        .map(|text| plain_text(text.as_str()))
        .find(|title| !title.is_empty())
        .unwrap_or_else(|| fallback.to_owned())
}

/// The first paragraph that is more than headings, as plain text on one line; empty where there is none.
pub(super) fn excerpt(body: &str) -> String {
    let body = js_text::normalize_newlines(body);
    PARAGRAPH_BREAK
        .split(&body)
        .map(|paragraph| {
            let lines = js_text::trim(paragraph)
                .split('\n')
                .filter(|line| !HEADING.is_match(line));
            plain_text(&lines.collect::<Vec<_>>().join(" "))
        })
        .find(|text| !text.is_empty())
        .map(shortened)
        .unwrap_or_default()
}

fn shortened(text: String) -> String {
    if js_text::utf16_len(&text) <= EXCERPT_UNITS {
        return text;
    }
    let head = js_text::utf16_prefix(&text, EXCERPT_UNITS - ELLIPSIS.len());
    format!("{}{ELLIPSIS}", js_text::trim_end(&head))
}

/// How many lines a body has; one final newline begins no line, and an empty body has none.
pub(super) fn line_count(body: &str) -> usize {
    match body {
        "" => 0,
        body => body.strip_suffix('\n').unwrap_or(body).split('\n').count(),
    }
}

/// The text without its fenced code blocks: each run of three backticks with the next one.
pub(super) fn without_fences(text: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(open) = rest.find(FENCE) {
        let Some(inside) = rest[open + FENCE.len()..].find(FENCE) else {
            break;
        };
        kept.push_str(&rest[..open]);
        rest = &rest[open + FENCE.len() + inside + FENCE.len()..];
    }
    if rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// Inline text with its markup taken off, white space collapsed. The order of the steps is Boxel's, and shows:
/// `*` and `_` go everywhere, so `snake_case` loses its underscore.
fn plain_text(text: &str) -> String {
    // JavaScript begins a line after these too. The last step makes a space of each, so to call them newlines
    // changes nothing else.
    let text = text.replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    let text = without_fences(&text);
    let text = CODE_SPAN.replace_all(&text, "$1");
    let text = IMAGE.replace_all(&text, "");
    let text = LINK.replace_all(&text, "$1");
    let text = HEADING_MARK.replace_all(&text, "");
    let text = QUOTE_MARK.replace_all(&text, "");
    let text = BULLET_MARK.replace_all(&text, "");
    let text = text.replace(['*', '_', '~'], "");
    text.split(js_text::is_space)
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        for (body, expected) in [
            ("# One\n# Two", "One"),
            ("text\n\n###### Deep ######", "Deep"),
            ("####### Seven\n## Two", "Two"),
            ("#\n#  \n# `x`", "x"),
            ("#NoSpace\n", "fallback"),
            ("```\n# In a fence\n```\n# After", "In a fence"),
            ("# ![only](image)\n# Words", "Words"),
            ("# **a** _b_ ~~c~~ [d](e) `f`", "a b c d f"),
            ("\u{A0}#\u{3000}Wide\u{FEFF}", "Wide"),
            ("# cut\u{2028}here\n# Next", "Next"),
            ("\u{2028}# After a separator\u{2029}", "After a separator"),
            ("# a # b #", "a # b"),
            ("# C#", "C"),
            ("# - item", "item"),
            ("\r# Carriage\rreturn", "Carriage"),
            ("Title\n=====", "fallback"),
            ("", "fallback"),
        ] {
            assert_eq!(title(body, "fallback"), expected, "{body:?}");
        }
    }

    #[test]
    fn excerpts() {
        for (body, expected) in [
            ("# T\n\nOne\ntwo\n\nThree", "One two"),
            ("# T\nunder\n## U\nmore", "under more"),
            ("# T\n\n```\ncode\n```\n\nText", "Text"),
            ("- one\n- two", "one - two"),
            ("> quoted", "quoted"),
            ("![image](only)\n\nText", "Text"),
            ("a\n\u{3000}\nb", "a"),
            ("a\n\u{85}\nb", "a \u{85} b"),
            ("a\u{2028}- b", "a b"),
            ("[text](url) and [ref][x]", "text and [ref][x]"),
            ("a\r\n\r\nb", "a"),
            ("``` open\n\nnext", "``` open"),
            ("\n\n", ""),
        ] {
            assert_eq!(excerpt(body), expected, "{body:?}");
        }
    }

    #[test]
    fn long_excerpts_are_cut() {
        assert_eq!(excerpt(&"x".repeat(500)), "x".repeat(500));
        assert_eq!(excerpt(&"x".repeat(501)), format!("{}...", "x".repeat(497)));
        assert_eq!(
            excerpt(&format!("{} {}", "x".repeat(496), "y".repeat(9))),
            format!("{}...", "x".repeat(496))
        );
        let pairs = excerpt(&"😀".repeat(251));
        assert_eq!(pairs, format!("{}\u{FFFD}...", "😀".repeat(248)));
    }

    #[test]
    fn lines() {
        for (body, expected) in [
            ("", 0),
            ("\n", 1),
            ("a", 1),
            ("a\n", 1),
            ("a\n\n", 2),
            ("\n\n\n", 3),
            ("a\r\nb", 2),
        ] {
            assert_eq!(line_count(body), expected, "{body:?}");
        }
    }

    #[test]
    fn fences_pair_up() {
        for (text, expected) in [
            ("a```b```c", "ac"),
            ("a```b", "a```b"),
            ("``````x", "x"),
            ("````x````y", "`y"),
            ("a```b```c```d", "ac```d"),
        ] {
            assert_eq!(without_fences(text), expected, "{text}");
        }
    }
}
