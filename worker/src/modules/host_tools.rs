//! Names of the host application's tools. Boxel's host registers each tool that its index module imports, by file
//! name alone: a file in a subfolder has no path of its own, and one that the index leaves out is no tool.

use realmdex_types::{ModuleId, trim_executable_extension};

use super::PackageMap;

/// The host application's own modules; they import whatever the application bundles.
const HOST: &str = "@cardstack/boxel-host/";
/// The part of it that realms may name: a tool that is not there is an error, never a stand-in.
const TOOLS: &str = "@cardstack/boxel-host/tools/";
/// Its older spelling, an alias of it.
const COMMANDS: &str = "@cardstack/boxel-host/commands/";

/// The module that registers the tools.
pub(super) const INDEX: &str = "@cardstack/boxel-host/tools/index";

/// Whether a module is one of the host's own.
pub(super) fn is_of_host(id: &str) -> bool {
    id.starts_with(HOST)
}

/// Whether a specifier is one that a host tool goes by.
pub(super) fn is_tool(specifier: &str) -> bool {
    specifier.starts_with(TOOLS) || specifier.starts_with(COMMANDS)
}

/// The name of the tool that a specifier means, if it means one and is written outside the host.
pub(super) fn name_of(
    map: &PackageMap,
    specifier: &str,
    importer: Option<&ModuleId>,
) -> Option<String> {
    if importer.is_some_and(|importer| is_of_host(importer.as_str())) {
        return None;
    }
    let id = map.unalias(specifier);
    let name = id.strip_prefix(TOOLS)?;
    (name != "index").then(|| name.to_owned())
}

/// The import of the index that registers a tool of that name.
pub(super) fn registered_as<'a>(name: &str, index_imports: &'a [String]) -> Option<&'a str> {
    let name = trim_executable_extension(name);
    index_imports
        .iter()
        .map(String::as_str)
        .filter(|import| import.starts_with("./"))
        .find(|import| {
            import
                .rsplit('/')
                .next()
                .is_some_and(|last| trim_executable_extension(last) == name)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_go_by_file_name() {
        let imports = ["../lib/base", "./show-card", "./bots/ask.ts"].map(str::to_owned);
        for (name, expected) in [
            ("show-card", Some("./show-card")),
            ("show-card.ts", Some("./show-card")),
            ("ask", Some("./bots/ask.ts")),
            ("bots/ask", None),
            ("base", None),
        ] {
            assert_eq!(registered_as(name, &imports), expected, "{name}");
        }
    }
}
