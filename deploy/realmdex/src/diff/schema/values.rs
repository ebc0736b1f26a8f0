//! Which values are taken: by type, and one by one.

use serde_json::{Map, Value};

use super::{Changes, Impact};

impl Changes {
    /// Whether the two have any type in common.
    pub(super) fn types(
        &mut self,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        at: &str,
    ) -> bool {
        let at = format!("{at}/type");
        match (types(old), types(new)) {
            (before, now) if before == now => true,
            (_, None) => {
                self.add(&at, Impact::Compatible, "takes any type now");
                true
            }
            (None, Some(now)) => {
                // A list of values says the type as well.
                let fits = allowed_values(old)
                    .is_some_and(|values| values.iter().all(|value| is_of(value, &now)));
                let now = now.join(" or ");
                if fits {
                    let what = format!("says {now} now, as its values did");
                    self.add(&at, Impact::Compatible, what);
                } else {
                    let what = format!("takes only {now} now, where it took any type");
                    self.add(&at, Impact::Breaking, what);
                }
                true
            }
            (Some(before), Some(now)) => {
                let kept = before.iter().filter(|kind| covers(&now, kind)).count();
                let impact = if kept == before.len() {
                    Impact::Compatible
                } else {
                    Impact::Breaking
                };
                let what = format!(
                    "takes {} now, where it took {}",
                    now.join(" or "),
                    before.join(" or ")
                );
                self.add(&at, impact, what);
                // Numbers that must be whole now are fewer, but still numbers.
                kept > 0 || before.contains(&"number") && now.contains(&"integer")
            }
        }
    }

    /// `enum` and `const`.
    pub(super) fn values(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, at: &str) {
        let keyword = if new.contains_key("const") {
            "const"
        } else {
            "enum"
        };
        let at = format!("{at}/{keyword}");
        match (allowed_values(old), allowed_values(new)) {
            (None, None) => {}
            (None, Some(now)) => {
                self.add(
                    &at,
                    Impact::Breaking,
                    format!("takes only {} now", listed(&now)),
                );
            }
            (Some(_), None) => self.add(&at, Impact::Compatible, "takes other values too now"),
            (Some(before), Some(now)) => {
                let removed = beyond(&before, &now);
                if !removed.is_empty() {
                    let what = format!("takes {} no more", listed(&removed));
                    self.add(&at, Impact::Breaking, what);
                }
                let added = beyond(&now, &before);
                if !added.is_empty() {
                    let what = format!("takes {} too now", listed(&added));
                    self.add(&at, Impact::Compatible, what);
                }
            }
        }
    }
}

/// The types a schema takes; none where it says nothing of them.
fn types(schema: &Map<String, Value>) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(one) => Some(vec![one]),
        Value::Array(several) => Some(several.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Whether one of the types takes everything of a kind.
fn covers(types: &[&str], kind: &str) -> bool {
    types.contains(&kind) || kind == "integer" && types.contains(&"number")
}

fn is_of(value: &Value, types: &[&str]) -> bool {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    covers(types, kind)
}

/// The values that `enum` and `const` leave; none where both are missing.
fn allowed_values(schema: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => Some(vec![only]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

/// Those that the others don't have.
fn beyond<'a>(these: &[&'a Value], others: &[&Value]) -> Vec<&'a Value> {
    let beyond = these.iter().filter(|value| !others.contains(value));
    beyond.copied().collect()
}

fn listed(values: &[&Value]) -> String {
    let texts: Vec<String> = values.iter().map(|value| value.to_string()).collect();
    texts.join(", ")
}
