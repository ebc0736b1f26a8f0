//! What the providers of language models refuse. One tool they refuse spoils a whole request, so it gets no
//! definition here but a message to its author.

use realmdex_types::FunctionDefinition;
use serde_json::{Map, Value};

/// The longest function name that OpenAI and Anthropic take.
const MAX_NAME: usize = 64;
/// Schemas deeper than this are refused by providers, and are a sign of recursion.
const MAX_DEPTH: usize = 100;

/// Checks a definition.
///
/// # Errors
/// The rule that is broken and the mend, for the tool's author.
pub(super) fn check(function: &FunctionDefinition) -> Result<(), String> {
    check_name(&function.name)?;
    check_schema(&function.parameters, &mut Vec::new())
}

fn check_name(name: &str) -> Result<(), String> {
    let accepted = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if let Some(refused) = name.chars().find(|c| !accepted(*c)) {
        // Boxel keeps the extension of a default export's module in its name, all but `.gts`.
        let mend = if refused == '.' {
            "leave the extension out of the codeRef's module, or give it the name of an export"
        } else {
            "rename the export (or the module's file, for a default export)"
        };
        return Err(format!(
            "the function name {name:?} holds {refused:?}, and model providers accept only letters, digits, '_' and '-': {mend}"
        ));
    }
    if name.len() > MAX_NAME {
        return Err(format!(
            "the function name {name:?} has {} characters, and model providers accept at most {MAX_NAME}: \
             rename the export (or the module's file, for a default export)",
            name.len()
        ));
    }
    Ok(())
}

fn check_schema(schema: &Value, path: &mut Vec<String>) -> Result<(), String> {
    let Value::Object(schema) = schema else {
        return match schema {
            Value::Bool(_) => Ok(()),
            _ => Err(refusal(path, "is no JSON Schema (an object)")),
        };
    };
    if path.len() > MAX_DEPTH {
        return Err(refusal(path, "is nested too deep"));
    }
    if has_type(schema, "array")
        && !schema.contains_key("items")
        && !schema.contains_key("prefixItems")
    {
        return Err(refusal(
            path,
            "is an array without `items`: say what it holds",
        ));
    }
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str)
        && !reference.starts_with('#')
    {
        return Err(refusal(
            path,
            &format!(
                "refers to {reference:?}: only references within the schema (#/…) are accepted"
            ),
        ));
    }
    if schema
        .get("enum")
        .is_some_and(|values| values.as_array().is_none_or(Vec::is_empty))
    {
        return Err(refusal(path, "has an `enum` that is no list of values"));
    }
    let required_is_names = |names: &Value| {
        names
            .as_array()
            .is_some_and(|names| names.iter().all(Value::is_string))
    };
    if !schema.get("required").is_none_or(required_is_names) {
        return Err(refusal(
            path,
            "has a `required` that is no list of property names",
        ));
    }
    check_children(schema, path)
}

fn check_children(schema: &Map<String, Value>, path: &mut Vec<String>) -> Result<(), String> {
    for key in ["properties", "$defs", "definitions", "patternProperties"] {
        match schema.get(key) {
            Some(Value::Object(children)) => {
                for (name, child) in children {
                    within(path, name, |path| check_schema(child, path))?;
                }
            }
            Some(_) => return Err(refusal(path, &format!("has `{key}` that are no object"))),
            None => {}
        }
    }
    for key in ["items", "additionalProperties", "not"] {
        if let Some(child) = schema.get(key)
            && !(key == "items" && child.is_array())
        {
            within(path, key, |path| check_schema(child, path))?;
        }
    }
    for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(children)) = schema.get(key) {
            for (at, child) in children.iter().enumerate() {
                within(path, &format!("{key}[{at}]"), |path| {
                    check_schema(child, path)
                })?;
            }
        }
    }
    Ok(())
}

fn within(
    path: &mut Vec<String>,
    step: &str,
    check: impl FnOnce(&mut Vec<String>) -> Result<(), String>,
) -> Result<(), String> {
    path.push(step.to_owned());
    let checked = check(path);
    path.pop();
    checked
}

fn has_type(schema: &Map<String, Value>, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

fn refusal(path: &[String], what: &str) -> String {
    let place = if path.is_empty() {
        "its root".to_owned()
    } else {
        path.join(".")
    };
    format!("model providers refuse the tool's schema: {place} {what}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn checked(name: &str, parameters: Value) -> Result<(), String> {
        check(&FunctionDefinition {
            name: name.into(),
            description: None,
            parameters,
        })
    }

    #[test]
    fn names_providers_take() {
        let object = || json!({"type": "object", "properties": {}});
        for name in ["Tool_14ea", "a-b_0", &"x".repeat(64)] {
            assert_eq!(checked(name, object()), Ok(()), "{name}");
        }
        for (name, mend) in [
            ("größe_14ea", "rename the export"),
            ("a b", "rename the export"),
            (&"x".repeat(65), "rename the export"),
            ("a.ts_14ea", "leave the extension out"),
        ] {
            let message = checked(name, object()).expect_err(name);
            assert!(message.contains(mend), "{message}");
        }
    }

    #[test]
    fn schemas_providers_refuse() {
        for (schema, place) in [
            (
                json!({"type": "object", "properties": {"a": {"type": "array"}}}),
                "a is an array without `items`",
            ),
            (
                json!({"type": "object", "properties": {"a": {"type": ["array", "null"]}}}),
                "a is an array without",
            ),
            (
                json!({"properties": {"a": {"items": {"$ref": "https://x/y"}}}}),
                "a.items refers to",
            ),
            (
                json!({"properties": {"a": {"enum": []}}}),
                "a has an `enum`",
            ),
            (json!({"properties": []}), "its root has `properties`"),
            (
                json!({"anyOf": [{"type": "string"}, 3]}),
                "anyOf[1] is no JSON Schema",
            ),
            (json!({"required": "a"}), "its root has a `required`"),
        ] {
            let message = checked("t", schema.clone()).expect_err(place);
            assert!(message.contains(place), "{schema}: {message}");
        }
    }

    #[test]
    fn schemas_providers_take() {
        for schema in [
            json!({"type": "object"}),
            json!({"properties": {"a": {"type": "array", "items": {}}, "b": {"type": "array", "items": [{"type": "string"}]}}}),
            json!({"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}}}),
            json!({"properties": {"enum": {"enum": [1, null]}}, "additionalProperties": false}),
        ] {
            assert_eq!(checked("t", schema.clone()), Ok(()), "{schema}");
        }
    }

    #[test]
    fn a_bottomless_schema_is_refused() {
        let mut schema = json!({"type": "string"});
        for _ in 0..200 {
            schema = json!({"properties": {"a": schema}});
        }
        assert!(checked("t", schema).is_err());
    }
}
