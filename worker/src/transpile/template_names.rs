//! Which names a template's text may take from the module around it.
//!
//! Boxel's compiler hands a template the module's bindings it mentions, so an import that only a template uses is
//! imported all the same (and fails the module if it cannot be). To keep such imports, the names are collected here.
//! Only the places where Glimmer looks up a name count: element tags and the heads of paths in `{{…}}`. A block
//! parameter of the same name (`as |name|`) is not told apart.

use std::collections::BTreeSet;

/// Adds the names that `content`, the text of one template, mentions to `names`.
pub(super) fn collect<'s>(content: &'s str, names: &mut BTreeSet<&'s str>) {
    let mut reader = Reader {
        text: content,
        at: 0,
        names,
    };
    while reader.at < content.len() {
        if reader.skip_past_if("{{!--", "--}}") || reader.skip_past_if("<!--", "-->") {
            continue;
        }
        if reader.skip_past_if("\\{{", "}}") || reader.skip_past_if("{{!", "}}") {
            continue;
        }
        if reader.eat("{{") {
            reader.mustache();
        } else if reader.eat("<") {
            reader.name();
        } else {
            reader.skip_char();
        }
    }
}

struct Reader<'s, 'n> {
    text: &'s str,
    at: usize,
    names: &'n mut BTreeSet<&'s str>,
}

impl<'s> Reader<'s, '_> {
    fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    fn skip_char(&mut self) {
        self.at += self.rest().chars().next().map_or(1, char::len_utf8);
    }

    /// If `start` stands here, goes past the next `end`, or to the end of the text.
    fn skip_past_if(&mut self, start: &str, end: &str) -> bool {
        if !self.eat(start) {
            return false;
        }
        self.at = self
            .rest()
            .find(end)
            .map_or(self.text.len(), |found| self.at + found + end.len());
        true
    }

    /// The word that stands here, maybe empty.
    fn word(&self) -> &'s str {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')))
            .unwrap_or(rest.len());
        &rest[..end]
    }

    /// Takes the head of a path or the name of a tag, if one stands here.
    fn name(&mut self) -> bool {
        let word = self.word();
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        self.names.insert(word);
        self.at += word.len();
        true
    }

    /// The inside of `{{…}}`.
    fn mustache(&mut self) {
        loop {
            let Some(next) = self.rest().chars().next() else {
                return;
            };
            match next {
                '}' if self.eat("}}") => return,
                '"' | '\'' => {
                    self.at += 1;
                    let end = self.rest().find(next);
                    self.at = end.map_or(self.text.len(), |end| self.at + end + 1);
                }
                // A property, an argument, a block parameter list, a closing block: no name to look up.
                '.' | '@' | '/' | '|' => {
                    let list = next == '|';
                    self.at += 1;
                    if list {
                        self.at = self
                            .rest()
                            .find('|')
                            .map_or(self.text.len(), |end| self.at + end + 1);
                    } else {
                        self.at += self.word().len();
                    }
                }
                _ if self.hash_key() => {}
                _ if self.name() => {}
                _ => self.at += self.word().len().max(next.len_utf8()),
            }
        }
    }

    /// `key=` of a named argument. Keys may have dashes.
    fn hash_key(&mut self) -> bool {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | ':')))
            .unwrap_or(rest.len());
        let is_key = end > 0 && rest[end..].starts_with('=');
        if is_key {
            self.at += end + 1;
        }
        is_key
    }
}
