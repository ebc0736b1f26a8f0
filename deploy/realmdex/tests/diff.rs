//! `realmdex diff`, as its users call it.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod running;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use running::{Said, realmdex, realmdex_in};

/// A realm with one plain tool.
fn realm(folder: &Path, schema: &Value, requires_approval: bool) {
    fs::create_dir_all(folder.join("skills/post")).unwrap();
    fs::write(
        folder.join("post.js"),
        format!(
            "export const post = {{ description: 'Posts', inputSchema: {schema}, run() {{}} }};\n"
        ),
    )
    .unwrap();
    fs::write(
        folder.join("skills/post/SKILL.md"),
        format!(
            "---\nname: post\ndescription: Posts.\nboxel:\n  kind: skill\n  tools:\n    - codeRef: {{ module: ../../post, name: post }}\n      requiresApproval: {requires_approval}\n---\n"
        ),
    )
    .unwrap();
}

fn schema(to: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": {"to": to, "text": {"type": "string"}}, "required": required})
}

#[test]
fn two_realms_that_break_and_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    realm(
        &at("old"),
        &schema(json!({"enum": ["staff", "all"]}), &["to"]),
        false,
    );
    realm(
        &at("wider"),
        &schema(json!({"enum": ["staff", "all", "board"]}), &[]),
        true,
    );
    realm(
        &at("tighter"),
        &schema(json!({"enum": ["all"]}), &["to", "text"]),
        false,
    );

    let Said { code, text, errors } = realmdex_in(folder.path(), &["diff", "old", "wider"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    insta::assert_snapshot!("wider", text);
    let Said { code, text, errors } = realmdex_in(folder.path(), &["diff", "old", "tighter"]);
    assert_eq!((code, errors.as_str()), (1, ""));
    insta::assert_snapshot!("tighter", text);
    let same = realmdex_in(folder.path(), &["diff", "old", "old"]);
    assert_eq!(
        (same.code, same.text.as_str()),
        (0, "the tools are the same\n")
    );
    let json = realmdex_in(
        folder.path(),
        &["diff", "old", "tighter", "--format", "json"],
    );
    assert_eq!(json.code, 1);
    let json: Value = serde_json::from_str(&json.text).unwrap();
    assert_eq!(json["breaking"], true);
    assert_eq!(json["tools"][0]["codeRef"]["name"], "post");
    assert_eq!(
        json["tools"][0]["changes"][0]["pointer"],
        "/parameters/properties/to/enum"
    );
}

#[test]
fn files_in_any_two_forms() {
    let folder = tempfile::tempdir().unwrap();
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    let write = |name: &str, value: Value| {
        fs::write(folder.path().join(name), value.to_string()).unwrap();
    };
    write(
        "openai.json",
        json!([{"type": "function", "function": {"name": "post_1111", "description": "Posts", "parameters": schema}}]),
    );
    write(
        "anthropic.json",
        json!([{"name": "post_1111", "description": "Posts", "input_schema": schema}]),
    );
    write("mcp.json", json!({"tools": []}));
    let same = realmdex_in(folder.path(), &["diff", "openai.json", "anthropic.json"]);
    assert_eq!(
        (same.code, same.text.as_str()),
        (0, "the tools are the same\n")
    );
    let gone = realmdex_in(folder.path(), &["diff", "openai.json", "mcp.json"]);
    assert_eq!(gone.code, 1);
    assert!(
        gone.text.starts_with("- post_1111  removed, breaking\n"),
        "{}",
        gone.text
    );
    let back = realmdex_in(folder.path(), &["diff", "mcp.json", "anthropic.json"]);
    assert_eq!(back.code, 0);
    assert!(
        back.text.starts_with("+ post_1111  added, compatible\n"),
        "{}",
        back.text
    );
}

#[test]
fn tools_without_a_definition_are_told() {
    let said = realmdex(&["diff", "demo", "cards"]);
    assert!(
        said.errors.contains("in cards have no definition"),
        "{}",
        said.errors
    );
}

#[test]
fn what_can_not_be_compared() {
    for (arguments, reason) in [
        (
            &["diff", "demo", "no-such.json"][..],
            "can't read no-such.json",
        ),
        (&["diff", "demo/tools/words.js", "demo"], "it is not JSON"),
        (
            &["diff", "demo/realm.json", "demo"],
            "no JSON array of tool definitions",
        ),
    ] {
        let said = realmdex(arguments);
        assert_eq!(said.code, 2, "{arguments:?}");
        assert!(said.errors.contains(reason), "{}", said.errors);
    }
}
