//! SARIF 2.1.0 (OASIS): what code scanning and editors read.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use realmdex_types::{Finding, FindingKind};
use serde_json::{Value, json};

use super::{FileFindings, Level, each};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What a relative URI's path keeps as it is: RFC 3986's unreserved characters and the slash. A colon is escaped, since
/// the first segment of a relative URI may hold none.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

pub(super) fn report(files: &[FileFindings]) -> String {
    let results: Vec<Value> = each(files)
        .map(|(path, finding)| result(path, finding))
        .collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "realmdex",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": FindingKind::ALL.map(rule),
            }},
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn rule(kind: FindingKind) -> Value {
    let (short, help) = match kind {
        FindingKind::IndexingError => (
            "The file can't be read",
            "It is not indexed, or keeps its earlier state. Mend what the message names.",
        ),
        FindingKind::FrontmatterError => (
            "The frontmatter is no YAML",
            "The file is indexed by its text alone, without its tools. Mend the line that the message names.",
        ),
        FindingKind::ToolSchemaError => (
            "A tool has no definition",
            "The skill's other tools work; agents are not offered this one. Mend its module, or its entry in the skill.",
        ),
        FindingKind::FunctionNameCollision => (
            "Two tools have one function name",
            "A model that is offered both can't tell them apart. Rename one of the exports.",
        ),
        FindingKind::SkillSpecWarning => (
            "The skill departs from the Agent Skills specification",
            "It works here, but other agents may refuse it. The specification is at agentskills.io.",
        ),
    };
    json!({
        "id": kind.as_str(),
        "shortDescription": {"text": short},
        "fullDescription": {"text": format!("{short}. {help}")},
        "help": {"text": help},
        "defaultConfiguration": {"level": Level::of_kind(kind).as_str()},
    })
}

fn result(path: &str, finding: &Finding) -> Value {
    // Code scanning wants a line; what is about the whole file stands at its top.
    let mut region = json!({"startLine": finding.line.unwrap_or(1)});
    if let Some(column) = finding.line.and(finding.column) {
        region["startColumn"] = column.into();
    }
    let text = match &finding.tool {
        Some(tool) => format!("{}#{}: {}", tool.module, tool.name, finding.message),
        None => finding.message.clone(),
    };
    json!({
        "ruleId": finding.kind.as_str(),
        "ruleIndex": FindingKind::ALL.iter().position(|kind| *kind == finding.kind),
        "level": Level::of(finding).as_str(),
        "message": {"text": text},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(path), "uriBaseId": "%SRCROOT%"},
            "region": region,
        }}],
    })
}

/// A path as a relative URI.
fn uri(path: &str) -> String {
    utf8_percent_encode(path, ESCAPED).to_string()
}
