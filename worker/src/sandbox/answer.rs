//! What tools answer, made into what is known of them. Nothing that a tool says is taken on trust, and nothing it
//! says is the sandbox's own failure.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::error::Category;

use super::{Described, SandboxLimits, ToolFault};

/// The longest message of a tool that is passed on, in characters.
const MAX_MESSAGE: usize = 2000;

/// What the JavaScript guest answers.
#[derive(Deserialize)]
struct ScriptAnswer {
    description: Option<String>,
    #[serde(default)]
    parameters: Value,
}

/// Reads the JSON text that the guest answers.
pub(super) fn of_script(text: &str, limits: &SandboxLimits) -> Result<Described, ToolFault> {
    within_limit(text.len(), limits)?;
    let answer: ScriptAnswer =
        serde_json::from_str(&well_formed(text)).map_err(|error| no_schema(&error))?;
    described(answer.description, answer.parameters)
}

/// Reads what a wasm tool answers: its description, and its schema as JSON text.
pub(super) fn of_component(
    description: String,
    input_schema: &str,
    limits: &SandboxLimits,
) -> Result<Described, ToolFault> {
    within_limit(description.len() + input_schema.len(), limits)?;
    let parameters = serde_json::from_str(input_schema).map_err(|error| no_schema(&error))?;
    described(Some(description), parameters)
}

/// A failure in the tool's own words, of which there may be too many.
pub(super) fn thrown(mut message: String) -> ToolFault {
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
        message.truncate(end);
        message.push('…');
    }
    ToolFault::Thrown(message)
}

fn within_limit(bytes: usize, limits: &SandboxLimits) -> Result<(), ToolFault> {
    if bytes > limits.definition_bytes {
        return Err(ToolFault::DefinitionLimit {
            bytes,
            limit: limits.definition_bytes,
        });
    }
    Ok(())
}

fn described(description: Option<String>, parameters: Value) -> Result<Described, ToolFault> {
    if parameters.get("type").and_then(Value::as_str) != Some("object") {
        return Err(ToolFault::Refused(
            "the tool's input schema must be a JSON Schema whose type is 'object'".to_owned(),
        ));
    }
    Ok(Described {
        description,
        parameters,
    })
}

fn no_schema(error: &serde_json::Error) -> ToolFault {
    // The parser's recursion limit has no category of its own.
    let too_deep = error.classify() == Category::Syntax
        && error.to_string().starts_with("recursion limit exceeded");
    ToolFault::Refused(if too_deep {
        "model providers refuse the tool's schema: it is nested too deep".to_owned()
    } else {
        format!("the tool's input schema is no JSON Schema: {error}")
    })
}

/// JavaScript strings may hold half a surrogate pair, which its JSON text escapes and which is no Unicode: such a
/// half becomes the replacement character, as it does wherever JavaScript encodes text.
fn well_formed(text: &str) -> Cow<'_, str> {
    if !text.contains("\\ud") {
        return Cow::Borrowed(text);
    }
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        let is_half = matches!(
            escape.as_bytes().get(1..4),
            Some([b'u', b'd', b'8'..=b'9' | b'a'..=b'f'])
        );
        // JSON text of a JavaScript engine is ASCII where it escapes, and whole pairs are never escaped.
        let end = match escape.get(..6) {
            Some(_) if is_half => 6,
            _ => escape
                .char_indices()
                .nth(2)
                .map_or(escape.len(), |(end, _)| end),
        };
        mended.push_str(if is_half { "\\ufffd" } else { &escape[..end] });
        rest = &escape[end..];
    }
    mended.push_str(rest);
    Cow::Owned(mended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_pairs_are_replaced() {
        for (text, expected) in [
            (r#""plain""#, r#""plain""#),
            (r#""a\ud83cb\udfff""#, r#""a\ufffdb\ufffd""#),
            (
                r#""\\ud83c spelled out, \\\ud83c not""#,
                r#""\\ud83c spelled out, \\\ufffd not""#,
            ),
            (r#""\udfff\"\\""#, r#""\ufffd\"\\""#),
            (r#""\ud7ff\ue000""#, r#""\ud7ff\ue000""#),
            (r#""größe \ud83c größe""#, r#""größe \ufffd größe""#),
        ] {
            assert_eq!(well_formed(text), expected);
        }
    }

    #[test]
    fn no_text_breaks_it() {
        for text in [
            r"\ud",
            r"\ud8",
            r"\ud8\",
            r"\ud83",
            "\\ud8é",
            "\\",
            "\\é\\ud800",
        ] {
            let _mended = well_formed(text);
        }
    }

    #[test]
    fn long_messages_are_cut() {
        let ToolFault::Thrown(message) = thrown("é".repeat(5000)) else {
            unreachable!()
        };
        assert_eq!(message.chars().count(), MAX_MESSAGE + 1);
        let ToolFault::Thrown(message) = thrown("short".into()) else {
            unreachable!()
        };
        assert_eq!(message, "short");
    }
}
