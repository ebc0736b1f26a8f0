//! Workflow commands of GitHub Actions: `::error file=…,line=…,col=…,title=…::message`, one a line.

use realmdex_types::Finding;

use super::{FileFindings, Level, each};

pub(super) fn report(files: &[FileFindings]) -> String {
    each(files)
        .map(|(path, finding)| annotation(path, finding))
        .collect()
}

fn annotation(path: &str, finding: &Finding) -> String {
    let command = match Level::of(finding) {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut properties = format!("file={}", property(path));
    if let Some(line) = finding.line {
        properties += &format!(",line={line}");
        if let Some(column) = finding.column {
            properties += &format!(",col={column}");
        }
    }
    let title = match &finding.tool {
        Some(tool) => format!("{}: {}#{}", finding.kind.as_str(), tool.module, tool.name),
        None => finding.kind.as_str().to_owned(),
    };
    format!(
        "::{command} {properties},title={}::{}\n",
        property(&title),
        data(&finding.message)
    )
}

/// A message, escaped as the runner's own toolkit (`@actions/core`, command.ts) does.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property's value: what parts properties is escaped too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
