//! From `--map` and `--alias` to something that describes tools.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use realmdex_source::{AddressPolicy, FolderSource, HttpOptions, HttpSource, Source};
use realmdex_types::RealmUrl;
use realmdex_worker::enrich::{Describer, DescriberConfig};
use realmdex_worker::modules::{LoadLimits, PackageMap, PackageMapBuilder, folder_location};
use realmdex_worker::sandbox::{Compiler, SandboxLimits};
use url::Url;

use crate::folders;

/// Where modules come from.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Modules {
    /// Serve modules whose id begins with PREFIX (a package such as `@acme/tools/`, or a realm's URL) from a folder
    /// or an HTTP realm. May be given many times; of nested prefixes the longest wins.
    #[arg(long = "map", value_name = "PREFIX=PATH_OR_URL")]
    maps: Vec<String>,
    /// Read ids that begin with one prefix as if they began with another.
    #[arg(long = "alias", value_name = "PREFIX=PREFIX")]
    aliases: Vec<String>,
}

impl Modules {
    /// The package map, and below them `own`: a prefix and its folder.
    pub(crate) fn packages(&self, own: Option<(&str, &Path)>) -> anyhow::Result<PackageMap> {
        let mut builder = PackageMap::builder();
        for alias in &self.aliases {
            let (from, to) = pair("--alias", alias)?;
            builder = builder.alias(&slashed(from), &slashed(to))?;
        }
        for map in &self.maps {
            let (prefix, place) = pair("--map", map)?;
            builder = match Url::parse(place) {
                Ok(url) if matches!(url.scheme(), "http" | "https") => {
                    map_http(builder, prefix, place)?
                }
                _ => map_folder(builder, prefix, Path::new(place))?,
            };
        }
        // Last, so that what was mapped on purpose comes first.
        if let Some((prefix, folder)) = own {
            builder = map_folder(builder, prefix, folder)?;
        }
        Ok(builder.build())
    }
}

/// Sets up what describes tools.
pub(crate) fn describer(packages: PackageMap) -> anyhow::Result<Describer> {
    let cache = folders::cache()?;
    let compiler = Compiler::Child {
        program: std::env::current_exe().context("finding our own program")?,
        arguments: vec!["compile-wasm".into()],
        cache: cache.clone(),
    };
    Describer::new(DescriberConfig {
        packages,
        load_limits: LoadLimits::default(),
        sandbox_limits: SandboxLimits::default(),
        cache: Some(cache),
        compiler,
    })
    .context("setting up the sandbox")
}

fn map_folder(
    builder: PackageMapBuilder,
    prefix: &str,
    folder: &Path,
) -> anyhow::Result<PackageMapBuilder> {
    let location = folder_location(folder)?;
    let source: Arc<dyn Source> = Arc::new(FolderSource::open(folder)?);
    Ok(builder.root(&slashed(prefix), location, source)?)
}

fn map_http(
    builder: PackageMapBuilder,
    prefix: &str,
    place: &str,
) -> anyhow::Result<PackageMapBuilder> {
    let realm = RealmUrl::parse(place)?;
    let location = realm.as_url().clone();
    // Whoever runs this command names the address; a server that indexes for others decides otherwise.
    let options = HttpOptions {
        allow_addresses: AddressPolicy::AllowLoopbackAndPrivate,
        ..HttpOptions::default()
    };
    let source: Arc<dyn Source> = Arc::new(HttpSource::new(realm, options)?);
    Ok(builder.root(&slashed(prefix), location, source)?)
}

fn pair<'a>(flag: &str, text: &'a str) -> anyhow::Result<(&'a str, &'a str)> {
    match text.split_once('=') {
        Some((from, to)) if !from.is_empty() && !to.is_empty() => Ok((from, to)),
        _ => bail!(
            "{flag} {text:?} should be PREFIX=PLACE, for example {flag} @acme/tools/=../tools"
        ),
    }
}

fn slashed(prefix: &str) -> String {
    if prefix.ends_with('/') {
        prefix.to_owned()
    } else {
        format!("{prefix}/")
    }
}
