//! What everyone must agree on to compute the same: realms, who may read them, and the package map.

use realmdex_types::RealmUrl;
use sqlx::{Postgres, Transaction};

use crate::{Package, Realm, RealmId, Store, StoreError};

/// Grows with every change of realms, rights and packages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct RegistryVersion(pub(crate) i64);

/// The realms and packages as of one version.
#[derive(Clone, Debug)]
pub struct Registry {
    /// The version that it is at least of.
    pub version: RegistryVersion,
    /// Every realm, by URL.
    pub realms: Vec<RegisteredRealm>,
    /// The package map, by prefix.
    pub packages: Vec<Package>,
}

/// A realm and who may do what with it.
#[derive(Clone, Debug)]
pub struct RegisteredRealm {
    /// The realm.
    pub realm: Realm,
    /// Who may read it, besides its owner; `*` is everyone.
    pub readers: Vec<String>,
    /// Who may change it and have it worked on, besides its owner; `*` is everyone. To read it is another right.
    pub writers: Vec<String>,
}

impl RegisteredRealm {
    /// Whether its files may be loaded for the sake of a realm that `owner` owns: the rule of the view `broken_edges` in
    /// the migrations.
    pub fn lets_read(&self, owner: &str) -> bool {
        !self.realm.is_archived
            && (self.realm.owner == owner
                || self
                    .readers
                    .iter()
                    .any(|reader| reader == "*" || reader == owner))
    }
}

impl Store {
    /// The version of the realms and packages.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn registry_version(&self) -> Result<RegistryVersion, StoreError> {
        let version =
            sqlx::query_scalar!(r#"select version as "version: RegistryVersion" from registry"#)
                .fetch_one(&self.pool)
                .await?;
        Ok(version)
    }

    /// The realms and packages. What changes while they are read shows under a later version.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn registry(&self) -> Result<Registry, StoreError> {
        let version = self.registry_version().await?;
        let rows = sqlx::query!(
            r#"select id as "id: RealmId", url, source, owner, archived_at is not null as "is_archived!",
                      array(select reader from realm_readers where realm_id = realms.id order by reader) as "readers!",
                      array(select writer from realm_writers where realm_id = realms.id order by writer) as "writers!"
               from realms order by url"#
        )
        .fetch_all(&self.pool)
        .await?;
        let realms = rows
            .into_iter()
            .map(|row| {
                Ok(RegisteredRealm {
                    realm: Realm {
                        id: row.id,
                        url: RealmUrl::parse(&row.url)
                            .map_err(|error| StoreError::unreadable("a realm's URL", error))?,
                        source: row.source,
                        owner: row.owner,
                        is_archived: row.is_archived,
                    },
                    readers: row.readers,
                    writers: row.writers,
                })
            })
            .collect::<Result<_, StoreError>>()?;
        Ok(Registry {
            version,
            realms,
            packages: self.packages().await?,
        })
    }
}

/// Notes a change. Whoever commits at the same time under the version before waits for it, or is waited for.
pub(crate) async fn changed(transaction: &mut Transaction<'_, Postgres>) -> Result<(), StoreError> {
    sqlx::query!("update registry set version = version + 1")
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

/// The version, which stays until the transaction ends.
pub(crate) async fn held_version(
    transaction: &mut Transaction<'_, Postgres>,
) -> Result<RegistryVersion, StoreError> {
    let version = sqlx::query_scalar!(
        r#"select version as "version: RegistryVersion" from registry for share"#
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(version)
}
