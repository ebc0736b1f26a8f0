//! Frontmatter YAML as a JSON value: the one Boxel's parser (npm `yaml` 2, YAML 1.2 core) makes of it.
//!
//! `serde_yaml` reads it. It is bounded: by the text's size, by nesting, and by how much aliases may repeat.

mod brackets;
mod cursor;
mod fault;
mod mistake;
mod scalar;
mod veil;
mod walk;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;

use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde_json::{Map, Value};

use brackets::may_nest_too_deep;
use fault::Refusal;
use scalar::Scalar;
use veil::{Veiled, veil};
use walk::first_mistake;

use super::js_text;

pub(super) use fault::Fault;

/// The longest frontmatter that is read, in bytes.
pub(super) const MAX_FRONTMATTER_BYTES: usize = 1024 * 1024;

/// How much may come out of a small text. Without aliases a value is never larger than twice its text.
const ALLOWANCE: usize = 64 * 1024;

/// Reads a text (newlines LF) as one YAML document; null where it is empty.
///
/// # Errors
/// When it is no YAML, has a key twice in one mapping, holds several documents, or goes over a limit.
pub(super) fn parse(text: &str) -> Result<Value, Fault> {
    if text.len() > MAX_FRONTMATTER_BYTES {
        return Err(fault::too_long(text.len()));
    }
    let mistake = first_mistake(text);
    if let Some(mistake) =
        mistake.filter(|mistake| mistake.kind.is_limit() || may_nest_too_deep(text))
    {
        return Err(fault::describe(text, mistake));
    }
    let veiled = veil(text);
    let reading = Reading {
        veiled: &veiled,
        left: Cell::new(text.len() * 2 + ALLOWANCE),
        refusal: RefCell::new(None),
    };
    let mut documents = serde_yaml::Deserializer::from_str(&veiled.text);
    let Some(document) = documents.next() else {
        return Ok(Value::Null);
    };
    let value = NodeSeed {
        reading: &reading,
        role: Role::Value,
    }
    .deserialize(document)
    .map_err(|error| fault::explain(text, &error, reading.refusal.take(), mistake))?
    .into_json();
    let is_more = documents.next().is_some();
    match mistake {
        Some(mistake) if is_more || mistake.kind.is_decisive() => {
            Err(fault::describe(text, mistake))
        }
        None if is_more => Err(fault::several_documents(text)),
        _ => Ok(value),
    }
}

/// What the whole of one parse shares.
struct Reading<'a> {
    veiled: &'a Veiled<'a>,
    /// What may still come out: a unit for each node, and for each byte of a string.
    left: Cell<usize>,
    /// Why the reading was stopped, where it wasn't the parser that stopped it.
    refusal: RefCell<Option<Refusal>>,
}

impl Reading<'_> {
    fn spend<E: de::Error>(&self, units: usize) -> Result<(), E> {
        match self.left.get().checked_sub(1 + units) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(self.refuse(Refusal::TooMuch)),
        }
    }

    /// Stops the parser, which notes the place of the node being read.
    fn refuse<E: de::Error>(&self, refusal: Refusal) -> E {
        self.refusal.replace(Some(refusal));
        E::custom("refused")
    }

    /// Whether a string borrowed from the text stands there unquoted and without a tag, so that its type is
    /// the core schema's to decide. What follows a quoted scalar is its closing quote; no plain one can be
    /// followed by one.
    fn is_plain(&self, scalar: &str) -> bool {
        let text: &str = &self.veiled.text;
        let Some(start) = (scalar.as_ptr() as usize).checked_sub(text.as_ptr() as usize) else {
            return false;
        };
        let (Some(before), Some(after)) = (text.get(..start), text.get(start + scalar.len()..))
        else {
            return false;
        };
        let tagged = before
            .trim_end_matches([' ', '\t', '\n'])
            .rsplit([' ', '\t', '\n', '[', '{', ','])
            .find(|word| !word.starts_with('&'))
            .is_some_and(|word| word.starts_with('!'));
        !tagged && !after.starts_with(['"', '\''])
    }
}

/// A node: a scalar, or a collection already turned to JSON.
enum Node {
    Scalar(Scalar),
    Collection(Value),
}

impl Node {
    fn into_json(self) -> Value {
        match self {
            Self::Scalar(Scalar::Null) => Value::Null,
            Self::Scalar(Scalar::Bool(bool)) => bool.into(),
            Self::Scalar(Scalar::Number(number)) => js_text::number_json(number),
            Self::Scalar(Scalar::Text(text)) => text.into(),
            Self::Collection(value) => value,
        }
    }

    /// As the property name that JavaScript makes of a key.
    fn into_key(self) -> String {
        match self {
            Self::Scalar(Scalar::Null) => String::new(),
            Self::Scalar(Scalar::Bool(bool)) => bool.to_string(),
            Self::Scalar(Scalar::Number(number)) => js_text::number_text(number),
            Self::Scalar(Scalar::Text(text)) => text,
            Self::Collection(value) => flow_text(&value),
        }
    }
}

