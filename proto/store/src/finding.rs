//! What is wrong with files.

use realmdex_types::{CodeRef, Finding, FindingKind};

use crate::{RealmId, Store, StoreError};

/// A finding and the file it is about.
#[derive(Clone, Debug)]
pub struct FileFinding {
    /// The file's path below its realm.
    pub path: String,
    /// What is wrong.
    pub finding: Finding,
}

impl Store {
    /// Everything that is wrong in a realm, by path: findings, and files that could not be read.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn findings(&self, realm: RealmId) -> Result<Vec<FileFinding>, StoreError> {
        let rows = sqlx::query!(
            r#"select files.path as "path!", kind as "kind!", message as "message!", line, col, module, name,
                      transient as "transient!", ordinal as "ordinal!"
               from findings join files on files.id = findings.file_id
               where files.realm_id = $1
               union all
               select path, 'indexing-error', error, null, null, null, null, retry_at is not null, -1
               from files where realm_id = $1 and error is not null
               order by 1, 9"#,
            realm as RealmId
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|row| {
                let kind = FindingKind::parse(&row.kind).ok_or_else(|| {
                    StoreError::unreadable("a kind of finding", row.kind.as_str())
                })?;
                let tool = row.module.map(|module| CodeRef {
                    module,
                    name: row.name.unwrap_or_default(),
                });
                Ok(FileFinding {
                    path: row.path,
                    finding: Finding {
                        kind,
                        message: row.message,
                        line: row.line.and_then(|line| line.try_into().ok()),
                        column: row.col.and_then(|column| column.try_into().ok()),
                        tool,
                        transient: row.transient,
                    },
                })
            })
            .collect()
    }
}
