//! Differences of JSON values, in words.

use serde_json::Value;

/// Longer values are cut in messages.
const SHOWN: usize = 160;

/// Every place where `actual` is not `expected`; the order of keys does not count, numbers compare as JavaScript's do.
pub(super) fn differences(expected: &Value, actual: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", expected, actual, &mut found);
    found
}

fn compare(path: &str, expected: &Value, actual: &Value, found: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            for (key, value) in expected {
                let path = format!("{path}/{key}");
                match actual.get(key) {
                    Some(other) => compare(&path, value, other, found),
                    None => found.push(format!("{path}: missing {}", shown(value))),
                }
            }
            for (key, value) in actual
                .iter()
                .filter(|(key, _)| !expected.contains_key(*key))
            {
                found.push(format!("{path}/{key}: unexpected {}", shown(value)));
            }
        }
        (Value::Array(expected), Value::Array(actual)) => {
            if expected.len() != actual.len() {
                found.push(format!(
                    "{path}: {} entries instead of {}",
                    actual.len(),
                    expected.len()
                ));
            }
            for (at, (value, other)) in expected.iter().zip(actual).enumerate() {
                compare(&format!("{path}/{at}"), value, other, found);
            }
        }
        (Value::Number(expected), Value::Number(actual))
            if expected.as_f64() == actual.as_f64() => {}
        _ if expected == actual => {}
        _ => found.push(format!(
            "{path}: {} instead of {}",
            shown(actual),
            shown(expected)
        )),
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tells_where_values_differ() {
        assert_eq!(
            differences(&json!({"a": 1, "b": [1]}), &json!({"b": [1.0], "a": 1})),
            Vec::<String>::new()
        );
        assert_eq!(
            differences(
                &json!({"a": {"x": 1}, "b": [1, 2]}),
                &json!({"a": {"x": "1", "y": 2}, "b": [1]})
            ),
            [
                "/a/x: \"1\" instead of 1",
                "/a/y: unexpected 2",
                "/b: 1 entries instead of 2"
            ]
        );
    }
}
