//! The Agent Skills specification (agentskills.io): what the frontmatter of a skill must hold. A skill that departs
//! from it still works here, but other agents may refuse it, so each departure is a warning.

use realmdex_types::SkillSpecWarning;
use serde_json::{Map, Value};

use super::frontmatter::Absence;

/// Longest texts, in characters.
const MAX_NAME: usize = 64;
const MAX_DESCRIPTION: usize = 1024;
const MAX_COMPATIBILITY: usize = 500;

/// Whether a file of this name is a skill by name alone. The specification writes it in capitals; agents that read
/// case-insensitive file systems accept any.
pub(super) fn is_skill_file_name(name: &str) -> bool {
    name.eq_ignore_ascii_case("SKILL.md")
}

/// Checks a skill's frontmatter. `folder` is the name of the folder that must bear the skill's name, where that
/// is known.
pub(super) fn check(
    frontmatter: &Map<String, Value>,
    folder: Option<&str>,
) -> Vec<SkillSpecWarning> {
    let mut warnings = Warnings(Vec::new());
    warnings.check_name(frontmatter.get("name"), folder);
    warnings.check_description(frontmatter.get("description"));
    warnings.check_text("license", frontmatter.get("license"), None);
    warnings.check_text(
        "compatibility",
        frontmatter.get("compatibility"),
        Some(MAX_COMPATIBILITY),
    );
    warnings.check_metadata(frontmatter.get("metadata"));
    warnings.check_allowed_tools(frontmatter.get("allowed-tools"));
    warnings.check_boxel(frontmatter.get("boxel"));
    warnings.0
}

/// The warning for a skill without frontmatter.
pub(super) fn no_frontmatter(absence: Absence) -> SkillSpecWarning {
    let message = match absence {
        Absence::None => "there is no frontmatter; begin the file with a line `---`, then `name` and `description`, \
                          then another line `---`"
            .to_owned(),
        Absence::Unclosed => "the frontmatter that opens on line 1 is never closed, so all of it is read as text; \
                              add a line `---` after its last key"
            .to_owned(),
        Absence::NothingBetween => {
            "there is nothing between the two lines `---`, so they are read as text; write `name` and `description` there"
                .to_owned()
        }
        Absence::NotFirst { line } => {
            format!("the line `---` is line {line}, and frontmatter begins on line 1; remove what is above it")
        }
        Absence::NoFence => "line 1 is not quite `---`, so there is no frontmatter; write exactly three dashes, \
                             with no space before them"
            .to_owned(),
    };
    SkillSpecWarning {
        field: "frontmatter".to_owned(),
        message,
    }
}

struct Warnings(Vec<SkillSpecWarning>);

impl Warnings {
    fn add(&mut self, field: &str, message: String) {
        self.0.push(SkillSpecWarning {
            field: field.to_owned(),
            message,
        });
    }

    fn check_name(&mut self, name: Option<&Value>, folder: Option<&str>) {
        let Some(name) = name.filter(|name| !name.is_null()) else {
            let example = folder.unwrap_or("my-skill");
            return self.add(
                "name",
                format!("there is no `name`; add one, such as `name: {example}`"),
            );
        };
        let Some(name) = name.as_str() else {
            return self.add(
                "name",
                format!(
                    "`name` is {}, and must be text; put it in quotes",
                    kind_of(name)
                ),
            );
        };
        let length = name.chars().count();
        if length == 0 || length > MAX_NAME {
            self.add(
                "name",
                format!("`name` has {length} characters; give it 1 to {MAX_NAME}"),
            );
        } else if !name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        {
            self.add("name", format!("`name` is `{name}`; use only the letters a to z in lower case, digits and hyphens"));
        } else if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
            self.add("name", format!("`name` is `{name}`; use hyphens only one at a time, and between other characters"));
        }
        if let Some(folder) = folder.filter(|folder| *folder != name) {
            self.add(
                "name",
                format!(
                    "`name` is `{name}` but the folder is `{folder}`; rename one like the other"
                ),
            );
        }
    }

    fn check_description(&mut self, description: Option<&Value>) {
        if description.is_none_or(Value::is_null) {
            return self.add(
                "description",
                "there is no `description`; say in it what the skill does and when to use it"
                    .to_owned(),
            );
        }
        self.check_text("description", description, Some(MAX_DESCRIPTION));
    }

    /// A text that, where it has a limit, must not be empty either.
    fn check_text(&mut self, field: &str, value: Option<&Value>, limit: Option<usize>) {
        let Some(value) = value else { return };
        let Some(text) = value.as_str() else {
            return self.add(
                field,
                format!(
                    "`{field}` is {}, and must be text; put it in quotes",
                    kind_of(value)
                ),
            );
        };
        let length = text.chars().count();
        match limit {
            Some(limit) if length > limit => {
                self.add(
                    field,
                    format!("`{field}` has {length} characters; shorten it to at most {limit}"),
                );
            }
            Some(_) if text.trim().is_empty() => {
                self.add(
                    field,
                    format!("`{field}` is empty; write it, or remove the key"),
                );
            }
            _ => {}
        }
    }

    fn check_metadata(&mut self, metadata: Option<&Value>) {
        let Some(metadata) = metadata else { return };
        let Some(entries) = metadata.as_object() else {
            return self.add(
                "metadata",
                format!(
                    "`metadata` is {}; write keys and texts below it",
                    kind_of(metadata)
                ),
            );
        };
        for (key, value) in entries.iter().filter(|(_, value)| !value.is_string()) {
            let mend = if value.is_object() || value.is_array() {
                "write it as one text"
            } else {
                "put it in quotes"
            };
            self.add(
                &format!("metadata.{key}"),
                format!(
                    "`{key}` in `metadata` is {}, and must be text; {mend}",
                    kind_of(value)
                ),
            );
        }
    }

    fn check_allowed_tools(&mut self, tools: Option<&Value>) {
        if let Some(tools) = tools.filter(|tools| !tools.is_string()) {
            self.add(
                "allowed-tools",
                format!(
                    "`allowed-tools` is {}; write one text, the tools parted by spaces",
                    kind_of(tools)
                ),
            );
        }
    }

    /// Boxel's own part, where a slip leaves a skill without its tools and nobody told.
    fn check_boxel(&mut self, boxel: Option<&Value>) {
        let Some(boxel) = boxel.filter(|boxel| !boxel.is_null()) else {
            return;
        };
        let Some(entries) = boxel.as_object() else {
            return self.add(
                "boxel",
                format!(
                    "`boxel` is {}; write `kind: skill` below it",
                    kind_of(boxel)
                ),
            );
        };
        let declared = ["tools", "commands"]
            .into_iter()
            .find(|key| entries.get(*key).is_some_and(|value| !value.is_null()));
        let Some(key) = declared else { return };
        if entries.get("kind").is_none_or(Value::is_null) {
            self.add(
                "boxel.kind",
                format!(
                    "`boxel` has `{key}` but no `kind`, so they are not read; add `kind: skill`"
                ),
            );
        } else if !entries[key].is_array() {
            self.add(
                &format!("boxel.{key}"),
                format!(
                    "`{key}` is {}; write a list, each entry a `codeRef` with `module` and `name`",
                    kind_of(&entries[key])
                ),
            );
        }
    }
}

