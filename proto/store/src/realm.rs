//! Realms that are indexed.

use realmdex_types::RealmUrl;
use sqlx::{Postgres, Transaction};

use crate::commit::again_on_conflict;
use crate::mend::{mend_edges_below, mend_edges_into, mend_edges_of};
use crate::reindex::{ReindexRequest, request};
use crate::{ChangeSeq, RealmId, Store, StoreError, registry};

/// Whoever owns what nobody said the owner of.
pub const OPERATOR: &str = "operator";

/// A realm that is indexed.
#[derive(Clone, Debug)]
pub struct Realm {
    /// Its row.
    pub id: RealmId,
    /// Its root.
    pub url: RealmUrl,
    /// Where its bytes are: a `file:`, `http:` or `https:` URL that ends in `/`.
    pub source: String,
    /// Whose it is: its tools' modules are read with this name's rights.
    pub owner: String,
    /// Whether it is neither indexed nor read by others.
    pub is_archived: bool,
}

/// A realm to be indexed.
#[derive(Clone, Debug)]
pub struct NewRealm {
    /// Its root.
    pub url: RealmUrl,
    /// Where its bytes are: a `file:`, `http:` or `https:` URL that ends in `/`.
    pub source: String,
    /// Whose it is.
    pub owner: String,
    /// Who else may read it; `*` is everyone.
    pub readers: Vec<String>,
}

