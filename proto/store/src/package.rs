//! The package map as it is kept with the index: what rows were computed under.

use sqlx::{Postgres, Transaction};

use crate::commit::again_on_conflict;
use crate::reindex::{ReindexRequest, request};
use crate::{RealmId, Store, StoreError, registry};

/// One entry of the package map. Prefix and target end in `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Package {
    /// Modules below the prefix are read from a place: a `file:`, `http:` or `https:` URL.
    Root {
        /// What their ids begin with.
        prefix: String,
        /// Where their bytes are.
        location: String,
    },
    /// Ids that begin with one prefix are read as if they began with another.
    Alias {
        /// As written.
        prefix: String,
        /// As read.
        to: String,
    },
}

impl Package {
    fn parts(&self) -> (&str, &'static str, &str) {
        match self {
            Self::Root { prefix, location } => (prefix, "root", location),
            Self::Alias { prefix, to } => (prefix, "alias", to),
        }
    }
}

/// A package that is announced, and the realm that its files are indexed as.
#[derive(Clone, Debug)]
pub struct Announcement {
    /// The entry of the package map.
    pub package: Package,
    /// What its deployment calls this version.
    pub version: Option<String>,
    /// The realm that lies where the package's files are, if there is one.
    pub realm: Option<RealmId>,
}

impl Store {
    /// Adds to the package map; an entry takes the place of an earlier one of its prefix.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn remember_packages(&self, packages: &[Package]) -> Result<(), StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let mut has_changed = false;
            for package in packages {
                has_changed |= remember(&mut transaction, package, None).await?;
            }
            if has_changed {
                registry::changed(&mut transaction).await?;
            }
            transaction.commit().await?;
            Ok(())
        })
        .await
    }

    /// Announces a package, or a new version of one: its own files are looked at again, and where the map itself has
    /// changed every realm's are, since its skills were computed under the map before. Answers whether the map has.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn announce_package(&self, announced: &Announcement) -> Result<bool, StoreError> {
        let prefix = announced.package.parts().0;
        let reason = match &announced.version {
            Some(version) => format!("package {prefix} is at version {version}"),
            None => format!("package {prefix} was announced"),
        };
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let has_changed = remember(
                &mut transaction,
                &announced.package,
                announced.version.as_deref(),
            )
            .await?;
            if has_changed {
                registry::changed(&mut transaction).await?;
            }
            reindex_for(&mut transaction, announced.realm, has_changed, &reason).await?;
            transaction.commit().await?;
            Ok(has_changed)
        })
        .await
    }

    /// Takes a prefix out of the package map; every realm is looked at again. Answers false where it was not in it.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn forget_package(&self, prefix: &str) -> Result<bool, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let gone = sqlx::query!("delete from packages where prefix = $1", prefix)
                .execute(&mut *transaction)
                .await?;
            if gone.rows_affected() == 0 {
                return Ok(false);
            }
            registry::changed(&mut transaction).await?;
            let reason = format!("package {prefix} is no longer mapped");
            reindex_for(&mut transaction, None, true, &reason).await?;
            transaction.commit().await?;
            Ok(true)
        })
        .await
    }

    /// The package map, by prefix.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn packages(&self) -> Result<Vec<Package>, StoreError> {
        let announced = self.announced_packages().await?;
        Ok(announced.into_iter().map(|(package, _)| package).collect())
    }

    /// The package map with the versions that were announced, by prefix.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn announced_packages(&self) -> Result<Vec<(Package, Option<String>)>, StoreError> {
        let rows =
            sqlx::query!("select prefix, kind, target, version from packages order by prefix")
                .fetch_all(&self.pool)
                .await?;
        Ok(rows
            .into_iter()
            .map(|row| {
                let package = match row.kind.as_str() {
                    "alias" => Package::Alias {
                        prefix: row.prefix,
                        to: row.target,
                    },
                    _ => Package::Root {
                        prefix: row.prefix,
                        location: row.target,
                    },
                };
                (package, row.version)
            })
            .collect())
    }
}

/// Answers whether the map says something else now.
async fn remember(
    transaction: &mut Transaction<'_, Postgres>,
    package: &Package,
    version: Option<&str>,
) -> Result<bool, StoreError> {
    let (prefix, kind, target) = package.parts();
    let before = sqlx::query!(
        "select kind, target from packages where prefix = $1 for update",
        prefix
    )
    .fetch_optional(&mut **transaction)
    .await?;
    sqlx::query!(
        "insert into packages (prefix, kind, target, version) values ($1, $2, $3, $4)
         on conflict (prefix) do update set kind = excluded.kind, target = excluded.target,
             version = coalesce(excluded.version, packages.version)",
        prefix,
        kind,
        target,
        version
    )
    .execute(&mut **transaction)
    .await?;
    Ok(before.is_none_or(|before| before.kind != kind || before.target != target))
}

/// Asks for one realm to be indexed, or for all of them.
async fn reindex_for(
    transaction: &mut Transaction<'_, Postgres>,
    realm: Option<RealmId>,
    all: bool,
    reason: &str,
) -> Result<(), StoreError> {
    let realms = sqlx::query_scalar!(
        r#"select id as "id: RealmId" from realms where archived_at is null and ($1 or id = $2) order by id"#,
        all,
        realm as Option<RealmId>
    )
    .fetch_all(&mut **transaction)
    .await?;
    for realm in realms {
        request(transaction, &ReindexRequest::of(realm, reason.to_owned())).await?;
    }
    Ok(())
}
