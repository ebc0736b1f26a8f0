//! Markdown files against the attributes expected of them.

use std::path::Path;

use anyhow::Context;
use realmdex_worker::extract::{Extracted, content_hash, extract};
use serde_json::{Map, Value, json};
use url::Url;

use super::Tally;
use super::compare::differences;
use super::expectation::ExpectedMarkdown;

/// Compares each file below `inputs`.
pub(super) fn cases(inputs: &Path, cases: &[ExpectedMarkdown]) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    for case in cases {
        let path = inputs.join(&case.file);
        let bytes = std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let url = Url::parse(&case.url).with_context(|| format!("{:?} is no URL", case.url))?;
        let extracted = extract(&url, &bytes);
        let mut actual = extracted.attributes.clone();
        if case.attributes.get("content").is_some_and(Value::is_object) {
            digest_content(&mut actual);
        }
        let mut found = differences(
            &Value::Object(case.attributes.clone()),
            &Value::Object(actual),
        );
        found.extend(differences(
            &positions(&case.out_of_band),
            &out_of_band(&extracted, &case.out_of_band),
        ));
        tally.count(&case.file, &found);
    }
    Ok(tally)
}

/// Real files are expected by the digest and length of their content.
fn digest_content(attributes: &mut Map<String, Value>) {
    let Some(content) = attributes.get("content").and_then(Value::as_str) else {
        return;
    };
    let digest =
        json!({"md5": content_hash(content.as_bytes()), "length": content.encode_utf16().count()});
    attributes.insert("content".into(), digest);
}

const PARSE_ERROR: &str = "boxel:file-frontmatter-parse-error";

/// The expected findings without their wording.
fn positions(expected: &Map<String, Value>) -> Value {
    let mut expected = expected.clone();
    if let Some(Value::Object(error)) = expected.get_mut(PARSE_ERROR) {
        error.remove("message");
    }
    Value::Object(expected)
}

/// What was found beside the attributes. A position counts only where one is expected: Boxel has none for some errors.
fn out_of_band(extracted: &Extracted, expected: &Map<String, Value>) -> Value {
    let mut found = Map::new();
    if let Some(fields) = &extracted.fields_meta {
        found.insert("fieldMeta".into(), fields.clone());
    }
    if let Some(error) = &extracted.findings.frontmatter_parse_error {
        let is_expected = |key: &str| {
            let expected = expected.get(PARSE_ERROR);
            expected.is_none_or(|expected| expected.get(key).is_some())
        };
        let position: Map<String, Value> = [("line", error.line), ("column", error.column)]
            .into_iter()
            .filter(|(key, _)| is_expected(key))
            .filter_map(|(key, number)| Some((key.to_owned(), json!(number?))))
            .collect();
        found.insert(PARSE_ERROR.into(), Value::Object(position));
    }
    Value::Object(found)
}