/// What a value is, for a message.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(frontmatter: &Value, folder: Option<&str>) -> Vec<String> {
        let warnings = check(frontmatter.as_object().expect("a mapping"), folder);
        assert!(
            warnings
                .iter()
                .all(|warning| warning.message.contains("; ")),
            "each has a mend: {warnings:?}"
        );
        warnings.into_iter().map(|warning| warning.field).collect()
    }

    #[test]
    fn a_good_skill_has_none() {
        let good = json!({
            "name": "pdf-tools-2",
            "description": "Reads PDF files. Use it when asked to.",
            "license": "MIT",
            "compatibility": "Needs poppler",
            "metadata": {"author": "someone", "version": "1.0"},
            "allowed-tools": "Bash(git:*) Read",
            "boxel": {"kind": "skill", "tools": []},
            "anything": {"else": 1},
        });
        assert_eq!(fields(&good, Some("pdf-tools-2")), [""; 0]);
        assert_eq!(
            fields(
                &json!({"name": "a", "description": "b", "boxel": {"kind": "recipe"}}),
                None
            ),
            [""; 0]
        );
    }

    #[test]
    fn names() {
        for (name, expected) in [
            (json!("a"), 0),
            (json!("a".repeat(64)), 0),
            (json!("a".repeat(65)), 1),
            (json!(""), 1),
            (json!(null), 1),
            (json!(7), 1),
            (json!("My-Skill"), 1),
            (json!("my_skill"), 1),
            (json!("my skill"), 1),
            (json!("größe"), 1),
            (json!("-a"), 1),
            (json!("a-"), 1),
            (json!("a--b"), 1),
        ] {
            assert_eq!(
                fields(&json!({"name": name, "description": "d"}), None).len(),
                expected,
                "{name}"
            );
        }
        assert_eq!(
            fields(&json!({"name": "a", "description": "d"}), Some("b")),
            ["name"]
        );
        assert_eq!(
            fields(&json!({"name": "B", "description": "d"}), Some("b")),
            ["name", "name"]
        );
    }

    #[test]
    fn other_fields() {
        for (extra, expected) in [
            (json!({"description": null}), "description"),
            (json!({"description": " "}), "description"),
            (json!({"description": ["d"]}), "description"),
            (json!({"description": "é".repeat(1025)}), "description"),
            (json!({"license": 2}), "license"),
            (json!({"compatibility": ""}), "compatibility"),
            (json!({"compatibility": "x".repeat(501)}), "compatibility"),
            (json!({"metadata": "x"}), "metadata"),
            (json!({"metadata": {"version": 1}}), "metadata.version"),
            (json!({"metadata": {"tags": ["a"]}}), "metadata.tags"),
            (json!({"allowed-tools": ["Read"]}), "allowed-tools"),
            (json!({"boxel": "skill"}), "boxel"),
            (
                json!({"boxel": {"kind": "skill", "tools": "./a"}}),
                "boxel.tools",
            ),
            (json!({"boxel": {"commands": []}}), "boxel.kind"),
        ] {
            let mut skill = json!({"name": "a", "description": "d"});
            let entries = skill.as_object_mut().expect("a mapping");
            entries.extend(extra.as_object().expect("a mapping").clone());
            assert_eq!(fields(&skill, None), [expected], "{extra}");
        }
        assert_eq!(
            fields(&json!({"description": "é".repeat(1024)}), None),
            ["name"]
        );
    }
}
