//! Rows for people, in columns that are aligned.

use std::time::Duration;

use chrono::{DateTime, Utc};
use console::measure_text_width;

/// A table. Columns that are empty in every row are left out.
#[derive(Debug)]
pub(super) struct Table {
    heads: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heads: &[&'static str]) -> Self {
        Self {
            heads: heads.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row: a cell for each head.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        // A cell is one line: what others wrote may be more.
        let cells = cells
            .into_iter()
            .map(|cell| cell.replace(['\n', '\r', '\t'], " "));
        self.rows.push(cells.collect());
    }

    pub(super) fn text(&self) -> String {
        let shown: Vec<usize> = (0..self.heads.len())
            .filter(|&column| self.rows.iter().any(|row| !cell(row, column).is_empty()))
            .collect();
        let widths: Vec<usize> = shown
            .iter()
            .map(|&column| {
                let cells = self
                    .rows
                    .iter()
                    .map(|row| measure_text_width(cell(row, column)));
                cells
                    .max()
                    .unwrap_or(0)
                    .max(measure_text_width(self.heads[column]))
            })
            .collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut line = String::new();
            for (cell, &width) in cells.zip(&widths) {
                line += cell;
                line.extend(std::iter::repeat_n(
                    ' ',
                    width + 2 - measure_text_width(cell),
                ));
            }
            format!("{}\n", line.trim_end())
        };
        let mut text = line(&mut shown.iter().map(|&column| self.heads[column]));
        for row in &self.rows {
            text += &line(&mut shown.iter().map(|&column| cell(row, column)));
        }
        text
    }
}

fn cell(row: &[String], column: usize) -> &str {
    row.get(column).map_or("", String::as_str)
}

/// A length of time, as precise as people want it.
pub(super) fn duration(seconds: f64) -> String {
    let seconds = seconds.max(0.0);
    if seconds < 10.0 {
        return format!("{seconds:.1} s");
    }
    // Never negative here, and far below the largest.
    let whole = Duration::try_from_secs_f64(seconds.round()).unwrap_or(Duration::MAX);
    let text = humantime::format_duration(whole).to_string();
    let parts: Vec<&str> = text.split(' ').take(2).collect();
    parts.join(" ")
}

/// How long ago something was.
pub(super) fn ago(then: DateTime<Utc>) -> String {
    let seconds = (Utc::now() - then).as_seconds_f64();
    format!("{} ago", duration(seconds))
}

/// `1 file`, `2 files`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        let mut table = Table::new(&["id", "realm", "error"]);
        table.row(["1".into(), "https://h/a/".into(), String::new()]);
        table.row(["12".into(), "ä\nb".into(), String::new()]);
        assert_eq!(table.text(), "id  realm\n1   https://h/a/\n12  ä b\n");
    }

    #[test]
    fn times_are_as_precise_as_people_want_them() {
        for (seconds, wanted) in [
            (-1.0, "0.0 s"),
            (0.123, "0.1 s"),
            (59.6, "1m"),
            (75.0, "1m 15s"),
            (90_061.0, "1day 1h"),
        ] {
            assert_eq!(duration(seconds), wanted);
        }
    }
}
