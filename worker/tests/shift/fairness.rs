//! Nobody waits for others' work longer than must be.

use std::sync::atomic::{AtomicBool, Ordering};

use realmdex_types::JobClass;

use crate::fleet::{Deed, Fleet, fleet_that, until};

/// Bulk work has taken all it may, and all of it hangs: an edit is done all the same, also of a file that waits in bulk.
#[tokio::test(flavor = "multi_thread")]
async fn a_slot_is_kept_for_edits() {
    static IS_OPEN: AtomicBool = AtomicBool::new(false);
    let deed = |path: &str| {
        if path.starts_with("slow/") && !IS_OPEN.load(Ordering::SeqCst) {
            Deed::Hang
        } else {
            Deed::Read
        }
    };
    fleet_that(
        || deed,
        async |mut fleet: Fleet| {
            IS_OPEN.store(false, Ordering::SeqCst);
            fleet.config.deadline = std::time::Duration::from_secs(5);
            fleet.config.tries = 100;
            let names: Vec<String> = (0..40).map(|n| format!("slow/{n}.md")).collect();
            let mut files: Vec<(&str, &str)> =
                names.iter().map(|name| (name.as_str(), "x")).collect();
            files.push(("z.md", "z"));
            let a = fleet.realm("a", &files).await;
            let b = fleet.realm("b", &[]).await;
            let worker = fleet.worker().await;
            fleet.until_read("slow/0.md").await;
            fleet.write("b", "new.md", "new");
            fleet.changed(&b, &["new.md"]).await;
            until!("an edit elsewhere is done", {
                fleet
                    .row("b", "new.md")
                    .await
                    .is_some_and(|row| row.document.is_some())
            });
            // It waits in bulk already.
            let waiting = fleet.open_jobs().await;
            assert!(waiting.iter().all(|job| job.class == JobClass::Bulk));
            fleet.changed(&a, &["z.md"]).await;
            until!("an edit of a file that waits is done", {
                fleet
                    .row("a", "z.md")
                    .await
                    .is_some_and(|row| row.document.is_some())
            });
            assert!(!IS_OPEN.load(Ordering::SeqCst));
            IS_OPEN.store(true, Ordering::SeqCst);
            fleet.settled().await;
            worker.stop().await;
        },
    )
    .await;
}

/// Under a stream of edits, bulk work ends.
#[tokio::test(flavor = "multi_thread")]
async fn bulk_work_moves_under_a_stream_of_edits() {
    fleet_that(
        || |_: &str| Deed::Read,
        async |fleet: Fleet| {
            let names: Vec<String> = (0..200).map(|n| format!("{n}.md")).collect();
            let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "x")).collect();
            fleet.realm("a", &files).await;
            let edited: Vec<String> = (0..40).map(|n| format!("edit{n}.md")).collect();
            let edits: Vec<(&str, &str)> = edited.iter().map(|name| (name.as_str(), "x")).collect();
            let b = fleet.realm("b", &edits).await;
            let paths: Vec<&str> = edited.iter().map(String::as_str).collect();
            let worker = fleet.worker().await;
            let is_bulk_open = async || {
                let open = fleet.open_jobs().await;
                open.iter().any(|job| job.class == JobClass::Bulk)
            };
            let mut edits = 0;
            while is_bulk_open().await {
                fleet.changed(&b, &paths).await;
                edits += 1;
                assert!(edits < 5_000, "bulk work does not move");
            }
            fleet.settled().await;
            worker.stop().await;
        },
    )
    .await;
}
