//! Which file names are tool modules, and in what order a missing extension is looked for.

/// Extensions a Boxel module may leave out of its specifier, in the order its realm server tries them.
pub const EXECUTABLE_EXTENSIONS: [&str; 4] = [".js", ".gjs", ".ts", ".gts"];

/// Every extension a tool module may have, in lookup order: Boxel's four, then plain ES modules and
/// wasm components. The one list for the loader, redirects and edges.
pub const MODULE_EXTENSIONS: [&str; 6] = [".js", ".gjs", ".ts", ".gts", ".mjs", ".wasm"];

/// The specifier without its Boxel extension: the key under which Boxel's loader holds a module
/// (`./tool` and `./tool.gts` are one module, though their function names differ).
pub fn trim_executable_extension(specifier: &str) -> &str {
    if specifier.ends_with(".d.ts") {
        return specifier;
    }
    EXECUTABLE_EXTENSIONS
        .iter()
        .find_map(|extension| specifier.strip_suffix(extension))
        .unwrap_or(specifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trims_only_module_extensions() {
        for (given, expected) in [
            ("@a/b/tool.gts", "@a/b/tool"),
            ("https://x/tool.ts", "https://x/tool"),
            ("tool.d.ts", "tool.d.ts"),
            ("tool.wasm", "tool.wasm"),
            ("tool", "tool"),
            ("archive.js.gz", "archive.js.gz"),
        ] {
            assert_eq!(trim_executable_extension(given), expected, "{given}");
        }
    }
}
