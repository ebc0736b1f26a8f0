//! Which files of a realm are looked at, and why. Decisions only.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use realmdex_source::Listed;
use realmdex_store::{KnownFile, RowBefore, TargetState};
use realmdex_types::{ContentDigest, ModuleId, RealmPath};

/// A modification time is only trusted when it is at least this much older than our last read: a file system's clock
/// may be coarse, and a file may be written twice within one tick of it.
const TRUSTED_AGE: TimeDelta = TimeDelta::seconds(2);

/// The same where the listing tells no sizes: it is another machine's, with a clock of its own.
const TRUSTED_AGE_ELSEWHERE: TimeDelta = TimeDelta::minutes(10);

/// What rows must have been computed by, for what they say to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputedBy {
    /// The version of realmdex.
    pub indexer: String,
    /// The fingerprint of the package map.
    pub packages: String,
}

impl ComputedBy {
    /// Whether a row that says this was computed by the same.
    fn are_of(&self, indexer: Option<&str>, packages: Option<&str>) -> bool {
        indexer == Some(&self.indexer) && packages.is_none_or(|packages| packages == self.packages)
    }
}

/// Why a file is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The index has no row of it, or a tombstone.
    New,
    /// The listing tells another size or time than its row, or a time too fresh to trust.
    MayHaveChanged,
    /// Its row was computed by another version or under another package map, or what it was computed from has changed.
    Outdated,
    /// It, or something it needs, could not be read the last time.
    Unsettled,
    /// The index has a row of it, and the listing does not.
    Unlisted,
    /// Everything was asked for.
    Forced,
}

impl Reason {
    /// Whether the row must be computed again even if the file's bytes are the same.
    pub(crate) fn is_binding(self) -> bool {
        !matches!(self, Self::MayHaveChanged)
    }
}

/// Files to look at, and why.
pub(crate) type Planned = BTreeMap<RealmPath, Reason>;

/// The files that a pass looks at; all others are as their rows say.
pub(crate) fn plan(
    listed: &[Listed],
    known: &[KnownFile],
    by: &ComputedBy,
    force: bool,
) -> Planned {
    let mut rows: BTreeMap<&RealmPath, &KnownFile> =
        known.iter().map(|file| (&file.path, file)).collect();
    let mut planned = BTreeMap::new();
    for file in listed {
        let reason = reason(file, rows.remove(&file.path), by, force);
        planned.extend(reason.map(|reason| (file.path.clone(), reason)));
    }
    let unlisted = rows
        .into_values()
        .filter(|row| row.state != TargetState::Absent);
    planned.extend(unlisted.map(|row| (row.path.clone(), Reason::Unlisted)));
    planned
}

fn reason(
    listed: &Listed,
    row: Option<&KnownFile>,
    by: &ComputedBy,
    force: bool,
) -> Option<Reason> {
    let Some(row) = row.filter(|row| row.state != TargetState::Absent) else {
        return Some(Reason::New);
    };
    let is_of_this_version = by.are_of(row.indexer.as_deref(), row.packages.as_deref());
    if force {
        Some(Reason::Forced)
    } else if row.is_unsettled {
        Some(Reason::Unsettled)
    } else if row.is_broken || !is_of_this_version {
        Some(Reason::Outdated)
    } else if may_have_changed(listed, row) {
        Some(Reason::MayHaveChanged)
    } else {
        None
    }
}

/// Why a job looks at its file, by what the file's row said when the job was claimed.
pub(crate) fn reason_of_job(
    before: Option<&RowBefore>,
    id: &ModuleId,
    by: &ComputedBy,
    force: bool,
) -> Reason {
    let Some(before) = before else {
        return Reason::New;
    };
    if force {
        Reason::Forced
    } else if before.is_unsettled {
        Reason::Unsettled
    } else if before.is_broken
        || before.module_id != *id
        || !by.are_of(before.indexer.as_deref(), before.packages.as_deref())
    {
        Reason::Outdated
    } else {
        Reason::MayHaveChanged
    }
}

fn may_have_changed(listed: &Listed, row: &KnownFile) -> bool {
    let is_same_size = match (listed.size, row.size) {
        (Some(now), Some(then)) => now == then,
        _ => true,
    };
    let age = match listed.size {
        Some(_) => TRUSTED_AGE,
        None => TRUSTED_AGE_ELSEWHERE,
    };
    let is_trusted = i64::try_from(listed.modified)
        .ok()
        .and_then(|seconds| DateTime::from_timestamp(seconds, 0))
        .is_some_and(|modified: DateTime<Utc>| modified + age <= row.read_at);
    !(is_same_size && row.modified == Some(listed.modified) && is_trusted)
}

/// Whether a file that was read must be computed: not where its bytes are those its row was computed from, and nothing
/// else asks for it.
pub(crate) fn must_compute(
    reason: Reason,
    before: Option<&ContentDigest>,
    now: &ContentDigest,
) -> bool {
    reason.is_binding() || before != Some(now)
}

