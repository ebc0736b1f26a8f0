//! What extraction makes of files: documents by snapshot, rules by table, hostile input by proptest.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use realmdex_types::{FrontmatterParseError, RealmUrl};
use realmdex_worker::extract::{Extracted, extract};
use serde_json::{Value, json};
use url::Url;

const REALM: &str = "https://example.com/bakery/";

fn extracted(path: &str, bytes: impl AsRef<[u8]>) -> Extracted {
    let url = Url::parse(REALM).unwrap().join(path).unwrap();
    extract(&url, bytes.as_ref())
}

fn parse_error(text: &str) -> FrontmatterParseError {
    let file = extracted("SKILL.md", format!("---\n{text}\n---\nBody\n"));
    assert!(
        file.skill.is_none() && !file.attributes.contains_key("frontmatter"),
        "no frontmatter is read by halves"
    );
    assert!(
        file.findings.skill_spec_warnings.is_empty(),
        "what was not read can't be checked"
    );
    file.findings.frontmatter_parse_error.unwrap()
}

fn frontmatter(text: &str) -> Value {
    let file = extracted("note.md", format!("---\n{text}\n---\nBody\n"));
    assert_eq!(file.findings.frontmatter_parse_error, None, "{text}");
    file.attributes["frontmatter"]["rawContent"].clone()
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_below(&path, found)
        } else {
            found.push(path)
        }
    }
}

#[test]
fn documents_of_a_realm() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/realms/markdown");
    let realm = RealmUrl::parse(REALM).unwrap();
    let mut files = Vec::new();
    files_below(&root, &mut files);
    assert!(files.len() > 50);
    for file in files {
        let path = file.strip_prefix(&root).unwrap().to_str().unwrap();
        let extracted = extracted(path, fs::read(&file).unwrap());
        let id = format!("{REALM}{path}");
        let (mut document, findings) = extracted.into_document(&id, Some(&realm), None);
        // The same in each document; a test of its own holds it.
        document.data.meta.query_field_defs = None;
        let name = path.replace('/', "-");
        insta::assert_json_snapshot!(name, json!({"document": document, "findings": findings}));
    }
}

#[test]
fn the_same_text_in_any_encoding_of_its_newlines() {
    let text = "---\nname: loaf\nnote: |\n  one\n  two\n---\n# Bread\n\nOne\ntwo\n";
    let plain = extracted("a.md", text).attributes;
    for variant in [
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        format!("\u{FEFF}{text}"),
        format!("\u{FEFF}{}", text.replace('\n', "\r\n")),
    ] {
        let attributes = extracted("a.md", &variant).attributes;
        for key in ["title", "excerpt", "content", "lineCount", "frontmatter"] {
            assert_eq!(attributes[key], plain[key], "{key} of {variant:?}");
        }
        assert_ne!(
            attributes["contentHash"], plain["contentHash"],
            "the hash is of the bytes"
        );
    }
}

#[test]
fn unreadable_frontmatter_leaves_the_text_untouched() {
    let file = extracted("a.md", "---\r\nname: a: b\r\n---\r\n# Bread\r\n");
    assert_eq!(
        file.attributes["content"],
        "---\r\nname: a: b\r\n---\r\n# Bread\r\n"
    );
    assert_eq!(file.attributes["title"], "Bread");
    assert_eq!(file.attributes["lineCount"], 4);
    assert_eq!(
        file.findings
            .frontmatter_parse_error
            .map(|error| (error.line, error.column)),
        Some((Some(1), Some(7)))
    );
}

