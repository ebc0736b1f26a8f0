//! Realms that change while they are indexed.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use realmdex_source::FolderSource;

use crate::indexed::{BeforeRead, Indexed, Unreliable, indexed, skill, tool};

const NOTHING: [&str; 0] = [];

/// Writes a module anew right before it is read the first few times.
#[derive(Debug)]
struct Rewrites {
    file: PathBuf,
    times: usize,
    reads: AtomicUsize,
}

impl BeforeRead for Rewrites {
    fn before(&self, path: &str) {
        if !self.file.ends_with(path) {
            return;
        }
        let reads = self.reads.fetch_add(1, Ordering::SeqCst);
        if reads < self.times {
            fs::write(&self.file, tool(&format!("read {reads}"))).unwrap();
        }
    }
}

/// The skill's tool is described as the module that is there now describes it.
async fn assert_described_as_it_is(realm: &Indexed) {
    let last = fs::read_to_string(realm.made.path().join("tool.js")).unwrap();
    let described = realm.descriptions("SKILL.md").await;
    assert!(
        last.contains(described[0].as_str().unwrap()),
        "{described:?} of {last}"
    );
}

/// The module is another each time it is read: for its own row, for the skill, and again. In the end all agree.
#[tokio::test(flavor = "multi_thread")]
async fn a_module_that_changes_between_readings() {
    for (times, is_package) in [(1, false), (2, false), (3, true), (6, false), (1, true)] {
        indexed(&[], async move |mut realm| {
            if is_package {
                // Its files then go by the package's name.
                realm.packages = vec![("@own/realm/", realm.made.path())];
            }
            realm.write("SKILL.md", &skill(&["./tool"]));
            realm.write("tool.js", &tool("first"));
            realm.source = Some(Arc::new(Unreliable {
                folder: FolderSource::open(&realm.made.path()).unwrap(),
                fails: |_| None,
                before: Box::new(Rewrites {
                    file: realm.made.path().join("tool.js"),
                    times,
                    reads: AtomicUsize::new(0),
                }),
            }));
            realm.pass().await;
            assert_described_as_it_is(&realm).await;
            realm.source = None;
            assert_eq!(realm.pass().await, NOTHING, "{times}");
        })
        .await;
    }
}

/// A module that never rests does not hold the pass for ever; the next pass takes it up.
#[tokio::test(flavor = "multi_thread")]
async fn a_module_that_never_rests() {
    indexed(&[], async |mut realm| {
        realm.write("SKILL.md", &skill(&["./tool"]));
        realm.write("tool.js", &tool("first"));
        realm.source = Some(Arc::new(Unreliable {
            folder: FolderSource::open(&realm.made.path()).unwrap(),
            fails: |_| None,
            before: Box::new(Rewrites {
                file: realm.made.path().join("tool.js"),
                times: usize::MAX,
                reads: AtomicUsize::new(0),
            }),
        }));
        let report = realm.try_pass().await.unwrap();
        assert!(!report.unsettled.is_empty());
        realm.source = None;
        realm.pass().await;
        assert_described_as_it_is(&realm).await;
        assert_eq!(realm.pass().await, NOTHING);
    })
    .await;
}
