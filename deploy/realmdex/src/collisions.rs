//! Tools of one realm that would be called by one name. A function name ends in four hex digits, so two tools whose
//! friendly names are alike may share it.

use std::collections::BTreeMap;

use realmdex_types::{CodeRef, Finding, RealmPath};
use realmdex_worker::extract::ToolPlace;

/// A tool under its function name, in a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) skill: RealmPath,
    pub(crate) function_name: String,
    pub(crate) tool: CodeRef,
    pub(crate) place: Option<ToolPlace>,
}

/// The findings of each skill that declares such a tool.
pub(crate) fn of(
    declared: impl IntoIterator<Item = Declared>,
) -> BTreeMap<RealmPath, Vec<Finding>> {
    let mut by_name: BTreeMap<String, Vec<Declared>> = BTreeMap::new();
    for tool in declared {
        by_name
            .entry(tool.function_name.clone())
            .or_default()
            .push(tool);
    }
    let mut found: BTreeMap<RealmPath, Vec<Finding>> = BTreeMap::new();
    for tools in by_name.values() {
        for one in tools {
            let other = tools
                .iter()
                .find(|other| !other.tool.is_same_tool(&one.tool));
            if let Some(other) = other {
                let findings = found.entry(one.skill.clone()).or_default();
                findings.push(finding(one, other));
            }
        }
    }
    found
}

fn finding(one: &Declared, other: &Declared) -> Finding {
    let skill = other.skill.as_str();
    Finding {
        line: one.place.map(|place| place.line),
        column: one.place.map(|place| place.column),
        ..Finding::collision(&one.function_name, one.tool.clone(), &other.tool, skill)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(tools: &[(&str, &str, &str)]) -> Vec<String> {
        let declared = tools.iter().map(|(name, skill, module)| Declared {
            skill: RealmPath::parse(skill).unwrap(),
            function_name: (*name).into(),
            tool: CodeRef {
                module: (*module).into(),
                name: "go".into(),
            },
            place: None,
        });
        of(declared)
            .into_iter()
            .flat_map(|(skill, findings)| {
                findings.into_iter().map(move |finding| {
                    let other = finding
                        .message
                        .split_whitespace()
                        .nth(8)
                        .unwrap()
                        .to_owned();
                    format!("{skill} {} {other}", finding.tool.unwrap().module)
                })
            })
            .collect()
    }

    #[test]
    fn tells_both_skills_of_two_tools_with_one_name() {
        assert_eq!(
            told(&[
                ("go_1", "a/SKILL.md", "x"),
                ("go_1", "b/SKILL.md", "y"),
                ("go_2", "c/SKILL.md", "z"),
            ]),
            ["a/SKILL.md x y#go", "b/SKILL.md y x#go"]
        );
        assert_eq!(
            told(&[("go_1", "a/SKILL.md", "x"), ("go_1", "a/SKILL.md", "y")]),
            ["a/SKILL.md x y#go", "a/SKILL.md y x#go"]
        );
    }

    #[test]
    fn a_tool_that_several_skills_share_is_no_collision() {
        let shared = [("go_1", "a/SKILL.md", "x"), ("go_1", "b/SKILL.md", "x")];
        assert_eq!(told(&shared), [] as [&str; 0]);
        let spelled = [
            ("go_1", "a/SKILL.md", "@cardstack/boxel-host/commands/go"),
            ("go_1", "b/SKILL.md", "@cardstack/boxel-host/tools/go"),
        ];
        assert_eq!(told(&spelled), [] as [&str; 0]);
    }
}
