//! Makes the sample wasm tool: the core module `text-length.wat`, wrapped into a component by its WIT world, as the
//! tool chain of any language does.

use std::error::Error;
use std::fs;
use std::path::Path;

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

fn main() -> Result<(), Box<dyn Error>> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/realms/wasm");
    let text = fs::read_to_string(sample.join("text-length.wat"))?;
    fs::write(sample.join("text-length.wasm"), tool_component(&text)?)?;
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
