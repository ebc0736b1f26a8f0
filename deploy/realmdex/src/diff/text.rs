//! Differences for people: the tools, and below each in what it differs.

use console::Style;

use super::schema::Impact;
use super::tools::{Difference, Fate};

/// The report; it ends in a line that counts.
pub(super) fn report(differences: &[Difference], coloured: bool) -> String {
    if differences.is_empty() {
        return "the tools are the same\n".to_owned();
    }
    let tools: String = differences
        .iter()
        .map(|difference| tool_text(difference, coloured))
        .collect();
    format!("{tools}\n{}\n", summary(differences))
}

fn tool_text(difference: &Difference, coloured: bool) -> String {
    let (sign, word) = match difference.fate {
        Fate::Removed => ('-', "removed"),
        Fate::Changed => ('~', "changed"),
        Fate::Added => ('+', "added"),
    };
    let name = Style::new().bold().force_styling(coloured);
    let mut text = format!(
        "{sign} {}  {word}, {}\n",
        name.apply_to(&difference.tool),
        tint(difference.impact, coloured).apply_to(difference.impact.as_str())
    );
    for change in &difference.changes {
        // Padded before it is coloured: colours have no width.
        let impact = format!("{:<10}", change.impact.as_str());
        let impact = tint(change.impact, coloured).apply_to(impact);
        let pointer = if change.pointer.is_empty() {
            String::new()
        } else {
            format!("{}  ", change.pointer)
        };
        text += &format!("    {impact}  {pointer}{}\n", change.what);
    }
    text
}

fn tint(impact: Impact, coloured: bool) -> Style {
    let style = match impact {
        Impact::Breaking => Style::new().red(),
        Impact::MayBreak => Style::new().yellow(),
        Impact::Note => Style::new().cyan(),
        Impact::Compatible => Style::new().green(),
    };
    style.force_styling(coloured)
}

fn summary(differences: &[Difference]) -> String {
    let with = |fate: Fate| differences.iter().filter(|one| one.fate == fate).count();
    let told = differences.iter().flat_map(|difference| {
        let whole = difference.changes.is_empty().then_some(difference.impact);
        whole
            .into_iter()
            .chain(difference.changes.iter().map(|change| change.impact))
    });
    let told: Vec<Impact> = told.collect();
    let of = |impact: Impact| told.iter().filter(|one| **one == impact).count();
    format!(
        "tools: {} removed, {} changed, {} added; differences: {} breaking, {} that may break, {} compatible or notes",
        with(Fate::Removed),
        with(Fate::Changed),
        with(Fate::Added),
        of(Impact::Breaking),
        of(Impact::MayBreak),
        of(Impact::Compatible) + of(Impact::Note)
    )
}
