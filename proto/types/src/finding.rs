//! What was wrong with a file that indexing still indexed.

use serde::{Deserialize, Serialize};

use crate::CodeRef;

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

/// One finding by itself, as lists and reports show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What kind it is.
    pub kind: FindingKind,
    /// What is wrong and how to mend it.
    pub message: String,
    /// The line *of the file*, from 1, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column of that line, from 1, in UTF-16 units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The tool it is about, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<CodeRef>,
    /// Whether it will be looked at again without an edit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub transient: bool,
}

impl Finding {
    /// A tool that another of its realm, of the skill at that path, would be called like.
    pub fn collision(
        function_name: &str,
        tool: CodeRef,
        other: &CodeRef,
        other_skill: &str,
    ) -> Self {
        Self {
            kind: FindingKind::FunctionNameCollision,
            message: format!(
                "the function name {function_name} is also that of {}#{} (in {other_skill}), so a model can't tell them \
                 apart: rename one of the two exports, or its module's file for a default export",
                other.module, other.name
            ),
            line: None,
            column: None,
            tool: Some(tool),
            transient: false,
        }
    }
}

/// The kinds of findings, by the names that `_indexing-errors` gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// The file could not be read, so its row is that of an earlier time.
    IndexingError,
    /// See [`FrontmatterParseError`].
    FrontmatterError,
    /// See [`ToolSchemaError`].
    ToolSchemaError,
    /// Two tools of one realm would be called by one name, so that a model can't tell them apart. It depends on several
    /// files, so it is found where a realm is looked at as a whole.
    FunctionNameCollision,
    /// See [`SkillSpecWarning`].
    SkillSpecWarning,
}

impl FindingKind {
    /// All of them, the gravest first.
    pub const ALL: [Self; 5] = [
        Self::IndexingError,
        Self::FrontmatterError,
        Self::ToolSchemaError,
        Self::FunctionNameCollision,
        Self::SkillSpecWarning,
    ];

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The name, as in `_indexing-errors`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::IndexingError => "indexing-error",
            Self::FrontmatterError => "frontmatter-error",
            Self::ToolSchemaError => "tool-schema-error",
            Self::FunctionNameCollision => "function-name-collision",
            Self::SkillSpecWarning => "skill-spec-warning",
        }
    }
}

impl Findings {
    /// The findings one by one, the gravest kind first.
    pub fn listed(&self) -> Vec<Finding> {
        let frontmatter = self.frontmatter_parse_error.iter().map(|error| Finding {
            kind: FindingKind::FrontmatterError,
            message: error.message.clone(),
            // The file's first line is the fence.
            line: error.line.map(|line| line + 1),
            column: error.column,
            tool: None,
            transient: false,
        });
        let tools = self.tool_schema_errors.iter().map(|error| Finding {
            kind: FindingKind::ToolSchemaError,
            message: error.message.clone(),
            line: None,
            column: None,
            tool: Some(CodeRef {
                module: error.module.clone(),
                name: error.name.clone(),
            }),
            transient: error.transient,
        });
        let spec = self.skill_spec_warnings.iter().map(|warning| Finding {
            kind: FindingKind::SkillSpecWarning,
            message: warning.message.clone(),
            line: None,
            column: None,
            tool: None,
            transient: false,
        });
        frontmatter.chain(tools).chain(spec).collect()
    }

    /// Whether any of them will be looked at again without an edit.
    pub fn is_transient(&self) -> bool {
        self.tool_schema_errors.iter().any(|error| error.transient)
    }
}
