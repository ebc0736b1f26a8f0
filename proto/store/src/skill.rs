//! Skills by what they say of themselves.

use realmdex_types::RealmPath;

use crate::{RealmId, Store, StoreError};

/// A skill that was found.
#[derive(Clone, Debug)]
pub struct FoundSkill {
    /// Its realm.
    pub realm: RealmId,
    /// Its path there.
    pub path: RealmPath,
    /// What it is called.
    pub name: String,
    /// What it says it is for.
    pub description: String,
    /// Its `boxel.kind`, where it has one.
    pub kind: Option<String>,
    /// How many tools it declares; none where it declares no list of them.
    pub tools_declared: Option<u64>,
    /// How many of them have a definition.
    pub tools_stamped: Option<u64>,
}

impl Store {
    /// Skills of some realms that words are found in, the best first; without words all, by URL. `words` are as one types
    /// them into a search box: quoted ones stand together, `or` and `-` mean what they say there.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn find_skills(
        &self,
        words: &str,
        realms: &[RealmId],
        limit: u32,
        offset: u32,
    ) -> Result<Vec<FoundSkill>, StoreError> {
        let realms: Vec<i64> = realms.iter().map(|realm| realm.0).collect();
        let found = if words.trim().is_empty() {
            self.all_skills(&realms, limit, offset).await?
        } else {
            self.matching_skills(words, &realms, limit, offset).await?
        };
        found.into_iter().map(Row::read).collect()
    }

    async fn all_skills(
        &self,
        realms: &[i64],
        limit: u32,
        offset: u32,
    ) -> Result<Vec<Row>, StoreError> {
        let rows = sqlx::query_as!(
            Row,
            r#"select realm_id as "realm!: RealmId", path as "path!",
                      coalesce(document #>> '{data,attributes,frontmatter,name}',
                               document #>> '{data,attributes,frontmatter,rawContent,name}',
                               document #>> '{data,attributes,title}', '') as "name!",
                      coalesce(document #>> '{data,attributes,frontmatter,description}',
                               document #>> '{data,attributes,frontmatter,rawContent,description}',
                               document #>> '{data,attributes,excerpt}', '') as "description!",
                      document #>> '{data,attributes,kind}' as kind, tools_declared, tools_stamped
               from files join realms on realms.id = files.realm_id
               where words is not null and realm_id = any($1) and state = 'present' and error is null
               order by realms.url, path limit $2 offset $3"#,
            realms,
            i64::from(limit),
            i64::from(offset)
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    async fn matching_skills(
        &self,
        words: &str,
        realms: &[i64],
        limit: u32,
        offset: u32,
    ) -> Result<Vec<Row>, StoreError> {
        let rows = sqlx::query_as!(
            Row,
            r#"select realm_id as "realm!: RealmId", path as "path!", name as "name!", description as "description!", kind,
                      tools_declared, tools_stamped
               from matching_skills($1, $2, $3, $4)"#,
            words,
            realms,
            i64::from(limit),
            i64::from(offset)
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}

struct Row {
    realm: RealmId,
    path: String,
    name: String,
    description: String,
    kind: Option<String>,
    tools_declared: Option<i32>,
    tools_stamped: Option<i32>,
}

impl Row {
    fn read(self) -> Result<FoundSkill, StoreError> {
        let counted = |number: Option<i32>| number.map(|number| number.unsigned_abs().into());
        Ok(FoundSkill {
            realm: self.realm,
            path: RealmPath::parse(&self.path)
                .map_err(|error| StoreError::unreadable("a path", error))?,
            name: self.name,
            description: self.description,
            kind: self.kind,
            tools_declared: counted(self.tools_declared),
            tools_stamped: counted(self.tools_stamped),
        })
    }
}
