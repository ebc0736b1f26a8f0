//! Definitions that were computed before, each with the manifest of what it was computed from.

use std::collections::BTreeMap;

use realmdex_types::{CodeRef, ContentDigest, Definition, ModuleId, ReadState};
use sqlx::types::Json;

use crate::{Store, StoreError};

/// What a definition is asked for by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DefinitionKey(ContentDigest);

impl DefinitionKey {
    /// `packages` is the fingerprint of the package map, `rights` says whose rights modules are read with.
    pub fn new(code_ref: &CodeRef, indexer: &str, packages: &ContentDigest, rights: &str) -> Self {
        let parts = [
            code_ref.module.as_str(),
            code_ref.name.as_str(),
            indexer,
            &packages.to_string(),
            rights,
        ];
        // Each with its length before it: no two lists of parts read the same.
        let text: String = parts
            .iter()
            .map(|part| format!("{} {part}\n", part.len()))
            .collect();
        Self(ContentDigest::of(text.as_bytes()))
    }
}

/// A definition, valid while every file of its manifest is found as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredDefinition {
    /// Every file that was looked for.
    pub manifest: BTreeMap<ModuleId, ReadState>,
    /// What came of it.
    pub definition: Definition,
}

impl Store {
    /// A definition that was stored, if there is one; whether it is valid is the caller's to tell.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn definition(
        &self,
        key: &DefinitionKey,
    ) -> Result<Option<StoredDefinition>, StoreError> {
        let row = sqlx::query!(
            r#"select manifest as "manifest: Json<BTreeMap<ModuleId, ReadState>>",
                      definition as "definition: Json<Definition>"
               from definitions where key = $1"#,
            key.0.as_bytes().as_slice()
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|row| StoredDefinition {
            manifest: row.manifest.0,
            definition: row.definition.0,
        }))
    }

    /// Stores a definition in the place of an earlier one.
    ///
    /// # Errors
    /// Whatever the database says.
    pub async fn store_definition(
        &self,
        key: &DefinitionKey,
        stored: &StoredDefinition,
    ) -> Result<(), StoreError> {
        let definition = serde_json::to_value(&stored.definition)
            .map_err(|error| StoreError::unreadable("a definition", error))?;
        sqlx::query!(
            "insert into definitions (key, manifest, definition) values ($1, $2, $3)
             on conflict (key) do update
             set manifest = excluded.manifest, definition = excluded.definition, stored_at = now()",
            key.0.as_bytes().as_slice(),
            Json(&stored.manifest) as _,
            crate::sanitise::document(definition)
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
