//! `/_packages`: the package map.

use axum::Json;
use axum::extract::State;
use realmdex_store::{Announcement, NewRealm, OPERATOR, Package, Realm};
use realmdex_types::RealmUrl;

use super::Operator;
use super::body::Body;
use super::failure::Failure;
use super::realms::{everyone, place};
use super::wire::{
    Changed, PackageAnnounced, PackageAnswer, PackageRemoveRequest, PackageRequest, PackagesAnswer,
};

/// The package map.
#[utoipa::path(
    get, path = "/_packages", tag = "packages", operation_id = "packages",
    responses((status = 200, description = "The package map.", body = PackagesAnswer)),
)]
pub(super) async fn list(
    State(operator): State<Operator>,
) -> Result<Json<PackagesAnswer>, Failure> {
    let packages = operator.store.announced_packages().await?;
    let packages = packages
        .into_iter()
        .map(|(package, version)| match package {
            Package::Root { prefix, location } => PackageAnswer {
                prefix,
                location: Some(location),
                alias: None,
                version,
            },
            Package::Alias { prefix, to } => PackageAnswer {
                prefix,
                location: None,
                alias: Some(to),
                version,
            },
        })
        .collect();
    Ok(Json(PackagesAnswer { packages }))
}

/// Announces a package, or a new version of it.
#[utoipa::path(
    post, path = "/_packages", tag = "packages", operation_id = "announcePackage", request_body = PackageRequest,
    responses((status = 200, description = "It is announced.", body = PackageAnnounced)),
)]
pub(super) async fn announce(
    State(operator): State<Operator>,
    Body(request): Body<PackageRequest>,
) -> Result<Json<PackageAnnounced>, Failure> {
    let prefix = prefix(&request.prefix)?;
    let (package, realm) = match (&request.location, &request.alias) {
        (Some(location), None) => {
            let location = place(location)?;
            let realm = realm_of(&operator, &prefix, &location, request.url).await?;
            (Package::Root { prefix, location }, Some(realm))
        }
        (None, Some(to)) if request.url.is_none() => {
            let to = self::prefix(to)?;
            (Package::Alias { prefix, to }, None)
        }
        (None, Some(_)) => {
            return Err(Failure::bad(
                "an alias has no files of its own: leave `url` out",
            ));
        }
        _ => {
            return Err(Failure::bad(
                "give either `location`, where the package's files are, or `alias`, the prefix it stands for",
            ));
        }
    };
    let announced = Announcement {
        package,
        version: request.version,
        realm: realm.as_ref().map(|realm| realm.id),
    };
    let has_changed = operator.store.announce_package(&announced).await?;
    operator.registry_changed();
    Ok(Json(PackageAnnounced {
        has_changed,
        realm: realm.map(|realm| realm.url),
    }))
}

/// The realm that a package's files are indexed as: the one that is there already, else a new one.
async fn realm_of(
    operator: &Operator,
    prefix: &str,
    location: &str,
    url: Option<RealmUrl>,
) -> Result<Realm, Failure> {
    let realms = operator.store.realms().await?;
    let known = realms.into_iter().find(|realm| realm.source == location);
    if let Some(known) = known
        && url.as_ref().is_none_or(|url| *url == known.url)
    {
        return Ok(known);
    }
    let url = match url {
        Some(url) => url,
        None => url_of(prefix)?,
    };
    let new = NewRealm {
        url,
        source: location.to_owned(),
        owner: OPERATOR.to_owned(),
        readers: everyone(),
    };
    Ok(operator.store.add_realm(&new).await?.0)
}

/// The URL of a package's realm where none is given: a package that goes by a URL has that one.
fn url_of(prefix: &str) -> Result<RealmUrl, Failure> {
    let is_url = prefix.starts_with("http://") || prefix.starts_with("https://");
    let url = if is_url {
        prefix.to_owned()
    } else {
        format!("https://package.local/{prefix}")
    };
    RealmUrl::parse(&url).map_err(|error| Failure::bad(error.to_string()))
}

/// Takes a prefix off the package map.
#[utoipa::path(
    post, path = "/_packages/remove", tag = "packages", operation_id = "removePackage",
    request_body = PackageRemoveRequest,
    responses((status = 200, description = "Whether anything is other than it was.", body = Changed)),
)]
pub(super) async fn remove(
    State(operator): State<Operator>,
    Body(request): Body<PackageRemoveRequest>,
) -> Result<Json<Changed>, Failure> {
    let prefix = prefix(&request.prefix)?;
    let has_changed = operator.store.forget_package(&prefix).await?;
    operator.registry_changed();
    Ok(Json(Changed { has_changed }))
}

/// What ids of modules begin with; ends in `/`.
fn prefix(text: &str) -> Result<String, Failure> {
    let bare = text.trim_end_matches('/');
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '?' | '#' | '\\');
    if bare.is_empty() || bare.starts_with(['.', '/']) || bare.contains(is_odd) {
        return Err(Failure::bad(format!(
            "{text:?} is no prefix: give a package's name, as @acme/tools/, or a realm's URL"
        )));
    }
    Ok(format!("{bare}/"))
}
