//! Folders are watched.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use realmdex_queue::Broker;
use realmdex_scheduler::dispatch::DispatchConfig;
use realmdex_scheduler::reconcile::ReconcileConfig;
use realmdex_scheduler::watch::WatchConfig;
use realmdex_scheduler::{Scheduler, SchedulerConfig};
use realmdex_store::Realm;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::index::{Index, eventually, metrics, url, with_index};

/// A realm in a folder, watched by a scheduler.
struct Watched {
    index: Index,
    realm: Realm,
    place: TempDir,
    markers: u32,
    shutdown: CancellationToken,
    running: JoinHandle<()>,
}

fn scheduler(index: &Index, shutdown: &CancellationToken) -> JoinHandle<()> {
    let scheduler = Scheduler::new(SchedulerConfig {
        store: index.store.clone(),
        broker: Broker::local(),
        metrics: metrics(),
        dispatch: DispatchConfig::default(),
        reconcile: ReconcileConfig::default(),
        watch: Some(WatchConfig {
            retry_period: Duration::from_millis(20),
            registry_period: Duration::from_millis(20),
            ..WatchConfig::default()
        }),
    });
    tokio::spawn(scheduler.run(shutdown.clone()))
}

impl Watched {
    /// With these files, as they are before anyone watches.
    async fn with(index: Index, files: &[&str]) -> Self {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("realm");
        fs::create_dir(&root).unwrap();
        let source = Url::from_directory_path(&root).unwrap();
        let realm = index
            .store
            .register_realm(&url("watched"), source.as_str())
            .await
            .unwrap();
        for file in files {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "as it was").unwrap();
        }
        let shutdown = CancellationToken::new();
        let running = scheduler(&index, &shutdown);
        let watched = Self {
            index,
            realm,
            place,
            markers: 0,
            shutdown,
            running,
        };
        watched.listed("its folder is watched from now on").await;
        watched
    }

    fn at(&self, path: &str) -> PathBuf {
        self.place.path().join("realm").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.at(from), self.at(to)).unwrap();
    }

    /// Waits until the realm was asked to be listed for a reason, and has that over.
    async fn listed(&self, reason: &str) {
        eventually(reason, async || {
            let reasons = self.index.reasons(&self.realm).await;
            reasons.iter().any(|told| told == reason)
        })
        .await;
        self.index.store.cancel_realm(self.realm.id).await.unwrap();
    }

    /// The files that are to be looked at for what happened so far.
    async fn noticed(&mut self) -> Vec<String> {
        // What is reported is reported in order: what came before this file was taken in before it, or with it.
        self.markers += 1;
        let marker = format!("marker-{}", self.markers);
        self.write(&marker, "");
        let mut noticed = BTreeSet::new();
        eventually("the marker is noticed", async || {
            noticed = self.index.waiting(&self.realm).await;
            noticed.contains(&marker)
        })
        .await;
        self.index.store.cancel_realm(self.realm.id).await.unwrap();
        noticed.retain(|path| !path.starts_with("marker-"));
        noticed.into_iter().collect()
    }

    async fn reasons(&self) -> Vec<String> {
        self.index.reasons(&self.realm).await
    }

    async fn end(self) {
        self.shutdown.cancel();
        self.running.await.unwrap();
    }
}

#[tokio::test]
async fn files_that_come_change_and_go_are_noticed() {
    with_index(async |index| {
        let mut watched = Watched::with(index, &["a.md", "skills/b.md"]).await;
        assert_eq!(watched.noticed().await, [""; 0]);
        watched.write("a.md", "edited");
        watched.write("skills/new.md", "new");
        assert_eq!(watched.noticed().await, ["a.md", "skills/new.md"]);
        watched.rename("skills/b.md", "c.md");
        assert_eq!(watched.noticed().await, ["c.md", "skills/b.md"]);
        fs::remove_file(watched.at("c.md")).unwrap();
        assert_eq!(watched.noticed().await, ["c.md"]);
        // As editors save.
        watched.write("a.md.tmp", "edited again");
        watched.rename("a.md.tmp", "a.md");
        assert_eq!(watched.noticed().await, ["a.md", "a.md.tmp"]);
        // Only read.
        fs::read(watched.at("a.md")).unwrap();
        assert_eq!(watched.noticed().await, [""; 0]);
        assert_eq!(
            watched.reasons().await.len(),
            1,
            "nothing but the first listing"
        );
        watched.end().await;
    })
    .await;
}

