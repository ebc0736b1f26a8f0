//! How far a reindex is.

use realmdex_scheduler::operator::wire::ReindexAnswer;
use realmdex_types::ReindexOutcome;

/// Where a reindex is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The realm is yet to be listed.
    Waiting,
    /// It was listed, and its files are looked at.
    Looking,
    /// It is over.
    Ended(ReindexOutcome),
}

impl Stage {
    pub(super) fn of(reindex: &ReindexAnswer) -> Self {
        match (reindex.outcome, reindex.listed_at) {
            (Some(outcome), _) => Self::Ended(outcome),
            (None, Some(_)) => Self::Looking,
            (None, None) => Self::Waiting,
        }
    }
}

/// What is new since a stage, as a line; nothing while it stays.
pub(super) fn news(before: Option<Stage>, now: &ReindexAnswer) -> Option<String> {
    let stage = Stage::of(now);
    if before == Some(stage) {
        return None;
    }
    let words = match stage {
        Stage::Waiting => format!("waits to be listed (reindex {})", now.id),
        Stage::Looking => format!(
            "has {} files, {} to look at",
            now.listed.unwrap_or_default(),
            now.planned.unwrap_or_default()
        ),
        Stage::Ended(outcome) => match &now.error {
            Some(why) => format!("{}: {why}", outcome.as_str()),
            None => outcome.as_str().to_owned(),
        },
    };
    Some(format!("{}  {words}", now.realm))
}

/// Files that were looked at, and that are to be, of those that are known.
pub(super) fn files(reindexes: &[ReindexAnswer]) -> (u64, u64) {
    let (mut done, mut planned) = (0, 0);
    for one in reindexes {
        let all = one.planned.unwrap_or_default();
        planned += all;
        // Older changes count among the open ones too.
        done += match one.outcome {
            Some(_) => all,
            None => all.saturating_sub(one.open),
        };
    }
    (done, planned)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use realmdex_types::RealmUrl;

    use super::*;

    fn reindex() -> ReindexAnswer {
        ReindexAnswer {
            id: 7,
            realm: RealmUrl::parse("https://h/a/").unwrap(),
            reason: "test".to_owned(),
            force: false,
            requested_at: DateTime::UNIX_EPOCH,
            listed_at: None,
            listed: None,
            planned: None,
            open: 0,
            finished_at: None,
            outcome: None,
            error: None,
        }
    }

    #[test]
    fn each_change_of_stage_is_told_once() {
        let asked = reindex();
        let listed = ReindexAnswer {
            listed_at: Some(DateTime::UNIX_EPOCH),
            listed: Some(10),
            planned: Some(4),
            open: 3,
            ..reindex()
        };
        let stopped = ReindexAnswer {
            outcome: Some(ReindexOutcome::Stopped),
            error: Some("too much".to_owned()),
            ..listed.clone()
        };
        let later = ReindexAnswer {
            open: 1,
            ..listed.clone()
        };
        let mut before = None;
        let mut told = Vec::new();
        for now in [&asked, &asked, &listed, &later, &stopped] {
            told.extend(news(before, now));
            before = Some(Stage::of(now));
        }
        assert_eq!(
            told,
            [
                "https://h/a/  waits to be listed (reindex 7)",
                "https://h/a/  has 10 files, 4 to look at",
                "https://h/a/  stopped: too much",
            ]
        );
        assert_eq!(files(&[asked, later, stopped]), (3 + 4, 8));
    }
}
