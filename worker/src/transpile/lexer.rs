//! A tokenizer for JavaScript and TypeScript that needs no parser.
//!
//! It exists for the two questions that must be answered before the parser runs: where do `<template>` tags
//! stand (see [`super::template_tag`]), and how deeply is the source nested (see [`super::nesting`]). For both it
//! only has to know strings, comments, template literals, regular expressions and brackets from each other.
//!
//! The one thing a tokenizer cannot know by itself is whether `/` divides or starts a regular expression. It is
//! derived from the token before; where that is not enough ([`Before::Unsure`], [`Before::BraceEnd`], or an operand
//! that a line break may have ended) the slash is *ambiguous*: [`Lexer::next`] takes the likelier reading, and
//! [`Lexer::other_reading`] gives a lexer that goes on with the other one.

use super::scan;

/// What stood before the current token, as far as it decides how the token is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// An operator, an opening bracket, a keyword that wants an expression: `/` starts a regular expression.
    Operator,
    /// The end of an expression: `/` divides, unless a line break ended the statement.
    Operand,
    /// A `}`: of a block, or of an object or class expression.
    BraceEnd,
    /// A word or sign that is an operator in one place and an operand in another: `keyof`, `of`, `void`, `>`.
    Unsure,
}

/// A bracket that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    /// The file itself.
    File,
    /// `(`; `head` when it belongs to `if`, `while`, `for` or `with`, so that a statement follows it.
    Paren { head: bool },
    /// `[`
    Bracket,
    /// `{` of a class body.
    ClassBody,
    /// Any other `{`.
    Brace,
    /// `${` in a template literal.
    Substitution,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Identifier or keyword.
    Word,
    /// `#name`, a number, a string: an operand that is one token.
    Literal,
    /// A template literal without (further) substitutions: `` `…` `` or `` }…` ``.
    TemplateEnd,
    /// A template literal up to a substitution: `` `…${ `` or `}…${`.
    TemplatePart,
    Regex,
    Opening,
    Closing,
    /// `<template>…</template>`; only if asked for.
    TemplateTag,
    /// Any other sign.
    Sign,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    /// A line break lies between the token before and this one.
    pub after_line_break: bool,
    /// What stood before this token.
    pub before: Before,
    /// This is a `/` that could also be read the other way.
    pub ambiguous: bool,
}

/// Why the text cannot be tokenized further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// `<template>` without `</template>`.
    UnclosedTemplateTag(usize),
    /// `<!--` or `-->` at the start of a line, a comment that only scripts may have.
    HtmlComment(usize),
    /// A `\` that is not in a string, and is no escape beyond ASCII in an identifier.
    StrayBackslash(usize),
}

pub(super) const TAG_OPEN: &str = "<template>";
pub(super) const TAG_CLOSE: &str = "</template>";

#[derive(Debug, Clone, Copy)]
struct Frame {
    open: Open,
    /// Between `class` and its body: how many type argument lists are open.
    class_head: Option<u32>,
}

/// The tokenizer. Cheap to clone, to follow two readings of one text.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'s> {
    source: &'s [u8],
    at: usize,
    frames: Vec<Frame>,
    before: Before,
    /// Start, end and kind of the last token.
    last: Option<(usize, usize, Kind)>,
    /// The last token is the `await` of `for await`.
    for_await: bool,
    template_tags: bool,
}

impl<'s> Lexer<'s> {
    /// A lexer that knows no `<template>` tags.
    pub(super) fn new(source: &'s str) -> Self {
        let mut lexer = Self {
            source: source.as_bytes(),
            at: 0,
            frames: vec![Frame {
                open: Open::File,
                class_head: None,
            }],
            before: Before::Operator,
            last: None,
            for_await: false,
            template_tags: false,
        };
        if lexer.rest().starts_with(b"\xEF\xBB\xBF") {
            lexer.at = 3;
        }
        if lexer.rest().starts_with(b"#!") {
            lexer.at += scan::line(lexer.rest());
        }
        lexer
    }

    /// A lexer that takes `<template>…</template>` for one token wherever `<` may stand, as content-tag does.
    pub(super) fn with_template_tags(source: &'s str) -> Self {
        Self {
            template_tags: true,
            ..Self::new(source)
        }
    }

    /// The innermost open bracket.
    pub(super) fn inside(&self) -> Open {
        self.frames.last().map_or(Open::File, |frame| frame.open)
    }

    /// How many brackets are open, the file itself included.
    pub(super) fn open_brackets(&self) -> usize {
        self.frames.len()
    }

