//! What is indexed: files, and what all of a realm's come to.

use chrono::{DateTime, Utc};
use realmdex_types::{CodeRef, FileMetaDocument, Finding, FindingKind, RealmPath, RealmUrl};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::{query, wire};
use crate::schema;

query! {
    /// `GET /_files`
    FileAsked {
        /// The file's realm.
        #[param(value_type = String, format = "uri")]
        realm: RealmUrl,
        /// Its path below that.
        #[param(value_type = String, min_length = 1)]
        path: RealmPath,
    }

    /// `GET /_errors`, `/_definitions` and `/_holdings`
    RealmAsked {
        /// The realm.
        #[param(value_type = String, format = "uri")]
        realm: RealmUrl,
    }

    /// `GET /_why`: a file of a realm, or any file by its id.
    WhyAsked {
        /// The file's realm.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[param(value_type = Option<String>, format = "uri")]
        realm: Option<RealmUrl>,
        /// Its path below that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[param(value_type = Option<String>, min_length = 1)]
        path: Option<RealmPath>,
        /// Its id: a package's module such as `@acme/tools/weather.ts`, or a URL.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    }
}

wire! {
    /// One file as the index has it. A file that is there goes by the beginning of its digest, else by a word.
    FileAnswer {
        /// The id it goes by: a package's where its realm is also one.
        id: String,
        /// Its realm.
        #[schema(value_type = String, format = "uri")]
        realm: RealmUrl,
        /// Its path below that.
        #[schema(value_type = String)]
        path: RealmPath,
        /// What it was when it was last looked at.
        state: String,
        /// When its document was computed.
        indexed_at: Option<DateTime<Utc>>,
        /// How long that took, in milliseconds.
        duration_ms: Option<i64>,
        /// Why it could not be read the last time.
        error: Option<String>,
        /// When something that was missing is looked for again.
        retry_at: Option<DateTime<Utc>>,
        /// Its file-meta document; none where there is nothing computed.
        #[schema(value_type = Option<Object>)]
        document: Option<FileMetaDocument>,
        /// What is wrong with it, but for what only shows between several files.
        #[schema(value_type = Vec<FindingAnswer>)]
        findings: Vec<Finding>,
    }

    /// How much a realm holds.
    HoldingsAnswer {
        /// Files that are there.
        files: u64,
        /// Skills among them, with tools or without.
        skills: u64,
        /// Tools that they declare.
        tools_declared: u64,
        /// Tools that have a definition.
        tools_stamped: u64,
    }

    /// Everything that is wrong in a realm.
    ErrorsAnswer {
        /// The realm.
        #[schema(value_type = String, format = "uri")]
        realm: RealmUrl,
        /// Each file that something is wrong with, by path.
        files: Vec<FileErrorsAnswer>,
    }

    /// What is wrong with a file.
    FileErrorsAnswer {
        /// Its path below its realm.
        path: String,
        /// What.
        #[schema(value_type = Vec<FindingAnswer>)]
        findings: Vec<Finding>,
    }

    /// Something that is wrong.
    FindingAnswer {
        /// What kind it is.
        #[schema(schema_with = schema::finding_kind)]
        kind: FindingKind,
        /// What is wrong and how to mend it.
        message: String,
        /// The line of the file, from 1, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        /// The column of that line, from 1, in UTF-16 units.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        column: Option<usize>,
        /// The tool it is about, where it is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<CodeRefAnswer>,
        /// Whether it will be looked at again without an edit.
        #[serde(default)]
        transient: bool,
    }

    /// Where a tool comes from.
    CodeRefAnswer {
        /// Its module.
        module: String,
        /// The export.
        name: String,
    }

    /// Every definition of a realm.
    DefinitionsAnswer {
        /// The realm.
        #[schema(value_type = String, format = "uri")]
        realm: RealmUrl,
        /// Each skill that declares tools, by path.
        skills: Vec<SkillAnswer>,
    }

    /// A skill and its tools.
    SkillAnswer {
        /// Its path below its realm.
        path: String,
        /// Its tools in the order of their declarations; those without a definition are left out.
        tools: Vec<DefinedToolAnswer>,
    }

    /// A tool that has a definition.
    DefinedToolAnswer {
        /// Where it comes from, made absolute.
        #[schema(value_type = CodeRefAnswer)]
        code_ref: CodeRef,
        /// Whether a person must agree to a call.
        requires_approval: bool,
        /// What a model is given: `{type: "function", function: {name, description, parameters}}`.
        #[schema(value_type = Object)]
        definition: Value,
    }

    /// What a file was computed from. A file that is there goes by the beginning of its digest, else by a word.
    WhyAnswer {
        /// The id it goes by.
        id: String,
        /// What its row says it is.
        state: String,
        /// What it is now; none where this process reads no sources.
        source: Option<String>,
        /// Whether it is something else now than its row says.
        has_moved: bool,
        /// When it was computed.
        indexed_at: Option<DateTime<Utc>>,
        /// How long that took, in milliseconds.
        duration_ms: Option<i64>,
        /// What it was computed from, by id; names that were tried before the hit are among them.
        dependencies: Vec<WhyDependency>,
        /// What was computed from it, by id.
        dependents: Vec<WhyDependent>,
    }

    /// A file that another was computed from.
    WhyDependency {
        /// The id it goes by.
        id: String,
        /// How it was found then.
        then: String,
        /// What its row says now.
        now: String,
        /// What it is now; none where this process reads no sources.
        source: Option<String>,
        /// Whether it is something else now than it was then.
        has_moved: bool,
        /// Whether the edge does not say what its row says, so that the file is computed again.
        is_broken: bool,
    }

    /// A file that was computed from another.
    WhyDependent {
        /// The id it goes by.
        id: String,
        /// Whether its edge does not say what the row of the other says.
        is_broken: bool,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Findings are sent as they are: what the document says of them is so.
    #[test]
    fn findings_are_as_described() {
        let tool = CodeRef {
            module: "m".to_owned(),
            name: "n".to_owned(),
        };
        let bare = Finding {
            tool: None,
            ..Finding::collision("go_1", tool.clone(), &tool, "a/SKILL.md")
        };
        let full = Finding {
            line: Some(3),
            column: Some(7),
            tool: Some(tool),
            transient: true,
            ..bare.clone()
        };
        for finding in [bare, full] {
            let sent = serde_json::to_value(&finding).unwrap();
            let described: FindingAnswer = serde_json::from_value(sent).unwrap();
            assert_eq!(described.message, finding.message);
        }
    }
}
