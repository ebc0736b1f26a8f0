//! One file, from its bytes to everything the index keeps of it: extraction and enrichment together.

use std::collections::BTreeMap;
use std::sync::Arc;

use realmdex_types::{FileMetaDocument, Finding, Findings, ModuleId, ReadState, RealmUrl};
use serde_json::{Map, Value};
use url::Url;

use crate::enrich::{Describer, enrich};
use crate::extract::{extract, tool_place};
use crate::modules::ModuleGraph;

/// What the index keeps of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    /// The file-meta document, its tools stamped.
    pub document: FileMetaDocument,
    /// What searches see: tools as authored.
    pub search: Map<String, Value>,
    /// What is wrong with the file, as Boxel tells it.
    pub findings: Findings,
    /// The same one by one, each with its place in the file as far as that can be told.
    pub listed: Vec<Finding>,
    /// Whether it is a skill that declares tools, and how many of them have a definition.
    pub tools: Option<ToolCount>,
    /// Every file that the document was computed from, besides its own: the file's edges.
    pub read: BTreeMap<ModuleId, ReadState>,
    /// Whether a source took so long that it is not known what the document might depend on.
    pub is_cut: bool,
}

/// How many tools a skill declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolCount {
    /// Entries of its list.
    pub declared: usize,
    /// Those that were stamped with a definition.
    pub stamped: usize,
}

/// Computes a file. What its tools load comes from `graph`, which reads each module once.
pub async fn compute(
    describer: &Describer,
    graph: &Arc<ModuleGraph>,
    realm: &RealmUrl,
    url: &Url,
    bytes: &[u8],
) -> Computed {
    let mut extracted = extract(url, bytes);
    let search = extracted.search_document();
    let mut read = BTreeMap::new();
    let mut is_cut = false;
    let mut stamped = None;
    let mut tools = None;
    if let Some(skill) = &extracted.skill {
        let enriched = enrich(describer, graph, url.as_str(), &skill.authored).await;
        for (_, closure) in enriched.closures {
            is_cut |= closure.is_cut;
            let kept = closure.files.into_iter();
            read.extend(kept.filter(|(id, _)| id.may_exist()));
        }
        let declared = enriched.tools.as_array().map_or(0, Vec::len);
        tools = Some(ToolCount {
            declared,
            stamped: declared - enriched.errors.len().min(declared),
        });
        extracted.findings.tool_schema_errors = enriched.errors;
        stamped = Some(enriched.tools);
    }
    let mut listed = extracted.findings.listed();
    place_tools(&mut listed, url, bytes);
    let (document, findings) = extracted.into_document(url.as_str(), Some(realm), stamped);
    Computed {
        document,
        search,
        findings,
        listed,
        tools,
        read,
        is_cut,
    }
}

/// A finding about a tool is shown where the tool is declared.
fn place_tools(findings: &mut [Finding], url: &Url, bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    for finding in findings {
        if let (None, Some(tool)) = (finding.line, &finding.tool)
            && let Some(place) = tool_place(text, url.as_str(), tool)
        {
            finding.line = Some(place.line);
            finding.column = Some(place.column);
        }
    }
}
