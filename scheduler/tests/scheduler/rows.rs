//! Rows of files, written as workers write them.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::Utc;
use realmdex_store::{ChangeSeq, ComputedRow, FileFacts, FileWrite, Follow, Found, Place, Realm};
use realmdex_types::{CodeRef, ContentDigest, Finding, FindingKind, ModuleId, function_name};
use serde_json::{Value, json};

use crate::index::{Index, path};

/// Something that is wrong with a file.
pub(crate) fn finding(kind: FindingKind, message: &str) -> Finding {
    Finding {
        kind,
        message: message.to_owned(),
        line: None,
        column: None,
        tool: None,
        transient: false,
    }
}

/// A tool that has no definition.
pub(crate) fn tool_finding(module: &str, name: &str, message: &str) -> Finding {
    Finding {
        tool: Some(code_ref(module, name)),
        ..finding(FindingKind::ToolSchemaError, message)
    }
}

pub(crate) fn code_ref(module: &str, name: &str) -> CodeRef {
    CodeRef {
        module: module.to_owned(),
        name: name.to_owned(),
    }
}

/// A tool as stamped.
pub(crate) fn stamped(module: &str, name: &str) -> Value {
    stamped_as(&function_name(&code_ref(module, name)), module, name)
}

/// The same under a name of one's choice.
pub(crate) fn stamped_as(function_name: &str, module: &str, name: &str) -> Value {
    json!({
        "codeRef": {"module": module, "name": name},
        "requiresApproval": true,
        "functionName": function_name,
        "definition": {"type": "function", "function": {"name": function_name, "parameters": {"type": "object"}}},
    })
}

impl Index {
    /// Writes what was found where a file should be, for a change of its own. Answers that.
    pub(crate) async fn wrote(&self, realm: &Realm, at: &str, found: Found) -> ChangeSeq {
        let change_seq = self.store.next_change().await.unwrap();
        let write = FileWrite {
            module_id: ModuleId::stored(realm.url.file(&path(at)).to_string()),
            place: Some(Place {
                realm: realm.id,
                path: path(at),
            }),
            change_seq,
            lease: None,
            read_at: Utc::now(),
            found,
        };
        self.store.commit(&[write], Follow::Answer).await.unwrap();
        change_seq
    }

    /// Writes a skill with tools and what is wrong with it.
    pub(crate) async fn skill(
        &self,
        realm: &Realm,
        at: &str,
        tools: &[Value],
        findings: &[Finding],
    ) {
        let has_definition = |tool: &&Value| tool.get("definition").is_some();
        let row = ComputedRow {
            document: json!({"data": {
                "type": "file-meta", "id": realm.url.file(&path(at)),
                "attributes": {"name": at, "kind": "skill", "frontmatter": {"name": at, "tools": tools}},
                "meta": {"adoptsFrom": {"module": "m", "name": "n"}}, "links": {"self": "x"},
            }}),
            search: json!({}),
            tools: Some((tools.len(), tools.iter().filter(has_definition).count())),
            findings: findings.to_vec(),
            edges: BTreeMap::new(),
            denied: BTreeMap::new(),
            indexer: "1".to_owned(),
            packages: None,
            registry: None,
            retry: findings.iter().any(|finding| finding.transient),
            took: Duration::from_millis(3),
        };
        let facts = FileFacts {
            digest: ContentDigest::of(at.as_bytes()),
            size: at.len() as u64,
            modified: Some(7),
            created: Some(5),
        };
        self.wrote(realm, at, Found::Computed(facts, Box::new(row)))
            .await;
    }
}