#[test]
fn bytes_that_are_no_utf8() {
    let file = extracted("a.md", b"# A\xff\xe2\x82B\n\ntext\0\n");
    assert_eq!(file.attributes["title"], "A\u{FFFD}\u{FFFD}B");
    assert_eq!(file.attributes["excerpt"], "text\0");
    assert!(file.findings.is_empty());

    for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] {
        let mut bytes = mark.to_vec();
        bytes.extend("---\nname: a\n---\n".bytes().flat_map(|byte| [byte, 0]));
        let findings = extracted("SKILL.md", bytes).findings;
        let error = findings.frontmatter_parse_error.unwrap();
        assert_eq!(
            error.message,
            "SKILL.md is UTF-16 text, and only UTF-8 is read; save it as UTF-8"
        );
        assert_eq!(findings.skill_spec_warnings, []);
    }
}

#[test]
fn every_file_has_base_attributes() {
    let file = extracted("photos/my%20loaf.PNG", b"not really");
    assert_eq!(
        Value::from(file.attributes.clone()),
        json!({
            "sourceUrl": "https://example.com/bakery/photos/my%20loaf.PNG",
            "url": "https://example.com/bakery/photos/my%20loaf.PNG",
            "name": "my loaf.PNG",
            "contentType": "image/png",
            "contentHash": "03f25dc6bb826555162f719e27013367",
            "contentSize": 10,
        })
    );
    assert_eq!(file.adopts_from.module, "@cardstack/base/png-image-def");
    assert_eq!(file.types.len(), 5);
    assert!(file.findings.is_empty());
    assert_eq!(
        (file.query_field_defs, file.fields_meta, file.skill),
        (None, None, None)
    );

    for (path, name, content_type, class) in [
        (
            "tool.gts",
            "tool.gts",
            "text/typescript+glimmer",
            "GtsFileDef",
        ),
        ("data.json", "data.json", "application/json", "JsonFileDef"),
        ("run.py", "run.py", "application/octet-stream", "FileDef"),
        (".md", ".md", "text/markdown", "FileDef"),
        ("LICENSE", "LICENSE", "application/octet-stream", "FileDef"),
        ("%FF.txt", "%FF.txt", "text/plain", "TextFileDef"),
        ("a%2Fb.md", "a/b.md", "text/markdown", "MarkdownDef"),
        ("README.MD", "README.MD", "text/markdown", "MarkdownDef"),
        ("folder/", "", "application/octet-stream", "FileDef"),
    ] {
        let file = extracted(path, b"---\nname: x\n---\n");
        assert_eq!(file.attributes["name"], name, "{path}");
        assert_eq!(file.attributes["contentType"], content_type, "{path}");
        assert_eq!(file.adopts_from.name, class, "{path}");
        assert_eq!(
            file.attributes.contains_key("content"),
            class == "MarkdownDef",
            "{path}"
        );
    }
}

#[test]
fn a_document_takes_the_tools_it_is_given() {
    let text = "---\nboxel:\n  kind: skill\n  tools: [{codeRef: {module: ./x, name: X}}]\n---\n";
    let file = extracted("a.md", text);
    assert_eq!(
        file.skill.as_ref().unwrap().authored,
        json!([{"codeRef": {"module": "./x", "name": "X"}}])
    );

    let search = file.search_document();
    assert_eq!(
        search["frontmatter"]["tools"],
        file.skill.as_ref().unwrap().authored
    );
    assert_eq!(
        (&search["_title"], &search["id"]),
        (&json!("a.md"), &json!("https://example.com/bakery/a.md"))
    );

    let (document, _) =
        file.clone()
            .into_document("@acme/bakery/a.md", None, Some(json!(["stamped"])));
    assert_eq!(
        document.data.attributes["frontmatter"]["tools"],
        json!(["stamped"])
    );
    assert_eq!(
        document.data.attributes["frontmatter"]["rawContent"],
        file.attributes["frontmatter"]["rawContent"]
    );
    let document = serde_json::to_value(document).unwrap();
    assert_eq!(document["data"]["id"], "@acme/bakery/a.md");
    assert_eq!(
        document["data"]["links"],
        json!({"self": "@acme/bakery/a.md"})
    );
    assert_eq!(
        document["data"]["meta"],
        json!({
            "adoptsFrom": {"module": "@cardstack/base/markdown-file-def", "name": "MarkdownDef"},
            "fields": {
                "frontmatter": {
                    "adoptsFrom": {
                        "module": "@cardstack/base/skill-frontmatter-field",
                        "name": "SkillFrontmatterField"
                    }
                }
            },
            "queryFieldDefs": {
                "linkedCards": {
                    "type": "linksToMany",
                    "query": {"filter": {"in": {"id": "$this.cardReferenceUrls"}}},
                    "fieldOrCard": {"module": "@cardstack/base/card-api", "name": "CardDef"},
                },
                "linkedFiles": {
                    "type": "linksToMany",
                    "query": {"filter": {"in": {"url": "$this.fileReferenceUrls"}}},
                    "fieldOrCard": {"module": "@cardstack/base/card-api", "name": "FileDef"},
                },
            },
        })
    );
}

