//! `/_definitions`: the tools of a realm's skills.

use axum::Json;
use axum::extract::State;
use realmdex_types::CodeRef;
use serde_json::Value;

use super::Operator;
use super::body::Asked;
use super::failure::Failure;
use super::wire::{DefinedToolAnswer, DefinitionsAnswer, RealmAsked, SkillAnswer};

/// Every definition of a realm.
#[utoipa::path(
    get, path = "/_definitions", tag = "indexed", operation_id = "definitions", params(RealmAsked),
    responses((status = 200, description = "The definitions.", body = DefinitionsAnswer)),
)]
pub(super) async fn list(
    State(operator): State<Operator>,
    Asked(asked): Asked<RealmAsked>,
) -> Result<Json<DefinitionsAnswer>, Failure> {
    let realm = operator.realm(&asked.realm).await?;
    let skills = operator.store.stamped_skills(realm.id).await?;
    Ok(Json(DefinitionsAnswer {
        realm: realm.url,
        skills: skills
            .into_iter()
            .map(|skill| SkillAnswer {
                path: skill.path,
                tools: skill.tools.iter().filter_map(defined).collect(),
            })
            .collect(),
    }))
}

/// A tool as it was stamped; none where it has no definition. What its author wrote beside that is left out.
fn defined(entry: &Value) -> Option<DefinedToolAnswer> {
    let code_ref = entry.get("codeRef")?;
    let text = |key: &str| code_ref.get(key)?.as_str().map(str::to_owned);
    Some(DefinedToolAnswer {
        code_ref: CodeRef {
            module: text("module")?,
            name: text("name")?,
        },
        requires_approval: entry.get("requiresApproval")?.as_bool()?,
        definition: entry
            .get("definition")
            .filter(|one| one.is_object())?
            .clone(),
    })
}
