//! The forms in which model providers and agent protocols take tool definitions.

use clap::ValueEnum;
use realmdex_types::{Definition, FunctionDefinition};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// Whose form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// `{type: "function", function: {name, description, parameters}}`, of OpenAI and most others.
    #[default]
    Openai,
    /// `{name, description, input_schema}`, of Anthropic's Messages API.
    Anthropic,
    /// `{name, description, inputSchema}`, of the Model Context Protocol's `tools/list`.
    Mcp,
}

impl Format {
    /// A definition in this form. One without a description has none in any form.
    pub(crate) fn write(self, definition: &Definition) -> Value {
        let function = definition.function();
        match self {
            Self::Openai => json!(definition),
            Self::Anthropic => flat(function, ANTHROPIC_SCHEMA),
            Self::Mcp => flat(function, MCP_SCHEMA),
        }
    }
}

const ANTHROPIC_SCHEMA: &str = "input_schema";
const MCP_SCHEMA: &str = "inputSchema";

fn flat(function: &FunctionDefinition, schema_key: &str) -> Value {
    let mut fields = Map::new();
    fields.insert("name".into(), function.name.as_str().into());
    if let Some(description) = &function.description {
        fields.insert("description".into(), description.as_str().into());
    }
    fields.insert(schema_key.into(), function.parameters.clone());
    Value::Object(fields)
}

/// A text that holds no definitions.
#[derive(Debug, Error)]
pub(crate) enum ReadError {
    /// It is no JSON.
    #[error("it is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is JSON of another kind.
    #[error("it is no JSON array of tool definitions; `realmdex export` writes one")]
    NoArray,
    /// One of them is in no form we know.
    #[error(
        "entry {index} is no tool definition: write {{type: \"function\", function: {{name, parameters}}}}, \
         {{name, input_schema}} or {{name, inputSchema}}"
    )]
    NoDefinition {
        /// Which one, from 0.
        index: usize,
    },
}

/// Reads a JSON array of definitions, each in any of the forms. MCP's `{"tools": […]}` around it is accepted.
///
/// # Errors
/// When it is none; the error names the entry.
pub(crate) fn read(text: &str) -> Result<Vec<Definition>, ReadError> {
    let value: Value = serde_json::from_str(text)?;
    let entries = value.get("tools").unwrap_or(&value);
    let entries = entries.as_array().ok_or(ReadError::NoArray)?;
    entries
        .iter()
        .enumerate()
        .map(|(index, entry)| definition(entry).ok_or(ReadError::NoDefinition { index }))
        .collect()
}

fn definition(entry: &Value) -> Option<Definition> {
    let (named, schema) = match entry.get("function") {
        Some(function) => (function, function.get("parameters")),
        None => (
            entry,
            entry
                .get(ANTHROPIC_SCHEMA)
                .or_else(|| entry.get(MCP_SCHEMA)),
        ),
    };
    // OpenAI takes a function without parameters as one that has none.
    let parameters = match schema {
        Some(schema) if schema.is_object() => schema.clone(),
        None if entry.get("function").is_some() => json!({"type": "object", "properties": {}}),
        _ => return None,
    };
    Some(Definition::Function {
        function: FunctionDefinition {
            name: named.get("name")?.as_str()?.to_owned(),
            description: named
                .get("description")
                .and_then(Value::as_str)
                .map(str::to_owned),
            parameters,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools() -> Vec<Definition> {
        let tool = |name: &str, description: Option<&str>| Definition::Function {
            function: FunctionDefinition {
                name: name.into(),
                description: description.map(str::to_owned),
                parameters: json!({"type": "object", "properties": {"text": {"type": "string"}}}),
            },
        };
        vec![
            tool("wordCount_9f23", Some("Counts words")),
            tool("silent_0001", None),
        ]
    }

    #[test]
    fn each_form_as_its_owner_documents_it() {
        let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
        let (name, description) = ("wordCount_9f23", "Counts words");
        for (format, expected) in [
            (
                Format::Openai,
                json!({"type": "function", "function": {"name": name, "description": description, "parameters": schema}}),
            ),
            (
                Format::Anthropic,
                json!({"name": name, "description": description, "input_schema": schema}),
            ),
            (
                Format::Mcp,
                json!({"name": name, "description": description, "inputSchema": schema}),
            ),
        ] {
            assert_eq!(format.write(&tools()[0]), expected);
            assert_eq!(format.write(&tools()[1]).get("description"), None);
        }
    }

    #[test]
    fn what_was_written_reads_back() {
        for format in Format::value_variants() {
            let written: Vec<Value> = tools().iter().map(|tool| format.write(tool)).collect();
            assert_eq!(read(&json!(written).to_string()).unwrap(), tools());
            let listed = json!({"tools": written});
            assert_eq!(read(&listed.to_string()).unwrap(), tools());
        }
    }

    #[test]
    fn says_what_can_not_be_read() {
        for (text, expected) in [
            ("nonsense", "it is not JSON"),
            ("{}", "no JSON array"),
            ("[3]", "entry 0 is"),
            (
                r#"[{"name": "a", "inputSchema": {}}, {"name": "b"}]"#,
                "entry 1 is",
            ),
            (r#"[{"inputSchema": {}}]"#, "entry 0 is"),
            (
                r#"[{"type": "function", "function": {"parameters": {}}}]"#,
                "entry 0 is",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let bare = r#"[{"type": "function", "function": {"name": "now"}}]"#;
        assert_eq!(read(bare).unwrap()[0].function().name, "now");
    }
}
