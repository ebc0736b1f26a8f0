//! From a file's bytes to what its file-meta document says: base attributes for every file, and for markdown its
//! title, excerpt, references and frontmatter. No tool is loaded here; a skill's tools stay as authored.
//!
//! The rules are Boxel's (`FileDef` and `MarkdownDef` of its base package), bugs included where a reader could
//! tell the difference. Nothing fails: what is wrong with a file becomes a finding, and the file is still
//! extracted. Time and memory are bounded by the file's size.

mod extracted;
mod frontmatter;
mod js_text;
mod markdown;
mod markdown_file;
mod references;
mod skill_spec;
mod tool_place;
mod yaml;

use percent_encoding::percent_decode_str;
use realmdex_types::{Findings, base_attributes, file_class};
use url::Url;

pub use extracted::{Extracted, SkillTools};
pub use realmdex_types::{content_hash, content_type, is_binary, is_markdown};
pub use tool_place::{ToolPlace, tool_place};

/// Extracts a file.
///
/// `url` is the file's own: its last segment is the file's name, its extension decides what the file is, and
/// references in it are relative to it.
pub fn extract(url: &Url, bytes: &[u8]) -> Extracted {
    let place = FilePlace::of(url);
    let class = file_class(place.segment);
    let mut extracted = Extracted {
        attributes: base_attributes(url, &place.name, bytes),
        adopts_from: class.code_ref(),
        types: class.types(),
        display_names: class.display_names(),
        fields_meta: None,
        query_field_defs: None,
        skill: None,
        findings: Findings::default(),
    };
    if is_markdown(place.segment) {
        markdown_file::extract(url, &place, bytes, &mut extracted);
    }
    extracted
}

/// Where a file is, as far as its URL tells.
struct FilePlace<'a> {
    /// The last segment of the path, as the URL spells it.
    segment: &'a str,
    /// The same, percent-escapes undone.
    name: String,
    /// The segment before it: the folder the file lies in.
    folder: Option<String>,
}

impl<'a> FilePlace<'a> {
    fn of(url: &'a Url) -> Self {
        let mut segments = url.path().rsplit('/');
        let segment = segments.next().unwrap_or_default();
        let folder = segments
            .next()
            .filter(|folder| !folder.is_empty())
            .map(decoded);
        Self {
            segment,
            name: decoded(segment),
            folder,
        }
    }
}

/// A path segment without its percent-escapes. One that is not UTF-8 then stays as it is.
fn decoded(segment: &str) -> String {
    percent_decode_str(segment)
        .decode_utf8()
        .map_or_else(|_| segment.to_owned(), Into::into)
}
