//! Properties: which there are, which must be there, and what becomes of others.

use serde_json::{Map, Value};

use super::{ANNOTATIONS, Changes, Impact, escaped};

/// What a schema does with properties that it doesn't name.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Others<'a> {
    Taken,
    Refused,
    MustFit(&'a Value),
}

fn others(schema: &Map<String, Value>) -> Others<'_> {
    match schema.get("additionalProperties") {
        None | Some(Value::Bool(true)) => Others::Taken,
        Some(Value::Bool(false)) => Others::Refused,
        Some(schema) => Others::MustFit(schema),
    }
}

fn properties(schema: &Map<String, Value>) -> Map<String, Value> {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default()
}

fn required(schema: &Map<String, Value>) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

impl Changes {
    /// `properties`, `required` and `additionalProperties`.
    pub(super) fn object(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, at: &str) {
        let (before, now) = (properties(old), properties(new));
        let (needed_before, needed_now) = (required(old), required(new));
        for (name, schema) in &before {
            let at = format!("{at}/properties/{}", escaped(name));
            match now.get(name) {
                Some(other) => self.compare(schema, other, &at),
                None => self.removed(name, schema, &before, new, &at),
            }
        }
        for name in now.keys().filter(|name| !before.contains_key(*name)) {
            let at = format!("{at}/properties/{}", escaped(name));
            if needed_now.contains(&name.as_str()) && !needed_before.contains(&name.as_str()) {
                self.add(&at, Impact::Breaking, "new property, and required");
            } else {
                self.add(&at, Impact::Compatible, "new property, not required");
            }
        }
        // A new property's being required has been told.
        for name in needed_now.iter().filter(|name| {
            !needed_before.contains(*name)
                && (before.contains_key(**name) || !now.contains_key(**name))
        }) {
            self.add(
                &format!("{at}/required"),
                Impact::Breaking,
                format!("`{name}` is required now"),
            );
        }
        for name in needed_before
            .iter()
            .filter(|name| !needed_now.contains(*name) && now.contains_key(**name))
        {
            self.add(
                &format!("{at}/required"),
                Impact::Compatible,
                format!("`{name}` is not required any more"),
            );
        }
        self.others(others(old), others(new), at);
    }

    fn removed(
        &mut self,
        name: &str,
        schema: &Value,
        before: &Map<String, Value>,
        new: &Map<String, Value>,
        at: &str,
    ) {
        let now = properties(new);
        let mut alike = now.iter().filter(|(other, candidate)| {
            !before.contains_key(*other) && same_assertions(schema, candidate)
        });
        if let (Some((renamed, _)), None) = (alike.next(), alike.next()) {
            return self.add(
                at,
                Impact::Breaking,
                format!("renamed: `{name}` seems to be `{renamed}` now"),
            );
        }
        match others(new) {
            Others::Refused => self.add(
                at,
                Impact::Breaking,
                "removed, and properties that are not listed are refused",
            ),
            Others::Taken => self.add(
                at,
                Impact::MayBreak,
                "removed; a call that still gives it is taken, but what it gives has no effect",
            ),
            Others::MustFit(other) => self.compare(schema, other, at),
        }
    }

    fn others(&mut self, before: Others<'_>, now: Others<'_>, at: &str) {
        let at = format!("{at}/additionalProperties");
        match (before, now) {
            (Others::Taken, Others::Refused) | (Others::MustFit(_), Others::Refused) => {
                self.add(
                    &at,
                    Impact::Breaking,
                    "properties that are not listed are refused now",
                );
            }
            (Others::Taken, Others::MustFit(_)) => {
                self.add(
                    &at,
                    Impact::Breaking,
                    "properties that are not listed must fit a schema now",
                );
            }
            (Others::MustFit(before), Others::MustFit(now)) => self.compare(before, now, &at),
            (Others::Refused, Others::Taken | Others::MustFit(_))
            | (Others::MustFit(_), Others::Taken) => {
                self.add(
                    &at,
                    Impact::Compatible,
                    "more properties that are not listed are taken now",
                );
            }
            (Others::Taken, Others::Taken) | (Others::Refused, Others::Refused) => {}
        }
    }
}

/// Whether two schemas take the same values as far as their own keywords tell, whatever they say about them. One that
/// says only a type is too common to recognise a property by.
fn same_assertions(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let described = |schema: &Map<String, Value>| schema.get("description").cloned();
            let asserts = |schema: &Map<String, Value>| -> Vec<(String, Value)> {
                let mut kept: Vec<_> = schema
                    .iter()
                    .filter(|(keyword, _)| !ANNOTATIONS.contains(&keyword.as_str()))
                    .map(|(keyword, value)| (keyword.clone(), value.clone()))
                    .collect();
                kept.sort_by(|(a, _), (b, _)| a.cmp(b));
                kept
            };
            asserts(one) == asserts(other)
                && (asserts(one).len() > 1 || described(one) == described(other))
        }
        _ => false,
    }
}
