//! Which specifiers the guest answers itself: packages of the host application that mean nothing before a tool runs.

use realmdex_types::trim_executable_extension;

use super::host_tools;

/// Modules of `@cardstack/base/` that the guest has even where the package is mapped: the class system and the
/// fields with a schema of their own. Their files mostly render.
const CORE_BASE_MODULES: [&str; 9] = [
    "card-api",
    "string",
    "number",
    "big-integer",
    "boolean",
    "date",
    "datetime",
    "code-ref",
    "json-field",
];

/// Further ones that the guest has for realms that map no base package.
const FALLBACK_BASE_MODULES: [&str; 18] = [
    "-private",
    "text-area",
    "markdown",
    "enum",
    "email",
    "url",
    "color",
    "realm",
    "percentage",
    "phone-number",
    "ethereum-address",
    "coordinate",
    "address",
    "date-range-field",
    "base64-image",
    "file-api",
    "image-file-def",
    "commands/search-card-result",
];

pub(super) const BASE_PREFIX: &str = "@cardstack/base/";

/// Packages that Boxel's host hands to every realm module, by exact name.
const PACKAGES: [&str; 26] = [
    "@cardstack/bxl",
    "@cardstack/runtime-common",
    "@cardstack/view-transitions",
    "@floating-ui/dom",
    "awesome-phonenumber",
    "date-fns",
    "ember-animated",
    "ember-concurrency",
    "ember-css-url",
    "ember-modifier",
    "ember-modify-based-class-resource",
    "ember-provide-consume-context",
    "ember-resources",
    "ethers",
    "fflate",
    "flat",
    "lodash",
    "lodash-es",
    "matrix-js-sdk",
    "qunit",
    "rsvp",
    "super-fast-md5",
    "tracked-built-ins",
    "uuid",
    "yaml",
    "@universal-ember/test-support",
];

/// Packages handed out with their submodules.
const PACKAGE_FAMILIES: [&str; 15] = [
    "@cardstack/boxel-icons/",
    "@cardstack/boxel-ui/",
    "@cardstack/host/",
    "@cardstack/runtime-common/",
    "@ember/",
    "@embroider/",
    "@glimmer/",
    "date-fns/",
    "ember-animated/",
    "ember-concurrency/",
    "ember-provide-consume-context/",
    "ember-source/",
    "ember-template-imports/",
    "lodash/",
    "matrix-js-sdk/",
];

/// The ids, without extension, of the mapped files that the guest stands in for.
pub fn core_base_modules() -> impl Iterator<Item = String> {
    CORE_BASE_MODULES
        .iter()
        .map(|name| format!("{BASE_PREFIX}{name}"))
}

/// Whether the guest stands in for a module even where its package is mapped: the core of the base package, and Boxel's
/// runtime package, whose sources are made for its server and its page.
pub(super) fn is_core(id: &str) -> bool {
    id.starts_with("@cardstack/runtime-common/")
        || id
            .strip_prefix(BASE_PREFIX)
            .is_some_and(|name| CORE_BASE_MODULES.contains(&trim_executable_extension(name)))
}

/// Whether the guest has a base module for realms that map no base package.
pub(super) fn is_fallback(id: &str) -> bool {
    id.strip_prefix(BASE_PREFIX)
        .is_some_and(|name| FALLBACK_BASE_MODULES.contains(&trim_executable_extension(name)))
}

/// Whether the host application hands out that package, to realm modules or (`importer` is one of its own) to itself.
pub(super) fn is_host_package(specifier: &str, importer: Option<&str>) -> bool {
    if PACKAGES.contains(&specifier)
        || PACKAGE_FAMILIES
            .iter()
            .any(|family| specifier.starts_with(family))
    {
        return true;
    }
    let is_url = specifier.contains("://");
    let is_relative = specifier.starts_with(['.', '/']);
    let own = importer.is_some_and(host_tools::is_of_host);
    if host_tools::is_of_host(specifier) {
        return own && !host_tools::is_tool(specifier);
    }
    own && !is_url && !is_relative && !specifier.starts_with("@cardstack/")
}

/// How a module of the host application looks from outside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfTheHost {
    /// Boxel hands out an empty module.
    StandIn,
    /// Boxel hands out nothing.
    Hidden,
}

/// What an importer outside the host gets of a module inside it. Only the host's tools are modules to realms.
pub(super) fn of_the_host(specifier: &str, importer: Option<&str>) -> Option<OfTheHost> {
    if importer.is_some_and(host_tools::is_of_host) {
        return None;
    }
    if specifier.starts_with("@cardstack/host/") {
        return Some(OfTheHost::StandIn);
    }
    let hidden = host_tools::is_of_host(specifier) && !host_tools::is_tool(specifier);
    hidden.then_some(OfTheHost::Hidden)
}
