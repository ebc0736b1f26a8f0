//! What is wrong in a realm, page by page: for those who read it over the network, where a realm may be large.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use realmdex_types::{CodeRef, Finding, FindingKind};

use crate::file::target_state;
use crate::finding::stored_finding;
use crate::{RealmId, Store, StoreError, TargetState};

/// One kind of thing that is wrong with one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The file's path below its realm.
    pub path: String,
    /// What kind it is.
    pub kind: FindingKind,
    /// How many kinds of things are wrong with that file.
    pub kinds_of_file: u64,
}

/// Which of them are asked for.
#[derive(Clone, Debug, Default)]
pub struct WrongAsked<'a> {
    /// Of these kinds; none is every kind.
    pub kinds: &'a [FindingKind],
    /// Of one file.
    pub path: Option<&'a str>,
    /// Those that come after this one.
    pub after: Option<(&'a str, FindingKind)>,
    /// How many, at most.
    pub limit: i64,
    /// Files with what only shows between several files, [`FindingKind::FunctionNameCollision`]: whoever asks has
    /// found them out.
    pub collided: &'a [String],
    /// Folders, each ending in a slash, of which nothing is told: they are other realms' now.
    pub without: &'a [String],
}

/// Some of what is wrong in a realm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrongPage {
    /// By path (by its bytes) and kind, the gravest first.
    pub page: Vec<Wrong>,
    /// How many there are of those that are asked for, whatever page they are on.
    pub total: u64,
}

/// A file that something is wrong with.
#[derive(Clone, Debug)]
pub struct WrongFile {
    /// What it was when it was last looked at.
    pub state: TargetState,
    /// Why it could not be read the last time.
    pub error: Option<String>,
    /// When what may pass by itself is looked at again.
    pub retry_at: Option<DateTime<Utc>>,
    /// When its row was computed.
    pub indexed_at: Option<DateTime<Utc>>,
    /// How long that took, in milliseconds.
    pub duration_ms: Option<i64>,
    /// What was wrong when it was computed.
    pub findings: Vec<Finding>,
}

/// A tool under a function name that other tools of its realm have as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedName {
    /// The path of the skill that declares it.
    pub path: String,
    /// The name.
    pub function_name: String,
    /// The tool, made absolute.
    pub tool: CodeRef,
}

impl Store {
    /// Some of what is wrong in a realm. Of a file that can't be read now it is only that: what was found earlier was
    /// found in other bytes (Boxel's rule for rows in error).
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn wrong(
        &self,
        realm: RealmId,
        asked: &WrongAsked<'_>,
    ) -> Result<WrongPage, StoreError> {
        let names = |kinds: &[FindingKind]| -> Vec<String> {
            kinds.iter().map(|kind| kind.as_str().to_owned()).collect()
        };
        let rows = sqlx::query!(
            r#"with wrong as (
                   select path, 'indexing-error' as kind from files where realm_id = $1 and error is not null
                   union
                   select path, kind from findings join files on files.id = findings.file_id
                   where realm_id = $1 and error is null
                   union
                   select path, 'function-name-collision' from unnest($2::text[]) as collided (path)
               ), ranked as (
                   select path, kind, array_position($3::text[], kind) as rank,
                          count(*) over (partition by path) as kinds_of_file
                   from wrong
               ), asked as (
                   select * from ranked
                   where (cardinality($4::text[]) = 0 or kind = any($4)) and ($5::text is null or path = $5)
                       and not exists (select from unnest($9::text[]) as without (folder)
                                       where starts_with(path, without.folder))
               )
               select total.number as "total!", page.path as "path?", page.kind as "kind?",
                      page.kinds_of_file as "kinds_of_file?"
               from (select count(*) as number from asked) total
               left join lateral (
                   select * from asked
                   where $6::text is null or (path collate "C", rank) > ($6, array_position($3::text[], $7))
                   order by path collate "C", rank limit $8
               ) page on true
               order by page.path collate "C", page.rank"#,
            realm as RealmId,
            asked.collided,
            &names(&FindingKind::ALL),
            &names(asked.kinds),
            asked.path,
            asked.after.map(|(path, _)| path),
            asked.after.map(|(_, kind)| kind.as_str()),
            asked.limit,
            asked.without
        )
        .fetch_all(&self.pool)
        .await?;
        let mut page = WrongPage::default();
        for row in rows {
            page.total = row.total.unsigned_abs();
            if let (Some(path), Some(kind)) = (row.path, row.kind) {
                page.page.push(Wrong {
                    path,
                    kind: FindingKind::parse(&kind)
                        .ok_or_else(|| StoreError::unreadable("a kind of finding", kind))?,
                    kinds_of_file: row.kinds_of_file.unwrap_or(1).unsigned_abs(),
                });
            }
        }
        Ok(page)
    }

    /// Some files of a realm, with what is wrong with each, by path.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn wrong_files(
        &self,
        realm: RealmId,
        paths: &[&str],
    ) -> Result<BTreeMap<String, WrongFile>, StoreError> {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let rows = sqlx::query!(
            r#"select path as "path!", state, digest, error, retry_at, indexed_at, duration_ms, kind as "kind?",
                      message as "message?", line, col, module, name, transient as "transient?"
               from files left join findings on findings.file_id = files.id
               where realm_id = $1 and path = any($2)
               order by path, ordinal"#,
            realm as RealmId,
            &paths
        )
        .fetch_all(&self.pool)
        .await?;
        let mut files = BTreeMap::new();
        for row in rows {
            let file = match files.entry(row.path) {
                std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::btree_map::Entry::Vacant(new) => new.insert(WrongFile {
                    state: target_state(&row.state, row.digest.as_deref())?,
                    error: row.error,
                    retry_at: row.retry_at,
                    indexed_at: row.indexed_at,
                    duration_ms: row.duration_ms,
                    findings: Vec::new(),
                }),
            };
            if let (Some(kind), Some(message), Some(transient)) =
                (row.kind, row.message, row.transient)
            {
                file.findings.push(stored_finding(
                    &kind, message, row.line, row.col, row.module, row.name, transient,
                )?);
            }
        }
        Ok(files)
    }

    /// The tools of a realm whose function name is also that of a tool with another code reference, in the order of
    /// names, paths and declarations. Skills that can't be read now are left out: their tools are not served.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn shared_names(&self, realm: RealmId) -> Result<Vec<SharedName>, StoreError> {
        let rows = sqlx::query!(
            r#"with tools as (
                   select path, tool.number, tool.entry ->> 'functionName' as function_name,
                          tool.entry #>> '{codeRef,module}' as module, tool.entry #>> '{codeRef,name}' as name
                   from files, jsonb_array_elements(
                       case jsonb_typeof(document #> '{data,attributes,frontmatter,tools}')
                           when 'array' then document #> '{data,attributes,frontmatter,tools}' else '[]' end
                   ) with ordinality as tool (entry, number)
                   where realm_id = $1 and state = 'present' and error is null and tools_stamped > 0
               )
               select path as "path!", function_name as "function_name!", module as "module!", name as "name!"
               from tools
               where module is not null and name is not null and function_name in (
                   select function_name from tools group by function_name having count(distinct (module, name)) > 1)
               order by function_name collate "C", path collate "C", number"#,
            realm as RealmId
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| SharedName {
                path: row.path,
                function_name: row.function_name,
                tool: CodeRef {
                    module: row.module,
                    name: row.name,
                },
            })
            .collect())
    }
}