/// A collection that serves as a key, as npm's `yaml` spells it: in flow style.
fn flow_text(value: &Value) -> String {
    match value {
        Value::Array(items) if items.is_empty() => "[]".to_owned(),
        Value::Array(items) => format!(
            "[ {} ]",
            items.iter().map(flow_text).collect::<Vec<_>>().join(", ")
        ),
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(key, value)| format!("{key}: {}", flow_text(value)))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What tells the keys of one mapping apart. `1` and `"1"` are two keys, though JavaScript gives both one name.
#[derive(PartialEq, Eq, Hash)]
enum KeyIdentity {
    Null,
    Bool(bool),
    Number(u64),
    Text(String),
}

impl KeyIdentity {
    fn of(node: &Node) -> Option<Self> {
        match node {
            Node::Scalar(Scalar::Null) => Some(Self::Null),
            Node::Scalar(Scalar::Bool(bool)) => Some(Self::Bool(*bool)),
            Node::Scalar(Scalar::Number(number)) if number.is_nan() => None,
            // Adding zero makes one of the two zeros.
            Node::Scalar(Scalar::Number(number)) => Some(Self::Number((number + 0.0).to_bits())),
            Node::Scalar(Scalar::Text(text)) => Some(Self::Text(text.clone())),
            Node::Collection(_) => None,
        }
    }
}

/// What a node is to its parent.
enum Role<'k> {
    Value,
    /// A key, and those its mapping has so far.
    Key(&'k mut HashSet<KeyIdentity>),
}

struct NodeSeed<'a, 'k> {
    reading: &'a Reading<'a>,
    role: Role<'k>,
}

impl NodeSeed<'_, '_> {
    /// Ends the visit of a node. A doubled key is refused here, where the parser still knows its place.
    fn finish<E: de::Error>(self, node: Node) -> Result<Node, E> {
        if let Role::Key(seen) = self.role
            && let Some(identity) = KeyIdentity::of(&node)
            && !seen.insert(identity)
        {
            return Err(self.reading.refuse(Refusal::DoubledKey(node.into_key())));
        }
        Ok(node)
    }

    fn scalar<E: de::Error>(self, scalar: Scalar) -> Result<Node, E> {
        self.reading.spend(0)?;
        self.finish(Node::Scalar(scalar))
    }
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_, '_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_, '_> {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any YAML value")
    }

    fn visit_bool<E: de::Error>(self, bool: bool) -> Result<Node, E> {
        self.scalar(Scalar::Bool(bool))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Node, E> {
        self.scalar(Scalar::Number(number as f64))
    }

    fn visit_i128<E: de::Error>(self, number: i128) -> Result<Node, E> {
        self.scalar(Scalar::Number(number as f64))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Node, E> {
        self.scalar(Scalar::Number(number as f64))
    }

    fn visit_u128<E: de::Error>(self, number: u128) -> Result<Node, E> {
        self.scalar(Scalar::Number(number as f64))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Node, E> {
        self.scalar(Scalar::Number(number))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Node, E> {
        self.scalar(Scalar::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Node, E> {
        self.scalar(Scalar::Null)
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Node, E> {
        if !self.reading.is_plain(text) {
            return self.visit_str(text);
        }
        let text = self.reading.veiled.unveil(text);
        self.reading.spend(text.len())?;
        self.finish(Node::Scalar(Scalar::from_plain(&text)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Node, E> {
        let text = self.reading.veiled.unveil(text);
        self.reading.spend(text.len())?;
        self.finish(Node::Scalar(Scalar::Text(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        self.reading.spend(0)?;
        let mut values = Vec::new();
        while let Some(item) = items.next_element_seed(NodeSeed {
            reading: self.reading,
            role: Role::Value,
        })? {
            values.push(item.into_json());
        }
        self.finish(Node::Collection(values.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        self.reading.spend(0)?;
        let mut seen = HashSet::new();
        let mut fields = Map::new();
        while let Some(key) = entries.next_key_seed(NodeSeed {
            reading: self.reading,
            role: Role::Key(&mut seen),
        })? {
            let value = entries.next_value_seed(NodeSeed {
                reading: self.reading,
                role: Role::Value,
            })?;
            fields.insert(key.into_key(), value.into_json());
        }
        self.finish(Node::Collection(fields.into()))
    }

    /// A node with a tag of its author's (`!thing`): the tag is dropped, and a scalar is text, as in Boxel.
    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Node, A::Error> {
        let (Tag, content) = tagged.variant()?;
        let node = content.newtype_variant_seed(NodeSeed {
            reading: self.reading,
            role: Role::Value,
        })?;
        self.finish(match node {
            Node::Scalar(Scalar::Null) => Node::Scalar(Scalar::Text(String::new())),
            Node::Scalar(scalar) => Node::Scalar(Scalar::Text(Node::Scalar(scalar).into_key())),
            collection => collection,
        })
    }
}

/// A tag, unread.
struct Tag;

impl<'de> Deserialize<'de> for Tag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        de::IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}
