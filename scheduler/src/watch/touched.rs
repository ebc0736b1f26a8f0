//! What the system reports, as paths of a realm.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind, RemoveKind};
use realmdex_types::RealmPath;

/// What may have happened at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    /// It was written, or its attributes changed.
    Content,
    /// It came, went, or was renamed: it may be another thing now.
    Name,
}

/// Everything that was reported since it was last looked at.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Where.
    pub(super) paths: BTreeMap<RealmPath, Touch>,
    /// Those of them that are said to have been folders.
    pub(super) folders: BTreeSet<RealmPath>,
    /// Reports were dropped: anything may have happened.
    pub(super) is_lost: bool,
    /// The root itself came, went or was renamed.
    pub(super) is_root: bool,
}

impl Touched {
    /// Takes note of a report. What is only read does not matter, nor does what can't be a realm's path.
    pub(super) fn note(&mut self, root: &Path, event: &notify::Event) {
        self.is_lost |= event.need_rescan();
        let Some(touch) = touch(&event.kind) else {
            return;
        };
        for path in &event.paths {
            let Ok(below) = path.strip_prefix(root) else {
                continue;
            };
            if below.as_os_str().is_empty() {
                self.is_root |= touch == Touch::Name;
            } else if let Some(path) = realm_path(below) {
                if event.kind == EventKind::Remove(RemoveKind::Folder) {
                    self.folders.insert(path.clone());
                }
                self.touch(path, touch);
            }
        }
    }

    pub(super) fn touch(&mut self, path: RealmPath, touch: Touch) {
        let held = self.paths.entry(path).or_insert(touch);
        *held = touch.max(*held);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.is_lost && !self.is_root
    }
}

fn touch(kind: &EventKind) -> Option<Touch> {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Some(Touch::Content),
        EventKind::Access(_) => None,
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_)) => Some(Touch::Content),
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(_) | EventKind::Any => {
            Some(Touch::Name)
        }
        EventKind::Other => None,
    }
}

fn realm_path(below: &Path) -> Option<RealmPath> {
    let segments: Option<Vec<&str>> = below.iter().map(|segment| segment.to_str()).collect();
    RealmPath::parse(&segments?.join("/")).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use notify::event::{CreateKind, DataChange, Flag, MetadataKind, RenameMode};

    use super::*;

    #[test]
    fn what_is_read_or_outside_does_not_matter() {
        let read = EventKind::Access(AccessKind::Open(AccessMode::Any));
        let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
        let closed = EventKind::Access(AccessKind::Close(AccessMode::Read));
        let data = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let attributes = EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any));
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::From));
        let made = EventKind::Create(CreateKind::File);
        let removed = EventKind::Remove(RemoveKind::Folder);
        let (content, name) = (Some(Touch::Content), Some(Touch::Name));
        let rows: [(EventKind, &str, Option<Touch>); 11] = [
            (read, "/r/a", None),
            (closed, "/r/a", None),
            (written, "/r/a", content),
            (data, "/r/a", content),
            (attributes, "/r/a", content),
            (renamed, "/r/a", name),
            (made, "/r/a", name),
            (removed, "/r/a", name),
            (made, "/r/../r/a", None),
            (made, "/other/a", None),
            (made, "/r/b\\c", None),
        ];
        for (kind, path, wanted) in rows {
            let mut touched = Touched::default();
            let event = notify::Event::new(kind).add_path(path.into());
            touched.note(Path::new("/r"), &event);
            let got = touched.paths.get(&RealmPath::parse("a").unwrap()).copied();
            assert_eq!(got, wanted, "{kind:?} {path}");
            assert_eq!(touched.is_empty(), wanted.is_none(), "{kind:?} {path}");
        }
    }

    #[test]
    fn the_root_and_what_was_dropped_are_told_apart() {
        let mut touched = Touched::default();
        let made = notify::Event::new(EventKind::Create(CreateKind::Any)).add_path("/r".into());
        touched.note(Path::new("/r"), &made);
        assert!(touched.is_root && !touched.is_lost);
        let dropped = notify::Event::new(EventKind::Other).set_flag(Flag::Rescan);
        touched.note(Path::new("/r"), &dropped);
        assert!(touched.is_lost && touched.paths.is_empty());
    }

    #[test]
    fn a_rename_outweighs_a_write() {
        let mut touched = Touched::default();
        let path = RealmPath::parse("a").unwrap();
        for touch in [Touch::Content, Touch::Name, Touch::Content] {
            touched.touch(path.clone(), touch);
        }
        assert_eq!(touched.paths[&path], Touch::Name);
    }
}
