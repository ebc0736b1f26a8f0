//! Definitions, stamped skills and import closures against expectations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::{StreamExt, stream};
use realmdex_types::{CodeRef, ModuleId, function_name};
use realmdex_worker::enrich::{Describer, enrich};
use realmdex_worker::modules::{
    LoadLimits, ModuleGraph, PackageMap, Rights, TranspileCache, core_base_modules,
};
use serde_json::{Value, json};

use super::Tally;
use super::compare::differences;
use super::expectation::{ExpectedError, ExpectedSkill, ExpectedTool};
use crate::setup::{Modules, describer};

/// Tools described at once.
const CONCURRENT: usize = 4;

pub(super) async fn definitions(
    modules: &Modules,
    entries: &[ExpectedTool],
) -> anyhow::Result<Tally> {
    let describer = describer(modules.packages(None)?, &modules.limits, None)?;
    let compared: Vec<_> = stream::iter(entries)
        .map(|entry| {
            let describer = &describer;
            async move { (entry, compare_tool(describer, entry).await) }
        })
        .buffered(CONCURRENT)
        .collect()
        .await;
    let mut tally = Tally::default();
    for (entry, found) in compared {
        tally.count(
            &format!("{}#{}", entry.code_ref.module, entry.code_ref.name),
            &found,
        );
    }
    Ok(tally)
}

async fn compare_tool(describer: &Describer, entry: &ExpectedTool) -> Vec<String> {
    let described = describer
        .describe(&describer.graph(), &entry.code_ref)
        .await;
    let mut found = Vec::new();
    if let Some(name) = entry
        .function_name
        .as_deref()
        .filter(|name| *name != function_name(&entry.code_ref))
    {
        found.push(format!(
            "function name {} instead of {name}",
            function_name(&entry.code_ref)
        ));
    }
    match (&entry.definition, described.outcome) {
        (Some(expected), Ok(definition)) => found.extend(differences(expected, &json!(definition))),
        (Some(_), Err(fault)) => found.push(format!("no definition: {fault}")),
        (None, Ok(definition)) => {
            found.push(format!("should have failed, but has {}", json!(definition)))
        }
        (None, Err(_)) => {}
    }
    found
}

pub(super) async fn skill(modules: &Modules, skill: &ExpectedSkill) -> anyhow::Result<Tally> {
    let describer = describer(modules.packages(None)?, &modules.limits, None)?;
    let enriched = enrich(
        &describer,
        &describer.graph(),
        &skill.skill_file_url,
        &skill.authored,
    )
    .await;
    let actual = enriched.tools.as_array().cloned().unwrap_or_default();
    let mut tally = Tally::default();
    for at in 0..skill.tools.len().max(actual.len()) {
        let expected = skill.tools.get(at).unwrap_or(&Value::Null);
        let title = format!(
            "tool {at}: {}",
            expected.get("codeRef").unwrap_or(&Value::Null)
        );
        let mut found = differences(expected, actual.get(at).unwrap_or(&Value::Null));
        if expected.get("definition").is_some() {
            found.extend(unexpected_error(&enriched.errors, expected));
        }
        tally.count(&title, &found);
    }
    let errors: Vec<_> = enriched
        .errors
        .iter()
        .map(|error| ExpectedError {
            module: error.module.clone(),
            name: error.name.clone(),
        })
        .collect();
    // An expectation may leave errors out, but none of a tool that it has stamped (see above).
    let mut unmatched = errors.iter();
    for expected in &skill.tool_schema_errors {
        let found = (!unmatched.any(|actual| actual == expected))
            .then(|| "no such error in this order".to_owned());
        tally.count(
            &format!("error of {}#{}", expected.module, expected.name),
            found.as_slice(),
        );
    }
    Ok(tally)
}

fn unexpected_error(
    errors: &[realmdex_types::ToolSchemaError],
    expected: &Value,
) -> Option<String> {
    let code_ref: CodeRef = serde_json::from_value(expected.get("codeRef")?.clone()).ok()?;
    let error = errors
        .iter()
        .find(|error| error.module == code_ref.module && error.name == code_ref.name)?;
    Some(format!("failed: {}", error.message))
}

/// Each expected import that is a mapped file must be in the recorded closure, but for what only the modules that the
/// guest stands in for import.
pub(super) async fn closures(
    modules: &Modules,
    expected: &BTreeMap<String, Vec<String>>,
) -> anyhow::Result<Tally> {
    let packages = modules.packages(None)?;
    let limits = modules.limits.in_effect()?.load;
    let stood_in = stood_in_for(packages.clone(), &limits).await;
    let mut tally = Tally::default();
    for (module, imports) in expected {
        let graph = graph(packages.clone(), &limits);
        let (closure, loaded) = graph.closure_of(module).await;
        let recorded: BTreeSet<&ModuleId> = closure.modules().collect();
        let mut found: Vec<String> = loaded
            .err()
            .map(|error| format!("does not load: {error}"))
            .into_iter()
            .collect();
        for import in imports {
            if let Some(id) = graph.locate(import).await
                && !recorded.contains(&id)
                && !stood_in.contains(&id)
            {
                found.push(format!("not in the closure: {import}"));
            }
        }
        tally.count(module, &found);
    }
    Ok(tally)
}

fn graph(packages: PackageMap, limits: &LoadLimits) -> ModuleGraph {
    ModuleGraph::new(
        Arc::new(packages),
        TranspileCache::default(),
        limits.clone(),
        Rights::default(),
    )
}

/// The files that the guest stands in for, and everything those import.
async fn stood_in_for(packages: PackageMap, limits: &LoadLimits) -> BTreeSet<ModuleId> {
    let graph = graph(packages.without_stand_ins(), limits);
    let mut known = BTreeSet::new();
    for id in core_base_modules() {
        let (closure, _) = graph.closure_of(&id).await;
        known.extend(closure.modules().cloned());
    }
    known
}
