//! What extraction made of a file, and the documents made of that.

use realmdex_types::{
    CodeRef, FileLinks, FileMeta, FileMetaDocument, FileMetaResource, FileMetaType, Findings,
    RealmUrl,
};
use serde_json::{Map, Value};

/// What a file says of itself, before any tool is loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Extracted {
    /// In Boxel's order; a skill's tools as authored. What Boxel leaves undefined is absent.
    pub attributes: Map<String, Value>,
    /// The file class, by the file's extension.
    pub adopts_from: CodeRef,
    /// The class and its ancestors, as `<module>/<name>`.
    pub types: Vec<String>,
    /// What the classes are called.
    pub display_names: Vec<String>,
    /// `meta.fields` of the document: which subclass reads a field.
    pub fields_meta: Option<Value>,
    /// `meta.queryFieldDefs` of the document.
    pub query_field_defs: Option<Value>,
    /// Present when `boxel.kind` is `skill`.
    pub skill: Option<SkillTools>,
    /// What is wrong with the file.
    pub findings: Findings,
}

/// The tools a skill declares.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillTools {
    /// What `boxel.tools` holds, or the older `boxel.commands` where that is absent or null: a list of
    /// declarations if the author got it right, null if there is neither.
    pub authored: Value,
}

/// The attributes that begin a document, in order.
const LEADING_ATTRIBUTES: [&str; 4] = ["name", "url", "sourceUrl", "contentType"];

impl Extracted {
    /// The file-meta document and the findings. `tools`, where given, takes the place of the authored ones in the
    /// frontmatter. `id` is the file's URL or its package id; times of change are the index's to add.
    pub fn into_document(
        self,
        id: &str,
        realm: Option<&RealmUrl>,
        tools: Option<Value>,
    ) -> (FileMetaDocument, Findings) {
        let mut rest = self.attributes;
        if let (Some(tools), Some(Value::Object(frontmatter))) =
            (tools, rest.get_mut("frontmatter"))
        {
            frontmatter.insert("tools".to_owned(), tools);
        }
        let mut attributes = Map::new();
        for key in LEADING_ATTRIBUTES {
            if let Some(value) = rest.shift_remove(key) {
                attributes.insert(key.to_owned(), value);
            }
        }
        attributes.extend(rest);
        let data = FileMetaResource {
            kind: FileMetaType::FileMeta,
            id: id.to_owned(),
            attributes,
            meta: FileMeta {
                adopts_from: self.adopts_from,
                fields: self.fields_meta,
                query_field_defs: self.query_field_defs,
                realm_url: realm.map(|realm| realm.as_str().to_owned()),
            },
            links: FileLinks { own: id.to_owned() },
        };
        (FileMetaDocument { data }, self.findings)
    }

    /// Boxel's search document: the attributes with the tools as authored, since generated definitions would
    /// only bloat it, and the keys under which files of all kinds are found and sorted.
    ///
    /// Boxel also marks the files of card instances, to keep them out of results that have the card itself. There
    /// are no card rows here, so none is marked.
    pub fn search_document(&self) -> Map<String, Value> {
        let mut document = self.attributes.clone();
        for (key, attribute) in [("_title", "name"), ("id", "url")] {
            document.insert(
                key.to_owned(),
                self.attributes.get(attribute).cloned().unwrap_or_default(),
            );
        }
        document
    }
}
