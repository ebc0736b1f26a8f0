//! Findings as text: for people, for a CI's annotations, for code scanning and for programs.
//!
//! Each format is a plain function from files and their findings to text; where it goes is the caller's matter.

mod github;
mod json;
mod sarif;
mod text;

use clap::ValueEnum;
use realmdex_scheduler::operator::wire::FileErrorsAnswer;
use realmdex_types::{Finding, FindingKind};
use serde::Serialize;

/// One file and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileFindings {
    /// The file's path with `/`, relative to where the reader stands: a CI's annotations want the checkout's top.
    pub(crate) path: String,
    /// Its findings, in the order they are to be shown.
    pub(crate) findings: Vec<Finding>,
}

impl From<FileErrorsAnswer> for FileFindings {
    fn from(answer: FileErrorsAnswer) -> Self {
        Self {
            path: answer.path,
            findings: answer.findings,
        }
    }
}

/// How findings are written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people, grouped by file.
    #[default]
    Text,
    /// Annotations of GitHub Actions, shown beside the lines of a pull request.
    Github,
    /// SARIF 2.1.0, for code scanning and editors.
    Sarif,
    /// For programs.
    Json,
}

/// How findings are to be written.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Written {
    /// How findings are written.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Print the answer as JSON, as `--format json` does: `{files: [{path, findings: [{level, kind, message, line, column,
    /// tool, transient}]}]}`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Written {
    /// The format that is asked for.
    pub(crate) fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// Something does not work.
    Error,
    /// It works here, and may not elsewhere.
    Warning,
    /// It may be gone at the next look, without an edit.
    Note,
}

impl Level {
    /// The level of a finding: one that will be looked at again by itself asks nobody for anything.
    pub(crate) fn of(finding: &Finding) -> Self {
        if finding.transient {
            Self::Note
        } else {
            Self::of_kind(finding.kind)
        }
    }

    fn of_kind(kind: FindingKind) -> Self {
        match kind {
            FindingKind::SkillSpecWarning => Self::Warning,
            FindingKind::IndexingError
            | FindingKind::FrontmatterError
            | FindingKind::ToolSchemaError
            | FindingKind::FunctionNameCollision => Self::Error,
        }
    }

    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// The report in a format. Files without findings are left out; `coloured` is for people alone.
pub(crate) fn report(format: Format, files: &[FileFindings], coloured: bool) -> String {
    match format {
        Format::Text => text::report(files, coloured),
        Format::Github => github::report(files),
        Format::Sarif => sarif::report(files),
        Format::Json => json::report(files),
    }
}

/// Each finding with its file, in order.
fn each(files: &[FileFindings]) -> impl Iterator<Item = (&str, &Finding)> {
    files.iter().flat_map(|file| {
        file.findings
            .iter()
            .map(|finding| (file.path.as_str(), finding))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use realmdex_types::CodeRef;

    fn finding(kind: FindingKind, message: &str) -> Finding {
        Finding {
            kind,
            message: message.into(),
            line: None,
            column: None,
            tool: None,
            transient: false,
        }
    }

    fn files() -> Vec<FileFindings> {
        let tool = |name: &str| {
            Some(CodeRef {
                module: "https://realm.local/tools/bill".into(),
                name: name.into(),
            })
        };
        vec![
            FileFindings {
                path: "skills/clean/SKILL.md".into(),
                findings: Vec::new(),
            },
            FileFindings {
                path: "skills/bill us/SKILL.md".into(),
                findings: vec![
                    Finding {
                        line: Some(7),
                        column: Some(18),
                        tool: tool("Bill"),
                        ..finding(
                            FindingKind::ToolSchemaError,
                            "cannot find module \"./money\": add the file, or mend the import",
                        )
                    },
                    Finding {
                        tool: tool("Remind"),
                        transient: true,
                        ..finding(
                            FindingKind::ToolSchemaError,
                            "cannot read module https://acme.test/x: timed out",
                        )
                    },
                    finding(
                        FindingKind::SkillSpecWarning,
                        "`name` is `bill` but the folder is `bill us`; rename one like the other",
                    ),
                ],
            },
            FileFindings {
                path: "skills/größe,a:b/SKILL.md".into(),
                findings: vec![Finding {
                    line: Some(2),
                    column: Some(18),
                    ..finding(
                        FindingKind::FrontmatterError,
                        "50% of it\nis one line: put it in quotes",
                    )
                }],
            },
        ]
    }

    #[test]
    fn text() {
        insta::assert_snapshot!(report(Format::Text, &files(), false));
        let coloured = report(Format::Text, &files(), true);
        assert_eq!(
            console::strip_ansi_codes(&coloured),
            report(Format::Text, &files(), false)
        );
        assert_ne!(console::strip_ansi_codes(&coloured), coloured);
    }

    #[test]
    fn github() {
        insta::assert_snapshot!(report(Format::Github, &files(), false));
    }

    #[test]
    fn json() {
        insta::assert_snapshot!(report(Format::Json, &files(), false));
    }

    #[test]
    fn sarif() {
        insta::assert_snapshot!(
            report(Format::Sarif, &files(), false).replace(env!("CARGO_PKG_VERSION"), "[version]")
        );
    }

    /// What the schema of SARIF 2.1.0 demands of what we use of it.
    #[test]
    fn sarif_keeps_its_schema() {
        let log: serde_json::Value =
            serde_json::from_str(&report(Format::Sarif, &files(), false)).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let runs = log["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 1);
        let driver = &runs[0]["tool"]["driver"];
        assert!(driver["name"].is_string());
        assert_eq!(runs[0]["columnKind"], "utf16CodeUnits");
        let rules: Vec<&str> = driver["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| rule["id"].as_str().unwrap())
            .collect();
        let results = runs[0]["results"].as_array().unwrap();
        assert_eq!(results.len(), 4);
        for result in results {
            let at = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(result["ruleId"], rules[at]);
            let level = result["level"].as_str().unwrap();
            assert!(["none", "note", "warning", "error"].contains(&level));
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            for location in result["locations"].as_array().unwrap() {
                let place = &location["physicalLocation"];
                let uri = place["artifactLocation"]["uri"].as_str().unwrap();
                // Relative, and no first segment that reads as a scheme.
                assert!(url::Url::parse(uri).is_err(), "{uri}");
                assert!(uri.is_ascii() && !uri.contains([' ', ':']), "{uri}");
                assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
            }
        }
        // No findings are a run without results, not a run that did not look.
        let clean: serde_json::Value =
            serde_json::from_str(&report(Format::Sarif, &[], false)).unwrap();
        assert_eq!(clean["runs"][0]["results"], serde_json::json!([]));
    }
}