#[test]
fn only_a_skill_takes_tools() {
    for text in [
        "---\nname: a\n---\n",
        "# no frontmatter\n",
        "---\nboxel: {kind: recipe, tools: []}\n---\n",
    ] {
        let file = extracted("a.md", text);
        assert_eq!(file.skill, None);
        let expected = file.attributes.get("frontmatter").cloned();
        let (document, _) = file.into_document("id", None, None);
        assert_eq!(
            document.data.attributes.get("frontmatter"),
            expected.as_ref()
        );
    }
}

#[test]
fn errors_name_file_line_and_mend() {
    let error = parse_error("name: bread\ndescription: Use it when: hungry");
    assert_eq!(
        error.message,
        "SKILL.md, line 3: this value has a `: ` in it, which YAML reads as one more key; \
         put the whole value in quotes"
    );
    assert_eq!((error.line, error.column), (Some(2), Some(14)));
}

#[test]
fn what_yaml_1_1_reads_otherwise_is_text() {
    assert_eq!(
        frontmatter("a: x\u{85}y\u{2028}z\nb: \"\u{7f}\"\nc: [0b1, -0x1, +0o7]\nd: \u{1}"),
        json!({"a": "x\u{85}y\u{2028}z", "b": "\u{7f}", "c": ["0b1", "-0x1", "+0o7"], "d": "\u{1}"})
    );
}

#[test]
fn keys_become_property_names() {
    assert_eq!(
        frontmatter("1.0: a\n0x10: b\n.inf: c\n1e21: d\n~: e\n[x, {y: 1}]: f\n\"~\": g"),
        json!({"1": "a", "16": "b", "Infinity": "c", "1e+21": "d", "": "e", "[ x, { y: 1 } ]": "f", "~": "g"})
    );
}

#[test]
fn hostile_frontmatter_is_refused_at_a_place() {
    let bomb = |last: &str| {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..30 {
            let below = format!("*a{}, ", level - 1).repeat(10);
            text.push_str(&format!("a{level}: &a{level} [{below}]\n"));
        }
        text + last
    };
    for (name, text, part) in [
        ("alias bomb", bomb(""), "aliases"),
        ("alias bomb as a key", bomb("? *a29\n: x"), "aliases"),
        (
            "long text repeated",
            format!(
                "a: &a {}\nb: [{}]",
                "x".repeat(500_000),
                "*a,".repeat(10_000)
            ),
            "aliases",
        ),
        ("alias inside itself", "a: &a [*a]".to_owned(), "alias"),
        (
            "more than a mebibyte",
            format!("a: {}", "x".repeat(1024 * 1024)),
            "1048576",
        ),
        ("nested brackets", "[".repeat(100_000), "128 levels"),
        (
            "nested mappings in brackets",
            "{a: ".repeat(100_000),
            "128 levels",
        ),
        ("nested dashes", "- ".repeat(100_000), "128 levels"),
        (
            "nested lines",
            (0..1000)
                .map(|depth| format!("{}a:\n", " ".repeat(depth)))
                .collect(),
            "128 levels",
        ),
        (
            "brackets after a mistake",
            format!("a: b: c\nd: {}", "{a: ".repeat(100_000)),
            "quotes",
        ),
        (
            "very many values",
            format!("[{}]", "a,".repeat(500_000)),
            "100000 keys",
        ),
        (
            "doubled among many keys",
            (0..50_000)
                .map(|key| format!("k{}: x\n", key % 49_999))
                .collect(),
            "`k0`",
        ),
        ("quotes without end", "a: 'x\n".repeat(100_000), "'"),
    ] {
        let error = parse_error(&text);
        assert!(error.message.contains(part), "{name}: {}", error.message);
        assert!(error.line.is_some() && error.column.is_some(), "{name}");
        assert!(error.message.len() < 300, "{name}");
    }
}

