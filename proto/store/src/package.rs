//! The package map as it is kept with the index: what rows were computed under.

use crate::{Store, StoreError};

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

impl Store {
    /// Adds to the package map; an entry takes the place of an earlier one of its prefix.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn remember_packages(&self, packages: &[Package]) -> Result<(), StoreError> {
        for package in packages {
            let (prefix, kind, target) = package.parts();
            sqlx::query!(
                "insert into packages (prefix, kind, target) values ($1, $2, $3)
                 on conflict (prefix) do update set kind = excluded.kind, target = excluded.target",
                prefix,
                kind,
                target
            )
            .execute(&self.pool)
            .await?;
        }
        Ok(())
    }

    /// The package map, by prefix.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn packages(&self) -> Result<Vec<Package>, StoreError> {
        let rows = sqlx::query!("select prefix, kind, target from packages order by prefix")
            .fetch_all(&self.pool)
            .await?;
        Ok(rows
            .into_iter()
            .map(|row| match row.kind.as_str() {
                "alias" => Package::Alias {
                    prefix: row.prefix,
                    to: row.target,
                },
                _ => Package::Root {
                    prefix: row.prefix,
                    location: row.target,
                },
            })
            .collect())
    }
}
