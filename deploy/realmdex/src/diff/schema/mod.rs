//! Two JSON Schemas of one tool's input: would a call that was valid before still be?
//!
//! The question goes one way only: what the new schema takes beyond the old one breaks nobody. What is not understood
//! here is told as something that may break.

mod bounds;
mod forms;
mod object;
#[cfg(test)]
mod tests;
mod values;

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

/// What a change does to those who call the tool as they did before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Impact {
    /// A call that was valid is refused now.
    Breaking,
    /// It may be; a person has to look.
    MayBreak,
    /// Calls stay valid, and something around them changes.
    Note,
    /// Nothing that worked stops working.
    Compatible,
}

impl Impact {
    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::MayBreak => "may break",
            Self::Note => "note",
            Self::Compatible => "compatible",
        }
    }
}

/// One difference of two schemas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Change {
    /// Where, as a JSON pointer (RFC 6901) into the new schema, or the old one for what is gone.
    pub(crate) pointer: String,
    /// How grave it is.
    pub(crate) impact: Impact,
    /// What it is, in words.
    pub(crate) what: String,
}

/// Keywords that refuse nothing.
const ANNOTATIONS: [&str; 9] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
];

/// Keywords that are compared by their meaning; every other that differs may break.
const KNOWN: [&str; 13] = [
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "multipleOf",
    "uniqueItems",
    "pattern",
    "allOf",
    "$defs",
    "definitions",
];

/// The differences from `old` to `new`, in the order of the schema.
pub(crate) fn compare(old: &Value, new: &Value, at: &str) -> Vec<Change> {
    let mut changes = Changes::default();
    changes.compare(old, new, at);
    changes.found
}

/// Collects differences.
#[derive(Debug, Default)]
struct Changes {
    found: Vec<Change>,
}

impl Changes {
    fn add(&mut self, at: &str, impact: Impact, what: impl fmt::Display) {
        self.found.push(Change {
            pointer: at.to_owned(),
            impact,
            what: what.to_string(),
        });
    }

    fn compare(&mut self, old: &Value, new: &Value, at: &str) {
        if old == new {
            return;
        }
        match (old, new) {
            (Value::Bool(false), _) => {
                return self.add(
                    at,
                    Impact::Compatible,
                    "takes values now, where it took none",
                );
            }
            (_, Value::Bool(false)) => {
                return self.add(at, Impact::Breaking, "takes no value any more");
            }
            _ => {}
        }
        self.keywords(&keywords(old), &keywords(new), at);
    }

    fn keywords(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, at: &str) {
        self.annotations(old, new, at);
        if self.forms(old, new, at) {
            return;
        }
        // Of another type altogether: what is said about the new one is no news to callers.
        if !self.types(old, new, at) {
            return;
        }
        self.values(old, new, at);
        self.object(old, new, at);
        self.items(old, new, at);
        self.bounds(old, new, at);
        self.all_of(old, new, at);
        for defs in ["$defs", "definitions"] {
            self.definitions(defs, old, new, at);
        }
        self.unknown(old, new, at);
    }

    fn annotations(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, at: &str) {
        for keyword in ANNOTATIONS {
            let what = match (old.get(keyword), new.get(keyword)) {
                (Some(before), Some(now)) if before != now => {
                    format!("`{keyword}` says something else")
                }
                (Some(_), None) => format!("`{keyword}` is gone"),
                (None, Some(_)) => format!("`{keyword}` is new"),
                _ => continue,
            };
            self.add(&format!("{at}/{keyword}"), Impact::Compatible, what);
        }
    }

    fn items(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, at: &str) {
        let at = format!("{at}/items");
        let anything = Value::Bool(true);
        let (before, now) = (old.get("items"), new.get("items"));
        if before.or(now).is_some_and(Value::is_array) || now.is_some_and(Value::is_array) {
            // The older form, a schema for each place in the list.
            if before != now {
                self.add(&at, Impact::MayBreak, "the schemas of its places differ");
            }
            return;
        }
        self.compare(before.unwrap_or(&anything), now.unwrap_or(&anything), &at);
    }

    fn all_of(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, at: &str) {
        match (old.get("allOf"), new.get("allOf")) {
            (Some(Value::Array(before)), Some(Value::Array(now))) if before.len() == now.len() => {
                for (index, (before, now)) in before.iter().zip(now).enumerate() {
                    self.compare(before, now, &format!("{at}/allOf/{index}"));
                }
            }
            (before, now) if before != now => {
                self.add(&format!("{at}/allOf"), Impact::MayBreak, "`allOf` differs");
            }
            _ => {}
        }
    }

    /// Schemas that others refer to: each is compared with its namesake.
    fn definitions(
        &mut self,
        keyword: &str,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        at: &str,
    ) {
        let of =
            |schema: &Map<String, Value>| schema.get(keyword).and_then(Value::as_object).cloned();
        let (before, now) = (of(old).unwrap_or_default(), of(new).unwrap_or_default());
        for (name, schema) in &before {
            let at = format!("{at}/{keyword}/{}", escaped(name));
            match now.get(name) {
                Some(other) => self.compare(schema, other, &at),
                None => self.add(
                    &at,
                    Impact::Compatible,
                    "is gone; what referred to it is compared where it stands",
                ),
            }
        }
        for name in now.keys().filter(|name| !before.contains_key(*name)) {
            self.add(
                &format!("{at}/{keyword}/{}", escaped(name)),
                Impact::Compatible,
                "is new",
            );
        }
    }

    /// Whatever is not understood here.
    fn unknown(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, at: &str) {
        let known = |keyword: &str| {
            ANNOTATIONS.contains(&keyword) || KNOWN.contains(&keyword) || bounds::is_bound(keyword)
        };
        let keywords = old
            .keys()
            .chain(new.keys().filter(|keyword| !old.contains_key(*keyword)));
        for keyword in keywords.filter(|keyword| !known(keyword)) {
            if old.get(keyword) != new.get(keyword) {
                let what = format!("`{keyword}` differs, which is not understood here");
                self.add(
                    &format!("{at}/{}", escaped(keyword)),
                    Impact::MayBreak,
                    what,
                );
            }
        }
    }
}

/// A schema's keywords: `true` is a schema that takes anything, as `{}` is.
fn keywords(schema: &Value) -> Cow<'_, Map<String, Value>> {
    schema
        .as_object()
        .map_or_else(|| Cow::Owned(Map::new()), Cow::Borrowed)
}

/// A key as a JSON pointer's segment.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
