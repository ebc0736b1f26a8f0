//! Two sets of tools: which went, which came, and what became of the others.

use std::collections::BTreeSet;

use realmdex_types::{CodeRef, Definition};
use serde::Serialize;
use serde_json::Value;

use super::schema::{Change, Impact, compare};

/// A tool, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tool {
    /// What a model is given.
    pub(super) definition: Definition,
    /// Where it comes from; a file of definitions doesn't say.
    pub(super) code_ref: Option<CodeRef>,
    /// Whether a person must agree to a call; a file of definitions doesn't say.
    pub(super) requires_approval: Option<bool>,
}

/// What became of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Fate {
    /// It is gone.
    Removed,
    /// It takes other input, or says something else.
    Changed,
    /// It is new.
    Added,
}

/// A tool that is not the same in both sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Difference {
    /// Its function name: the new one, or the old one of a tool that is gone.
    pub(super) tool: String,
    /// What became of it.
    pub(super) fate: Fate,
    /// The gravest impact.
    pub(super) impact: Impact,
    /// Where it comes from, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code_ref: Option<CodeRef>,
    /// In what it differs: pointers are into the definition's `function`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) changes: Vec<Change>,
}

/// The differences from `old` to `new`: those removed, changed, added, each in order of their names.
pub(super) fn differences(old: &[Tool], new: &[Tool]) -> Vec<Difference> {
    let pairs = pairs(old, new);
    let paired_old: BTreeSet<usize> = pairs.iter().map(|(old, _)| *old).collect();
    let paired_new: BTreeSet<usize> = pairs.iter().map(|(_, new)| *new).collect();
    let alone = |tools: &[Tool], paired: &BTreeSet<usize>, fate, impact| -> Vec<Difference> {
        let alone = tools
            .iter()
            .enumerate()
            .filter(|(at, _)| !paired.contains(at));
        alone
            .map(|(_, tool)| Difference {
                tool: name(tool).to_owned(),
                fate,
                impact,
                code_ref: tool.code_ref.clone(),
                changes: Vec::new(),
            })
            .collect()
    };
    let changed = pairs
        .iter()
        .filter_map(|(before, now)| changed(&old[*before], &new[*now]))
        .collect();
    let mut parts = [
        alone(old, &paired_old, Fate::Removed, Impact::Breaking),
        changed,
        alone(new, &paired_new, Fate::Added, Impact::Compatible),
    ];
    for part in &mut parts {
        part.sort_by(|a, b| a.tool.cmp(&b.tool));
    }
    parts.concat()
}

fn changed(old: &Tool, new: &Tool) -> Option<Difference> {
    let (before, now) = (old.definition.function(), new.definition.function());
    let mut changes = Vec::new();
    let mut add = |pointer: &str, impact, what: String| {
        changes.push(Change {
            pointer: pointer.to_owned(),
            impact,
            what,
        });
    };
    if before.name != now.name {
        let what = format!("was {}: its module or export has moved", before.name);
        add("/name", Impact::Note, what);
    }
    if before.description != now.description {
        add(
            "/description",
            Impact::Compatible,
            "`description` says something else".to_owned(),
        );
    }
    match (old.requires_approval, new.requires_approval) {
        (Some(false), Some(true)) => add("", Impact::Note, "needs approval now".to_owned()),
        (Some(true), Some(false)) => add("", Impact::Note, "needs no approval any more".to_owned()),
        _ => {}
    }
    changes.extend(compare(&before.parameters, &now.parameters, "/parameters"));
    let impact = changes.iter().map(|change| change.impact).min()?;
    Some(Difference {
        tool: now.name.clone(),
        fate: Fate::Changed,
        impact,
        code_ref: new.code_ref.clone(),
        changes,
    })
}

/// Which tool of `old` is which of `new`. The surest sign comes first: a name with its hash, which stands for a codeRef;
/// the codeRef but for the module's extension; a name without its hash, where only one tool has it.
fn pairs(old: &[Tool], new: &[Tool]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let signs: [fn(&Tool) -> Option<String>; 3] = [
        |tool| Some(name(tool).to_owned()),
        |tool| tool.code_ref.as_ref().map(place),
        |tool| Some(friendly(name(tool)).to_owned()),
    ];
    for sign in signs {
        let only = |tools: &[Tool], taken: &BTreeSet<usize>, wanted: &str| {
            let mut found = (0..tools.len())
                .filter(|at| !taken.contains(at) && sign(&tools[*at]).as_deref() == Some(wanted));
            found.next().filter(|_| found.next().is_none())
        };
        for at in 0..old.len() {
            let taken_old: BTreeSet<usize> = pairs.iter().map(|(old, _)| *old).collect();
            let taken_new: BTreeSet<usize> = pairs.iter().map(|(_, new)| *new).collect();
            if taken_old.contains(&at) {
                continue;
            }
            let Some(wanted) = sign(&old[at]) else {
                continue;
            };
            if let (Some(_), Some(found)) = (
                only(old, &taken_old, &wanted),
                only(new, &taken_new, &wanted),
            ) {
                pairs.push((at, found));
            }
        }
    }
    pairs
}

