//! Which files of a folder realm are hidden.
//!
//! By gitignore(5), with the `.gitignore` files of the realm itself at every level and nothing else: not
//! `.git/info/exclude`, not the user's global file, not the folders above the root, so that a realm means
//! the same on every machine. Besides, as in Boxel: `.git`, `node_modules` anywhere, and
//! `.template-lintrc.js` at the root. Other dot files are files like any other.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::SourceError;

/// The name of a file with rules.
pub(crate) const GITIGNORE: &str = ".gitignore";

/// The largest `.gitignore` accepted, in bytes: its patterns are compiled, which costs far more than their length.
pub(crate) const MAX_GITIGNORE_BYTES: u64 = 256 << 10;

/// What a name stands for; a pattern that ends in `/` is about folders only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Folder,
    File,
}

/// The rules that apply in one folder: its own `.gitignore` and those of the folders above it, up to the root.
#[derive(Debug, Default)]
pub(crate) struct RuleStack {
    /// Outermost first: the length of the folder's path with its slash, and its rules where it has any.
    levels: Vec<(usize, Option<Arc<Gitignore>>)>,
}

impl RuleStack {
    /// Goes down into `folder`: its path below the root, ending in `/`, or empty for the root.
    pub(crate) fn enter(&mut self, folder: &str, rules: Option<Arc<Gitignore>>) {
        self.levels.push((folder.len(), rules));
    }

    /// Goes back up.
    pub(crate) fn leave(&mut self) {
        self.levels.pop();
    }

    /// Whether something directly in the current folder is hidden; `path` is its path below the root.
    ///
    /// To be asked of every folder on the way down: what lies in a hidden folder is hidden, and no deeper
    /// rule brings it back. Otherwise the innermost file with a say decides, and in it the last line with one.
    pub(crate) fn hides(&self, path: &str, kind: Kind) -> bool {
        if always_hidden(path) {
            return true;
        }
        for (prefix, rules) in self.levels.iter().rev() {
            let Some(rules) = rules else { continue };
            match rules.matched(&path[*prefix..], kind == Kind::Folder) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }
}

fn always_hidden(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    // Where a file system doesn't tell case, `.GIT` opens git's folder too.
    name.eq_ignore_ascii_case(".git") || name == "node_modules" || path == ".template-lintrc.js"
}

/// Compiled `.gitignore` files, one for each folder that has one.
///
/// The text is read each time it is needed and compared, so an edit always counts; only compiling it is saved.
#[derive(Debug, Default)]
pub(crate) struct CompiledRules(Mutex<HashMap<String, Compiled>>);

#[derive(Clone, Debug)]
struct Compiled {
    text: Vec<u8>,
    rules: Arc<Gitignore>,
}

impl CompiledRules {
    /// The rules of `folder` (as in [`RuleStack::enter`]), whose `.gitignore` holds `text`.
    pub(crate) fn get(&self, folder: &str, text: Vec<u8>) -> Result<Arc<Gitignore>, SourceError> {
        if let Some(known) = self.lock().get(folder).filter(|known| known.text == text) {
            return Ok(Arc::clone(&known.rules));
        }
        let rules = Arc::new(compile(folder, &text)?);
        self.lock().insert(
            folder.to_owned(),
            Compiled {
                text,
                rules: Arc::clone(&rules),
            },
        );
        Ok(rules)
    }

    /// Forgets the rules of a folder that has none any more.
    pub(crate) fn forget(&self, folder: &str) {
        self.lock().remove(folder);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Compiled>> {
        // Each change is a single insert or remove: a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line that is no pattern is skipped, as git does.
fn compile(folder: &str, text: &[u8]) -> Result<Gitignore, SourceError> {
    let at = format!("{folder}{GITIGNORE}");
    let text = String::from_utf8_lossy(text);
    let mut builder = GitignoreBuilder::new("");
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if let Err(error) = builder.add_line(None, line) {
            tracing::warn!(file = at, line = index + 1, %error, "not a pattern, mend or remove this line");
        }
    }
    builder.build().map_err(|error| SourceError::Refused {
        why: format!("its patterns are too much: {error}"),
        at,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_innermost_file_with_a_say_decides() {
        let compiled = CompiledRules::default();
        let mut stack = RuleStack::default();
        stack.enter(
            "",
            Some(
                compiled
                    .get(
                        "",
                        b"\xef\xbb\xbf*.log\n/top.md\nbuild/\n!keep.log\r\n[z-a]\n".to_vec(),
                    )
                    .unwrap(),
            ),
        );
        for (path, kind, hidden) in [
            ("a.log", Kind::File, true),
            ("keep.log", Kind::File, false),
            ("top.md", Kind::File, true),
            ("build", Kind::Folder, true),
            ("build", Kind::File, false),
            (".git", Kind::Folder, true),
            (".git", Kind::File, true),
            (".GIT", Kind::Folder, true),
            (".github", Kind::Folder, false),
            (".gitignore", Kind::File, false),
            (".template-lintrc.js", Kind::File, true),
            ("node_modules", Kind::Folder, true),
        ] {
            assert_eq!(stack.hides(path, kind), hidden, "{path} {kind:?}");
        }
        stack.enter("a/", None);
        stack.enter(
            "a/b/",
            Some(
                compiled
                    .get("a/b/", b"!x.log\n/y.md\nsub/z.md".to_vec())
                    .unwrap(),
            ),
        );
        for (path, hidden) in [
            ("a/b/x.log", false),
            ("a/b/other.log", true),
            ("a/b/keep.log", false),
            ("a/b/top.md", false),
            ("a/b/y.md", true),
            ("a/b/.template-lintrc.js", false),
            ("a/b/node_modules", true),
        ] {
            assert_eq!(stack.hides(path, Kind::File), hidden, "{path}");
        }
        stack.leave();
        assert!(
            stack.hides("a/x.log", Kind::File),
            "the inner rules are left behind"
        );
    }

    #[test]
    fn an_edited_text_is_compiled_again() {
        let compiled = CompiledRules::default();
        let first = compiled.get("", b"a".to_vec()).unwrap();
        assert!(Arc::ptr_eq(
            &first,
            &compiled.get("", b"a".to_vec()).unwrap()
        ));
        let second = compiled.get("", b"b".to_vec()).unwrap();
        assert!(second.matched("b", false).is_ignore() && !second.matched("a", false).is_ignore());
    }
}
