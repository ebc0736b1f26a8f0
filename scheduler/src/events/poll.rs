//! Looking at the index now and then for what is new.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use realmdex_store::{Moment, ReindexRow, Store, StoreError};
use tokio::time::Instant;

use super::Happening;

/// Between two looks.
const PERIOD: Duration = Duration::from_millis(200);

/// Between two looks at reindexes: what of them is open has to be counted.
const REINDEX_PERIOD: Duration = Duration::from_secs(1);

/// After a look that failed.
const PAUSE: Duration = Duration::from_secs(1);

/// How much earlier than it can be seen something may have happened: longer than a transaction takes.
pub(super) const OVERLAP: TimeDelta = TimeDelta::seconds(3);

/// Moments in one answer.
const PAGE: i64 = 5000;

/// Where a reindex is: what is told of it.
type Progress = (Option<u64>, Option<u64>, u64, bool);

fn progress(row: &ReindexRow) -> Progress {
    (row.listed, row.planned, row.open, row.outcome.is_some())
}

/// Looks at the index. It keeps the moments it has told, as long as others may still come before them.
pub(super) struct Poller {
    store: Store,
    /// Everything before was told.
    since: DateTime<Utc>,
    told: HashSet<Moment>,
    reindexes: BTreeMap<i64, Progress>,
    reindexes_due: Instant,
    has_failed: bool,
}

impl Poller {
    /// One that tells what happens from now on.
    pub(super) async fn begin(store: Store) -> Result<Self, StoreError> {
        let now = store.now().await?;
        let mut poller = Self {
            since: now - OVERLAP,
            told: HashSet::new(),
            reindexes: BTreeMap::new(),
            reindexes_due: Instant::now(),
            has_failed: false,
            store,
        };
        let old = poller.new_moments().await?;
        poller.told.extend(old);
        Ok(poller)
    }

    /// Waits until it is time to look again.
    pub(super) async fn pause(&self) {
        let pause = if self.has_failed { PAUSE } else { PERIOD };
        tokio::time::sleep(pause).await;
    }

    /// What is new. Where the index can't be read that comes later.
    pub(super) async fn look(&mut self) -> Vec<Happening> {
        match self.try_look().await {
            Ok(new) => {
                self.has_failed = false;
                new
            }
            Err(error) => {
                if !self.has_failed {
                    let shown = &error as &(dyn std::error::Error + 'static);
                    tracing::warn!(error = shown, "what happens is told later");
                }
                self.has_failed = true;
                Vec::new()
            }
        }
    }

    /// What was told is only noted once all of it was read.
    async fn try_look(&mut self) -> Result<Vec<Happening>, StoreError> {
        let now = self.store.now().await?;
        let moments = self.new_moments().await?;
        let mut files = Vec::new();
        for page in moments.chunks(1000) {
            let numbers: Vec<i64> = page.iter().map(|moment| moment.file).collect();
            files.extend(self.store.happened_to(&numbers).await?);
        }
        let is_due = Instant::now() >= self.reindexes_due;
        let reindexes = match is_due {
            true => self.store.reindexes_since(None, self.since).await?,
            false => Vec::new(),
        };
        // It may have happened again meanwhile: once is enough.
        files.retain(|file| !self.told.contains(&file.moment));
        self.told.extend(moments);
        self.told.extend(files.iter().map(|file| file.moment));
        self.since = self.since.max(now - OVERLAP);
        let since = self.since;
        self.told.retain(|moment| moment.at >= since);
        let mut happenings: Vec<Happening> = files.into_iter().map(Happening::Index).collect();
        if is_due {
            self.reindexes_due = Instant::now() + REINDEX_PERIOD;
            let got_on = self.got_on(reindexes);
            happenings.extend(got_on.into_iter().map(Happening::Reindex));
        }
        Ok(happenings)
    }

    /// Moments that were not told, in order.
    async fn new_moments(&self) -> Result<Vec<Moment>, StoreError> {
        let mut new = Vec::new();
        let mut after = Moment::before(self.since);
        loop {
            let page = self.store.moments(after, PAGE).await?;
            let is_last = i64::try_from(page.len()).is_ok_and(|found| found < PAGE);
            let last = page.last().copied();
            new.extend(
                page.into_iter()
                    .filter(|moment| !self.told.contains(moment)),
            );
            match last {
                Some(last) if !is_last => after = last,
                _ => return Ok(new),
            }
        }
    }

    /// Those of all reindexes that got on since they were told of.
    fn got_on(&mut self, rows: Vec<ReindexRow>) -> Vec<ReindexRow> {
        let known = std::mem::take(&mut self.reindexes);
        self.reindexes = rows.iter().map(|row| (row.id, progress(row))).collect();
        let is_new = |row: &ReindexRow| known.get(&row.id) != Some(&progress(row));
        rows.into_iter().filter(is_new).collect()
    }
}
