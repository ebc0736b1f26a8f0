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
                Ok(FileFinding {
                    path: row.path,
                    finding: stored_finding(
                        &row.kind,
                        row.message,
                        row.line,
                        row.col,
                        row.module,
                        row.name,
                        row.transient,
                    )?,
                })
            })
            .collect()
    }
}

/// A finding as its columns say.
pub(crate) fn stored_finding(
    kind: &str,
    message: String,
    line: Option<i32>,
    column: Option<i32>,
    module: Option<String>,
    name: Option<String>,
    transient: bool,
) -> Result<Finding, StoreError> {
    let counted = |number: Option<i32>| number.and_then(|number| number.try_into().ok());
    Ok(Finding {
        kind: FindingKind::parse(kind)
            .ok_or_else(|| StoreError::unreadable("a kind of finding", kind))?,
        message,
        line: counted(line),
        column: counted(column),
        tool: module.map(|module| CodeRef {
            module,
            name: name.unwrap_or_default(),
        }),
        transient,
    })
}
