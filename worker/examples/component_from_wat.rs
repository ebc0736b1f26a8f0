//! Makes the sample wasm tool: the core module `text-length.wat`, wrapped into a component by its WIT world, as the
//! tool chain of any language does.

use std::error::Error;
use std::fs;
use std::path::Path;

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

fn main() -> Result<(), Box<dyn Error>> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/realms/wasm");
    let mut module = wat::parse_file(sample.join("text-length.wat"))?;
    let mut resolve = Resolve::default();
    let package = resolve.push_str("tools.wit", realmdex_types::TOOLS_WIT)?;
    let world = resolve.select_world(&[package], Some("tool-component"))?;
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)?;
    let component = ComponentEncoder::default().module(&module)?.validate(true).encode()?;
    fs::write(sample.join("text-length.wasm"), component)?;
    Ok(())
}
