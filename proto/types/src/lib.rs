//! What realmdex's control plane and its workers agree on: identifiers, documents, findings and the
//! WIT contract of tools. No I/O happens here.
//!
//! Rules that come from Boxel (cardstack/boxel) say so where they stand; they are facts of its wire
//! formats, checked against definitions that its own code computed.

mod code_ref;
mod declaration;
mod definition;
mod edge;
mod executable;
mod file_meta;
mod finding;
mod job;
mod module_id;
mod realm;
mod reference;
mod words;

pub use code_ref::{CodeRef, function_name};
pub use declaration::{Declaration, DeclarationError, strip_generated_keys};
pub use definition::{Definition, FunctionDefinition};
pub use edge::{ContentDigest, DigestError, ReadState};
pub use executable::{EXECUTABLE_EXTENSIONS, MODULE_EXTENSIONS, trim_executable_extension};
pub use file_meta::{FileLinks, FileMeta, FileMetaDocument, FileMetaResource, FileMetaType};
pub use finding::{
    Finding, FindingKind, Findings, FrontmatterParseError, SkillSpecWarning, ToolSchemaError,
};
pub use job::{JobClass, JobKind, JobState, ReindexOutcome};
pub use module_id::ModuleId;
pub use realm::{PathError, RealmPath, RealmUrl, RealmUrlError};
pub use reference::resolve_reference;
pub use words::in_words;

/// The WIT package `realmdex:tools`, which wasm tools implement (`world tool-component`).
pub const TOOLS_WIT: &str = include_str!("../wit/tools.wit");
