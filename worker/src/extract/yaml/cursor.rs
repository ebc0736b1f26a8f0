//! Scalars and the white space between them: the parts of a YAML text that the walk steps over.

use super::mistake::{MAX_NODES, Mistake, MistakeKind};

pub(super) type Walked<T = ()> = Result<T, Mistake>;

/// A place in a text whose newlines are LF.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// Keys and values stepped over so far.
    nodes: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            nodes: 0,
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn rest_of_line(&self) -> &'a str {
        line_of(self.rest())
    }

    pub(super) fn skip_line(&mut self) {
        self.at = (self.at + self.rest_of_line().len() + 1).min(self.text.len());
    }

    pub(super) fn skip_spaces(&mut self) {
        self.at += self.rest().len() - trim_blank(self.rest()).len();
    }

    /// Whether an indicator stands here: the character, and white space or nothing after it.
    pub(super) fn is_indicator(&self, indicator: char) -> bool {
        self.rest()
            .strip_prefix(indicator)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n']))
    }

    /// Whether nothing but a comment follows on the line.
    pub(super) fn is_at_line_end(&self) -> bool {
        self.is_at_text_line_end() || (self.rest().starts_with('#') && self.is_after_space())
    }

    /// Whether not even a comment does.
    pub(super) fn is_at_text_line_end(&self) -> bool {
        self.rest().is_empty() || self.rest().starts_with('\n')
    }

    /// Whether white space, or a newline, stands before.
    pub(super) fn is_after_space(&self) -> bool {
        self.text[..self.at].ends_with([' ', '\t', '\n'])
    }

    pub(super) fn mistake<T>(&self, kind: MistakeKind) -> Walked<T> {
        Err(Mistake { at: self.at, kind })
    }

    pub(super) fn count_node(&mut self) -> Walked {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            self.mistake(MistakeKind::TooMany)
        } else {
            Ok(())
        }
    }

    /// The start of the next line that is not blank, unless it is indented less than this.
    pub(super) fn next_content_line(&self, least: usize) -> Option<usize> {
        let mut start = self.at + self.rest().find('\n')? + 1;
        loop {
            let line = line_of(self.text.get(start..)?);
            let indent = indent_of(line);
            if indent < line.len() {
                return (indent >= least).then_some(start);
            }
            start += line.len() + 1;
        }
    }

    /// Anchors and tags before a node.
    pub(super) fn properties(&mut self) -> Walked {
        loop {
            if self.rest().starts_with('&') {
                self.anchor()?;
            } else if self.rest().starts_with('!') {
                self.at += self
                    .rest()
                    .find([' ', '\t', '\n'])
                    .unwrap_or(self.rest().len());
            } else {
                return Ok(());
            }
            self.skip_spaces();
        }
    }

    /// `&name` or `*name`.
    pub(super) fn anchor(&mut self) -> Walked {
        let length = self
            .rest()
            .find(|c| is_flow_gap(Some(c)))
            .unwrap_or(self.rest().len());
        if length == 1 {
            return self.mistake(MistakeKind::UnnamedAnchor);
        }
        self.at += length;
        Ok(())
    }

    /// The first line of a plain scalar.
    pub(super) fn plain(&mut self) {
        self.at += plain_length(self.rest_of_line());
    }

    /// Follows a plain scalar onto the lines that continue it, indented at least so far. Whether one of them has a
    /// colon, which makes a key of the whole.
    pub(super) fn continue_plain(&mut self, least: usize) -> bool {
        while trim_blank(self.rest_of_line()).is_empty() {
            let Some(next) = self.next_content_line(least) else {
                return false;
            };
            let line = line_of(&self.text[next..]);
            let content = trim_blank(line);
            if content.starts_with('#') || is_document_marker(line) {
                return false;
            }
            let length = plain_length(content);
            self.at = next + (line.len() - content.len()) + length;
            if trim_blank(&content[length..]).starts_with(':') {
                return true;
            }
        }
        false
    }

    /// Whether what stands on the line after a complete value looks like a key.
    pub(super) fn is_before_key(&self) -> bool {
        let content = trim_blank(self.rest_of_line());
        let length = plain_length(content);
        !content.starts_with('#') && length > 0 && trim_blank(&content[length..]).starts_with(':')
    }

    /// A quoted scalar, whose further lines are indented at least so far.
    pub(super) fn quoted(&mut self, quote: char, least: usize) -> Walked {
        let kind = MistakeKind::UnclosedQuote {
            quote,
            opened: self.at,
        };
        let Some(end) = self.closing_quote(quote) else {
            return Err(Mistake {
                at: self.text.len(),
                kind,
            });
        };
        for (newline, _) in self.text[self.at..end].match_indices('\n') {
            let newline = self.at + newline;
            let line = line_of(&self.text[newline + 1..]);
            let indent = indent_of(line);
            if indent < line.len() && indent < least {
                return Err(Mistake { at: newline, kind });
            }
        }
        let inside = self.at + 1;
        if quote == '"'
            && let Some(escape) = unknown_escape(&self.text[inside..end])
        {
            return Err(Mistake {
                at: inside + escape,
                kind: MistakeKind::UnknownEscape,
            });
        }
        self.at = end + 1;
        Ok(())
    }

    /// Where the quote at the current place is closed.
    fn closing_quote(&self, quote: char) -> Option<usize> {
        let mut from = self.at + 1;
        loop {
            let at = from + self.text[from..].find([quote, '\\'])?;
            let rest = &self.text[at..];
            from = match quote {
                '"' if rest.starts_with('\\') => {
                    at + 1 + rest[1..].chars().next().map_or(0, char::len_utf8)
                }
                '\'' if rest.starts_with('\\') => at + 1,
                '\'' if rest.starts_with("''") => at + 2,
                _ => return Some(at),
            };
        }
    }

    /// Text announced by `|` or `>`, on the lines below that are indented at least so far.
    pub(super) fn block_scalar(&mut self, least: usize) -> Walked {
        let line = self.rest_of_line();
        let is_header = |c: char| matches!(c, '-' | '+' | '0'..='9');
        let header_length = line[1..]
            .find(|c| !is_header(c))
            .map_or(line.len(), |length| length + 1);
        let (header, rest) = line.split_at(header_length);
        let after = trim_blank(rest);
        let is_comment = after.starts_with('#') && after.len() < rest.len();
        if !after.is_empty() && !is_comment {
            self.at += line.len() - after.len();
            return self.mistake(MistakeKind::TextOnIndicatorLine);
        }
        self.at += line.len();
        let Some(first) = self.next_content_line(0) else {
            self.at = self.text.len();
            return Ok(());
        };
        let indent = indent_of(line_of(&self.text[first..]));
        if indent < least {
            return match self.text[first + indent..].starts_with('\t') {
                true => Err(Mistake {
                    at: first,
                    kind: MistakeKind::Indentation,
                }),
                false => Ok(()),
            };
        }
        let given = header
            .chars()
            .find_map(|c| c.to_digit(10))
            .and_then(|digit| usize::try_from(digit).ok());
        let least = given.map_or(indent, |digit| digit + least.max(1) - 1);
        while let Some(next) = self.next_content_line(least) {
            self.at = next + line_of(&self.text[next..]).len();
        }
        Ok(())
    }
}