impl Store {
    /// The realm of that URL, registered if it was not, for everyone to read.
    ///
    /// # Errors
    /// [`StoreError::OtherSource`] where it is known from another place, [`StoreError::OtherUrl`] where that place is
    /// another realm's, and whatever the database says.
    pub async fn register_realm(&self, url: &RealmUrl, source: &str) -> Result<Realm, StoreError> {
        let new = NewRealm {
            url: url.clone(),
            source: source.to_owned(),
            owner: OPERATOR.to_owned(),
            readers: vec!["*".to_owned()],
        };
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let (realm, _) = register(&mut transaction, &new, &[]).await?;
            transaction.commit().await?;
            Ok(realm)
        })
        .await
    }

    /// Registers a realm and asks for it to be indexed, with the realms that it lies within: its files are theirs no
    /// more. Whoever looked for something below it looks again. Answers false where it was registered before; then nothing is changed.
    ///
    /// # Errors
    /// As [`Store::register_realm`].
    pub async fn add_realm(&self, new: &NewRealm) -> Result<(Realm, bool), StoreError> {
        self.add_realm_with_writers(new, &[]).await
    }

    /// The same, and says who, besides its owner, may change it.
    ///
    /// # Errors
    /// As [`Store::register_realm`].
    pub async fn add_realm_with_writers(
        &self,
        new: &NewRealm,
        writers: &[String],
    ) -> Result<(Realm, bool), StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let (realm, is_new) = register(&mut transaction, new, writers).await?;
            if is_new {
                let around = sqlx::query_scalar!(
                    r#"select id as "id: RealmId" from realms
                       where id = $1 or archived_at is null
                           and (starts_with($2, url) or starts_with($3, source) or starts_with(url, $2)
                                or starts_with(source, $3))
                       order by id"#,
                    realm.id as RealmId,
                    realm.url.as_str(),
                    realm.source
                )
                .fetch_all(&mut *transaction)
                .await?;
                for id in around {
                    let wanted = ReindexRequest::of(id, format!("{} was registered", realm.url));
                    request(&mut transaction, &wanted).await?;
                }
                mend_edges_below(&mut transaction, realm.url.as_str()).await?;
            }
            transaction.commit().await?;
            Ok((realm, is_new))
        })
        .await
    }

    /// All realms, by URL.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn realms(&self) -> Result<Vec<Realm>, StoreError> {
        let registry = self.registry().await?;
        Ok(registry
            .realms
            .into_iter()
            .map(|registered| registered.realm)
            .collect())
    }

    /// The realm of that URL, if there is one.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn realm(&self, url: &RealmUrl) -> Result<Option<Realm>, StoreError> {
        let row = sqlx::query!(
            r#"select id as "id: RealmId", source, owner, archived_at is not null as "is_archived!"
               from realms where url = $1"#,
            url.as_str()
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|row| Realm {
            id: row.id,
            url: url.clone(),
            source: row.source,
            owner: row.owner,
            is_archived: row.is_archived,
        }))
    }

    /// Says whose a realm is and who else may read it, and looks again at what that touches. Who may change it is as it
    /// was.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn set_rights(
        &self,
        realm: RealmId,
        owner: &str,
        readers: &[String],
    ) -> Result<(), StoreError> {
        self.replace_rights(realm, owner, readers, None).await
    }

    /// The same, and says who else may change it.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn set_rights_and_writers(
        &self,
        realm: RealmId,
        owner: &str,
        readers: &[String],
        writers: &[String],
    ) -> Result<(), StoreError> {
        self.replace_rights(realm, owner, readers, Some(writers))
            .await
    }

    async fn replace_rights(
        &self,
        realm: RealmId,
        owner: &str,
        readers: &[String],
        writers: Option<&[String]>,
    ) -> Result<(), StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            sqlx::query!(
                "update realms set owner = $2 where id = $1",
                realm as RealmId,
                owner
            )
            .execute(&mut *transaction)
            .await?;
            replace_readers(&mut transaction, realm, readers).await?;
            if let Some(writers) = writers {
                replace_writers(&mut transaction, realm, writers).await?;
            }
            registry::changed(&mut transaction).await?;
            mend_edges_of(&mut transaction, realm).await?;
            transaction.commit().await?;
            Ok(())
        })
        .await
    }

    /// Archives a realm: its jobs are called off, nobody else's skills load from it, and what is known of it stays as
    /// it is. Or takes it back, and has it indexed. Answers false where it was so already.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn archive_realm(
        &self,
        realm: RealmId,
        is_archived: bool,
    ) -> Result<bool, StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            let changed = sqlx::query!(
                "update realms set archived_at = case when $2 then now() end
                 where id = $1 and (archived_at is not null) <> $2",
                realm as RealmId,
                is_archived
            )
            .execute(&mut *transaction)
            .await?;
            if changed.rows_affected() == 0 {
                return Ok(false);
            }
            registry::changed(&mut transaction).await?;
            if is_archived {
                crate::cancel::cancel_all(&mut transaction, realm).await?;
            } else {
                let wanted = ReindexRequest::of(realm, "it is no longer archived".to_owned());
                request(&mut transaction, &wanted).await?;
            }
            mend_edges_of(&mut transaction, realm).await?;
            transaction.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Forgets a realm with everything that is known of it. Files that others were computed from stay behind as files
    /// that are not there, and those are looked at again. Its files are those of the realms that it lay within now.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn remove_realm(&self, realm: RealmId) -> Result<(), StoreError> {
        again_on_conflict(async || {
            let mut transaction = self.pool.begin().await?;
            // Whoever commits a file of the realm right now is waited for; whoever comes later finds its job gone.
            let url = sqlx::query_scalar!(
                "select url from realms where id = $1 for update",
                realm as RealmId
            )
            .fetch_optional(&mut *transaction)
            .await?;
            let Some(url) = url else { return Ok(()) };
            let around = sqlx::query_scalar!(
                r#"select around.id as "id: RealmId" from realms around
                   join realms gone on starts_with(gone.url, around.url) or starts_with(gone.source, around.source)
                   where gone.id = $1 and around.id <> $1 and around.archived_at is null
                   order by 1"#,
                realm as RealmId
            )
            .fetch_all(&mut *transaction)
            .await?;
            sqlx::query!("delete from jobs where realm_id = $1", realm as RealmId)
                .execute(&mut *transaction)
                .await?;
            sqlx::query!(
                "delete from edges where source_id in (select id from files where realm_id = $1)",
                realm as RealmId
            )
            .execute(&mut *transaction)
            .await?;
            sqlx::query!(
                "delete from findings where file_id in (select id from files where realm_id = $1)",
                realm as RealmId
            )
            .execute(&mut *transaction)
            .await?;
            let left = sqlx::query_scalar!(
                "update files f
                 set realm_id = null, path = null, state = 'absent', digest = null, document = null, search = null,
                     computed_from = null, computed_at = null, tools_declared = null, tools_stamped = null,
                     indexer = null, packages = null, error = null, retry_at = null, changed_at = clock_timestamp()
                 where realm_id = $1 and exists (select from edges where target_id = f.id)
                 returning id",
                realm as RealmId
            )
            .fetch_all(&mut *transaction)
            .await?;
            sqlx::query!("delete from realms where id = $1", realm as RealmId)
                .execute(&mut *transaction)
                .await?;
            registry::changed(&mut transaction).await?;
            mend_edges_into(&mut transaction, &left).await?;
            mend_edges_below(&mut transaction, &url).await?;
            for id in around {
                let wanted = ReindexRequest::of(id, "a realm within it is no longer one".to_owned());
                request(&mut transaction, &wanted).await?;
            }
            transaction.commit().await?;
            Ok(())
        })
        .await
    }

    /// Notes that a pass over the whole realm ended.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn realm_indexed(&self, realm: RealmId) -> Result<(), StoreError> {
        sqlx::query!(
            "update realms set indexed_at = now() where id = $1",
            realm as RealmId
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The number of the next change.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn next_change(&self) -> Result<ChangeSeq, StoreError> {
        let seq = sqlx::query_scalar!(r#"select nextval('change_seq') as "seq!: ChangeSeq""#)
            .fetch_one(&self.pool)
            .await?;
        Ok(seq)
    }
}

/// The number of the next change, taken within a transaction.
pub(crate) async fn next_change(
    transaction: &mut Transaction<'_, Postgres>,
) -> Result<ChangeSeq, StoreError> {
    let seq = sqlx::query_scalar!(r#"select nextval('change_seq') as "seq!: ChangeSeq""#)
        .fetch_one(&mut **transaction)
        .await?;
    Ok(seq)
}

/// Registers a realm; answers false where it was before.
async fn register(
    transaction: &mut Transaction<'_, Postgres>,
    new: &NewRealm,
    writers: &[String],
) -> Result<(Realm, bool), StoreError> {
    let other = sqlx::query_scalar!(
        "select url from realms where source = $1 and url <> $2",
        new.source,
        new.url.as_str()
    )
    .fetch_optional(&mut **transaction)
    .await?;
    if let Some(known) = other {
        return Err(StoreError::OtherUrl {
            source_url: new.source.clone(),
            known,
            given: new.url.to_string(),
        });
    }
    let inserted = sqlx::query!(
        "insert into realms (url, source, owner) values ($1, $2, $3) on conflict (url) do nothing",
        new.url.as_str(),
        new.source,
        new.owner
    )
    .execute(&mut **transaction)
    .await?;
    let row = sqlx::query!(
        r#"select id as "id: RealmId", source, owner, archived_at is not null as "is_archived!"
           from realms where url = $1"#,
        new.url.as_str()
    )
    .fetch_one(&mut **transaction)
    .await?;
    if row.source != new.source {
        return Err(StoreError::OtherSource {
            url: new.url.to_string(),
            known: row.source,
            given: new.source.clone(),
        });
    }
    let is_new = inserted.rows_affected() > 0;
    if is_new {
        replace_readers(transaction, row.id, &new.readers).await?;
        replace_writers(transaction, row.id, writers).await?;
        registry::changed(transaction).await?;
    }
    let realm = Realm {
        id: row.id,
        url: new.url.clone(),
        source: row.source,
        owner: row.owner,
        is_archived: row.is_archived,
    };
    Ok((realm, is_new))
}

async fn replace_readers(
    transaction: &mut Transaction<'_, Postgres>,
    realm: RealmId,
    readers: &[String],
) -> Result<(), StoreError> {
    sqlx::query!(
        "delete from realm_readers where realm_id = $1",
        realm as RealmId
    )
    .execute(&mut **transaction)
    .await?;
    sqlx::query!(
        "insert into realm_readers (realm_id, reader) select $1, * from unnest($2::text[]) on conflict do nothing",
        realm as RealmId,
        readers
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

async fn replace_writers(
    transaction: &mut Transaction<'_, Postgres>,
    realm: RealmId,
    writers: &[String],
) -> Result<(), StoreError> {
    sqlx::query!(
        "delete from realm_writers where realm_id = $1",
        realm as RealmId
    )
    .execute(&mut **transaction)
    .await?;
    sqlx::query!(
        "insert into realm_writers (realm_id, writer) select $1, * from unnest($2::text[]) on conflict do nothing",
        realm as RealmId,
        writers
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}
