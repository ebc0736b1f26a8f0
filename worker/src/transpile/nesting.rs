//! How deeply a source is nested, found out without recursion.
//!
//! The parser, and every pass over its tree, recurses once per nesting level. A few ten thousand brackets, unary
//! operators or `else if`s overflow the native stack, which ends the process and cannot be caught. So the depth is
//! bounded here, before the parser sees the text.
//!
//! The bound is an over-estimate by design: every bracket that is open counts, and inside each, every sign and
//! keyword that can make the tree deeper since the last place where an expression or statement certainly ended.
//! An operator chain such as `a + b + c` is a deep tree too, so it counts the same.
//!
//! Where a `/` can be read in two ways ([`super::lexer`]), both readings are followed: text that hides brackets from
//! one reading cannot hide them from the other.

use super::{
    error::Fault,
    lexer::{Before, Broken, Kind, Lexer, Token},
};

/// Open brackets at once. Of some 24,000 real modules, minified ones among them, none has as many. The parser reads
/// some things twice, so the time it takes can grow with depth × length.
const MAX_BRACKETS: usize = 128;

/// Levels of any kind at once. [`super::parse_thread`] has the stack for several times as many.
const MAX_DEPTH: u32 = 5_000;

/// A `<` may start type arguments, which the parser tries to read to their end before it reads a comparison.
const ANGLE_WEIGHT: u32 = 80;

/// Texts with more ambiguous slashes than this on top of each other are refused.
const MAX_READINGS: usize = 64;

/// Refuses a source whose tree may be too deep to walk.
pub(super) fn check(source: &str) -> Result<(), Fault> {
    let mut readings = vec![Reading::new(source)];
    let mut started = 1;
    while let Some(mut reading) = readings.pop() {
        while let Some((other, slash)) = reading.run()? {
            started += 1;
            if started > MAX_READINGS {
                return Err(Fault::at(
                    slash.start,
                    "too many places where `/` could divide or start a regular expression: put the regular \
                     expressions in variables, or in parentheses",
                ));
            }
            readings.push(other);
        }
    }
    Ok(())
}

/// What can make the tree deeper inside one open bracket.
#[derive(Debug, Clone, Copy, Default)]
struct Chains {
    /// Statements that have a statement as their body: `if`, `else`, `for`, labels, ….
    statement: u32,
    /// `statement` before the `;` that was the last token, for an `else` that goes on behind it.
    ended_statement: u32,
    /// `do`: where it ends is not looked for.
    do_loops: u32,
    /// Operators, and brackets opened and closed again (`a()()()`).
    expression: u32,
    /// `<` that no `>` has answered.
    angles: u32,
    /// How much of `: name :` the last tokens were.
    label: Label,
}

/// Progress through `: name :`, which only a chain of labels has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Label {
    #[default]
    None,
    Colon,
    ColonName,
}

impl Chains {
    fn depth(&self) -> u32 {
        self.statement + self.do_loops + self.expression + self.angles * ANGLE_WEIGHT
    }

    fn end_statement(&mut self) {
        self.ended_statement = self.statement;
        self.statement = 0;
        self.expression = 0;
        self.angles = 0;
    }

    fn count_opening(&mut self) {
        self.ended_statement = 0;
        self.label = Label::None;
        self.expression += 1;
    }

    fn count(&mut self, token: &Token, text: &[u8]) {
        if text != b"else" {
            self.ended_statement = 0;
        }
        let label = self.label;
        self.label = Label::None;
        match token.kind {
            Kind::Word => {
                if label == Label::Colon {
                    self.label = Label::ColonName;
                }
                match text {
                    b"else" => self.statement = self.statement.max(self.ended_statement) + 1,
                    b"if" | b"for" | b"while" | b"with" => self.statement += 1,
                    b"do" => self.do_loops += 1,
                    _ if makes_deeper(text) => self.expression += 1,
                    _ => {}
                }
            }
            Kind::Sign => match text {
                b";" => self.end_statement(),
                b"," => self.expression = 0,
                b"<" => self.angles += 1,
                b">" => {
                    self.angles = self.angles.saturating_sub(1);
                    self.expression += 1;
                }
                b":" => {
                    if label == Label::ColonName {
                        self.statement += 1;
                    }
                    self.label = Label::Colon;
                    self.expression += 1;
                }
                _ => self.expression += 1,
            },
            // The next substitution of the same template literal.
            Kind::TemplatePart => *self = Self::default(),
            // Of a tagged template, which may be tagged itself.
            Kind::TemplateEnd => self.expression += 1,
            _ => {}
        }
    }
}

