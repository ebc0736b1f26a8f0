//! The document of `_indexing-errors`: Boxel's types and attributes (its realm's route of that name), and ours for what
//! only we find.

use chrono::{DateTime, Utc};
use realmdex_store::{TargetState, WrongFile};
use realmdex_types::{Finding, FindingKind};
use serde::Serialize;
use utoipa::ToSchema;

use super::collisions::Collision;
use crate::schema;

/// What is wrong in a realm.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct IndexingErrors {
    /// By URL and type, the gravest first.
    pub(super) data: Vec<IndexingError>,
    pub(super) links: PageLinks,
    pub(super) meta: PageMeta,
}

/// Other pages.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct PageLinks {
    /// The next one; none after the last.
    pub(super) next: Option<String>,
}

/// About all pages.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageMeta {
    /// How many findings there are.
    pub(super) total: u64,
    /// Whether all that people waited for had been looked at.
    pub(super) is_settled: bool,
}

/// One kind of thing that is wrong with one file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct IndexingError {
    /// What is wrong.
    #[serde(rename = "type")]
    #[schema(schema_with = schema::finding_kind)]
    kind: FindingKind,
    /// `file::` and the URL, and `::` and the type where several are wrong with the file.
    id: String,
    attributes: IndexingErrorAttributes,
}

/// What is told of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct IndexingErrorAttributes {
    /// The file.
    url: String,
    /// The kind of its row.
    entry_type: EntryType,
    /// How it was indexed the last time, and what was found then; none where it never was.
    diagnostics: Option<Diagnostics>,
    /// Whether it will be looked at again without an edit.
    transient: bool,
    /// When.
    retry_at: Option<DateTime<Utc>>,
    #[serde(flatten)]
    details: Details,
}

/// Boxel's kinds of rows: there are files only.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum EntryType {
    File,
}

/// What is told of a type alone.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum Details {
    IndexingError {
        #[serde(rename = "errorDoc")]
        error_doc: ErrorDoc,
    },
    FrontmatterError {
        #[serde(rename = "frontmatterParseError")]
        frontmatter_parse_error: FrontmatterFault,
    },
    ToolSchemaError {
        #[serde(rename = "toolSchemaErrors")]
        tool_schema_errors: Vec<ToolFault>,
    },
    FunctionNameCollision {
        #[serde(rename = "functionNameCollisions")]
        function_name_collisions: Vec<NameCollision>,
    },
    SkillSpecWarning {
        #[serde(rename = "skillSpecWarnings")]
        skill_spec_warnings: Vec<Warning>,
    },
}

/// Boxel's diagnostics, as far as there are any.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Diagnostics {
    indexed_at: DateTime<Utc>,
    /// In milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_elapsed_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frontmatter_parse_error: Option<FrontmatterFault>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_schema_errors: Vec<ToolFault>,
}

/// Why a file could not be read (Boxel's serialised error).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ErrorDoc {
    /// Why, and the mend.
    message: String,
    /// As an HTTP status.
    status: u16,
    /// The file.
    id: String,
    /// None are ever told.
    additional_errors: Option<Vec<String>>,
}

/// Frontmatter that is no YAML. Line and column count from 1 within the frontmatter, as Boxel's do.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct FrontmatterFault {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

/// A tool that has no definition.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ToolFault {
    /// The module; empty where the entry names none.
    module: String,
    /// The export; empty where the entry names none.
    name: String,
    message: String,
    /// Whether trying again later may help.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    transient: bool,
}

/// A tool that a model can't tell from others.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NameCollision {
    /// What all of them would be called by.
    function_name: String,
    module: String,
    name: String,
    message: String,
    /// The others.
    others: Vec<OtherTool>,
}

/// A tool of a skill.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct OtherTool {
    /// The skill.
    url: String,
    module: String,
    name: String,
}

/// A departure from the Agent Skills specification.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Warning {
    message: String,
}

/// A file that something is wrong with, as it is told.
pub(super) struct Told<'a> {
    /// Its URL.
    pub(super) url: String,
    /// What is stored.
    pub(super) file: &'a WrongFile,
    /// What only shows between it and others.
    pub(super) collisions: &'a [Collision],
    /// The URL of a path of its realm.
    pub(super) url_of: &'a dyn Fn(&str) -> String,
}