/// `---` or `...` at the start of a line.
pub(super) fn is_document_marker(line: &str) -> bool {
    let rest = line
        .strip_prefix("---")
        .or_else(|| line.strip_prefix("..."));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// How many spaces a line begins with.
pub(super) fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The text up to its first newline.
pub(super) fn line_of(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default()
}

fn trim_blank(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

/// Whether the character ends a word between brackets; `None` is the end of everything.
pub(super) fn is_flow_gap(c: Option<char>) -> bool {
    matches!(
        c,
        None | Some(' ' | '\t' | '\n' | ',' | '[' | ']' | '{' | '}')
    )
}

/// How far a plain scalar reaches in its line: to a colon or before a comment, without trailing white space.
fn plain_length(line: &str) -> usize {
    let bytes = line.as_bytes();
    let blank = |at: usize| {
        bytes
            .get(at)
            .is_none_or(|byte| matches!(byte, b' ' | b'\t'))
    };
    let end = (0..bytes.len())
        .find(|&at| match bytes[at] {
            b':' => blank(at + 1),
            b'#' => at > 0 && blank(at - 1),
            _ => false,
        })
        .unwrap_or(bytes.len());
    line[..end].trim_end_matches([' ', '\t']).len()
}

/// The first escape in double-quoted text that means nothing.
fn unknown_escape(text: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find('\\')?;
        let mut after = text[at + 1..].chars();
        let digits = match after.next() {
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some(c) if "0abefnrtvN_LP \"/\\\t\n".contains(c) => 0,
            _ => return Some(at),
        };
        if after
            .by_ref()
            .take(digits)
            .filter(char::is_ascii_hexdigit)
            .count()
            < digits
        {
            return Some(at);
        }
        from = text.len() - after.as_str().len();
    }
}
