//! The fleet's roles: processes that go on until they are told to stop.

pub(crate) mod migrate;
pub(crate) mod scheduler;
pub(crate) mod up;
pub(crate) mod worker;

mod broker;
mod listener;
mod public;
mod stopping;
mod waiting;

use std::sync::Arc;

use anyhow::Context;
use prometheus::Registry;
use realmdex_queue::Broker;
use realmdex_source::{AddressPolicy, FolderSource, HttpOptions, HttpSource, Source, SourceError};
use realmdex_store::Store;
use realmdex_types::RealmUrl;
use realmdex_worker::enrich::DefinitionCache;
use realmdex_worker::modules::PackageMap;
use realmdex_worker::registry::{KnownRegistry, OpenSource};
use realmdex_worker::shift::{Shift, ShiftMetrics};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::limits::Limits;
use crate::setup;

/// A worker, ready to begin; none when told to stop meanwhile.
async fn shift(
    store: &Store,
    broker: &Broker,
    config: &Config,
    limits: &Limits,
    metrics: &Registry,
    is_alone: bool,
    stop: &CancellationToken,
) -> anyhow::Result<Option<Shift>> {
    let definitions = DefinitionCache::new(Some(store.clone()));
    let nothing = PackageMap::builder().build();
    let describer = setup::describer(nothing, limits, Some(definitions))?;
    let open = opener(config.private_addresses);
    let read = async || KnownRegistry::read(store.clone(), &describer, Arc::clone(&open)).await;
    let registry = waiting::registry(stop, read)
        .await
        .context("reading the realms and packages")?;
    let Some(registry) = registry else {
        return Ok(None);
    };
    Ok(Some(Shift::new(
        store.clone(),
        broker.clone(),
        registry,
        config.shift(is_alone),
        ShiftMetrics::new(metrics)?,
    )))
}

/// Opens sources as the fleet may: which addresses are asked is the operator's decision.
pub(crate) fn opener(private_addresses: bool) -> OpenSource {
    let options = HttpOptions {
        allow_addresses: if private_addresses {
            AddressPolicy::AllowLoopbackAndPrivate
        } else {
            HttpOptions::default().allow_addresses
        },
        ..HttpOptions::default()
    };
    Arc::new(move |url| {
        let refused = |why: String| SourceError::Refused {
            at: url.to_string(),
            why,
        };
        let source: Arc<dyn Source> = if url.scheme() == "file" {
            let folder = url
                .to_file_path()
                .map_err(|()| refused("it is no folder".to_owned()))?;
            Arc::new(FolderSource::at(&folder)?)
        } else {
            let realm =
                RealmUrl::parse(url.as_str()).map_err(|error| refused(error.to_string()))?;
            Arc::new(HttpSource::new(realm, options.clone())?)
        };
        Ok(source)
    })
}