    /// The text of a token.
    pub(super) fn text(&self, token: &Token) -> &'s [u8] {
        &self.source[token.start..token.end]
    }

    /// The text of the last token.
    fn last_text(&self) -> &'s [u8] {
        self.last
            .map_or(b"".as_slice(), |(start, end, _)| &self.source[start..end])
    }

    /// Says that the token just read ends an element, so that nothing before it goes on behind it.
    pub(super) fn end_element(&mut self) {
        self.before = Before::BraceEnd;
    }

    /// The next token, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Token>, Broken> {
        let trivia = scan::trivia(self.rest(), self.last.is_none());
        self.at += trivia.length;
        if trivia.html_comment {
            return Err(Broken::HtmlComment(self.at));
        }
        let start = self.at;
        let text = self.rest();
        let before = self.before;
        let mut ambiguous = false;
        let word = |text| scan::word(text).ok_or(Broken::StrayBackslash(start));
        let (kind, length) = match *text {
            [] => return Ok(None),
            [
                b'A'..=b'Z' | b'a'..=b'z' | b'$' | b'_' | b'\\' | 0x80..=0xFF,
                ..,
            ] => (Kind::Word, word(text)?),
            [b'#', ref name @ ..] => (Kind::Literal, 1 + word(name)?),
            [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => (Kind::Literal, scan::number(text)),
            [b'"' | b'\'', ..] => (Kind::Literal, scan::string(text)),
            [b'`', ..] => template(text),
            [b'}', ..] if self.inside() == Open::Substitution => {
                self.frames.pop();
                template(text)
            }
            [b'/', ..] => {
                let regex = scan::regex(text);
                let certainly = self.slash_is_regex(trivia.line_break);
                ambiguous = certainly.is_none() && regex.is_some();
                match regex {
                    Some(length) if certainly.unwrap_or(before != Before::Operand) => {
                        (Kind::Regex, length)
                    }
                    _ => (Kind::Sign, 1),
                }
            }
            [b'<', ..] if self.template_tags && text.starts_with(TAG_OPEN.as_bytes()) => {
                let end = scan::find(text, TAG_CLOSE.as_bytes())
                    .ok_or(Broken::UnclosedTemplateTag(start))?;
                (Kind::TemplateTag, end + TAG_CLOSE.len())
            }
            [b'(' | b'[' | b'{', ..] => (Kind::Opening, 1),
            [b')' | b']' | b'}', ..] => (Kind::Closing, 1),
            _ => (Kind::Sign, scan::sign(text)),
        };
        self.at = start + length;
        let token = Token {
            kind,
            start,
            end: self.at,
            after_line_break: trivia.line_break,
            before,
            ambiguous,
        };
        self.settle(&token);
        Ok(Some(token))
    }

    /// A lexer that reads the last token, an ambiguous slash, the other way and goes on from there.
    pub(super) fn other_reading(&self, token: &Token) -> (Self, Token) {
        let mut other = self.clone();
        let (kind, end) = match (token.kind, scan::regex(&self.source[token.start..])) {
            (Kind::Sign, Some(length)) => (Kind::Regex, token.start + length),
            _ => (Kind::Sign, token.start + 1),
        };
        let token = Token {
            kind,
            end,
            ambiguous: false,
            ..*token
        };
        other.at = end;
        // Neither reading opens or closes a bracket, so nothing else has to be undone.
        other.settle(&token);
        (other, token)
    }

    /// Updates the open brackets and [`Before`] after `token`.
    fn settle(&mut self, token: &Token) {
        let text = &self.source[token.start..token.end];
        let for_await = text == b"await" && self.last_text() == b"for";
        let before = match token.kind {
            Kind::Word => self.settle_word(token, text),
            Kind::Literal | Kind::TemplateEnd | Kind::Regex | Kind::TemplateTag => Before::Operand,
            Kind::TemplatePart => {
                self.push(Open::Substitution);
                Before::Operator
            }
            Kind::Opening => {
                self.open(text[0]);
                Before::Operator
            }
            Kind::Closing => self.close(text[0]),
            Kind::Sign => self.settle_sign(token, text),
        };
        self.before = before;
        self.for_await = for_await;
        self.last = Some((token.start, token.end, token.kind));
    }

    fn settle_word(&mut self, token: &Token, text: &[u8]) -> Before {
        if matches!(self.last_text(), b"." | b"?.") {
            return Before::Operand;
        }
        match text {
            b"class" if self.starts_class(token.end) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.class_head = Some(0);
                }
                Before::Operator
            }
            b"return" | b"typeof" | b"case" | b"in" | b"instanceof" | b"new" | b"delete"
            | b"throw" | b"do" | b"else" | b"extends" | b"default" | b"break" | b"continue"
            | b"debugger" | b"if" | b"while" | b"for" | b"with" | b"var" | b"import"
            | b"export" | b"switch" | b"try" | b"catch" | b"finally" | b"function" => {
                Before::Operator
            }
            // `await` and `yield` are names where they are not operators, if wrongly so.
            b"await" | b"yield" | b"void" | b"const" | b"keyof" | b"readonly" | b"unique"
            | b"infer" | b"asserts" | b"is" | b"as" | b"satisfies" | b"of" | b"async"
            | b"abstract" | b"accessor" | b"declare" | b"implements" => Before::Unsure,
            _ => Before::Operand,
        }
    }

    fn settle_sign(&mut self, token: &Token, text: &[u8]) -> Before {
        match text {
            // After an operand of the same line these are postfix operators.
            b"++" | b"--" | b"!" if !token.after_line_break => match token.before {
                Before::BraceEnd => Before::Unsure,
                before => before,
            },
            b"<" => {
                if let Some(depth) = self.class_head() {
                    *depth += 1;
                }
                Before::Operator
            }
            b">" => {
                if let Some(depth) = self.class_head() {
                    *depth = depth.saturating_sub(1);
                }
                Before::Unsure
            }
            b";" => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.class_head = None;
                }
                Before::Operator
            }
            _ => Before::Operator,
        }
    }

    fn class_head(&mut self) -> Option<&mut u32> {
        self.frames.last_mut()?.class_head.as_mut()
    }

    /// Whether `class` is the keyword: not the name of a property, a label, an export.
    fn starts_class(&self, end: usize) -> bool {
        let mut rest = &self.source[end..];
        while let [b' ' | b'\t' | b'\r' | b'\n', tail @ ..] = rest {
            rest = tail;
        }
        matches!(
            rest.first(),
            Some(b'A'..=b'Z' | b'a'..=b'z' | b'$' | b'_' | b'\\' | b'{' | b'<' | b'/' | 0x80..)
        )
    }

    fn push(&mut self, open: Open) {
        self.frames.push(Frame {
            open,
            class_head: None,
        });
    }

    fn open(&mut self, bracket: u8) {
        let open = match bracket {
            b'(' => Open::Paren {
                head: self.opens_head(),
            },
            b'[' => Open::Bracket,
            _ => match self.frames.last_mut() {
                Some(frame) if frame.class_head == Some(0) => {
                    frame.class_head = None;
                    Open::ClassBody
                }
                _ => Open::Brace,
            },
        };
        self.push(open);
    }

    /// Whether the `(` after the last token is the head of a statement.
    fn opens_head(&self) -> bool {
        let Some((start, end, Kind::Word)) = self.last else {
            return false;
        };
        // A property may have one of these names too: then it was an operand.
        self.for_await
            || self.before == Before::Operator
                && matches!(
                    &self.source[start..end],
                    b"if" | b"while" | b"for" | b"with"
                )
    }

    fn close(&mut self, bracket: u8) -> Before {
        // A bracket that closes nothing is a syntax error: the parser stops there, whatever comes out here.
        if self.frames.len() > 1 && self.inside() != Open::Substitution {
            let frame = self.frames.pop();
            if let Some(Frame {
                open: Open::Paren { head: true },
                ..
            }) = frame
            {
                return Before::Operator;
            }
        }
        if bracket == b'}' {
            Before::BraceEnd
        } else {
            Before::Operand
        }
    }

    /// Whether `/` starts a regular expression; `None` if the token before does not tell.
    fn slash_is_regex(&self, after_line_break: bool) -> Option<bool> {
        match self.before {
            Before::Operator => Some(true),
            Before::Operand if !after_line_break => Some(false),
            Before::Operand | Before::BraceEnd | Before::Unsure => None,
        }
    }

    fn rest(&self) -> &'s [u8] {
        &self.source[self.at..]
    }
}

/// A template literal from its `` ` ``, or from the `}` of a substitution.
fn template(text: &[u8]) -> (Kind, usize) {
    let (length, is_part) = scan::template(text);
    let kind = if is_part {
        Kind::TemplatePart
    } else {
        Kind::TemplateEnd
    };
    (kind, length)
}