#[test]
fn large_frontmatter_within_limits_is_read() {
    let keys = (0..40_000)
        .map(|key| format!("key{key}: value\n"))
        .collect::<String>();
    assert_eq!(frontmatter(&keys).as_object().unwrap().len(), 40_000);
    let text = "word ".repeat(200_000);
    assert_eq!(frontmatter(&format!("a: {text}"))["a"], text.trim_end());
    let nested = format!("a: {}{}", "[".repeat(127), "]".repeat(127));
    assert_eq!(frontmatter(&nested).to_string().matches('[').count(), 127);
    assert_eq!(
        frontmatter("a: &a [1]\nb: [*a, *a]"),
        json!({"a": [1], "b": [[1], [1]]})
    );
}

#[test]
fn hostile_bodies_take_linear_time() {
    for unit in [
        "`",
        "``a",
        "[",
        "![",
        "[a](",
        "# ",
        "\n",
        "\u{2028}",
        "> ",
        "- ",
        "*",
        ":card[",
        "::card[x]\n",
        "```",
        "  \n",
    ] {
        let body = unit.repeat(300_000 / unit.len());
        let file = extracted("a.md", &body);
        assert_eq!(file.attributes["content"], body);
    }
}

/// Pieces that markdown, YAML and Boxel's directives give a meaning to.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ a-c0-9\n]{1,3}",
        "[-?:,#&*!|>'\"%@`{}\\[\\]\\\\\t~.<]",
        prop::sample::select(vec![
            "---\n",
            "...\n",
            ": ",
            "- ",
            "\n  ",
            "boxel:\n  kind: skill\n",
            "name: ",
            "&a ",
            "*a",
            "!!int ",
            "!t ",
            "<<: ",
            "# ",
            "```",
            "](",
            "![",
            ":card[",
            "::file[",
            "\r\n",
            "\r",
            "\u{2028}",
            "\u{FEFF}",
            "é",
            "😀",
            "\0",
            "0b1",
            "|2-\n",
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_are_extracted(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let file = extracted("SKILL.md", &bytes);
        prop_assert_eq!(&file.attributes["contentSize"], &json!(bytes.len()));
    }

    #[test]
    fn any_text_is_extracted(pieces in prop::collection::vec(piece(), 0..40), fenced in any::<bool>()) {
        let text = pieces.concat();
        let file = extracted("SKILL.md", if fenced { format!("---\n{text}\n---\nBody\n") } else { text.clone() });
        let attributes = Value::from(file.attributes).to_string();
        prop_assert!(attributes.len() < 100_000 + 50 * text.len(), "{} bytes", attributes.len());
        if let Some(error) = file.findings.frontmatter_parse_error {
            let (line, column) = (error.line.unwrap(), error.column.unwrap());
            let normalized = text.replace("\r\n", "\n").replace('\r', "\n");
            let place = normalized.split('\n').nth(line - 1);
            prop_assert!(place.is_some_and(|line| column <= line.encode_utf16().count() + 1), "{}", error.message);
        }
    }
}