#[tokio::test]
async fn folders_that_come_and_go_are_noticed_with_what_is_in_them() {
    with_index(async |index| {
        let mut watched = Watched::with(index, &["old/a.md", "old/in/b.md"]).await;
        let realm = watched.realm.clone();
        watched
            .index
            .known(&realm, &["old/a.md", "old/in/b.md", "older.md"], 0)
            .await;
        watched.rename("old", "new");
        assert_eq!(
            watched.noticed().await,
            ["new/a.md", "new/in/b.md", "old/a.md", "old/in/b.md"]
        );
        watched.write("new/in/b.md", "edited under its new name");
        assert_eq!(watched.noticed().await, ["new/in/b.md"]);
        watched
            .index
            .known(&realm, &["new/a.md", "new/in/b.md"], 0)
            .await;
        fs::remove_dir_all(watched.at("new")).unwrap();
        assert_eq!(watched.noticed().await, ["new/a.md", "new/in/b.md"]);
        // Gone and there again before anyone could look.
        watched.write("again/c.md", "");
        watched.noticed().await;
        watched
            .index
            .known(&realm, &["again/c.md", "again/d.md"], 0)
            .await;
        for round in 0..5 {
            fs::remove_dir_all(watched.at("again")).unwrap();
            watched.write("again/d.md", &round.to_string());
        }
        assert_eq!(watched.noticed().await, ["again/c.md", "again/d.md"]);
        watched.write("again/d.md", "edited");
        assert_eq!(watched.noticed().await, ["again/d.md"]);
        // Moved in from elsewhere, and out again.
        let outside = watched.place.path().join("outside");
        fs::create_dir_all(outside.join("deep")).unwrap();
        fs::write(outside.join("deep/e.md"), "").unwrap();
        fs::rename(&outside, watched.at("inside")).unwrap();
        assert_eq!(watched.noticed().await, ["inside/deep/e.md"]);
        watched.index.known(&realm, &["inside/deep/e.md"], 0).await;
        fs::rename(watched.at("inside"), &outside).unwrap();
        assert_eq!(watched.noticed().await, ["inside/deep/e.md"]);
        fs::write(outside.join("deep/e.md"), "edited outside").unwrap();
        assert_eq!(watched.noticed().await, [""; 0]);
        watched.end().await;
    })
    .await;
}

/// The system watches a new folder only after it was made: what is put into it before that is found by looking.
#[tokio::test]
async fn nothing_in_new_folders_is_missed() {
    with_index(async |index| {
        let mut watched = Watched::with(index, &[]).await;
        for round in 0..20 {
            let mut written = BTreeSet::new();
            for (folder, file) in [("a", 1), ("a/b", 2), ("a/b/c/d", 3), ("e/f", 4)] {
                let path = format!("{round}/{folder}/{file}.md");
                watched.write(&path, "");
                written.insert(path);
            }
            let noticed: BTreeSet<String> = watched.noticed().await.into_iter().collect();
            assert_eq!(noticed, written);
        }
        watched.end().await;
    })
    .await;
}

