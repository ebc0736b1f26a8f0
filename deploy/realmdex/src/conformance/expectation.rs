//! The forms of expectation files.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use realmdex_types::CodeRef;
use serde::Deserialize;
use serde_json::{Map, Value};

/// One expectation file.
pub(super) enum Expectation {
    Definitions(Vec<ExpectedTool>),
    Skill(ExpectedSkill),
    Markdown(Vec<ExpectedMarkdown>),
    Closures(BTreeMap<String, Vec<String>>),
}

/// A tool and its definition; or, without one, a tool that must fail.
#[derive(Deserialize)]
pub(super) struct ExpectedTool {
    #[serde(flatten)]
    pub(super) code_ref: CodeRef,
    #[serde(rename = "functionName")]
    pub(super) function_name: Option<String>,
    pub(super) definition: Option<Value>,
}

/// A skill's declarations, and what becomes of them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExpectedSkill {
    #[serde(rename = "skillFileURL")]
    pub(super) skill_file_url: String,
    pub(super) authored: Value,
    pub(super) tools: Vec<Value>,
    pub(super) tool_schema_errors: Vec<ExpectedError>,
}

/// A failing tool. The texts come from another JavaScript engine, so they are not compared.
#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ExpectedError {
    pub(super) module: String,
    pub(super) name: String,
}

/// A markdown file and its attributes.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExpectedMarkdown {
    pub(super) file: String,
    pub(super) url: String,
    pub(super) attributes: Map<String, Value>,
    #[serde(default)]
    pub(super) out_of_band: Map<String, Value>,
}

impl Expectation {
    pub(super) fn read(text: &str) -> anyhow::Result<Self> {
        let value: Value = serde_json::from_str(text).context("it is no JSON")?;
        let first_has = |key: &str| value.get(0).and_then(|first| first.get(key)).is_some();
        Ok(if value.get("skillFileURL").is_some() {
            Self::Skill(serde_json::from_value(value).context("as the stamped tools of one skill")?)
        } else if first_has("attributes") {
            Self::Markdown(serde_json::from_value(value).context("as markdown cases")?)
        } else if first_has("module") || value == Value::Array(Vec::new()) {
            Self::Definitions(serde_json::from_value(value).context("as definitions")?)
        } else if value.is_object() {
            Self::Closures(serde_json::from_value(value).context("as import closures")?)
        } else {
            bail!("it is none of the forms that `realmdex conformance --help` describes");
        })
    }
}
