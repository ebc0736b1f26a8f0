//! What was wrong with a file that indexing still indexed.

use serde::{Deserialize, Serialize};

/// Everything wrong with one file. Empty means clean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    /// The frontmatter could not be read; the file indexed by its body alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frontmatter_parse_error: Option<FrontmatterParseError>,
    /// Tools that have no definition, one entry each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_schema_errors: Vec<ToolSchemaError>,
    /// Where the file departs from the Agent Skills specification.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skill_spec_warnings: Vec<SkillSpecWarning>,
}

impl Findings {
    /// Whether nothing was wrong.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Frontmatter that is no YAML we accept. Line and column count from 1 within the frontmatter (its first line is the
/// file's second), columns in UTF-16 units, as Boxel reports them; the message names the line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrontmatterParseError {
    /// What is wrong and how to mend it.
    pub message: String,
    /// The line, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

/// A tool without a definition: its coordinates as resolved, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSchemaError {
    /// The module; empty where the entry names none.
    pub module: String,
    /// The export; empty where the entry names none.
    pub name: String,
    /// The reason.
    pub message: String,
    /// Whether trying again later may help (a source that did not answer), rather than an edit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub transient: bool,
}

/// A departure from the Agent Skills specification (agentskills.io).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillSpecWarning {
    /// The frontmatter key it is about.
    pub field: String,
    /// What is wrong and how to mend it.
    pub message: String,
}