#[tokio::test]
async fn what_is_ignored_causes_nothing_until_it_is_not() {
    with_index(async |index| {
        let mut watched = Watched::with(index, &["skills/.gitignore", "skills/a.md"]).await;
        watched.write(".gitignore", "*.log\nbuild/\n");
        watched.listed(".gitignore changed").await;
        assert!(
            watched
                .noticed()
                .await
                .iter()
                .all(|path| path == ".gitignore")
        );
        for ignored in [
            "a.log",
            "skills/b.log",
            "build/c.md",
            "build/deep/d.md",
            ".git/config",
            "node_modules/e/f.js",
        ] {
            watched.write(ignored, "");
        }
        assert_eq!(watched.noticed().await, [""; 0]);
        watched.write("build/deep/d.md", "edited");
        fs::remove_file(watched.at("a.log")).unwrap();
        fs::remove_dir_all(watched.at(".git")).unwrap();
        assert_eq!(watched.noticed().await, [""; 0]);
        // An edit shows them; one that hides itself does as well.
        watched.write("skills/.gitignore", ".gitignore\n!b.log\n");
        watched.listed("skills/.gitignore changed").await;
        watched.write("skills/b.log", "edited");
        assert!(watched.noticed().await.contains(&"skills/b.log".to_owned()));
        fs::remove_file(watched.at(".gitignore")).unwrap();
        eventually("listed once more", async || {
            let reasons = watched.reasons().await;
            reasons
                .iter()
                .filter(|told| *told == ".gitignore changed")
                .count()
                > 1
        })
        .await;
        watched.noticed().await;
        watched.write("build/deep/d.md", "edited again");
        assert_eq!(watched.noticed().await, ["build/deep/d.md"]);
        watched.end().await;
    })
    .await;
}

#[tokio::test]
async fn a_root_that_is_gone_is_waited_for() {
    with_index(async |index| {
        let mut watched = Watched::with(index, &["a.md"]).await;
        let realm = watched.realm.clone();
        watched.index.known(&realm, &["a.md"], 0).await;
        let (root, away) = (watched.at(""), watched.place.path().join("away"));
        fs::rename(&root, &away).unwrap();
        // Another one is put in its place.
        fs::create_dir(&root).unwrap();
        fs::write(root.join("b.md"), "").unwrap();
        watched.listed("its folder is watched again").await;
        watched.write("b.md", "edited");
        assert!(watched.noticed().await.contains(&"b.md".to_owned()));
        fs::write(away.join("a.md"), "edited elsewhere").unwrap();
        assert_eq!(watched.noticed().await, [""; 0]);
        watched.end().await;
    })
    .await;
}

#[tokio::test]
async fn realms_are_watched_as_they_come_and_go() {
    with_index(async |index| {
        let mut watched = Watched::with(index.clone(), &["inner/a.md", "b.md"]).await;
        // A realm within the realm: its files are not the outer one's any more.
        let source = Url::from_directory_path(watched.at("inner")).unwrap();
        let inner = index
            .store
            .register_realm(&url("inner"), source.as_str())
            .await
            .unwrap();
        let begun = "its folder is watched from now on";
        for realm in [&watched.realm, &inner] {
            let listings = if realm.id == inner.id { 1 } else { 2 };
            eventually("both are watched", async || {
                let reasons = index.reasons(realm).await;
                reasons.iter().filter(|told| *told == begun).count() == listings
            })
            .await;
            index.store.cancel_realm(realm.id).await.unwrap();
        }
        watched.write("inner/a.md", "edited");
        watched.write("b.md", "edited");
        assert_eq!(watched.noticed().await, ["b.md"]);
        eventually("the inner realm notices", async || {
            index.waiting(&inner).await.contains("a.md")
        })
        .await;
        // Archived, it is watched no more, and its files are the outer one's again.
        index.store.archive_realm(inner.id, true).await.unwrap();
        eventually("the outer one is watched anew", async || {
            let reasons = watched.reasons().await;
            reasons.iter().filter(|told| *told == begun).count() == 3
        })
        .await;
        watched
            .index
            .store
            .cancel_realm(watched.realm.id)
            .await
            .unwrap();
        watched.write("inner/a.md", "edited again");
        assert_eq!(watched.noticed().await, ["inner/a.md"]);
        assert!(index.waiting(&inner).await.is_empty());
        watched.end().await;
    })
    .await;
}
