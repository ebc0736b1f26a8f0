//! A whole realm is listed, and what is to be looked at becomes jobs, page by page. Which files are left alone is decided
//! here, by what their rows say; each job decides again, by what it reads.

use realmdex_source::SourceError;
use realmdex_store::{ClaimedJob, StoreError};
use realmdex_types::RealmPath;

use super::Post;
use super::job::Outcome;
use crate::extract::is_markdown;
use crate::registry::{Known, KnownRealm};
use crate::survey::{SurveyError, survey};

/// Files in one transaction, so that no plan blocks a heartbeat.
const PAGE: usize = 1000;

pub(super) async fn list(
    post: &Post,
    known: &Known,
    realm: &KnownRealm,
    claimed: &ClaimedJob,
) -> Result<Outcome, StoreError> {
    let (store, lease) = (&post.store, claimed.lease);
    let Some(listing) = store.begin_listing(lease).await? else {
        return Ok(Outcome::Ended("void"));
    };
    let surveyed = match survey(store, &known.describer, &realm.realm, realm.source.as_ref()).await
    {
        Ok(surveyed) => surveyed,
        Err(SurveyError::Store(error)) => return Err(error),
        Err(SurveyError::Listing(error)) => return Ok(unlisted(&error)),
    };
    let planned = match surveyed.plan(listing.force, listing.allow_mass_delete) {
        Ok(planned) => planned,
        Err(refused) => {
            store.stop_reindex(lease, &refused.to_string()).await?;
            return Ok(Outcome::Ended("stopped"));
        }
    };
    // First what others may depend on, so that little is computed twice.
    let (pages, others): (Vec<RealmPath>, Vec<RealmPath>) = planned
        .into_keys()
        .partition(|path| is_markdown(path.file_name()));
    let paths: Vec<RealmPath> = others.into_iter().chain(pages).collect();
    for page in paths.chunks(PAGE) {
        if !store
            .plan_page(lease, realm.realm.id, page, listing)
            .await?
        {
            // Another's by now; or called off, and then it ends here.
            store.cancelled(lease).await?;
            return Ok(Outcome::Ended("void"));
        }
    }
    store
        .listed(lease, surveyed.listed.len(), paths.len())
        .await?;
    (post.enqueued)();
    Ok(Outcome::Ended("done"))
}

/// A realm that can't be listed says nothing about its files.
fn unlisted(error: &SourceError) -> Outcome {
    let why = format!("the realm can't be listed: {error}");
    if error.is_transient() {
        Outcome::Again(why)
    } else {
        Outcome::Failed(why)
    }
}
