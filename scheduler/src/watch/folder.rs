//! A realm's folder is followed.

use std::path::Path;
use std::time::{Duration, Instant};

use realmdex_source::FolderSource;
use realmdex_types::in_words;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::cover::Cover;
use super::settle::settle;
use super::touched::Touched;
use super::trouble::Trouble;
use super::{WatchConfig, Watched};
use crate::intake::{Intake, IntakeError};
use crate::outage::Outage;
use crate::plan::Plan;

/// However much happens, what was gathered is looked at after so many gathering spans.
const MAX_GATHERINGS: u32 = 5;

type Events = mpsc::UnboundedReceiver<notify::Result<notify::Event>>;

/// Follows a realm's folder until it is told to stop. Where that can't be done, it is tried again; the realm is listed
/// when it can.
pub(super) async fn follow(
    watched: Watched,
    intake: Intake,
    config: WatchConfig,
    stop: CancellationToken,
) {
    let what = format!(
        "watching {} of {}",
        watched.root.display(),
        watched.realm.url
    );
    let mut outage = Outage::none(what);
    let mut reason = config
        .lists_at_start
        .then_some("its folder is watched from now on");
    while !stop.is_cancelled() {
        let followed = Follower {
            watched: &watched,
            intake: &intake,
            config,
            stop: &stop,
        };
        let trouble = match followed.follow(&mut outage, reason).await {
            Ok(()) => return,
            Err(trouble) => trouble,
        };
        reason = Some("its folder is watched again");
        if matches!(trouble, Trouble::Replaced) {
            tracing::debug!(realm = %watched.realm.url, %trouble, "watching begins anew");
            if watched.root.is_dir() {
                continue;
            }
        }
        outage.began(&trouble);
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(config.retry_period) => {}
        }
    }
}

struct Follower<'a> {
    watched: &'a Watched,
    intake: &'a Intake,
    config: WatchConfig,
    stop: &'a CancellationToken,
}

impl Follower<'_> {
    /// Follows the folder that is there now.
    async fn follow(&self, outage: &mut Outage, reason: Option<&str>) -> Result<(), Trouble> {
        let root = &self.watched.root;
        let source = FolderSource::open(root)?;
        let identity = Identity::of(root);
        let (sender, mut events) = mpsc::unbounded_channel();
        let mut cover = Cover::of_root(root, sender).await?;
        cover.cover(self.watched, &source, None).await?;
        outage.is_over();
        // Whatever happens from here on is reported.
        let mut plan = Plan::default();
        if let Some(reason) = reason {
            plan.list(|| reason.to_owned());
        }
        tracing::debug!(realm = %self.watched.realm.url, "its folder is watched");
        let mut checks = tokio::time::interval(self.config.retry_period);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            if !self.carry_out(&plan).await {
                return Ok(());
            }
            let mut touched = Touched::default();
            tokio::select! {
                () = self.stop.cancelled() => return Ok(()),
                _ = checks.tick() => touched.is_root = true,
                event = events.recv() => self.note(&mut touched, event)?,
            }
            if !touched.is_empty() {
                self.gather(&mut touched, &mut events).await?;
            }
            if touched.is_root && Identity::of(root) != identity {
                return Err(Trouble::Replaced);
            }
            plan = settle(self.watched, &source, &mut cover, touched).await?;
        }
    }

    /// Gathers what happens with something that happened.
    async fn gather(&self, touched: &mut Touched, events: &mut Events) -> Result<(), Trouble> {
        let end = Instant::now() + self.config.gather * MAX_GATHERINGS;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let next = tokio::time::timeout(self.config.gather.min(left), events.recv());
            match next.await {
                Ok(event) => self.note(touched, event)?,
                Err(_) => break,
            }
        }
        // However long that took, what is already there comes along.
        while let Ok(event) = events.try_recv() {
            self.note(touched, Some(event))?;
        }
        Ok(())
    }

    fn note(
        &self,
        touched: &mut Touched,
        event: Option<notify::Result<notify::Event>>,
    ) -> Result<(), Trouble> {
        let event = event.ok_or(Trouble::Silent)?.map_err(Trouble::watching)?;
        touched.note(&self.watched.root, &event);
        Ok(())
    }

    /// Has a plan carried out, however long that takes to succeed; false where it is told to stop before.
    async fn carry_out(&self, plan: &Plan) -> bool {
        if plan.is_empty() {
            return true;
        }
        let mut outage = Outage::none(format!("taking in changes of {}", self.watched.realm.url));
        loop {
            match self.intake.carry_out(&self.watched.realm, plan).await {
                Ok(_) => {
                    outage.is_over();
                    return true;
                }
                // Nobody watches it in a moment.
                Err(IntakeError::ArchivedRealm(_)) => return true,
                // What the index can't keep (names that are too long) would be refused for ever: a listing leaves it
                // out, and finds the rest.
                Err(IntakeError::Store(error))
                    if error.is_about_values() && plan.listing.is_none() =>
                {
                    tracing::warn!(error = in_words(&error), realm = %self.watched.realm.url,
                        "changes are not kept: the realm is listed instead");
                    let mut listing = Plan::default();
                    listing.list(|| "changes that the index can't keep".to_owned());
                    return Box::pin(self.carry_out(&listing)).await;
                }
                Err(error) => outage.began(&error),
            }
            tokio::select! {
                () = self.stop.cancelled() => return false,
                () = tokio::time::sleep(RETRY) => {}
            }
        }
    }
}

/// How long to wait before changes that could not be taken in are tried again.
const RETRY: Duration = Duration::from_millis(500);

/// Which folder it is that has a path.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    place: Option<std::path::PathBuf>,
    #[cfg(unix)]
    inode: Option<(u64, u64)>,
}

impl Identity {
    fn of(root: &Path) -> Self {
        Self {
            place: std::fs::canonicalize(root).ok(),
            #[cfg(unix)]
            inode: std::fs::metadata(root).ok().map(|metadata| {
                use std::os::unix::fs::MetadataExt;
                (metadata.dev(), metadata.ino())
            }),
        }
    }
}
