//! Collections in brackets: `[a, b]` and `{a: b}`.

use super::cursor::{Cursor, Walked, indent_of, is_document_marker, is_flow_gap, line_of};
use super::mistake::{MAX_DEPTH, Mistake, MistakeKind};

impl Cursor<'_> {
    /// A bracketed collection, to its closing bracket. Its further lines are indented at least so far; `depth`
    /// collections stand around it.
    pub(super) fn brackets(&mut self, least: usize, depth: usize) -> Walked {
        let unclosed = MistakeKind::UnclosedBracket {
            bracket: if self.rest().starts_with('{') {
                '{'
            } else {
                '['
            },
            opened: self.at,
        };
        let mut open = Vec::new();
        let mut item = Item::default();
        loop {
            let before_gap = self.at;
            let Some(gap) = self.skip_gap() else {
                return Err(Mistake {
                    at: self.text.len(),
                    kind: unclosed,
                });
            };
            if gap == Gap::Lines && !self.may_continue_brackets(least, open.len()) {
                let at = if item.after_colon {
                    before_gap
                } else {
                    self.at
                };
                return Err(Mistake { at, kind: unclosed });
            }
            let Some(c) = self.rest().chars().next() else {
                continue;
            };
            match c {
                '#' => return self.mistake(MistakeKind::CommentNeedsSpace),
                '[' | '{' | '"' | '\'' if item.complete => {
                    return self.mistake(MistakeKind::MissingComma);
                }
                '[' | '{' if depth + open.len() >= MAX_DEPTH => {
                    return self.mistake(MistakeKind::TooDeep);
                }
                '[' | '{' => {
                    self.count_node()?;
                    open.push(c);
                    item = Item::default();
                    self.at += 1;
                }
                ']' | '}' => {
                    let opening = if c == ']' { '[' } else { '{' };
                    if open.pop() != Some(opening) {
                        return self.mistake(MistakeKind::StrayBracket(c));
                    }
                    self.at += 1;
                    if open.is_empty() {
                        return Ok(());
                    }
                    item = Item {
                        complete: true,
                        quoted: true,
                        ..Item::default()
                    };
                }
                ',' if !item.complete && !item.after_colon => {
                    return self.mistake(MistakeKind::StrayBracket(c));
                }
                ',' => {
                    item = Item::default();
                    self.at += 1;
                }
                ':' if item.quoted || is_flow_gap(self.rest()[1..].chars().next()) => {
                    if let Some(at) = item.value {
                        return Err(Mistake {
                            at,
                            kind: MistakeKind::ColonInValue,
                        });
                    }
                    item = Item {
                        after_colon: true,
                        ..Item::default()
                    };
                    self.at += 1;
                    self.skip_spaces();
                }
                c => {
                    let value = if item.after_colon {
                        Some(self.at)
                    } else {
                        item.value
                    };
                    self.bracketed_token(c, least)?;
                    item = Item {
                        value,
                        after_colon: false,
                        quoted: matches!(c, '"' | '\''),
                        complete: !matches!(c, '&' | '!'),
                    };
                }
            }
        }
    }

    /// A scalar, alias, anchor or tag between brackets.
    fn bracketed_token(&mut self, c: char, least: usize) -> Walked {
        self.count_node()?;
        match c {
            '"' | '\'' => self.quoted(c, least)?,
            '&' | '*' => self.anchor()?,
            '!' => {
                self.at += self
                    .rest()
                    .find(|c| is_flow_gap(Some(c)))
                    .unwrap_or(self.rest().len())
            }
            '@' | '`' | '%' | '|' | '>' => return self.mistake(MistakeKind::ReservedStart(c)),
            _ => self.at += flow_plain_length(self.rest()),
        }
        Ok(())
    }

    /// Skips white space, newlines and comments inside brackets; `None` at the end of everything.
    fn skip_gap(&mut self) -> Option<Gap> {
        let mut gap = Gap::Spaces;
        loop {
            self.skip_spaces();
            let rest = self.rest();
            if rest.is_empty() {
                return None;
            }
            if rest.starts_with('\n') {
                self.at += 1;
                gap = Gap::Lines;
            } else if rest.starts_with('#') && self.is_after_space() {
                self.at += self.rest_of_line().len();
            } else {
                return Some(gap);
            }
        }
    }

    /// Whether a bracketed collection goes on with the first thing of a line. The last closing bracket alone may
    /// stand as far left as the line that opened it.
    fn may_continue_brackets(&self, least: usize, open: usize) -> bool {
        let line_start = self.text[..self.at]
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        let line = line_of(&self.text[line_start..]);
        let indent = indent_of(line);
        let closes = open == 1 && self.rest().starts_with([']', '}']) && indent + 1 == least;
        !is_document_marker(line) && (indent >= least || closes)
    }
}

/// What separates two things between brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    Spaces,
    Lines,
}

/// An item between brackets, as far as it was read.
#[derive(Clone, Copy, Default)]
struct Item {
    /// Where the value after its colon begins: a second colon in it is a mistake.
    value: Option<usize>,
    /// A colon was read, and no value yet.
    after_colon: bool,
    /// What was read last is quoted or bracketed, so that a colon may follow with no space after it.
    quoted: bool,
    /// A comma or a closing bracket is due.
    complete: bool,
}

/// Whether a text may hold deeper brackets than are allowed, judged by counting them wherever they stand. A walk
/// ends at the first mistake, and knows nothing of what follows.
pub(super) fn may_nest_too_deep(text: &str) -> bool {
    let mut depth = 0_usize;
    text.bytes().any(|byte| {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > MAX_DEPTH
    })
}

/// How far a plain scalar reaches in its line between brackets: there, brackets and commas end it too. At least one
/// character is taken.
fn flow_plain_length(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let end = text
        .char_indices()
        .skip(1)
        .find(|&(at, c)| match c {
            '\n' | ',' | '[' | ']' | '{' | '}' => true,
            ':' => is_flow_gap(text[at + 1..].chars().next()),
            '#' => text[..at].ends_with([' ', '\t']),
            _ => false,
        })
        .map_or(text.len(), |(at, _)| at);
    text[..end].trim_end_matches([' ', '\t']).len().max(first)
}
