//! Tools of one realm that would be called by one name, so that a model can't tell them apart. A function name ends in
//! four hex digits, so two tools whose friendly names are alike may share it. What is so depends on several files: it
//! is found when it is asked for.

use std::collections::BTreeMap;

use realmdex_store::SharedName;
use realmdex_types::CodeRef;

/// A tool of a skill, and those it can't be told from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Collision {
    pub(crate) function_name: String,
    pub(crate) tool: CodeRef,
    /// The paths of the skills that declare them, and the tools.
    pub(crate) others: Vec<(String, CodeRef)>,
}

/// The collisions of each skill, by its path. Several skills may declare the same tool: that is none.
pub(crate) fn of(shared: &[SharedName]) -> BTreeMap<String, Vec<Collision>> {
    let mut found: BTreeMap<String, Vec<Collision>> = BTreeMap::new();
    for one in shared {
        let mut others: Vec<(String, CodeRef)> = shared
            .iter()
            .filter(|other| other.function_name == one.function_name)
            .filter(|other| !other.tool.is_same_tool(&one.tool))
            .map(|other| (other.path.clone(), other.tool.clone()))
            .collect();
        others.sort();
        others.dedup();
        if others.is_empty() {
            continue;
        }
        let of_file = found.entry(one.path.clone()).or_default();
        let is_told = of_file.iter().any(|told| told.tool.is_same_tool(&one.tool));
        if !is_told {
            of_file.push(Collision {
                function_name: one.function_name.clone(),
                tool: one.tool.clone(),
                others,
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Function name, skill and module of each tool; and what is told.
    #[test]
    fn tools_are_told_from_each_other() {
        let host = |folder: &str| format!("@cardstack/boxel-host/{folder}/go");
        let (new, old) = (host("tools"), host("commands"));
        type Row<'a> = (&'a [(&'a str, &'a str, &'a str)], &'a [&'a str]);
        let rows: [Row<'_>; 6] = [
            (&[], &[]),
            (&[("go_1", "a", "x"), ("go_2", "b", "y")], &[]),
            (&[("go_1", "a", "x"), ("go_1", "b", "x")], &[]),
            (&[("go_1", "a", &new), ("go_1", "b", &old)], &[]),
            (
                &[("go_1", "a", "x"), ("go_1", "b", "y"), ("go_1", "c", "x")],
                &["a: x ~ b y", "b: y ~ a x, c x", "c: x ~ b y"],
            ),
            (
                &[("go_1", "a", "x"), ("go_1", "a", "y"), ("go_1", "a", "x")],
                &["a: x ~ a y", "a: y ~ a x"],
            ),
        ];
        for (tools, wanted) in rows {
            let shared: Vec<SharedName> = tools
                .iter()
                .map(|(name, path, module)| SharedName {
                    path: (*path).to_owned(),
                    function_name: (*name).to_owned(),
                    tool: CodeRef {
                        module: (*module).to_owned(),
                        name: "go".to_owned(),
                    },
                })
                .collect();
            let told: Vec<String> = of(&shared)
                .into_iter()
                .flat_map(|(path, collisions)| {
                    collisions.into_iter().map(move |one| {
                        let others: Vec<String> = one
                            .others
                            .iter()
                            .map(|(path, tool)| format!("{path} {}", tool.module))
                            .collect();
                        format!("{path}: {} ~ {}", one.tool.module, others.join(", "))
                    })
                })
                .collect();
            assert_eq!(told, wanted, "{tools:?}");
        }
    }
}
