//! For people: the files, and below each what is wrong and how to mend it.

use console::Style;
use realmdex_types::Finding;

use super::{FileFindings, Level};

pub(super) fn report(files: &[FileFindings], coloured: bool) -> String {
    let found = files.iter().filter(|file| !file.findings.is_empty());
    found.map(|file| file_text(file, coloured)).collect()
}

fn file_text(file: &FileFindings, coloured: bool) -> String {
    let style = |style: Style| style.force_styling(coloured);
    let mut text = format!("{}\n", style(Style::new().bold()).apply_to(&file.path));
    for finding in &file.findings {
        let level = Level::of(finding);
        let tint = match level {
            Level::Error => Style::new().red(),
            Level::Warning => Style::new().yellow(),
            Level::Note => Style::new().cyan(),
        };
        text += &format!(
            "  {:<7}  {}{}\n",
            style(tint).apply_to(level.as_str()),
            place_text(finding),
            style(Style::new().dim()).apply_to(finding.kind.as_str()),
        );
        for line in finding.message.lines() {
            text += &format!("           {line}\n");
        }
    }
    text.push('\n');
    text
}

/// Where in the file, and about which tool; as far as that is known.
fn place_text(finding: &Finding) -> String {
    let line = match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!("line {line}:{column}  "),
        (Some(line), None) => format!("line {line}  "),
        (None, _) => String::new(),
    };
    let tool = finding.tool.as_ref().map_or_else(String::new, |tool| {
        format!("{}#{}  ", tool.module, tool.name)
    });
    line + &tool
}
