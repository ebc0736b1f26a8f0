//! Where a frontmatter text first goes wrong, for a message its author can act on.
//!
//! The YAML parser says where it gave up, which is often lines after the mistake: an unclosed quote ends at the
//! next quote of all. This walk reads no values. It follows the layout (indentation, keys, quotes, brackets) by
//! the rules of Boxel's parser, npm `yaml`, and stops at the first mistake where that one does.

use super::cursor::{Cursor, Walked, indent_of, is_document_marker};
use super::mistake::{MAX_DEPTH, Mistake, MistakeKind};

/// Finds the first mistake in a text whose newlines are LF.
pub(super) fn first_mistake(text: &str) -> Option<Mistake> {
    let walk = Walk {
        cursor: Cursor::new(text),
        line_start: 0,
        indent: 0,
        least: 0,
        open: Vec::new(),
        awaiting: Awaiting::Root,
        entry_end: 0,
    };
    walk.lines().err()
}

/// A block collection that is open, and the column of its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Mapping(usize),
    Sequence(usize),
}

impl Open {
    fn column(self) -> usize {
        match self {
            Self::Mapping(column) | Self::Sequence(column) => column,
        }
    }
}

/// What the next line may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaiting {
    /// The document's one node.
    Root,
    /// The value of the entry at this column.
    ValueBelow(usize),
    /// Another entry of what is open.
    Entry,
}

/// Where in its line a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// An entry of the innermost open mapping.
    Entry,
    /// The first thing of a value that begins a line, or follows a list's dash.
    Fresh,
    /// After its key and colon.
    AfterKey,
}

/// What a token is, as far as its surroundings care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// Unquoted text; only its first line has been read.
    Plain,
    Quoted,
    Other,
}

struct Walk<'a> {
    cursor: Cursor<'a>,
    /// Where the line began that is being read.
    line_start: usize,
    /// Indentation of that line, with the dashes at its start.
    indent: usize,
    /// The least indentation that continues the scalar or bracket being read.
    least: usize,
    open: Vec<Open>,
    awaiting: Awaiting,
    /// Where the last entry ended: with its line, or right after its colon where it has no value.
    entry_end: usize,
}

