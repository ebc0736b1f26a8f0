//! The tools of a computed skill: what indexing stamped onto its declarations.

use realmdex_types::{CodeRef, Definition, FileMetaDocument};
use serde::Deserialize;
use serde_json::Value;

/// A declaration that has a definition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StampedTool {
    /// Where it comes from, made absolute.
    pub(crate) code_ref: CodeRef,
    /// Whether a person must agree to a call.
    pub(crate) requires_approval: bool,
    /// What a model is given.
    pub(crate) definition: Definition,
}

/// The stamped tools of a file, in the order of its declarations; those without a definition are left out.
pub(crate) fn stamped_tools(document: &FileMetaDocument) -> Vec<StampedTool> {
    document
        .data
        .attributes
        .get("frontmatter")
        .and_then(|frontmatter| frontmatter.get("tools")?.as_array())
        .into_iter()
        .flatten()
        .filter_map(stamped)
        .collect()
}

fn stamped(entry: &Value) -> Option<StampedTool> {
    StampedTool::deserialize(entry).ok()
}
