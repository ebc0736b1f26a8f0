//! Where a markdown file's frontmatter ends and its body begins.

/// A markdown text, split. Both parts are slices of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split<'a> {
    /// The YAML between the fences, without the newline before the closing one.
    pub(super) yaml: Option<&'a str>,
    /// What follows the closing fence's line, or everything.
    pub(super) body: &'a str,
}

const FENCE: &str = "---";

/// Splits a text whose newlines are LF, by Boxel's rule: the first line is a fence, and the first fence after at
/// least one line (empty or not) closes it. With no closing fence there is no frontmatter.
pub(super) fn split(text: &str) -> Split<'_> {
    let whole = Split {
        yaml: None,
        body: text,
    };
    let Some((first, inside)) = text.split_once('\n') else {
        return whole;
    };
    if !is_fence(first) {
        return whole;
    }
    let mut from = 0;
    while let Some(length) = inside[from..].find('\n') {
        let newline = from + length;
        let closing = newline + 1;
        let end = inside[closing..]
            .find('\n')
            .map_or(inside.len(), |length| closing + length);
        if is_fence(&inside[closing..end]) {
            let body = inside.get(end + 1..).unwrap_or_default();
            return Split {
                yaml: Some(&inside[..newline]),
                body,
            };
        }
        from = closing;
    }
    whole
}

/// A line of exactly three dashes, then spaces and tabs.
fn is_fence(line: &str) -> bool {
    line.strip_prefix(FENCE)
        .is_some_and(|rest| rest.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
}

/// What stands where frontmatter should, in a file that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absence {
    /// Nothing that looks like it.
    None,
    /// A fence on line 1 that nothing closes.
    Unclosed,
    /// Fences with no line between them.
    NothingBetween,
    /// A fence further down, after nothing but white space.
    NotFirst {
        /// The line of the fence, from 1.
        line: usize,
    },
    /// More or other than three dashes on line 1.
    NoFence,
}

/// Why a text (newlines LF) that [`split`] finds no frontmatter in has none.
pub(super) fn absence(text: &str) -> Absence {
    let mut lines = text
        .split('\n')
        .enumerate()
        .skip_while(|(_, line)| line.trim().is_empty());
    let Some((index, line)) = lines.next() else {
        return Absence::None;
    };
    let starts_like_one = line.trim_start().starts_with(FENCE);
    match (index, is_fence(line)) {
        (0, true) if lines.next().is_some_and(|(_, second)| is_fence(second)) => {
            Absence::NothingBetween
        }
        (0, true) => Absence::Unclosed,
        (0, false) if starts_like_one => Absence::NoFence,
        (_, _) if index > 0 && starts_like_one => Absence::NotFirst { line: index + 1 },
        _ => Absence::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_the_first_closing_fence() {
        for (text, yaml, body) in [
            ("---\na: 1\n---\nbody\n", Some("a: 1"), "body\n"),
            ("--- \t\na: 1\n---\t \nbody", Some("a: 1"), "body"),
            ("---\na: 1\n---", Some("a: 1"), ""),
            ("---\n\n---\nbody", Some(""), "body"),
            ("---\na: 1\n\n---\n\nbody", Some("a: 1\n"), "\nbody"),
            ("---\na: |\n  ---\n---\nbody", Some("a: |\n  ---"), "body"),
            (
                "---\na: 1\n----\nb: 2\n---\nbody",
                Some("a: 1\n----\nb: 2"),
                "body",
            ),
            ("---\n---\nbody\n---\nmore", Some("---\nbody"), "more"),
            ("---\n---\nbody", None, "---\n---\nbody"),
            ("---\na: 1", None, "---\na: 1"),
            ("---x\na: 1\n---\n", None, "---x\na: 1\n---\n"),
            (" ---\na: 1\n---\n", None, " ---\na: 1\n---\n"),
            ("\n---\na: 1\n---\n", None, "\n---\na: 1\n---\n"),
            ("---", None, "---"),
            ("", None, ""),
        ] {
            assert_eq!(split(text), Split { yaml, body }, "{text:?}");
        }
    }

    #[test]
    fn says_why_there_is_none() {
        for (text, expected) in [
            ("---\na: 1\n\n# Title\n", Absence::Unclosed),
            ("---\n---\n# Title\n", Absence::NothingBetween),
            ("\n\n---\na: 1\n---\n", Absence::NotFirst { line: 3 }),
            (" ---\na: 1\n---\n", Absence::NoFence),
            ("----\na: 1\n----\n", Absence::NoFence),
            ("# Title\n---\n", Absence::None),
            ("", Absence::None),
        ] {
            assert_eq!(absence(text), expected, "{text:?}");
        }
    }
}
