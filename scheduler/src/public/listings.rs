//! Listings of realms, shared by those who ask at the same time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use realmdex_source::{Listed, SourceError};
use realmdex_store::RegisteredRealm;
use tokio::time::Instant;

use super::Public;

/// What a source listed, or why it did not.
pub(crate) type Listing = Result<Arc<Vec<Listed>>, SourceError>;

/// Of each source one listing at a time: whoever mirrors a realm folder by folder asks for many at once. Nobody is given
/// one that began before they asked, so none is old, and none is kept that nobody waits for. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listings(Arc<Mutex<HashMap<String, Arc<Turns>>>>);

/// One source's listings, one after the other: the last one with the time it began, for those who wait.
type Turns = tokio::sync::Mutex<Option<(Instant, Listing)>>;

impl Listings {
    /// The listing of the source at that place.
    async fn of(
        &self,
        place: &str,
        list: impl AsyncFnOnce() -> Result<Vec<Listed>, SourceError>,
    ) -> Listing {
        let came = Instant::now();
        let turn = Turn::at(self, place);
        let mut last = turn.turns.lock().await;
        match &*last {
            Some((begun, listing)) if *begun >= came => listing.clone(),
            _ => {
                let begun = Instant::now();
                let listing = list().await.map(Arc::new);
                *last = Some((begun, listing.clone()));
                listing
            }
        }
    }
}

/// Someone who waits or lists; with the last of them their source's listing goes, also where they gave up.
struct Turn<'a> {
    all: &'a Listings,
    place: &'a str,
    turns: Arc<Turns>,
}

impl<'a> Turn<'a> {
    fn at(all: &'a Listings, place: &'a str) -> Self {
        let mut waiting = all.0.lock().unwrap_or_else(PoisonError::into_inner);
        let turns = Arc::clone(waiting.entry(place.to_owned()).or_default());
        Self { all, place, turns }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut waiting = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The map's and this one; nobody comes meanwhile.
        if Arc::strong_count(&self.turns) == 2 {
            waiting.remove(self.place);
        }
    }
}

impl Public {
    /// All files that a realm's source lists now, those too that are another realm's.
    pub(crate) async fn listing(&self, realm: &RegisteredRealm) -> Listing {
        let source = self.sources.at(&realm.realm.source)?;
        let place = &realm.realm.source;
        self.listings.of(place, async || source.list().await).await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::atomic::{AtomicU64, Ordering};

    use realmdex_types::RealmPath;
    use tokio::sync::Semaphore;

    use super::*;

    #[tokio::test]
    async fn who_waits_while_one_is_listed_shares_the_next() {
        let begun = Arc::new(AtomicU64::new(0));
        let may_end = Arc::new(Semaphore::new(0));
        let listings = Listings::default();
        // Of one file, whose time is the number of the listing.
        let ask = || {
            let (listings, begun, may_end) =
                (listings.clone(), Arc::clone(&begun), Arc::clone(&may_end));
            let list = async move || {
                let modified = begun.fetch_add(1, Ordering::SeqCst) + 1;
                may_end.acquire().await.unwrap().forget();
                let path = RealmPath::parse("a.md").unwrap();
                Ok(vec![Listed {
                    path,
                    modified,
                    size: None,
                }])
            };
            tokio::spawn(async move { listings.of("file:///r/", list).await.unwrap()[0].modified })
        };
        for round in [1, 3] {
            let first = ask();
            while begun.load(Ordering::SeqCst) < round {
                tokio::task::yield_now().await;
            }
            let later = [ask(), ask(), ask()];
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            may_end.add_permits(2);
            assert_eq!(first.await.unwrap(), round);
            for asked in later {
                assert_eq!(asked.await.unwrap(), round + 1);
            }
            assert_eq!(begun.load(Ordering::SeqCst), round + 1);
            assert!(listings.0.lock().unwrap().is_empty(), "nothing is kept");
        }
    }
}
