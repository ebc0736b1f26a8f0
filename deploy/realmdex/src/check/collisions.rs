//! Tools of one realm that would be called by one name. A function name ends in four hex digits, so two tools whose
//! friendly names are alike may share it.

use std::collections::BTreeMap;

use realmdex_types::{CodeRef, Finding, FindingKind, RealmPath};

use crate::realm_folder::ComputedFile;
use crate::report::Place;

/// Boxel's two spellings of a host tool, which share a function name on purpose.
const HOST_SPELLINGS: [&str; 2] = [
    "@cardstack/boxel-host/commands/",
    "@cardstack/boxel-host/tools/",
];

/// A tool under its function name, in a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    skill: RealmPath,
    tool: CodeRef,
    place: Option<Place>,
}

/// Adds a finding to each skill that declares such a tool.
pub(super) fn add(files: &mut [ComputedFile]) {
    let mut by_name: BTreeMap<String, Vec<Named>> = BTreeMap::new();
    for file in files.iter() {
        for (stamped, place) in &file.stamped {
            by_name
                .entry(stamped.definition.function().name.clone())
                .or_default()
                .push(Named {
                    skill: file.path.clone(),
                    tool: stamped.code_ref.clone(),
                    place: *place,
                });
        }
    }
    let mut found = collisions(&by_name);
    for file in files {
        file.findings
            .extend(found.remove(&file.path).unwrap_or_default());
    }
}

/// The findings of each skill.
fn collisions(by_name: &BTreeMap<String, Vec<Named>>) -> BTreeMap<RealmPath, Vec<Finding>> {
    let mut found: BTreeMap<RealmPath, Vec<Finding>> = BTreeMap::new();
    for (function_name, tools) in by_name {
        for one in tools {
            let other = tools
                .iter()
                .find(|other| identity(&other.tool) != identity(&one.tool));
            if let Some(other) = other {
                found.entry(one.skill.clone()).or_default().push(finding(
                    function_name,
                    one,
                    other,
                ));
            }
        }
    }
    found
}

fn finding(function_name: &str, one: &Named, other: &Named) -> Finding {
    Finding {
        kind: FindingKind::FunctionNameCollision,
        message: format!(
            "the function name {function_name} is also that of {}#{} (in {}), so a model can't tell them apart: \
             rename one of the two exports, or its module's file for a default export",
            other.tool.module, other.tool.name, other.skill
        ),
        line: one.place.map(|place| place.line),
        column: one.place.map(|place| place.column),
        tool: Some(one.tool.clone()),
        transient: false,
    }
}

fn identity(tool: &CodeRef) -> (&str, &str) {
    let module = HOST_SPELLINGS
        .iter()
        .find_map(|folder| tool.module.strip_prefix(folder))
        .unwrap_or(&tool.module);
    (module, &tool.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(tools: &[(&str, &str, &str)]) -> Vec<String> {
        let mut by_name: BTreeMap<String, Vec<Named>> = BTreeMap::new();
        for (name, skill, module) in tools {
            by_name.entry((*name).into()).or_default().push(Named {
                skill: RealmPath::parse(skill).unwrap(),
                tool: CodeRef {
                    module: (*module).into(),
                    name: "go".into(),
                },
                place: None,
            });
        }
        collisions(&by_name)
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
