//! Whose turn it is: changes that someone waits for come first, and bulk work moves all the same.

use realmdex_types::JobClass;

/// How many interactive jobs are begun in a row while bulk work waits.
const IN_A_ROW: u32 = 8;

/// Counts turns.
#[derive(Debug, Default)]
pub(super) struct Turns {
    in_a_row: u32,
}

impl Turns {
    /// The class that is looked at first.
    pub(super) fn first(&self) -> JobClass {
        if self.in_a_row < IN_A_ROW {
            JobClass::Interactive
        } else {
            JobClass::Bulk
        }
    }

    /// Notes which class a job was begun of.
    pub(super) fn begun(&mut self, class: JobClass) {
        self.in_a_row = match class {
            JobClass::Interactive => self.in_a_row.saturating_add(1),
            JobClass::Bulk | JobClass::Calls => 0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bulk_work_moves_under_a_stream_of_edits() {
        let mut turns = Turns::default();
        let mut begun = String::new();
        for _ in 0..20 {
            let class = turns.first();
            begun.push(if class == JobClass::Bulk { 'b' } else { 'i' });
            turns.begun(class);
        }
        assert_eq!(begun, "iiiiiiiibiiiiiiiibii");
    }
}