impl Walk<'_> {
    fn lines(mut self) -> Walked {
        while !self.cursor.rest().is_empty() {
            self.line_start = self.cursor.at;
            let line = self.cursor.rest_of_line();
            let content = &line[indent_of(line)..];
            let first = content.trim_start_matches([' ', '\t']);
            let is_first = self.awaiting == Awaiting::Root;
            if first.is_empty() || first.starts_with('#') || (content.starts_with('%') && is_first)
            {
                self.cursor.skip_line();
            } else if is_document_marker(line) {
                if line.starts_with("...") || !is_first {
                    return Ok(());
                }
                self.document_start()?;
            } else {
                self.line()?;
            }
        }
        Ok(())
    }

    /// A line `---`, and what follows on it.
    fn document_start(&mut self) -> Walked {
        self.cursor.at += "---".len();
        self.cursor.skip_spaces();
        if !self.cursor.is_at_line_end() {
            self.node(Place::Fresh)?;
        }
        self.end_line()
    }

    /// A line that begins an entry or a value.
    fn line(&mut self) -> Walked {
        self.indent = indent_of(self.cursor.rest_of_line());
        self.cursor.at += self.indent;
        if self.cursor.rest().starts_with('\t') {
            return self.cursor.mistake(MistakeKind::TabIndent);
        }
        if self.least > self.indent && !self.is_at_block_indicator() {
            self.least = self.indent;
        }
        let place = self.place()?;
        self.node(place)?;
        self.end_line()
    }

    fn is_at_block_indicator(&self) -> bool {
        ['-', '?', ':']
            .into_iter()
            .any(|indicator| self.cursor.is_indicator(indicator))
    }

    /// Closes what a line at the current column ends, and tells what the line is to the rest.
    fn place(&mut self) -> Walked<Place> {
        let column = self.column();
        let is_item = self.cursor.is_indicator('-');
        match std::mem::replace(&mut self.awaiting, Awaiting::Entry) {
            Awaiting::Root => return Ok(Place::Fresh),
            Awaiting::ValueBelow(parent) if column > parent => return Ok(Place::Fresh),
            // A list may stand as far left as its key.
            Awaiting::ValueBelow(parent)
                if column == parent && is_item && self.is_mapping(parent) =>
            {
                return Ok(Place::Fresh);
            }
            Awaiting::ValueBelow(_) | Awaiting::Entry => {}
        }
        while self.open.last().is_some_and(|open| open.column() > column) {
            self.open.pop();
        }
        if !is_item && self.open.last() == Some(&Open::Sequence(column)) {
            self.open.pop();
        }
        match self.open.last().copied() {
            None => self.cursor.mistake(MistakeKind::TextAfterValue),
            Some(Open::Sequence(at)) if is_item && at == column => Ok(Place::Entry),
            Some(Open::Sequence(_)) if is_item => self.cursor.mistake(MistakeKind::Indentation),
            Some(Open::Mapping(at)) if !is_item && at == column => Ok(Place::Entry),
            Some(_) => Err(Mistake {
                at: self.entry_end,
                kind: MistakeKind::Indentation,
            }),
        }
    }

    fn is_mapping(&self, column: usize) -> bool {
        self.open.last() == Some(&Open::Mapping(column))
    }

    /// A node from its first character on: dashes, keys, then a value or the line's end.
    fn node(&mut self, mut place: Place) -> Walked {
        let mut column = self.column();
        let mut parent = column;
        loop {
            if self.is_at_block_indicator() {
                self.block_indicator(place)?;
                parent = column;
                column = self.column();
                place = Place::Fresh;
            } else {
                let start = self.cursor.at;
                self.cursor.properties()?;
                if self.cursor.is_at_line_end() {
                    self.awaiting = match place {
                        Place::Entry => Awaiting::Entry,
                        _ if self.open.is_empty() => Awaiting::Root,
                        _ => Awaiting::ValueBelow(parent),
                    };
                    return Ok(());
                }
                if !self.is_key(start, place)? {
                    return Ok(());
                }
                if place == Place::Fresh {
                    self.open(Open::Mapping(column))?;
                }
                parent = column;
                self.cursor.at += 1;
                self.least = self.indent + 1;
                self.cursor.skip_spaces();
                place = Place::AfterKey;
            }
            if self.cursor.is_at_line_end() {
                self.awaiting = Awaiting::ValueBelow(parent);
                return Ok(());
            }
        }
    }

    /// A dash, or one of the marks of a key and value on lines of their own.
    fn block_indicator(&mut self, place: Place) -> Walked {
        let is_item = self.cursor.is_indicator('-');
        match place {
            Place::AfterKey if is_item => return self.cursor.mistake(MistakeKind::ListOnKeyLine),
            Place::AfterKey => return self.cursor.mistake(MistakeKind::ColonInValue),
            Place::Fresh if is_item => self.open(Open::Sequence(self.column()))?,
            Place::Fresh => self.open(Open::Mapping(self.column()))?,
            Place::Entry => {}
        }
        self.cursor.count_node()?;
        self.least = self.indent + 1;
        let start = self.cursor.at;
        self.cursor.at += 1;
        self.cursor.skip_spaces();
        self.indent += self.cursor.at - start;
        Ok(())
    }

    /// Steps over a scalar or bracketed collection; whether it is a key, the cursor then at its colon. `start` is
    /// where its anchor or tag begins, or else it.
    fn is_key(&mut self, start: usize, place: Place) -> Walked<bool> {
        let token_start = self.cursor.at;
        let token = self
            .token()
            .map_err(|mistake| match (place, mistake.kind) {
                // Where a key is due, and none is on the line, it is the key that is wrong.
                (Place::Entry, MistakeKind::TextOnIndicatorLine) => Mistake {
                    at: token_start,
                    ..mistake
                },
                (Place::Entry, _) if self.spans_lines(token_start, mistake.at) => Mistake {
                    at: token_start,
                    ..mistake
                },
                _ => mistake,
            })?;
        let token_end = self.cursor.at;
        self.cursor.skip_spaces();
        let wrong = match (self.cursor.is_indicator(':'), place) {
            (true, Place::AfterKey) => Some((start, MistakeKind::ColonInValue)),
            (true, _) if self.spans_lines(token_start, token_end) => {
                Some((token_start, MistakeKind::MissingColon))
            }
            (true, _) => return Ok(true),
            (false, Place::Entry) => Some((token_start, MistakeKind::MissingColon)),
            (false, _) => {
                self.cursor.at = token_end;
                match (token, place) {
                    (Token::Quoted, Place::AfterKey) => self
                        .cursor
                        .is_before_key()
                        .then_some((start, MistakeKind::ColonInValue)),
                    (Token::Plain, _) if self.cursor.continue_plain(self.least) => match place {
                        Place::AfterKey => Some((start, MistakeKind::ColonInValue)),
                        _ => Some((start, MistakeKind::MissingColon)),
                    },
                    _ => None,
                }
            }
        };
        wrong.map_or(Ok(false), |(at, kind)| Err(Mistake { at, kind }))
    }

    fn token(&mut self) -> Walked<Token> {
        self.cursor.count_node()?;
        match self.cursor.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => self
                .cursor
                .quoted(quote, self.least)
                .map(|()| Token::Quoted),
            Some('[' | '{') => self
                .cursor
                .brackets(self.least, self.open.len())
                .map(|()| Token::Other),
            Some('*') => self.cursor.anchor().map(|()| Token::Other),
            Some('|' | '>') => self.cursor.block_scalar(self.least).map(|()| Token::Other),
            Some(c @ ('@' | '`' | '%')) => self.cursor.mistake(MistakeKind::ReservedStart(c)),
            Some(c @ (']' | '}' | ',')) => self.cursor.mistake(MistakeKind::StrayBracket(c)),
            _ => {
                self.cursor.plain();
                Ok(Token::Plain)
            }
        }
    }

    fn spans_lines(&self, start: usize, end: usize) -> bool {
        self.cursor.text[start..end.max(self.cursor.at)].contains('\n')
    }

    fn open(&mut self, collection: Open) -> Walked {
        if self.open.len() == MAX_DEPTH {
            return self.cursor.mistake(MistakeKind::TooDeep);
        }
        self.open.push(collection);
        Ok(())
    }

    fn column(&self) -> usize {
        self.cursor.at - self.line_start
    }

    /// What may follow a value on its line: nothing but a comment.
    fn end_line(&mut self) -> Walked {
        let has_value =
            !matches!(self.awaiting, Awaiting::ValueBelow(_)) || !self.cursor.is_at_text_line_end();
        if !self.cursor.is_at_line_end() {
            let is_comment = self.cursor.rest().starts_with('#');
            self.cursor.skip_spaces();
            if is_comment {
                return self.cursor.mistake(MistakeKind::CommentNeedsSpace);
            }
            if !self.cursor.is_at_line_end() {
                return self.cursor.mistake(MistakeKind::TextAfterValue);
            }
        }
        self.entry_end = self.cursor.at;
        self.cursor.skip_line();
        if has_value {
            self.entry_end = self.cursor.at;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::yaml::mistake::MAX_NODES;
    use proptest::prelude::*;

    /// Layouts that are fine: a mistake found in one of them could hide a file's frontmatter.
    #[test]
    fn finds_nothing_in_good_text() {
        for text in [
            "",
            "# only a comment\n",
            "name: x\ndescription: it's 5 o'clock #not a comment: really\n",
            "a: b # comment: here",
            "a:\n- b\n- c: d\n  e: f\ng: h",
            "a:\n  - - b\n    - c\n  -\n    d: e",
            "a: >-\n  text: with colons\n    - and \"dashes\n\n  more\nb: c",
            "a: |2\n    deeper\n  text\nb: c",
            "a: plain\n  goes on\n\n  and on\nb: c",
            "a: \"quoted\n  goes: on\\\"\"\nb: 'it''s\n\n  fine'",
            "a: [b, {c: d, \"e\":f}, 'g, h']\ni: {j, k: }",
            "a: [\n  b,\n  # comment\n  c\n]\nd: e",
            "a: {\n  b: [c,\n  d]\n}",
            "- [a]\n- {b: c}\n- d",
            "a: &x b\nc: *x\nd: !tag e\nf: &y\n  g: h",
            "? a\n: b\n? [c]\n: - d\n  - e",
            "%YAML 1.2\n---\na: b\n...\n",
            "--- a\n",
            "\"quoted key\": a\n'other': b\n[c]: d",
            "just text\nover lines",
            "a: http://x:80/y?z#w",
            "a: -1\nb: ?x\nc: :y\nd: a]b}c,d",
        ] {
            assert_eq!(first_mistake(text), None, "{text:?}");
        }
    }

    #[test]
    fn limits_are_found_before_parsing() {
        for (text, kind) in [
            ("[".repeat(129), MistakeKind::TooDeep),
            ("- ".repeat(129), MistakeKind::TooDeep),
            (
                format!("{}x: {}", "- ".repeat(100), "[".repeat(28)),
                MistakeKind::TooDeep,
            ),
            (
                format!("[{}", "a,".repeat(MAX_NODES + 1)),
                MistakeKind::TooMany,
            ),
            ("- \n".repeat(MAX_NODES + 1), MistakeKind::TooMany),
        ] {
            assert_eq!(first_mistake(&text).map(|mistake| mistake.kind), Some(kind));
        }
        assert_eq!(
            first_mistake(&format!("{}{}", "[".repeat(128), "]".repeat(128))),
            None
        );
    }

    proptest! {
        #[test]
        fn a_mistake_has_a_place(text in "([-?:,#&*!|>'\"%@`{}\\[\\] \t\na0é\\\\]|---|: |- |\n  ){0,40}") {
            if let Some(mistake) = first_mistake(&text) {
                prop_assert!(text.is_char_boundary(mistake.at));
            }
        }
    }
}
