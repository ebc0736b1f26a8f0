//! From a specifier to the modules behind it: resolution, loading with limits, transpilation, and a record of
//! everything a result depended on.

mod closure;
mod files;
mod graph;
mod host_tools;
mod limits;
mod load_error;
mod lookup;
mod package_map;
mod provided;
mod resolve;
mod rights;
mod session;
mod transpile_cache;

pub use closure::{Closure, Lookup};
pub use graph::{Loaded, LoadedModule, ModuleGraph};
pub use limits::LoadLimits;
pub use load_error::LoadError;
pub use package_map::{MapError, PackageMap, PackageMapBuilder, Root, folder_location};
pub use provided::core_base_modules;
pub use resolve::Target;
pub use rights::Rights;
pub(crate) use session::Session;
pub use transpile_cache::TranspileCache;
