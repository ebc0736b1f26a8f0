use serde_json::{Value, json};

use super::compare;

/// `impact pointer` of each change.
fn told(old: Value, new: Value) -> Vec<String> {
    compare(&old, &new, "")
        .into_iter()
        .map(|change| format!("{} {}", change.impact.as_str(), change.pointer))
        .collect()
}

fn check(cases: &[(Value, Value, &[&str])]) {
    for (old, new, expected) in cases {
        assert_eq!(told(old.clone(), new.clone()), *expected, "{old} → {new}");
        assert_eq!(told(old.clone(), old.clone()), [] as [&str; 0]);
    }
}

fn object(properties: Value) -> Value {
    json!({"type": "object", "properties": properties})
}

fn closed(properties: Value) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

#[test]
fn properties() {
    let text = json!({"type": "string"});
    check(&[
        (
            object(json!({})),
            object(json!({"a": text})),
            &["compatible /properties/a"],
        ),
        (
            closed(json!({})),
            closed(json!({"a": text})),
            &["compatible /properties/a"],
        ),
        (
            closed(json!({"a": text})),
            closed(json!({})),
            &["breaking /properties/a"],
        ),
        (
            object(json!({"a": text})),
            object(json!({})),
            &["may break /properties/a"],
        ),
        (
            object(json!({"a": text})),
            closed(json!({})),
            &["breaking /properties/a", "breaking /additionalProperties"],
        ),
        // Renamed: one that takes the same is new.
        (
            object(json!({"from": {"type": "string", "minLength": 1}})),
            object(json!({"origin": {"type": "string", "minLength": 1, "description": "where"}})),
            &["breaking /properties/from", "compatible /properties/origin"],
        ),
        // Two of one simple type are not alike enough, where what they say differs.
        (
            object(json!({"a": {"type": "string", "description": "one"}})),
            object(json!({"b": {"type": "string", "description": "two"}})),
            &["may break /properties/a", "compatible /properties/b"],
        ),
        (
            object(json!({"a/b": {"properties": {"c~d": {"type": "string"}}}})),
            object(json!({"a/b": {"properties": {"c~d": {"type": "number"}}}})),
            &["breaking /properties/a~1b/properties/c~0d/type"],
        ),
    ]);
}

#[test]
fn required() {
    let with = |names: &[&str]| json!({"properties": {"a": {}, "b": {}}, "required": names});
    check(&[
        (with(&["a"]), with(&["a", "b"]), &["breaking /required"]),
        (with(&["a", "b"]), with(&["a"]), &["compatible /required"]),
        (with(&["a", "b"]), with(&["b", "a"]), &[]),
        (
            json!({}),
            json!({"required": ["x"]}),
            &["breaking /required"],
        ),
        (
            json!({"properties": {}}),
            json!({"properties": {"a": {}}, "required": ["a"]}),
            &["breaking /properties/a"],
        ),
    ]);
}

#[test]
fn other_properties() {
    let others = |schema: Value| json!({"type": "object", "additionalProperties": schema});
    let at = "/additionalProperties";
    check(&[
        (
            others(json!(true)),
            others(json!(false)),
            &[&format!("breaking {at}")],
        ),
        (json!({"type": "object"}), others(json!(true)), &[]),
        (
            others(json!(false)),
            others(json!(true)),
            &[&format!("compatible {at}")],
        ),
        (
            others(json!(true)),
            others(json!({"type": "string"})),
            &[&format!("breaking {at}")],
        ),
        (
            others(json!({"type": "string"})),
            others(json!({"type": "number"})),
            &[&format!("breaking {at}/type")],
        ),
        // A property that is gone must fit what is said of the others.
        (
            object(json!({"a": {"type": "number"}})),
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            &[
                "breaking /properties/a/type",
                "breaking /additionalProperties",
            ],
        ),
    ]);
}

#[test]
fn types() {
    let of = |kind: Value| json!({"type": kind});
    check(&[
        (
            of(json!("string")),
            of(json!("number")),
            &["breaking /type"],
        ),
        (
            of(json!("integer")),
            of(json!("number")),
            &["compatible /type"],
        ),
        (
            of(json!("number")),
            of(json!("integer")),
            &["breaking /type"],
        ),
        (
            of(json!("string")),
            of(json!(["string", "null"])),
            &["compatible /type"],
        ),
        (
            of(json!(["string", "null"])),
            of(json!("string")),
            &["breaking /type"],
        ),
        (of(json!("string")), json!({}), &["compatible /type"]),
        (json!({}), of(json!("string")), &["breaking /type"]),
        (json!(true), of(json!("string")), &["breaking /type"]),
        (of(json!("string")), json!(false), &["breaking "]),
        (json!(false), of(json!("string")), &["compatible "]),
        // The values said it already.
        (
            json!({"enum": ["a"]}),
            json!({"type": "string", "enum": ["a"]}),
            &["compatible /type"],
        ),
        // What else is said of another type is no news.
        (
            json!({"type": "string", "minLength": 1}),
            json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
            &["breaking /type"],
        ),
    ]);
}

#[test]
fn values() {
    let of = |values: Value| json!({"type": "string", "enum": values});
    check(&[
        (of(json!(["a", "b"])), of(json!(["a"])), &["breaking /enum"]),
        (
            of(json!(["a"])),
            of(json!(["a", "b"])),
            &["compatible /enum"],
        ),
        (
            of(json!(["a", "b"])),
            of(json!(["b", "c"])),
            &["breaking /enum", "compatible /enum"],
        ),
        (of(json!(["a", "b"])), of(json!(["b", "a"])), &[]),
        (
            json!({"type": "string"}),
            of(json!(["a"])),
            &["breaking /enum"],
        ),
        (
            of(json!(["a"])),
            json!({"type": "string"}),
            &["compatible /enum"],
        ),
        (
            json!({"const": 1}),
            json!({"const": 2}),
            &["breaking /const", "compatible /const"],
        ),
        (
            json!({"const": 1}),
            json!({"enum": [1, 2]}),
            &["compatible /enum"],
        ),
    ]);
}

