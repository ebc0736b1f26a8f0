//! From a skill's tool declarations to their definitions.

mod definition_cache;
mod describer;
mod provider_rules;

use std::sync::Arc;

use futures::{StreamExt, stream};
use realmdex_types::{CodeRef, Declaration, ToolSchemaError, strip_generated_keys};
use serde_json::Value;

pub use definition_cache::DefinitionCache;
pub use describer::{DescribedTool, Describer, DescriberConfig};

use crate::modules::{Closure, ModuleGraph};

/// Tools of one skill that are described at once.
const CONCURRENT_TOOLS: usize = 4;

/// A skill's tools after enrichment.
#[derive(Debug)]
pub struct Enriched {
    /// What stands in for the authored tools in the file-meta document.
    pub tools: Value,
    /// One for each tool without a definition, in order.
    pub errors: Vec<ToolSchemaError>,
    /// What each described tool depended on, failed ones included.
    pub closures: Vec<(CodeRef, Closure)>,
}

/// Stamps each declared tool with what indexing knows of it. A tool that fails stays as authored, less what only
/// indexing may write; the others are stamped all the same. Modules come from `graph`, which reads each once.
pub async fn enrich(
    describer: &Describer,
    graph: &Arc<ModuleGraph>,
    skill_url: &str,
    authored: &Value,
) -> Enriched {
    let Value::Array(entries) = authored else {
        return Enriched {
            tools: strip_generated_keys(authored),
            errors: Vec::new(),
            closures: Vec::new(),
        };
    };
    let outcomes: Vec<_> = entries
        .iter()
        .map(|entry| outcome_of(describer, graph, skill_url, entry))
        .collect();
    let outcomes: Vec<_> = stream::iter(outcomes)
        .buffered(CONCURRENT_TOOLS)
        .collect()
        .await;
    let mut enriched = Enriched {
        tools: Value::Null,
        errors: Vec::new(),
        closures: Vec::new(),
    };
    let mut tools = Vec::with_capacity(outcomes.len());
    for outcome in outcomes {
        tools.push(outcome.entry);
        enriched.errors.extend(outcome.error);
        enriched.closures.extend(outcome.closure);
    }
    enriched.tools = Value::Array(tools);
    enriched
}

async fn outcome_of(
    describer: &Describer,
    graph: &Arc<ModuleGraph>,
    skill_url: &str,
    entry: &Value,
) -> Outcome {
    let declaration = match Declaration::from_entry(entry) {
        Ok(declaration) => declaration,
        Err(error) => return Outcome::without_tool(entry, error),
    };
    let code_ref = declaration.code_ref.resolve(skill_url);
    let described = describer.describe(graph, &code_ref).await;
    Outcome::of(entry, &declaration, code_ref, described)
}

struct Outcome {
    entry: Value,
    error: Option<ToolSchemaError>,
    closure: Option<(CodeRef, Closure)>,
}

impl Outcome {
    fn without_tool(entry: &Value, error: realmdex_types::DeclarationError) -> Self {
        let message = error.to_string();
        let error = ToolSchemaError {
            module: error.module,
            name: error.name,
            message,
            transient: false,
        };
        Self {
            entry: strip_generated_keys(entry),
            error: Some(error),
            closure: None,
        }
    }

    fn of(
        entry: &Value,
        declaration: &Declaration,
        code_ref: CodeRef,
        described: DescribedTool,
    ) -> Self {
        let (entry, error) = match &described.outcome {
            Ok(definition) => (declaration.stamp(entry, &code_ref, definition), None),
            Err(fault) => {
                let error = ToolSchemaError {
                    module: code_ref.module.clone(),
                    name: code_ref.name.clone(),
                    message: fault.to_string(),
                    transient: fault.is_transient(),
                };
                (strip_generated_keys(entry), Some(error))
            }
        };
        Self {
            entry,
            error,
            closure: Some((code_ref, described.closure)),
        }
    }
}
