//! What a specifier names: pure decisions; the reading is done elsewhere.

use realmdex_types::{MODULE_EXTENSIONS, ModuleId, resolve_reference};
use serde::Serialize;
use url::Url;

use super::package_map::{PackageMap, Root};
use super::provided::{self, OfTheHost};

/// What a specifier named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// A file.
    Module(ModuleId),
    /// One of the guest's own modules, standing in for a package of the host application.
    Provided(String),
}

/// Where to look for a specifier.
#[derive(Debug)]
pub(super) enum Plan {
    /// The guest has it.
    Provided(String),
    /// These files, in this order; then the stand-in, if there is one.
    Look {
        /// Candidates: the exact name, then each extension.
        candidates: Vec<Candidate>,
        /// What the guest has if no file is there.
        otherwise: Option<String>,
    },
    /// Nowhere: no root serves it.
    Nowhere {
        /// What to do.
        mend: String,
        /// What it may be once a realm is registered that serves it.
        later: Vec<ModuleId>,
    },
}

/// A file that a specifier may mean.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) id: ModuleId,
    pub(super) root: Root,
    /// Below the root, still percent-encoded.
    pub(super) path: String,
}

/// Decides where `specifier`, written in `importer`, may be.
///
/// A relative specifier is joined as Boxel joins it: to the importer's URL. In a package, and where no root serves that
/// URL, it is joined where the importer's file lies, so that it may cross from one mapped folder into another.
pub(super) fn plan(map: &PackageMap, specifier: &str, importer: Option<&ModuleId>) -> Plan {
    let absolute = match importer {
        Some(importer) if specifier.starts_with(['.', '/', '$']) => {
            resolve_reference(specifier, importer.as_str())
        }
        _ => normalized(specifier),
    };
    let written = absolute.split(['?', '#']).next().unwrap_or_default();
    match provided::of_the_host(written, importer.map(ModuleId::as_str)) {
        Some(OfTheHost::StandIn) => return Plan::Provided(without_extension(written)),
        Some(OfTheHost::Hidden) => {
            return Plan::Nowhere {
                mend: "of the host application only tools/ and commands/ can be imported"
                    .to_owned(),
                later: Vec::new(),
            };
        }
        None => {}
    }
    let id = map.unalias(written);
    let by_prefix = map
        .by_prefix(&id)
        .map(|(root, path)| (root.clone(), path.to_owned()));
    let by_place = || importer.and_then(|importer| locate_relative(map, specifier, importer));
    let found = if absolute.starts_with('@') {
        by_place().or(by_prefix)
    } else {
        by_prefix.or_else(by_place)
    };
    match found {
        _ if map.is_stood_in(&id) => Plan::Provided(without_extension(&id)),
        Some((root, path)) => look(map, &root, &path, importer),
        None => without_root(map, &id, &absolute, importer),
    }
}

/// A URL in its one spelling: `https://h/a/../b` is `https://h/b`, as it is where it is fetched. A package's name is
/// no URL and stays as it is, also where it is given as the address that its modules see.
fn normalized(specifier: &str) -> String {
    if let Some(package) = specifier.strip_prefix("https://packages/")
        && package.starts_with('@')
    {
        return package.to_owned();
    }
    if specifier.starts_with("https://") || specifier.starts_with("http://") {
        Url::parse(specifier).map_or_else(|_| specifier.to_owned(), Into::into)
    } else {
        specifier.to_owned()
    }
}

fn locate_relative(
    map: &PackageMap,
    specifier: &str,
    importer: &ModuleId,
) -> Option<(Root, String)> {
    if !(specifier.starts_with("./")
        || specifier.starts_with("../")
        || specifier == "."
        || specifier == "..")
    {
        return None;
    }
    let (root, path) = map.by_prefix(importer.as_str())?;
    let joined = root.location.join(path).ok()?.join(specifier).ok()?;
    let joined = joined.as_str().split(['?', '#']).next()?.to_owned();
    let (root, path) = map.by_location(&joined)?;
    (!path.is_empty()).then(|| (root.clone(), path.to_owned()))
}

fn look(map: &PackageMap, root: &Root, path: &str, importer: Option<&ModuleId>) -> Plan {
    let (root, exact, path) = map.canonical(root, path);
    if map.is_stood_in(exact.as_str()) {
        return Plan::Provided(without_extension(exact.as_str()));
    }
    let candidates = names(&path)
        .into_iter()
        .map(|path| Candidate {
            id: ModuleId::new(&root.prefix, &path),
            root: root.clone(),
            path,
        })
        .collect();
    let otherwise = stand_in(exact.as_str(), importer);
    Plan::Look {
        candidates,
        otherwise,
    }
}

/// What a name may be: itself, or with an extension.
fn names(written: &str) -> Vec<String> {
    let mut names = vec![written.to_owned()];
    if !has_extension(written) {
        names.extend(
            MODULE_EXTENSIONS
                .iter()
                .map(|extension| format!("{written}{extension}")),
        );
    }
    names
}

/// The host's own modules may be mapped in part: what is not among the files is inert.
fn stand_in(id: &str, importer: Option<&ModuleId>) -> Option<String> {
    provided::is_host_package(id, importer.map(ModuleId::as_str)).then(|| id.to_owned())
}

fn without_root(map: &PackageMap, id: &str, written: &str, importer: Option<&ModuleId>) -> Plan {
    let by_host = provided::is_host_package(written, importer.map(ModuleId::as_str))
        || provided::is_host_package(id, importer.map(ModuleId::as_str));
    if by_host {
        return Plan::Provided(without_extension(id));
    }
    if provided::is_fallback(id) && !map.has_root_within(provided::BASE_PREFIX) {
        return Plan::Provided(without_extension(id));
    }
    let url = Url::parse(id).ok().filter(Url::has_host);
    let later = url.map_or_else(Vec::new, |url| {
        names(url.as_str())
            .into_iter()
            .map(ModuleId::stored)
            .collect()
    });
    let mend = match Url::parse(id) {
        Ok(url) if !url.has_host() => {
            "modules are read from realms and mapped packages only".to_owned()
        }
        Ok(url) => format!(
            "no registered realm or mapped package serves it; map its realm, e.g. --map {}=…",
            parent(url.as_str())
        ),
        Err(_) if id.starts_with('@') => {
            let package: String = id.splitn(3, '/').take(2).collect::<Vec<_>>().join("/");
            format!("the package {package} is not mapped; add --map {package}/=FOLDER_OR_URL")
        }
        Err(_) => {
            "it is no relative path, no URL and no package that is mapped or that the host provides"
                .to_owned()
        }
    };
    Plan::Nowhere { mend, later }
}

fn parent(url: &str) -> &str {
    url.rfind('/').map_or(url, |at| &url[..=at])
}

fn without_extension(id: &str) -> String {
    realmdex_types::trim_executable_extension(id).to_owned()
}

/// Boxel's realm server answers 404 at once where the name already has an executable extension.
fn has_extension(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or(path);
    MODULE_EXTENSIONS
        .iter()
        .any(|extension| last.ends_with(extension))
}
