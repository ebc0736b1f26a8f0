//! Where in a skill a tool is declared: findings about tools know the tool but no line.

use std::sync::LazyLock;

use realmdex_types::{CodeRef, resolve_reference};
use regex::Regex;

/// The key `module` or `name` and its value on one line, quoted or not.
static PAIR: LazyLock<Regex> = LazyLock::new(|| {
    let key = r#"(?:^|[\s{,])["']?(?<key>module|name)["']?\s*:\s*"#;
    let value = r#"(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<plain>[^\s"'{},#][^\s{},]*))"#;
    #[allow(
        clippy::expect_used,
        reason = "the pattern is constant, and tested below"
    )]
    Regex::new(&format!("{key}{value}")).expect("a pattern")
});

/// Where in a skill a tool is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolPlace {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in UTF-16 units.
    pub column: usize,
}

/// Where the module of a tool's declaration stands in the skill's
/// frontmatter; none where that is not plain. `tool` is as the finding names it: resolved against `skill_url`.
pub fn tool_place(text: &str, skill_url: &str, tool: &CodeRef) -> Option<ToolPlace> {
    let same_module =
        |module: &str| module == tool.module || resolve_reference(module, skill_url) == tool.module;
    let declared = declared(text);
    let mut places = declared.iter().filter(|declared| {
        same_module(declared.module) && declared.name.is_none_or(|name| name == tool.name)
    });
    match (places.next(), places.next()) {
        (Some(only), None) => Some(only.place),
        _ => None,
    }
}

/// A `module:` in the frontmatter, and the `name:` beside it.
#[derive(Debug)]
struct Declared<'a> {
    module: &'a str,
    name: Option<&'a str>,
    place: ToolPlace,
}

/// The declarations as far as single lines tell: in flow style (`{ module: ./a, name: b }`) or as a block.
fn declared(text: &str) -> Vec<Declared<'_>> {
    let lines: Vec<&str> = text
        .lines()
        .enumerate()
        .take_while(|(at, line)| *at == 0 || line.trim_end() != "---")
        .map(|(_, line)| line)
        .collect();
    let name_on = |at: Option<usize>| {
        let line = lines.get(at?)?;
        (value_of("module", line).is_none())
            .then(|| value_of("name", line))
            .flatten()
            .map(|(name, _)| name)
    };
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((module, start)) = value_of("module", line) else {
            continue;
        };
        let own = value_of("name", line).map(|(name, _)| name);
        found.push(Declared {
            module,
            name: own
                .or_else(|| name_on(Some(at + 1)))
                .or_else(|| name_on(at.checked_sub(1))),
            place: ToolPlace {
                line: at + 1,
                column: line[..start].encode_utf16().count() + 1,
            },
        });
    }
    found
}

/// The value of a key on a line, and at which byte it starts.
fn value_of<'a>(key: &str, line: &'a str) -> Option<(&'a str, usize)> {
    PAIR.captures_iter(line)
        .filter(|pair| pair.name("key").is_some_and(|found| found.as_str() == key))
        .find_map(|pair| {
            let value = ["double", "single", "plain"]
                .iter()
                .find_map(|kind| pair.name(kind))?;
            Some((value.as_str(), value.start()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SKILL: &str = "https://realm.local/skills/a/SKILL.md";

    fn place(text: &str, module: &str, name: &str) -> Option<(usize, usize)> {
        let tool = CodeRef {
            module: module.into(),
            name: name.into(),
        };
        tool_place(text, SKILL, &tool).map(|place| (place.line, place.column))
    }

    #[test]
    fn finds_declarations_however_they_are_laid_out() {
        let module = "https://realm.local/skills/a/tool";
        for (text, expected) in [
            (
                "---\n- codeRef: { module: ./tool, name: go }\n---\n",
                Some((2, 22)),
            ),
            (
                "---\n- codeRef: {name: go,module: './tool'}\n---\n",
                Some((2, 31)),
            ),
            (
                "---\n- codeRef:\n    module: \"./tool\"\n    name: go\n---\n",
                Some((3, 14)),
            ),
            (
                "---\n- codeRef:\n    name: go\n    module: ./tool # here\n---\n",
                Some((4, 13)),
            ),
            (
                "---\n- {\"codeRef\": {\"module\": \"./tool\", \"name\": \"go\"}}\n---\n",
                Some((2, 27)),
            ),
            ("---\n- { module: ./tool, name: stay }\n---\n", None),
            (
                "---\n- { module: ./tool, name: stay }\n- { module: ./tool, name: go }\n---\n",
                Some((3, 13)),
            ),
            // Twice: which of them is not plain.
            (
                "---\n- { module: ./tool, name: go }\n- { module: ./tool, name: go }\n---\n",
                None,
            ),
            ("---\na: 1\n---\nmodule: ./tool\n", None),
            ("", None),
        ] {
            assert_eq!(place(text, module, "go"), expected, "{text}");
        }
    }

    #[test]
    fn knows_packages_and_wide_characters() {
        let text = "---\n# 🌻\n- { note: \"🌻\", module: @acme/tools/x, name: go }\n---\n";
        assert_eq!(place(text, "@acme/tools/x", "go"), Some((3, 25)));
    }

    #[test]
    fn an_entry_without_a_name_is_found_by_its_module() {
        assert_eq!(
            place("---\n- { module: ./tool }\n---\n", "./tool", ""),
            Some((2, 13))
        );
    }
}
