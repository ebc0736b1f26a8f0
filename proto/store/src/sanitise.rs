//! What Postgres does not take, mended before it is asked to: NUL in texts and documents, and texts without end.
//! (Lone surrogates, which jsonb refuses too, can't be in a Rust string.)

use serde_json::{Map, Value};

/// What stands for a character that can't be stored, as in Boxel's rows.
const REPLACEMENT: &str = "\u{fffd}";

/// The longest message that is kept, in bytes.
const MESSAGE_BYTES: usize = 64 << 10;

/// A text without NUL.
pub(crate) fn text(text: &str) -> String {
    text.replace('\0', REPLACEMENT)
}

/// A message without NUL, and with an end; what is left out is said.
pub(crate) fn message(message: &str) -> String {
    if message.len() <= MESSAGE_BYTES {
        return text(message);
    }
    let end = message.floor_char_boundary(MESSAGE_BYTES);
    let rest = message.len() - end;
    format!("{}… ({rest} more bytes)", text(&message[..end]))
}

/// A document without NUL, in keys as in values.
pub(crate) fn document(value: Value) -> Value {
    match value {
        Value::String(held) if held.contains('\0') => Value::String(text(&held)),
        Value::Array(items) => items.into_iter().map(document).collect(),
        Value::Object(fields) => Value::Object(object(fields)),
        other => other,
    }
}

fn object(fields: Map<String, Value>) -> Map<String, Value> {
    let clean = |key: String| if key.contains('\0') { text(&key) } else { key };
    fields
        .into_iter()
        .map(|(key, value)| (clean(key), document(value)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nul_is_replaced_everywhere() {
        let clean = document(json!({"a\0": ["b\0c", {"d": "\0"}], "e": 1}));
        assert_eq!(
            clean,
            json!({"a\u{fffd}": ["b\u{fffd}c", {"d": "\u{fffd}"}], "e": 1})
        );
    }

    #[test]
    fn messages_have_an_end() {
        assert_eq!(message("short\0"), "short\u{fffd}");
        let long = message(&"ü".repeat(4 << 20));
        assert!(long.len() < MESSAGE_BYTES + 64);
        assert!(
            long.ends_with(" more bytes)"),
            "{}",
            &long[long.len() - 40..]
        );
    }
}
