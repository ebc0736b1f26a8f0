//! For programs: `{"files": [{"path", "findings": [{"level", "kind", "message", "line"?, "column"?, "tool"?, …}]}]}`.

use realmdex_types::Finding;
use serde::Serialize;

use super::{FileFindings, Level};

#[derive(Serialize)]
struct Report<'a> {
    files: Vec<FileReport<'a>>,
}

#[derive(Serialize)]
struct FileReport<'a> {
    path: &'a str,
    findings: Vec<LevelledFinding<'a>>,
}

#[derive(Serialize)]
struct LevelledFinding<'a> {
    level: Level,
    #[serde(flatten)]
    finding: &'a Finding,
}

pub(super) fn report(files: &[FileFindings]) -> String {
    let found = files.iter().filter(|file| !file.findings.is_empty());
    let report = Report {
        files: found
            .map(|file| FileReport {
                path: &file.path,
                findings: file
                    .findings
                    .iter()
                    .map(|finding| LevelledFinding {
                        level: Level::of(finding),
                        finding,
                    })
                    .collect(),
            })
            .collect(),
    };
    // Texts, numbers and lists: nothing that JSON could not hold.
    format!("{:#}\n", serde_json::json!(report))
}