fn name(tool: &Tool) -> &str {
    &tool.definition.function().name
}

fn place(code_ref: &CodeRef) -> String {
    let module = realmdex_types::trim_executable_extension(&code_ref.module);
    format!("{module}#{}", code_ref.name)
}

/// A function name without its hash: `_` and one to four hex digits at the end.
fn friendly(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((friendly, hash))
            if (1..=4).contains(&hash.len())
                && hash
                    .bytes()
                    .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) =>
        {
            friendly
        }
        _ => name,
    }
}

/// Tools that several skills share, once each: one that needs approval anywhere counts as one that does.
pub(super) fn distinct(tools: impl IntoIterator<Item = Tool>) -> Vec<Tool> {
    let mut kept: Vec<Tool> = Vec::new();
    for tool in tools {
        let same = kept
            .iter_mut()
            .find(|other| name(other) == name(&tool) && other.code_ref == tool.code_ref);
        match same {
            Some(other) => {
                other.requires_approval = other.requires_approval.max(tool.requires_approval);
            }
            None => kept.push(tool),
        }
    }
    kept
}

/// The report for programs.
pub(super) fn json(differences: &[Difference]) -> Value {
    serde_json::json!({
        "breaking": differences.iter().any(|difference| difference.impact == Impact::Breaking),
        "tools": differences,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use realmdex_types::FunctionDefinition;
    use serde_json::json;

    fn tool(name: &str, code_ref: Option<(&str, &str)>, parameters: Value) -> Tool {
        Tool {
            definition: Definition::Function {
                function: FunctionDefinition {
                    name: name.into(),
                    description: None,
                    parameters,
                },
            },
            code_ref: code_ref.map(|(module, name)| CodeRef {
                module: module.into(),
                name: name.into(),
            }),
            requires_approval: None,
        }
    }

    fn told(old: &[Tool], new: &[Tool]) -> Vec<String> {
        differences(old, new)
            .into_iter()
            .map(|difference| {
                format!(
                    "{:?} {} {}",
                    difference.fate,
                    difference.tool,
                    difference.impact.as_str()
                )
            })
            .collect()
    }

    fn text() -> Value {
        json!({"type": "string"})
    }

    #[test]
    fn tools_come_and_go() {
        let (a, b, c) = (
            tool("a_1111", None, text()),
            tool("b_2222", None, text()),
            tool("c_3333", None, text()),
        );
        assert_eq!(
            told(&[b.clone(), a.clone()], &[c, a.clone()]),
            ["Removed b_2222 breaking", "Added c_3333 compatible"]
        );
        assert_eq!(told(&[a.clone(), b.clone()], &[b, a]), [] as [&str; 0]);
    }

    #[test]
    fn a_tool_that_moved_is_the_same_tool() {
        // By its name without the hash.
        assert_eq!(
            told(
                &[tool("a_1111", None, text())],
                &[tool("a_2222", None, text())]
            ),
            ["Changed a_2222 note"]
        );
        // By its codeRef, the extension aside.
        assert_eq!(
            told(
                &[tool("x_1111", Some(("https://r/a.ts", "A")), text())],
                &[tool("y_2222", Some(("https://r/a", "A")), text())],
            ),
            ["Changed y_2222 note"]
        );
        // Two of one name: which is which is not known, but for the one whose hash stayed.
        let old = [tool("a_1111", None, text()), tool("a_2222", None, text())];
        let new = [tool("a_1111", None, text()), tool("a_3333", None, text())];
        assert_eq!(told(&old, &new), ["Changed a_3333 note"]);
        let new = [tool("a_4444", None, text()), tool("a_3333", None, text())];
        assert_eq!(told(&old, &new).len(), 4);
    }

    #[test]
    fn names_without_a_hash_stay_whole() {
        for (name, expected) in [
            ("wordCount_9f23", "wordCount"),
            ("a_b_1", "a_b"),
            ("read_file", "read_file"),
            ("a_12345", "a_12345"),
            ("a_", "a_"),
            ("a", "a"),
        ] {
            assert_eq!(friendly(name), expected);
        }
    }

    #[test]
    fn approval_is_worth_a_note() {
        let with = |approval| Tool {
            requires_approval: approval,
            ..tool("a_1111", None, text())
        };
        for (old, new, expected) in [
            (Some(false), Some(true), Some("needs approval now")),
            (Some(true), Some(false), Some("needs no approval any more")),
            (None, Some(true), None),
            (Some(true), Some(true), None),
        ] {
            let found = differences(&[with(old)], &[with(new)]);
            let what = found
                .first()
                .map(|difference| difference.changes[0].what.as_str());
            assert_eq!(what, expected);
        }
        let shared = distinct([with(Some(false)), with(Some(true)), with(Some(false))]);
        assert_eq!(shared, [with(Some(true))]);
    }
}