#[test]
fn bounds() {
    for (keyword, tight, loose) in [
        ("minimum", 2, 1),
        ("exclusiveMinimum", 2, 1),
        ("minLength", 2, 1),
        ("minItems", 2, 1),
        ("minProperties", 2, 1),
        ("maximum", 1, 2),
        ("exclusiveMaximum", 1, 2),
        ("maxLength", 1, 2),
        ("maxItems", 1, 2),
        ("maxProperties", 1, 2),
        ("multipleOf", 6, 3),
    ] {
        let of = |bound: i32| json!({ keyword: bound });
        check(&[
            (of(loose), of(tight), &[&format!("breaking /{keyword}")]),
            (of(tight), of(loose), &[&format!("compatible /{keyword}")]),
            (json!({}), of(loose), &[&format!("breaking /{keyword}")]),
            (of(loose), json!({}), &[&format!("compatible /{keyword}")]),
        ]);
    }
    check(&[
        (
            json!({"minimum": 1, "exclusiveMinimum": true}),
            json!({"minimum": 1}),
            &["compatible /exclusiveMinimum"],
        ),
        (
            json!({"minimum": 1}),
            json!({"minimum": 1, "exclusiveMinimum": true}),
            &["may break /exclusiveMinimum"],
        ),
        (
            json!({}),
            json!({"uniqueItems": true}),
            &["breaking /uniqueItems"],
        ),
        (
            json!({"uniqueItems": true}),
            json!({"uniqueItems": false}),
            &["compatible /uniqueItems"],
        ),
        (json!({}), json!({"pattern": "^a"}), &["breaking /pattern"]),
        (
            json!({"pattern": "^a"}),
            json!({"pattern": "^b"}),
            &["may break /pattern"],
        ),
        (
            json!({"pattern": "^a"}),
            json!({}),
            &["compatible /pattern"],
        ),
    ]);
}

#[test]
fn lists() {
    let of = |items: Value| json!({"type": "array", "items": items});
    check(&[
        (
            of(json!({"type": "string"})),
            of(json!({"type": "number"})),
            &["breaking /items/type"],
        ),
        (
            json!({"type": "array"}),
            of(json!({"type": "string"})),
            &["breaking /items/type"],
        ),
        (
            of(json!({"type": "string"})),
            json!({"type": "array"}),
            &["compatible /items/type"],
        ),
        (
            of(json!([{"type": "string"}])),
            of(json!([])),
            &["may break /items"],
        ),
    ]);
}

#[test]
fn choices() {
    let any = |forms: Value| json!({"anyOf": forms});
    let (text, number, nothing) = (
        json!({"type": "string"}),
        json!({"type": "number"}),
        json!({"type": "null"}),
    );
    check(&[
        (
            text.clone(),
            any(json!([text, nothing])),
            &["compatible /anyOf"],
        ),
        (
            any(json!([text, nothing])),
            text.clone(),
            &["breaking /anyOf"],
        ),
        (
            any(json!([text, nothing])),
            any(json!([nothing, text])),
            &[],
        ),
        (
            any(json!([text])),
            any(json!([text, number])),
            &["compatible /anyOf"],
        ),
        (
            any(json!([text, number])),
            any(json!([text])),
            &["breaking /anyOf"],
        ),
        (
            any(json!([text, number])),
            json!({"type": ["string", "number", "null"]}),
            &["compatible /anyOf"],
        ),
        (
            any(json!([nothing, {"type": "string", "maxLength": 9}])),
            any(json!([nothing, {"type": "string", "maxLength": 5}])),
            &["breaking /anyOf/1/maxLength"],
        ),
        (
            json!({"allOf": [{"minimum": 1}]}),
            json!({"allOf": [{"minimum": 2}]}),
            &["breaking /allOf/0/minimum"],
        ),
        (json!({"allOf": []}), json!({}), &["may break /allOf"]),
        // Beside other keywords a choice is not taken apart.
        (
            json!({"type": "object", "anyOf": [{"required": ["a"]}]}),
            json!({"type": "object", "anyOf": [{"required": ["b"]}]}),
            &["may break /anyOf"],
        ),
    ]);
}

#[test]
fn definitions() {
    let with = |unit: Value| json!({"properties": {"u": {"$ref": "#/$defs/unit"}}, "$defs": {"unit": unit}});
    check(&[
        (
            with(json!({"enum": ["m", "ft"]})),
            with(json!({"enum": ["m"]})),
            &["breaking /$defs/unit/enum"],
        ),
        (
            json!({"$ref": "#/$defs/a"}),
            json!({"$ref": "#/$defs/b"}),
            &["may break /$ref"],
        ),
        (
            json!({"$defs": {"a": {}}}),
            json!({"$defs": {"b": {}}}),
            &["compatible /$defs/a", "compatible /$defs/b"],
        ),
    ]);
}

#[test]
fn annotations_and_unknown_keywords() {
    check(&[
        (
            json!({"description": "a"}),
            json!({"description": "b"}),
            &["compatible /description"],
        ),
        (
            json!({}),
            json!({"default": 1, "examples": [1]}),
            &["compatible /default", "compatible /examples"],
        ),
        (
            json!({"format": "date"}),
            json!({"format": "date-time"}),
            &["may break /format"],
        ),
        (json!({}), json!({"if": {}}), &["may break /if"]),
        (json!({"x-a/b": 1}), json!({}), &["may break /x-a~1b"]),
    ]);
}