/// One way to read the text.
#[derive(Clone)]
struct Reading<'s> {
    lexer: Lexer<'s>,
    /// One per open bracket, the file itself first.
    open: Vec<Chains>,
    /// Sum of the depths of all but the last of `open`.
    outer: u32,
}

impl<'s> Reading<'s> {
    fn new(source: &'s str) -> Self {
        Self {
            lexer: Lexer::new(source),
            open: vec![Chains::default()],
            outer: 0,
        }
    }

    /// Reads to the end, or to the next ambiguous slash: then the other reading from there is returned, and this one
    /// can go on.
    fn run(&mut self) -> Result<Option<(Self, Token)>, Fault> {
        loop {
            let token = match self.lexer.next() {
                Ok(Some(token)) => token,
                Ok(None) => return Ok(None),
                Err(Broken::HtmlComment(at)) => {
                    return Err(Fault::at(
                        at,
                        "`<!--` and `-->` start no comment in a module: use `//`",
                    ));
                }
                Err(Broken::StrayBackslash(at)) => {
                    return Err(Fault::at(at, "a `\\` cannot stand here"));
                }
                // Only a lexer that knows the tag reports it.
                Err(Broken::UnclosedTemplateTag(_)) => return Ok(None),
            };
            if token.ambiguous {
                let (lexer, other_token) = self.lexer.other_reading(&token);
                let mut other = Self {
                    lexer,
                    ..self.clone()
                };
                other.count(&other_token)?;
                self.count(&token)?;
                return Ok(Some((other, token)));
            }
            self.count(&token)?;
        }
    }

    fn count(&mut self, token: &Token) -> Result<(), Fault> {
        let text = self.lexer.text(token);
        let brackets = self.lexer.open_brackets();
        let known_brackets = self.open.len();
        // The file's own entry is never popped: the lexer counts it too.
        let Some(chains) = self.open.last_mut() else {
            return Ok(());
        };
        if ends_what_was_before(token, text) {
            chains.end_statement();
        }
        if brackets > known_brackets {
            chains.count_opening();
            self.outer += chains.depth() + 1;
            self.open.push(Chains::default());
        } else if brackets < known_brackets {
            self.open.pop();
            let reopened = self.open.last().map_or(0, Chains::depth);
            self.outer = self.outer.saturating_sub(reopened + 1);
        } else {
            chains.count(token, text);
        }
        let depth = self.outer + self.open.last().map_or(0, Chains::depth);
        if depth > MAX_DEPTH || self.open.len() > MAX_BRACKETS {
            return Err(Fault::at(
                token.start,
                "nested too deeply to be read safely: put inner parts in variables or functions of their own, long \
                 chains in arrays",
            ));
        }
        Ok(())
    }
}

/// Whether `token` cannot go on with what stands before it, so that a new statement, class member, … starts.
fn ends_what_was_before(token: &Token, text: &[u8]) -> bool {
    let starts_something = match token.kind {
        Kind::Word => !goes_on(text),
        Kind::Literal | Kind::TemplateTag => true,
        Kind::Sign => text == b"@",
        _ => false,
    };
    let after_an_end = match token.before {
        Before::BraceEnd => true,
        Before::Operand => token.after_line_break,
        Before::Operator | Before::Unsure => false,
    };
    starts_something && after_an_end
}

/// Words between two operands, or two statements.
fn goes_on(word: &[u8]) -> bool {
    matches!(
        word,
        b"in"
            | b"instanceof"
            | b"as"
            | b"satisfies"
            | b"is"
            | b"extends"
            | b"implements"
            | b"of"
            | b"else"
    )
}

/// Words that make the tree deeper by what stands behind them.
fn makes_deeper(word: &[u8]) -> bool {
    goes_on(word)
        || matches!(
            word,
            b"typeof"
                | b"void"
                | b"delete"
                | b"new"
                | b"await"
                | b"yield"
                | b"keyof"
                | b"readonly"
                | b"unique"
                | b"infer"
                | b"asserts"
                | b"async"
                | b"class"
                | b"function"
                | b"import"
                | b"abstract"
        )
}
