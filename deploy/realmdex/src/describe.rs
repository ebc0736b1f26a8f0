//! `realmdex describe`: one tool.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use realmdex_types::{CodeRef, Definition, MODULE_EXTENSIONS, ModuleId, ReadState, RealmUrl};
use realmdex_worker::modules::Closure;
use serde_json::Value;

use crate::answer;
use crate::folders;
use crate::setup::{Modules, describer};

/// The prefix of a realm that was given no URL.
pub(crate) const LOCAL_REALM: &str = "https://realm.local/";

/// `realmdex describe`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex describe ./tools/weather.ts WeatherTool
  realmdex describe @acme/tools/weather WeatherTool --map @acme/tools/=../tools --json
  realmdex describe ./tools/weather.ts --closure")]
pub(crate) struct Arguments {
    /// The tool's module: a file, a URL or a package specifier.
    module: String,
    /// The export; the default export if not given.
    #[arg(default_value = "default")]
    name: String,
    #[command(flatten)]
    modules: Modules,
    /// Print JSON: the definition, or with --closure everything that was read, looked for or refused.
    #[arg(long)]
    json: bool,
    /// Print which files the definition depends on.
    #[arg(long)]
    closure: bool,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let (packages, module) = match file_of(&arguments.module)? {
        Some(file) => {
            let (folder, path) = folders::realm_of(&file)?;
            let realm = RealmUrl::parse(LOCAL_REALM)?;
            let packages = arguments.modules.packages(Some((LOCAL_REALM, &folder)))?;
            (packages, realm.file(&path).into())
        }
        None => (arguments.modules.packages(None)?, arguments.module),
    };
    let code_ref = CodeRef {
        module,
        name: arguments.name,
    };
    let describer = describer(packages, &arguments.modules.limits, None)?;
    let described = describer.describe(&describer.graph(), &code_ref).await;
    match (arguments.closure, &described.outcome) {
        (true, _) if arguments.json => answer::print(&answer::json(&described.closure)?)?,
        (true, _) => answer::print(&closure_text(&described.closure))?,
        (false, Ok(definition)) if arguments.json => answer::print(&answer::json(definition)?)?,
        (false, Ok(definition)) => answer::print(&definition_text(definition))?,
        (false, Err(_)) => {}
    }
    Ok(match described.outcome {
        Ok(_) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("realmdex: {}#{}: {fault}", code_ref.module, code_ref.name);
            ExitCode::FAILURE
        }
    })
}

/// The file that the argument means, if it means one; its extension may be left out.
fn file_of(module: &str) -> anyhow::Result<Option<PathBuf>> {
    let extensions = [""].into_iter().chain(MODULE_EXTENSIONS);
    let found = extensions
        .map(|extension| PathBuf::from(format!("{module}{extension}")))
        .find(|file| file.is_file());
    if found.is_none() && module.starts_with(['.', '/']) {
        bail!(
            "there is no file {module}, nor with {}",
            MODULE_EXTENSIONS.join(", ")
        );
    }
    Ok(found)
}

pub(crate) fn definition_text(definition: &Definition) -> String {
    let function = definition.function();
    let mut text = format!("{}\n", function.name);
    if let Some(description) = function
        .description
        .as_deref()
        .filter(|said| !said.is_empty())
    {
        text += &format!("  {}\n", description.replace('\n', "\n  "));
    }
    text += "parameters:\n";
    add_properties(&mut text, &function.parameters, 1);
    text
}

fn add_properties(text: &mut String, schema: &Value, depth: usize) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    let required = schema.get("required").and_then(Value::as_array);
    for (name, property) in properties {
        let is_required = required.is_some_and(|names| names.iter().any(|one| one == name));
        let description = property.get("description").and_then(Value::as_str);
        let indent = "  ".repeat(depth);
        let kind = kind_text(property);
        let needed = if is_required { ", required" } else { "" };
        let said = description
            .map(|said| format!(": {said}"))
            .unwrap_or_default();
        *text += &format!("{indent}{name} ({kind}{needed}){said}\n");
        add_properties(text, property.get("items").unwrap_or(property), depth + 1);
    }
}

fn kind_text(property: &Value) -> String {
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        return values
            .iter()
            .map(Value::to_string)
            .collect::<Vec<_>>()
            .join(" | ");
    }
    match property.get("type") {
        Some(Value::String(kind)) => kind.clone(),
        Some(kinds) => kinds.to_string(),
        None => "any".to_owned(),
    }
}

fn closure_text(closure: &Closure) -> String {
    let line = |(id, state): (&ModuleId, &ReadState)| match state {
        ReadState::Read { digest } => format!("read         {id}  {}\n", digest.short()),
        ReadState::Absent => format!("absent       {id}\n"),
        ReadState::Forbidden => format!("forbidden    {id}\n"),
        ReadState::Denied => format!("denied       {id}\n"),
        ReadState::Refused => format!("refused      {id}\n"),
        ReadState::Unreachable => format!("unreachable  {id}\n"),
    };
    closure.files.iter().map(line).collect()
}
