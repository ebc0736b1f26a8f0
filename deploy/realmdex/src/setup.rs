//! From `--map` and `--alias` to something that describes tools.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use realmdex_source::{AddressPolicy, FolderSource, HttpOptions, HttpSource, Source};
use realmdex_store::Package;
use realmdex_types::RealmUrl;
use realmdex_worker::enrich::{DefinitionCache, Describer, DescriberConfig};
use realmdex_worker::modules::{PackageMap, PackageMapBuilder, folder_location};
use realmdex_worker::sandbox::Compiler;
use url::Url;

use crate::folders;
use crate::limits::Limits;

/// Where modules come from, and what they may use.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Modules {
    /// Serve modules whose id begins with PREFIX (a package such as `@acme/tools/`, or a realm's URL) from a folder
    /// or an HTTP realm. May be given many times; of nested prefixes the longest wins.
    #[arg(long = "map", value_name = "PREFIX=PATH_OR_URL")]
    maps: Vec<String>,
    /// Read ids that begin with one prefix as if they began with another.
    #[arg(long = "alias", value_name = "PREFIX=PREFIX")]
    aliases: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

impl Modules {
    /// Whether anything is said here.
    pub(crate) fn are_given(&self) -> bool {
        !self.maps.is_empty() || !self.aliases.is_empty() || self.limits.are_given()
    }

    /// The package map, and below them `own`: a prefix and its folder.
    pub(crate) fn packages(&self, own: Option<(&str, &Path)>) -> anyhow::Result<PackageMap> {
        let mut builder = map(&self.entries()?)?;
        // Last, so that what was mapped on purpose comes first.
        if let Some((prefix, folder)) = own {
            let location = folder_location(folder)?;
            builder = builder.root(&slashed(prefix), location.clone(), source(&location)?)?;
        }
        Ok(builder.build())
    }

    /// What was given, as entries of a package map.
    pub(crate) fn entries(&self) -> anyhow::Result<Vec<Package>> {
        let mut entries = Vec::new();
        for alias in &self.aliases {
            let (from, to) = pair("--alias", alias)?;
            entries.push(Package::Alias {
                prefix: slashed(from),
                to: slashed(to),
            });
        }
        for map in &self.maps {
            let (prefix, place) = pair("--map", map)?;
            let location = match Url::parse(place) {
                Ok(url) if matches!(url.scheme(), "http" | "https") => {
                    RealmUrl::parse(place)?.as_url().clone()
                }
                _ => folder_location(Path::new(place))?,
            };
            entries.push(Package::Root {
                prefix: slashed(prefix),
                location: location.into(),
            });
        }
        Ok(entries)
    }
}

/// The package map of some entries, aliases first.
pub(crate) fn map(entries: &[Package]) -> anyhow::Result<PackageMapBuilder> {
    let mut builder = PackageMap::builder();
    for entry in entries {
        if let Package::Alias { prefix, to } = entry {
            builder = builder.alias(prefix, to)?;
        }
    }
    for entry in entries {
        if let Package::Root { prefix, location } = entry {
            let location = Url::parse(location)
                .with_context(|| format!("{location} is no place to read {prefix} from"))?;
            builder = builder.root(prefix, location.clone(), source(&location)?)?;
        }
    }
    Ok(builder)
}

/// What reads the bytes at a `file:` or `http(s):` URL.
pub(crate) fn source(location: &Url) -> anyhow::Result<Arc<dyn Source>> {
    if location.scheme() != "file" {
        return http_source(RealmUrl::parse(location.as_str())?);
    }
    let folder = location
        .to_file_path()
        .map_err(|()| anyhow::anyhow!("{location} is no folder"))?;
    // What was mapped some time ago may be gone: that is told where it is needed.
    Ok(Arc::new(FolderSource::at(&folder)?))
}

/// What reads a realm over HTTP.
pub(crate) fn http_source(realm: RealmUrl) -> anyhow::Result<Arc<dyn Source>> {
    // Whoever runs this command names the address; a server that indexes for others decides otherwise.
    let options = HttpOptions {
        allow_addresses: AddressPolicy::AllowLoopbackAndPrivate,
        ..HttpOptions::default()
    };
    Ok(Arc::new(HttpSource::new(realm, options)?))
}

/// Sets up what describes tools.
pub(crate) fn describer(
    packages: PackageMap,
    limits: &Limits,
    definitions: Option<DefinitionCache>,
) -> anyhow::Result<Describer> {
    let limits = limits.in_effect()?;
    let cache = folders::cache()?;
    let compiler = Compiler::Child {
        program: std::env::current_exe().context("finding our own program")?,
        arguments: vec![
            "compile-wasm".into(),
            "--limit".into(),
            limits.as_argument(),
        ],
        cache: cache.clone(),
    };
    Describer::new(DescriberConfig {
        packages,
        load_limits: limits.load,
        sandbox_limits: limits.sandbox,
        cache: Some(cache),
        compiler,
        definitions,
    })
    .context("setting up the sandbox")
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
