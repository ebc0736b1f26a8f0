//! What one follower is told: first what it missed, then what happens.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use realmdex_store::{FileHappened, Moment, Realm, StoreError};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::poll::OVERLAP;
use super::{Events, FollowError, Happening};

/// Files that are read at once for a follower that is behind.
const PAGE: i64 = 500;

/// Where a follower is: the `id` of an event. A follower that comes back says it as `Last-Event-ID`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position(pub(super) Moment);

impl Position {
    /// Reads an `id`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (micros, file) = text.split_once('-')?;
        Some(Self(Moment {
            at: DateTime::<Utc>::from_timestamp_micros(micros.parse().ok()?)?,
            file: file.parse().ok()?,
        }))
    }

    /// The `id`.
    pub(crate) fn text(self) -> String {
        format!("{}-{}", self.0.at.timestamp_micros(), self.0.file)
    }
}

/// What one follower is told.
pub(crate) struct Feed {
    events: Events,
    receiver: Receiver<Arc<Happening>>,
    /// Of one realm, or of all.
    realm: Option<Realm>,
    /// What comes next.
    ready: VecDeque<Arc<Happening>>,
    /// Where it goes on reading the index; none where it has read all.
    behind: Option<Moment>,
    /// The newest moment it was told, or when it came.
    newest: Moment,
    /// What it read that may be told as well.
    read: HashSet<Moment>,
}

impl Feed {
    /// Follows from now on, or from where the follower was. Reindexes that are under way are told first.
    pub(crate) async fn begin(
        events: &Events,
        realm: Option<Realm>,
        position: Option<Position>,
    ) -> Result<Self, FollowError> {
        let receiver = events.follow().await?;
        let id = realm.as_ref().map(|realm| realm.id);
        let now = events.store.now().await?;
        let open = events.store.reindexes_since(id, now).await?;
        let ready = open
            .into_iter()
            .map(|row| Arc::new(Happening::Reindex(row)));
        Ok(Self {
            events: events.clone(),
            receiver,
            realm,
            ready: ready.collect(),
            behind: position.map(before),
            newest: position.map_or(Moment::before(now), |position| position.0),
            read: HashSet::new(),
        })
    }

    /// What comes next; none once nothing ever will. Nothing is lost where this is dropped before it answers.
    pub(crate) async fn next(&mut self) -> Result<Option<Arc<Happening>>, StoreError> {
        loop {
            if let Some(next) = self.ready.pop_front() {
                return Ok(Some(next));
            }
            if let Some(after) = self.behind {
                self.catch_up(after).await?;
                continue;
            }
            match self.receiver.recv().await {
                Ok(happening) => {
                    self.take(happening);
                    self.take_the_rest();
                }
                Err(RecvError::Lagged(_)) => {
                    // It was too slow: what it missed is in the index.
                    self.behind = Some(before(Position(self.newest)));
                }
                Err(RecvError::Closed) => return Ok(None),
            }
        }
    }

    /// How much is ready to be told: all of it happened before now.
    pub(super) fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Takes what was told together with the one before.
    fn take_the_rest(&mut self) {
        for _ in 0..self.receiver.len() {
            match self.receiver.try_recv() {
                Ok(happening) => self.take(happening),
                Err(TryRecvError::Lagged(_)) => {
                    self.behind = Some(before(Position(self.newest)));
                    return;
                }
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }

    fn take(&mut self, happening: Arc<Happening>) {
        let (realm, moment) = match &*happening {
            Happening::Index(file) => (&file.realm, Some(file.moment)),
            Happening::Reindex(row) => (&row.realm, None),
        };
        // It is as far as all that is told, whatever it is told of that.
        self.newest = moment.map_or(self.newest, |moment| self.newest.max(moment));
        let is_asked_for = self.realm.as_ref().is_none_or(|asked| asked.url == *realm);
        let is_read = moment.is_some_and(|moment| self.read.remove(&moment));
        if is_asked_for && !is_read {
            self.ready.push_back(happening);
        }
    }

    /// Reads some of what it missed.
    async fn catch_up(&mut self, after: Moment) -> Result<(), StoreError> {
        let realm = self.realm.as_ref().map(|realm| realm.id);
        let files = self.events.store.happened(realm, after, PAGE).await?;
        let is_last = i64::try_from(files.len()).is_ok_and(|found| found < PAGE);
        let last = files.last().map(|file: &FileHappened| file.moment);
        self.behind = last.filter(|_| !is_last);
        self.read.extend(files.iter().map(|file| file.moment));
        if let Some(last) = last {
            self.newest = self.newest.max(last);
            self.read
                .retain(|moment| moment.at >= last.at - OVERLAP * 2);
        }
        self.ready.extend(
            files
                .into_iter()
                .map(|file| Arc::new(Happening::Index(file))),
        );
        Ok(())
    }
}

/// What may have happened before a position and been seen after it is told again.
fn before(position: Position) -> Moment {
    let at = position.0.at.checked_sub_signed(OVERLAP);
    Moment::before(at.unwrap_or(DateTime::UNIX_EPOCH))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_position_survives_its_text() {
        let position = Position(Moment {
            at: DateTime::from_timestamp_micros(1_700_000_000_123_456).unwrap(),
            file: 7,
        });
        assert_eq!(position.text(), "1700000000123456-7");
        assert_eq!(Position::parse(&position.text()), Some(position));
        for bad in ["", "7", "x-7", "7-x", "7-7-7", "99999999999999999999-1"] {
            assert_eq!(Position::parse(bad), None, "{bad}");
        }
        for old in [
            "0-0",
            "-1-1",
            "9223372036854775807-1",
            "-9223372036854775808-1",
        ] {
            let _ = Position::parse(old).map(before);
        }
    }
}
