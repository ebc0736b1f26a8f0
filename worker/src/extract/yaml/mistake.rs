//! What authors of frontmatter get wrong, and the words for it.

/// How many collections may stand inside one another. `serde_yaml` has the same limit, but its scanner takes
/// time by the square of the depth before that is looked at.
pub(super) const MAX_DEPTH: usize = 128;

/// How many keys and values there may be. `serde_yaml` holds each in over a hundred bytes before it gives any out.
pub(super) const MAX_NODES: usize = 100_000;

/// A mistake and its place, a byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) at: usize,
    pub(super) kind: MistakeKind,
}

/// What was done wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MistakeKind {
    /// A line indented by a tab.
    TabIndent,
    /// A value, not in quotes, with `: ` in it, or continued by a line that looks like a key.
    ColonInValue,
    /// A line where a key is due, without its `: `.
    MissingColon,
    /// A line at a depth that nothing above it has.
    Indentation,
    /// A `"` or `'` that nothing closes, or only a line indented too little.
    UnclosedQuote {
        quote: char,
        /// The byte where it stands.
        opened: usize,
    },
    /// A `[` or `{` that nothing closes, or only a line indented too little.
    UnclosedBracket {
        bracket: char,
        /// The byte where it stands.
        opened: usize,
    },
    /// A value that starts with a character YAML keeps for itself.
    ReservedStart(char),
    /// A closing bracket or comma with nothing to close or part.
    StrayBracket(char),
    /// Text after a value's closing quote or bracket, or after the end of everything.
    TextAfterValue,
    /// `&` or `*` without a name.
    UnnamedAnchor,
    /// Text after the `|` or `>` that announces it for the next line.
    TextOnIndicatorLine,
    /// A list that begins on its key's line.
    ListOnKeyLine,
    /// Two values in brackets with no comma between them.
    MissingComma,
    /// A comment that begins right after something, without a space.
    CommentNeedsSpace,
    /// A backslash in double quotes with no meaning there.
    UnknownEscape,
    /// More than [`MAX_DEPTH`] collections inside one another.
    TooDeep,
    /// More than [`MAX_NODES`] keys and values.
    TooMany,
}

impl MistakeKind {
    /// Whether Boxel's parser refuses a text for it that ours may read. The others only explain what ours refused.
    pub(super) fn is_decisive(self) -> bool {
        matches!(
            self,
            Self::UnclosedQuote { .. } | Self::UnclosedBracket { .. } | Self::CommentNeedsSpace
        )
    }

    /// Whether a text must not be given to our parser at all.
    pub(super) fn is_limit(self) -> bool {
        matches!(self, Self::TooDeep | Self::TooMany)
    }

    /// What is wrong and how to mend it. `line_of` gives the line of the file that a byte is in.
    pub(super) fn message(self, line_of: impl Fn(usize) -> usize) -> String {
        match self {
            Self::TabIndent => "this line is indented by a tab; indent it with spaces".to_owned(),
            Self::ColonInValue => {
                "this value has a `: ` in it, which YAML reads as one more key; put the whole value in quotes".to_owned()
            }
            Self::MissingColon => "a key is due here, with a colon and a space after it on the same line; \
                                   write `key: value`, or indent the text to have it belong to the value above"
                .to_owned(),
            Self::Indentation => "what follows is indented to a depth that nothing above it has; \
                                  align it with its neighbours"
                .to_owned(),
            Self::UnclosedQuote { quote, opened } => format!(
                "the {quote} opened on line {} is not closed before here; close it, or indent every line of the quoted text",
                line_of(opened)
            ),
            Self::UnclosedBracket { bracket, opened } => format!(
                "the `{bracket}` opened on line {} is not closed before here; close it, or indent every line of what it holds",
                line_of(opened)
            ),
            Self::ReservedStart(c) => {
                format!("a value can't start with `{c}`, which YAML keeps for itself; put the value in quotes")
            }
            Self::StrayBracket(c) => {
                format!("`{c}` has nothing to close or to part here; remove it, or put the value in quotes")
            }
            Self::TextAfterValue => "this comes after the end of the value; put all of the value in one pair of quotes, \
                                     or align the line with the keys above"
                .to_owned(),
            Self::UnnamedAnchor => {
                "`&` and `*` at the start of a value mean an anchor; put the value in quotes".to_owned()
            }
            Self::TextOnIndicatorLine => "after `|` or `>` the text begins on the next line; \
                                          move it there, or put it in quotes instead"
                .to_owned(),
            Self::ListOnKeyLine => "a list can't begin on its key's line; begin it on the next, write `[a, b]`, \
                                    or put the text in quotes"
                .to_owned(),
            Self::MissingComma => {
                "there is no comma between two values in brackets; add it, or put the value in quotes".to_owned()
            }
            Self::CommentNeedsSpace => {
                "`#` needs a space before it to begin a comment; add it, or put the value in quotes".to_owned()
            }
            Self::UnknownEscape => {
                r"this backslash means nothing in double quotes; write `\\`, or use single quotes".to_owned()
            }
            Self::TooDeep => format!(
                "values nest deeper than {MAX_DEPTH} levels, or an alias stands inside what it repeats; write them flatter"
            ),
            Self::TooMany => format!(
                "the frontmatter holds more than {MAX_NODES} keys and values, and the rest begins here; \
                 move data to a file of its own"
            ),
        }
    }
}
