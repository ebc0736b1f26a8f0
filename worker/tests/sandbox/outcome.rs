//! What comes of describing a tool, in a form that a snapshot shows.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use futures::future::join_all;
use realmdex_types::{CodeRef, ReadState};
use realmdex_worker::enrich::{DescribedTool, Describer};
use realmdex_worker::modules::{Closure, Target};
use regex::Regex;
use serde_json::{Value, json};

pub async fn describe(describer: &Describer, module: &str, name: &str) -> DescribedTool {
    let code_ref = CodeRef {
        module: module.to_owned(),
        name: name.to_owned(),
    };
    describer.describe(&describer.graph(), &code_ref).await
}

/// The description and the parameters, or the error; one that may pass by itself says so.
pub async fn outcome(describer: &Describer, module: &str, name: &str) -> Value {
    told(&describe(describer, module, name).await)
}

pub fn told(described: &DescribedTool) -> Value {
    match &described.outcome {
        Ok(definition) => {
            let function = definition.function();
            json!({"description": function.description, "parameters": function.parameters})
        }
        Err(fault) if fault.is_transient() => json!({"transient error": fault.to_string()}),
        Err(fault) => json!({"error": fault.to_string()}),
    }
}

/// The error's text; the definition's where there is none.
pub async fn error(describer: &Describer, module: &str, name: &str) -> String {
    match describe(describer, module, name).await.outcome {
        Ok(definition) => panic!("{module}#{name} is described: {definition:?}"),
        Err(fault) => fault.to_string(),
    }
}

/// The outcome of every export of a module of a realm, by name.
pub async fn all_exports(
    describer: &Describer,
    realm: &str,
    folder: &Path,
    file: &str,
) -> BTreeMap<String, Value> {
    let module = format!("{realm}{file}");
    let names = exports_of(&fs::read_to_string(folder.join(file)).unwrap());
    let outcomes = join_all(names.iter().map(|name| outcome(describer, &module, name))).await;
    names.into_iter().zip(outcomes).collect()
}

fn exports_of(source: &str) -> Vec<String> {
    let export =
        Regex::new(r"(?m)^export (?:const|class|(?:async )?function|let) (\w+)|^export (default)")
            .unwrap();
    let names = export.captures_iter(source).map(|found| {
        let name = found.get(1).or(found.get(2)).unwrap();
        name.as_str().to_owned()
    });
    names.collect()
}

/// A closure as one line for each file and each lookup; hashes left out.
pub fn lines(closure: &Closure) -> Value {
    let files: Vec<_> = closure
        .files
        .iter()
        .map(|(id, state)| match state {
            ReadState::Read { .. } => format!("{id} read"),
            ReadState::Absent => format!("{id} absent"),
            ReadState::Forbidden => format!("{id} forbidden"),
            ReadState::Denied => format!("{id} denied"),
            ReadState::Refused => format!("{id} refused"),
            ReadState::Unreachable => format!("{id} unreachable"),
        })
        .collect();
    let mut lookups: Vec<_> = closure
        .lookups
        .iter()
        .map(|lookup| {
            let importer = lookup.importer.as_ref().map_or("-", |id| id.as_str());
            let target = match &lookup.target {
                Some(Target::Module(id)) => id.to_string(),
                Some(Target::Provided(id)) => format!("the guest's {id}"),
                None => "nothing".to_owned(),
            };
            format!("{importer}: {} = {target}", lookup.specifier)
        })
        .collect();
    lookups.sort();
    json!({"files": files, "lookups": lookups})
}