impl IndexingError {
    /// The resource of one kind of thing that is wrong with a file; none where that is so no more. `is_only` says that
    /// nothing else is wrong with it.
    pub(super) fn of(kind: FindingKind, is_only: bool, told: &Told<'_>) -> Option<Self> {
        let url = told.url.clone();
        let row = format!("file::{url}");
        let transient = match kind {
            FindingKind::IndexingError => told.file.retry_at.is_some(),
            kind => of_kind(told.file, kind).any(|finding| finding.transient),
        };
        Some(Self {
            kind,
            id: if is_only {
                row
            } else {
                format!("{row}::{}", kind.as_str())
            },
            attributes: IndexingErrorAttributes {
                entry_type: EntryType::File,
                diagnostics: diagnostics(told.file),
                transient,
                retry_at: told.file.retry_at.filter(|_| transient),
                details: details(kind, told)?,
                url,
            },
        })
    }
}

fn of_kind(file: &WrongFile, kind: FindingKind) -> impl Iterator<Item = &Finding> {
    file.findings
        .iter()
        .filter(move |finding| finding.kind == kind)
}

fn details(kind: FindingKind, told: &Told<'_>) -> Option<Details> {
    let file = told.file;
    Some(match kind {
        FindingKind::IndexingError => Details::IndexingError {
            error_doc: error_doc(file, &told.url)?,
        },
        FindingKind::FrontmatterError => Details::FrontmatterError {
            frontmatter_parse_error: frontmatter_fault(file)?,
        },
        FindingKind::ToolSchemaError => Details::ToolSchemaError {
            tool_schema_errors: not_empty(tool_faults(file))?,
        },
        FindingKind::FunctionNameCollision => Details::FunctionNameCollision {
            function_name_collisions: not_empty(collisions(told))?,
        },
        FindingKind::SkillSpecWarning => {
            let warnings = of_kind(file, kind).map(|finding| Warning {
                message: finding.message.clone(),
            });
            Details::SkillSpecWarning {
                skill_spec_warnings: not_empty(warnings.collect())?,
            }
        }
    })
}

fn not_empty<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

/// No title: Boxel's command line would show that instead of the message.
fn error_doc(file: &WrongFile, url: &str) -> Option<ErrorDoc> {
    let status = match (&file.state, file.retry_at) {
        (TargetState::Forbidden, _) => 403,
        (_, Some(_)) => 503,
        (_, None) => 500,
    };
    Some(ErrorDoc {
        message: file.error.clone()?,
        status,
        id: url.to_owned(),
        additional_errors: None,
    })
}

fn frontmatter_fault(file: &WrongFile) -> Option<FrontmatterFault> {
    let finding = of_kind(file, FindingKind::FrontmatterError).next()?;
    Some(FrontmatterFault {
        message: finding.message.clone(),
        // The file's first line is the fence.
        line: finding.line.map(|line| line.saturating_sub(1).max(1)),
        column: finding.column,
    })
}

fn tool_faults(file: &WrongFile) -> Vec<ToolFault> {
    of_kind(file, FindingKind::ToolSchemaError)
        .map(|finding| {
            let (module, name) = match &finding.tool {
                Some(tool) => (tool.module.clone(), tool.name.clone()),
                None => Default::default(),
            };
            ToolFault {
                module,
                name,
                message: finding.message.clone(),
                transient: finding.transient,
            }
        })
        .collect()
}

fn collisions(told: &Told<'_>) -> Vec<NameCollision> {
    told.collisions
        .iter()
        .map(|collision| {
            let others: Vec<OtherTool> = collision
                .others
                .iter()
                .map(|(path, tool)| OtherTool {
                    url: (told.url_of)(path),
                    module: tool.module.clone(),
                    name: tool.name.clone(),
                })
                .collect();
            let named: Vec<String> = others
                .iter()
                .map(|other| format!("{}#{} (in {})", other.module, other.name, other.url))
                .collect();
            NameCollision {
                message: format!(
                    "the function name {} is also that of {}, so a model can't tell them apart: rename one of the \
                     exports, or its module's file for a default export",
                    collision.function_name,
                    named.join(", ")
                ),
                function_name: collision.function_name.clone(),
                module: collision.tool.module.clone(),
                name: collision.tool.name.clone(),
                others,
            }
        })
        .collect()
}

fn diagnostics(file: &WrongFile) -> Option<Diagnostics> {
    Some(Diagnostics {
        indexed_at: file.indexed_at?,
        total_elapsed_ms: file.duration_ms,
        frontmatter_parse_error: frontmatter_fault(file),
        tool_schema_errors: tool_faults(file),
    })
}
