//! `/_realms`: what is indexed, and who may read it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use realmdex_store::{NewRealm, OPERATOR, RegisteredRealm};
use url::Url;

use super::Operator;
use super::body::Body;
use super::failure::Failure;
use super::wire::{
    ArchiveRequest, Changed, RealmAdded, RealmAnswer, RealmRequest, RealmsAnswer, RemoveRequest,
    RightsRequest,
};
use crate::reconcile::Reconciler;

pub(super) async fn list(State(operator): State<Operator>) -> Result<Json<RealmsAnswer>, Failure> {
    let registry = operator.store.registry().await?;
    let realms = registry.realms.into_iter().map(answer).collect();
    Ok(Json(RealmsAnswer { realms }))
}

fn answer(registered: RegisteredRealm) -> RealmAnswer {
    let RegisteredRealm { realm, readers } = registered;
    RealmAnswer {
        url: realm.url,
        source: realm.source,
        owner: realm.owner,
        readers,
        is_archived: realm.is_archived,
    }
}

pub(super) async fn add(
    State(operator): State<Operator>,
    Body(request): Body<RealmRequest>,
) -> Result<(StatusCode, Json<RealmAdded>), Failure> {
    let readers = request.readers.unwrap_or_else(everyone);
    let new = NewRealm {
        url: request.url,
        source: place(&request.source)?,
        owner: name(request.owner.as_deref().unwrap_or(OPERATOR))?,
        readers: names(&readers)?,
    };
    let (realm, is_new) = operator.store.add_realm(&new).await?;
    operator.registry_changed();
    let status = if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let answer = RealmAdded {
        url: realm.url,
        source: realm.source,
        is_new,
    };
    Ok((status, Json(answer)))
}

pub(super) async fn set_rights(
    State(operator): State<Operator>,
    Body(request): Body<RightsRequest>,
) -> Result<Json<Changed>, Failure> {
    let realm = operator.realm(&request.realm).await?;
    let owner = name(request.owner.as_deref().unwrap_or(&realm.owner))?;
    let readers = names(&request.readers)?;
    operator
        .store
        .set_rights(realm.id, &owner, &readers)
        .await?;
    operator.registry_changed();
    Ok(Json(Changed { has_changed: true }))
}

pub(super) async fn archive(
    State(operator): State<Operator>,
    Body(request): Body<ArchiveRequest>,
) -> Result<Json<Changed>, Failure> {
    let realm = operator.realm(&request.realm).await?;
    let has_changed = operator
        .store
        .archive_realm(realm.id, !request.undo)
        .await?;
    operator.registry_changed();
    operator.wakes.reconciler(Reconciler::Reindexes).up();
    Ok(Json(Changed { has_changed }))
}

pub(super) async fn remove(
    State(operator): State<Operator>,
    Body(request): Body<RemoveRequest>,
) -> Result<Json<Changed>, Failure> {
    let realm = operator.realm(&request.realm).await?;
    operator.store.remove_realm(realm.id).await?;
    operator.registry_changed();
    Ok(Json(Changed { has_changed: true }))
}

pub(super) fn everyone() -> Vec<String> {
    vec!["*".to_owned()]
}

/// Where bytes are: a `file:`, `http:` or `https:` URL that ends in `/`.
pub(super) fn place(text: &str) -> Result<String, Failure> {
    let refused = || {
        Failure::bad(format!(
            "{text:?} is no place to read from: give a file:, http: or https: URL without query or fragment"
        ))
    };
    let mut url = Url::parse(text).map_err(|_| refused())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Failure::bad(
            "a realm's place is told to whoever lists the realms: give it without user and password",
        ));
    }
    let is_plain = url.query().is_none() && url.fragment().is_none();
    let is_readable = match url.scheme() {
        "file" => url.to_file_path().is_ok(),
        "http" | "https" => url.has_host(),
        _ => false,
    };
    if !is_plain || !is_readable {
        return Err(refused());
    }
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url.into())
}

fn names(names: &[String]) -> Result<Vec<String>, Failure> {
    names.iter().map(|reader| name(reader)).collect()
}

/// A user's name.
fn name(text: &str) -> Result<String, Failure> {
    if text.trim().is_empty() || text.contains(char::is_control) {
        return Err(Failure::bad(format!(
            "{text:?} is nobody's name: name an owner or reader as its realm server does, or give * for everyone"
        )));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_end_in_a_slash() {
        for (given, wanted) in [
            ("file:///a/b", Some("file:///a/b/")),
            ("file:///a%20b/", Some("file:///a%20b/")),
            ("https://h/a", Some("https://h/a/")),
            ("https://h", Some("https://h/")),
            ("https://h/a?q", None),
            ("https://user:word@h/a", None),
            ("https://h/a#f", None),
            ("ftp://h/a", None),
            ("file://other/a", None),
            ("/a/b", None),
            ("", None),
        ] {
            assert_eq!(place(given).ok().as_deref(), wanted, "{given:?}");
        }
    }
}