/// Whether a plan would take away so much of a realm that someone should say so first: more than half of what it has,
/// and more than a handful.
pub(crate) fn takes_too_much(listed: &[Listed], known: &[KnownFile]) -> Option<(usize, usize)> {
    const HANDFUL: usize = 4;
    let there: Vec<_> = known
        .iter()
        // What is only known because something asked for it was never there for all we know.
        .filter(|row| !matches!(row.state, TargetState::Absent | TargetState::Unread))
        .collect();
    let gone = there
        .iter()
        .filter(|row| {
            listed
                .binary_search_by(|file| file.path.cmp(&row.path))
                .is_err()
        })
        .count();
    (gone > HANDFUL && gone * 2 > there.len()).then_some((gone, there.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RealmPath {
        RealmPath::parse(text).unwrap()
    }

    fn listed(name: &str, modified: u64, size: u64) -> Listed {
        Listed {
            path: path(name),
            modified,
            size: Some(size),
        }
    }

    fn row(name: &str) -> KnownFile {
        KnownFile {
            path: path(name),
            module_id: realmdex_types::ModuleId::stored(name.to_owned()),
            state: TargetState::Present(ContentDigest::of(b"x")),
            computed_from: Some(ContentDigest::of(b"x")),
            size: Some(1),
            modified: Some(100),
            read_at: DateTime::from_timestamp(102, 0).unwrap(),
            indexer: Some("1".to_owned()),
            packages: None,
            is_unsettled: false,
            is_broken: false,
        }
    }

    fn by() -> ComputedBy {
        ComputedBy {
            indexer: "1".to_owned(),
            packages: "p".to_owned(),
        }
    }

    #[test]
    fn a_file_is_looked_at_for_a_reason() {
        let unchanged = row("a");
        let cases: Vec<(&str, KnownFile, Listed, Option<Reason>)> = vec![
            ("unchanged", unchanged.clone(), listed("a", 100, 1), None),
            (
                "another time",
                unchanged.clone(),
                listed("a", 99, 1),
                Some(Reason::MayHaveChanged),
            ),
            (
                "another size",
                unchanged.clone(),
                listed("a", 100, 2),
                Some(Reason::MayHaveChanged),
            ),
            (
                "too fresh to trust",
                KnownFile {
                    read_at: DateTime::from_timestamp(101, 0).unwrap(),
                    ..unchanged.clone()
                },
                listed("a", 100, 1),
                Some(Reason::MayHaveChanged),
            ),
            (
                "a tombstone",
                KnownFile {
                    state: TargetState::Absent,
                    ..unchanged.clone()
                },
                listed("a", 100, 1),
                Some(Reason::New),
            ),
            (
                "another version",
                KnownFile {
                    indexer: Some("0".to_owned()),
                    ..unchanged.clone()
                },
                listed("a", 100, 1),
                Some(Reason::Outdated),
            ),
            (
                "the same package map",
                KnownFile {
                    packages: Some("p".to_owned()),
                    ..unchanged.clone()
                },
                listed("a", 100, 1),
                None,
            ),
            (
                "another package map",
                KnownFile {
                    packages: Some("q".to_owned()),
                    ..unchanged.clone()
                },
                listed("a", 100, 1),
                Some(Reason::Outdated),
            ),
            (
                "an edge is broken",
                KnownFile {
                    is_broken: true,
                    ..unchanged.clone()
                },
                listed("a", 100, 1),
                Some(Reason::Outdated),
            ),
            (
                "something was missing",
                KnownFile {
                    is_unsettled: true,
                    ..unchanged.clone()
                },
                listed("a", 100, 1),
                Some(Reason::Unsettled),
            ),
        ];
        for (what, row, listed, expected) in cases {
            let planned = plan(&[listed], &[row], &by(), false);
            assert_eq!(planned.get(&path("a")).copied(), expected, "{what}");
        }
        let planned = plan(&[listed("a", 100, 1)], &[row("a")], &by(), true);
        assert_eq!(planned[&path("a")], Reason::Forced);
    }

    #[test]
    fn what_is_unlisted_is_looked_at_once() {
        let tombstone = KnownFile {
            state: TargetState::Absent,
            ..row("gone")
        };
        let planned = plan(
            &[listed("a", 100, 1), listed("new", 1, 1)],
            &[row("a"), row("b"), tombstone],
            &by(),
            false,
        );
        let expected = [(path("b"), Reason::Unlisted), (path("new"), Reason::New)];
        assert_eq!(planned.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn half_a_realm_is_not_taken_silently() {
        let known: Vec<_> = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
            .map(row)
            .into();
        let all: Vec<_> = known
            .iter()
            .map(|row| listed(row.path.as_str(), 1, 1))
            .collect();
        for (kept, expected) in [(9, None), (5, None), (4, Some((5, 9))), (0, Some((9, 9)))] {
            assert_eq!(takes_too_much(&all[..kept], &known), expected, "{kept}");
        }
        assert_eq!(takes_too_much(&[], &known[..4]), None, "a handful");
    }
}
