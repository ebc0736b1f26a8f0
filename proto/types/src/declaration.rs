//! A skill's tool declarations, as its author wrote them.

use serde_json::{Map, Value};
use thiserror::Error;

use crate::{CodeRef, Definition};

/// Keys that only indexing may write. An authored one is dropped: nobody validated it.
const GENERATED_KEYS: [&str; 4] = ["definition", "functionName", "tool", "schema"];

/// One entry of `boxel.tools` that names a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// As authored; relative to the skill.
    pub code_ref: CodeRef,
    /// Anything but a literal `false` asks for approval.
    pub requires_approval: bool,
}

/// Why an entry of `boxel.tools` names no tool. The text is Boxel's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("tool entry is missing a codeRef module/name")]
pub struct DeclarationError {
    /// What it gave as the module, empty where that was no string.
    pub module: String,
    /// What it gave as the name, empty where that was no string.
    pub name: String,
}

impl Declaration {
    /// Reads an entry of the `tools` list, whatever its author put there.
    ///
    /// # Errors
    /// When the entry has no `codeRef` with a non-empty string `module` and `name`.
    pub fn from_entry(entry: &Value) -> Result<Self, DeclarationError> {
        let text = |key: &str| {
            entry
                .get("codeRef")
                .and_then(|code_ref| code_ref.get(key))
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let (module, name) = (text("module").to_owned(), text("name").to_owned());
        if module.is_empty() || name.is_empty() {
            return Err(DeclarationError { module, name });
        }
        Ok(Self {
            code_ref: CodeRef { module, name },
            requires_approval: entry.get("requiresApproval") != Some(&Value::Bool(false)),
        })
    }

    /// The entry with what indexing computed stamped onto it, other authored keys kept.
    pub fn stamp(&self, entry: &Value, code_ref: &CodeRef, definition: &Definition) -> Value {
        let mut stamped = strip_generated_keys(entry);
        if let Value::Object(fields) = &mut stamped {
            fields.insert(
                "codeRef".into(),
                serde_json::json!({"module": code_ref.module, "name": code_ref.name}),
            );
            fields.insert("requiresApproval".into(), self.requires_approval.into());
            fields.insert(
                "functionName".into(),
                definition.function().name.as_str().into(),
            );
            fields.insert(
                "definition".into(),
                serde_json::to_value(definition).unwrap_or_default(),
            );
        }
        stamped
    }
}

/// The entry without any key that only indexing may write. Applied to whatever stands in for the tools,
/// list or not.
pub fn strip_generated_keys(entry: &Value) -> Value {
    match entry {
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .filter(|(key, _)| !GENERATED_KEYS.contains(&key.as_str()))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect::<Map<_, _>>(),
        ),
        Value::Array(entries) => entries.iter().map(strip_generated_keys).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_what_authors_write() {
        let full = Declaration::from_entry(&json!({"codeRef": {"module": "./a", "name": "A"}}))
            .expect("a tool");
        assert!(full.requires_approval);
        for (authored, expected) in [
            (json!(false), false),
            (json!("false"), true),
            (json!(null), true),
            (json!(0), true),
        ] {
            let entry =
                json!({"codeRef": {"module": "./a", "name": "A"}, "requiresApproval": authored});
            assert_eq!(
                Declaration::from_entry(&entry)
                    .expect("a tool")
                    .requires_approval,
                expected
            );
        }
    }

    #[test]
    fn names_what_is_missing() {
        for (entry, module, name) in [
            (json!({"codeRef": {"name": "x"}}), "", "x"),
            (json!({"codeRef": {"module": 7, "name": "x"}}), "", "x"),
            (json!({"codeRef": "./a#A"}), "", ""),
            (json!(null), "", ""),
            (json!([1]), "", ""),
        ] {
            let error = Declaration::from_entry(&entry).expect_err("no tool");
            assert_eq!(
                (error.module.as_str(), error.name.as_str()),
                (module, name),
                "{entry}"
            );
        }
    }

    #[test]
    fn an_author_cannot_smuggle_in_a_definition() {
        let entry =
            json!({"note": 1, "definition": {}, "functionName": "f", "tool": {}, "schema": {}});
        assert_eq!(strip_generated_keys(&entry), json!({"note": 1}));
        assert_eq!(
            strip_generated_keys(&json!([entry, 3])),
            json!([{"note": 1}, 3])
        );
    }
}
