//! Whether every skill of a realm works, as its rows say.

use std::time::Duration;

use realmdex_types::{CodeRef, RealmPath};

use crate::{RealmId, Store, StoreError};

/// How the skills of a realm are.
#[derive(Clone, Debug)]
pub struct SkillCheck {
    /// How many there are.
    pub skills: u64,
    /// How many tools they declare.
    pub tools: u64,
    /// How long ago the one was looked at that was not for the longest time.
    pub age: Duration,
    /// What does not work, by path.
    pub failures: Vec<SkillFailure>,
}

/// Something of a skill that does not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFailure {
    /// The skill.
    pub path: RealmPath,
    /// The tool; none where it is the skill itself.
    pub tool: Option<CodeRef>,
    /// Why, and the mend.
    pub message: String,
}

fn path(text: &str) -> Result<RealmPath, StoreError> {
    RealmPath::parse(text).map_err(|error| StoreError::unreadable("a path", error))
}

impl Store {
    /// The paths of a realm's skills, with tools or without.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn skill_paths(&self, realm: RealmId) -> Result<Vec<RealmPath>, StoreError> {
        let paths = sqlx::query_scalar!(
            r#"select path as "path!" from files
               where realm_id = $1 and state in ('present', 'forbidden')
                   and (tools_declared is not null or path ~ '(^|/)SKILL\.md$')
               order by path"#,
            realm as RealmId
        )
        .fetch_all(&self.pool)
        .await?;
        paths.iter().map(|text| path(text)).collect()
    }

    /// How the skills of a realm are. What fails are tools without a definition, frontmatter that can't be read, and
    /// skills that can't.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn skill_check(&self, realm: RealmId) -> Result<SkillCheck, StoreError> {
        let counted = sqlx::query!(
            r#"select count(*) as "skills!", coalesce(sum(tools_declared), 0)::bigint as "tools!",
                      coalesce(extract(epoch from now() - min(read_at)), 0)::double precision as "age!"
               from files
               where realm_id = $1 and state in ('present', 'forbidden')
                   and (tools_declared is not null or path ~ '(^|/)SKILL\.md$')"#,
            realm as RealmId
        )
        .fetch_one(&self.pool)
        .await?;
        let rows = sqlx::query!(
            r#"select path as "path!", error, message as "message?", module, name
               from files left join findings on findings.file_id = files.id and files.error is null
                   and findings.kind in ('tool-schema-error', 'frontmatter-error')
               where realm_id = $1 and state in ('present', 'forbidden')
                   and (tools_declared is not null or path ~ '(^|/)SKILL\.md$')
                   and (error is not null or message is not null)
               order by path collate "C", ordinal"#,
            realm as RealmId
        )
        .fetch_all(&self.pool)
        .await?;
        let mut failures = Vec::with_capacity(rows.len());
        for row in rows {
            failures.push(SkillFailure {
                path: path(&row.path)?,
                tool: row.module.map(|module| CodeRef {
                    module,
                    name: row.name.unwrap_or_default(),
                }),
                message: row.error.or(row.message).unwrap_or_default(),
            });
        }
        Ok(SkillCheck {
            skills: counted.skills.unsigned_abs(),
            tools: counted.tools.unsigned_abs(),
            age: Duration::try_from_secs_f64(counted.age).unwrap_or_default(),
            failures,
        })
    }

    /// How many files of a realm could not be read the last time.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn unreadable_files(&self, realm: RealmId) -> Result<u64, StoreError> {
        let number = sqlx::query_scalar!(
            r#"select count(*) as "number!" from files where realm_id = $1 and error is not null"#,
            realm as RealmId
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(number.unsigned_abs())
    }
}
