//! `realmdex describe`: one tool.

use std::path::Path;
use std::process::ExitCode;

use realmdex_types::{CodeRef, Definition};
use realmdex_worker::modules::{Closure, ReadState};
use serde_json::{Value, json};

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
    let file = Path::new(&arguments.module);
    let (packages, module) = if file.is_file() {
        let (realm, path) = folders::realm_of(file)?;
        let packages = arguments.modules.packages(Some((LOCAL_REALM, &realm)))?;
        (packages, format!("{LOCAL_REALM}{path}"))
    } else {
        (arguments.modules.packages(None)?, arguments.module)
    };
    let code_ref = CodeRef {
        module,
        name: arguments.name,
    };
    let describer = describer(packages)?;
    let described = describer.describe(&describer.graph(), &code_ref).await;
    if arguments.closure {
        print_closure(&described.closure, arguments.json)?;
    }
    match described.outcome {
        Ok(definition) => {
            if !arguments.closure {
                print_definition(&definition, arguments.json)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(fault) => {
            eprintln!("realmdex: {}#{}: {fault}", code_ref.module, code_ref.name);
            Ok(ExitCode::FAILURE)
        }
    }
}

fn print_definition(definition: &Definition, as_json: bool) -> anyhow::Result<()> {
    if as_json {
        println!("{}", serde_json::to_string_pretty(definition)?);
        return Ok(());
    }
    let function = definition.function();
    println!("{}", function.name);
    if let Some(description) = function
        .description
        .as_deref()
        .filter(|text| !text.is_empty())
    {
        println!("  {}", description.replace('\n', "\n  "));
    }
    println!("parameters:");
    print_properties(&function.parameters, 1);
    Ok(())
}

fn print_properties(schema: &Value, depth: usize) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    for (name, property) in properties {
        let kind = property.get("type").map_or_else(
            || "any".to_owned(),
            |kind| {
                kind.as_str()
                    .map_or_else(|| kind.to_string(), str::to_owned)
            },
        );
        let needed = if required.contains(&name.as_str()) {
            ", required"
        } else {
            ""
        };
        let description = property
            .get("description")
            .and_then(Value::as_str)
            .map(|text| format!(": {text}"))
            .unwrap_or_default();
        println!(
            "{:indent$}{name} ({kind}{needed}){description}",
            "",
            indent = depth * 2
        );
        print_properties(property.get("items").unwrap_or(property), depth + 1);
    }
}

fn print_closure(closure: &Closure, as_json: bool) -> anyhow::Result<()> {
    if as_json {
        println!(
            "{}",
            serde_json::to_string_pretty(
                &json!({"files": closure.files, "lookups": closure.lookups})
            )?
        );
        return Ok(());
    }
    for (id, state) in &closure.files {
        match state {
            ReadState::Read { digest } => println!("read         {id}  {}", &digest.as_str()[..12]),
            ReadState::Absent => println!("absent       {id}"),
            ReadState::Forbidden => println!("forbidden    {id}"),
            ReadState::Unreachable => println!("unreachable  {id}"),
        }
    }
    Ok(())
}
