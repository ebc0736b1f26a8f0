//! Tells whoever waits how far it is: a bar on a terminal, lines elsewhere.

use std::collections::BTreeMap;
use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use realmdex_scheduler::operator::wire::ReindexAnswer;

use super::stage::{Stage, files, news};

/// What was told, on standard error.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    told: BTreeMap<i64, Stage>,
}

impl Progress {
    pub(super) fn new() -> Self {
        let bar = Term::stderr().is_term().then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{bar:32} {pos}/{len} files  {elapsed}  {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self {
            bar,
            told: BTreeMap::new(),
        }
    }

    pub(super) fn show(&mut self, reindexes: &[ReindexAnswer]) {
        let Some(bar) = &self.bar else {
            for one in reindexes {
                if let Some(line) = news(self.told.get(&one.id).copied(), one) {
                    eprintln!("{line}");
                }
                self.told.insert(one.id, Stage::of(one));
            }
            return;
        };
        let (done, planned) = files(reindexes);
        bar.set_length(planned);
        bar.set_position(done);
        let open: Vec<&ReindexAnswer> = reindexes
            .iter()
            .filter(|one| one.outcome.is_none())
            .collect();
        bar.set_message(match open.as_slice() {
            [] => String::new(),
            [one] => one.realm.to_string(),
            several => format!("{} of {} realms left", several.len(), reindexes.len()),
        });
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
