//! The last line of a check: how much was looked at.

use std::time::Duration;

use crate::realm_folder::ComputedFile;

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// Files of any kind.
    pub(super) files: usize,
    skills: usize,
    declared: usize,
    stamped: usize,
    /// Everything that is wrong.
    pub(super) findings: usize,
}

impl Summary {
    /// Counts a markdown file. A skill is one that declares tools, or a `SKILL.md`.
    pub(super) fn count(&mut self, file: &ComputedFile) {
        if file.tools.is_some() || file.path.file_name().eq_ignore_ascii_case("SKILL.md") {
            self.skills += 1;
        }
        let tools = file.tools.unwrap_or_default();
        self.declared += tools.declared;
        self.stamped += tools.stamped;
    }

    /// The line.
    pub(super) fn text(&self, took: Duration) -> String {
        let tools = if self.stamped == self.declared {
            counted(self.declared, "tool")
        } else {
            format!("{} of {}", self.stamped, counted(self.declared, "tool"))
        };
        format!(
            "{}, {}, {tools} stamped, {} ({:.2} s)\n",
            counted(self.files, "file"),
            counted(self.skills, "skill"),
            counted(self.findings, "finding"),
            took.as_secs_f64()
        )
    }
}

fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_words() {
        let clean = Summary {
            files: 1,
            skills: 1,
            declared: 1,
            stamped: 1,
            findings: 0,
        };
        assert_eq!(
            clean.text(Duration::from_millis(120)),
            "1 file, 1 skill, 1 tool stamped, 0 findings (0.12 s)\n"
        );
        let wrong = Summary {
            stamped: 2,
            declared: 3,
            findings: 1,
            ..clean
        };
        assert_eq!(
            wrong.text(Duration::from_secs(2)),
            "1 file, 1 skill, 2 of 3 tools stamped, 1 finding (2.00 s)\n"
        );
    }
}
