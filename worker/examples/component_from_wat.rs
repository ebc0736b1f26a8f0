//! Makes the sample wasm tools: each core module (`.wat`), wrapped into a component by its WIT world, as the tool chain
//! of any language does.

use std::error::Error;
use std::fs;
use std::path::Path;

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

const SAMPLES: [&str; 2] = [
    "tests/realms/wasm/text-length",
    "../deploy/examples/realm/tools/roman",
];

fn main() -> Result<(), Box<dyn Error>> {
    for sample in SAMPLES {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join(sample);
        let text = fs::read_to_string(sample.with_extension("wat"))?;
        fs::write(sample.with_extension("wasm"), tool_component(&text)?)?;
    }
    Ok(())
}

/// A core module, in the text format, as a component of the world of tools.
pub fn tool_component(text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    component(text, &[realmdex_types::TOOLS_WIT], "tool-component")
}

/// A core module as a component of a `world`, which the last of the WIT packages has.
pub fn component(text: &str, packages: &[&str], world: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut module = wat::parse_str(text)?;
    let mut resolve = Resolve::default();
    let mut package = None;
    for text in packages {
        package = Some(resolve.push_str("package.wit", text)?);
    }
    let world = resolve.select_world(package.as_slice(), Some(world))?;
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)?;
    Ok(ComponentEncoder::default()
        .module(&module)?
        .validate(true)
        .encode()?)
}
