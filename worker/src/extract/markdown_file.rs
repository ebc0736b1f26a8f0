//! A markdown file: its text, its frontmatter, and what both are worth.

use realmdex_types::{FrontmatterParseError, SkillSpecWarning};
use serde_json::{Map, Value, json};
use url::Url;

use super::extracted::{Extracted, SkillTools};
use super::frontmatter::{self, Absence};
use super::references::{Keyword, reference_urls};
use super::{FilePlace, js_text, markdown, skill_spec, yaml};

/// The one kind of frontmatter whose fields are read.
const SKILL_KIND: &str = "skill";

/// Adds to a file's base attributes what its text says.
pub(super) fn extract(url: &Url, place: &FilePlace<'_>, bytes: &[u8], extracted: &mut Extracted) {
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
    let normalized = js_text::normalize_newlines(&text);
    let (body, read) = match read(&normalized) {
        // A file whose frontmatter is no YAML is indexed as it stands, fences and all.
        Read::Fault(fault) => (&*text, Read::Fault(fault)),
        Read::Frontmatter { data, body } => (body, Read::Frontmatter { data, body }),
        Read::Absent => (&*normalized, Read::Absent),
    };

    let attributes = &mut extracted.attributes;
    let mut put = |key: &str, value: Value| attributes.insert(key.to_owned(), value);
    put(
        "title",
        markdown::title(body, without_extension(&place.name)).into(),
    );
    put("excerpt", markdown::excerpt(body).into());
    put("content", body.into());
    put("lineCount", markdown::line_count(body).into());
    put(
        "cardReferenceUrls",
        reference_urls(body, url.as_str(), Keyword::Card).into(),
    );
    put(
        "fileReferenceUrls",
        reference_urls(body, url.as_str(), Keyword::File).into(),
    );
    extracted.query_field_defs = Some(query_field_defs());

    match read {
        Read::Frontmatter { data, .. } => {
            extracted.findings.skill_spec_warnings = spec_warnings(place, &data);
            put_frontmatter(extracted, data);
        }
        Read::Absent => {
            extracted.findings.skill_spec_warnings = absence_warnings(place, &normalized)
        }
        Read::Fault(fault) => {
            extracted.findings.frontmatter_parse_error = Some(FrontmatterParseError {
                message: format!(
                    "{}, line {}: {}",
                    place.name,
                    fault.file_line(),
                    fault.message
                ),
                line: Some(fault.line),
                column: Some(fault.column),
            });
        }
    }
    if is_utf16(bytes) {
        extracted.findings.skill_spec_warnings.clear();
        extracted.findings.frontmatter_parse_error = Some(FrontmatterParseError {
            message: format!(
                "{} is UTF-16 text, and only UTF-8 is read; save it as UTF-8",
                place.name
            ),
            line: None,
            column: None,
        });
    }
}

/// A text's frontmatter.
enum Read<'a> {
    Absent,
    /// Empty where the YAML is no mapping.
    Frontmatter {
        data: Map<String, Value>,
        body: &'a str,
    },
    Fault(yaml::Fault),
}

fn read(text: &str) -> Read<'_> {
    let split = frontmatter::split(text);
    match split.yaml.map(yaml::parse) {
        None => Read::Absent,
        Some(Err(fault)) => Read::Fault(fault),
        Some(Ok(Value::Object(data))) => Read::Frontmatter {
            data,
            body: split.body,
        },
        Some(Ok(_)) => Read::Frontmatter {
            data: Map::new(),
            body: split.body,
        },
    }
}

fn put_frontmatter(extracted: &mut Extracted, data: Map<String, Value>) {
    let boxel = data.get("boxel").and_then(Value::as_object);
    let kind = boxel
        .and_then(|boxel| boxel.get("kind"))
        .and_then(Value::as_str)
        .map(str::to_owned);
    let is_skill = kind.as_deref() == Some(SKILL_KIND);
    if let Some(kind) = kind {
        extracted.attributes.insert("kind".to_owned(), kind.into());
    }
    if data.is_empty() {
        return;
    }
    let mut fields = Map::new();
    if is_skill {
        let tools = boxel.and_then(authored_tools);
        extracted.skill = Some(SkillTools {
            authored: tools.cloned().unwrap_or_default(),
        });
        extracted.fields_meta = Some(json!({
            "frontmatter": {
                "adoptsFrom": {"module": "@cardstack/base/skill-frontmatter-field", "name": "SkillFrontmatterField"}
            }
        }));
        let named = [
            ("name", data.get("name")),
            ("description", data.get("description")),
            ("tools", tools),
        ];
        for (key, value) in named {
            fields.extend(value.map(|value| (key.to_owned(), value.clone())));
        }
    }
    fields.shift_insert(0, "rawContent".to_owned(), data.into());
    extracted
        .attributes
        .insert("frontmatter".to_owned(), fields.into());
}

/// JavaScript's `boxel.tools ?? boxel.commands`.
fn authored_tools(boxel: &Map<String, Value>) -> Option<&Value> {
    boxel
        .get("tools")
        .filter(|tools| !tools.is_null())
        .or_else(|| boxel.get("commands"))
}

/// How Boxel answers the fields that list the cards and files a text refers to.
fn query_field_defs() -> Value {
    let field = |key: &str, attribute: &str, class: &str| {
        json!({
            "type": "linksToMany",
            "query": {"filter": {"in": {key: format!("$this.{attribute}")}}},
            "fieldOrCard": {"module": "@cardstack/base/card-api", "name": class},
        })
    };
    json!({
        "linkedCards": field("id", "cardReferenceUrls", "CardDef"),
        "linkedFiles": field("url", "fileReferenceUrls", "FileDef"),
    })
}

fn spec_warnings(place: &FilePlace<'_>, data: &Map<String, Value>) -> Vec<SkillSpecWarning> {
    let is_named_skill = skill_spec::is_skill_file_name(&place.name);
    let is_kind_skill = data
        .get("boxel")
        .and_then(|boxel| boxel.get("kind"))
        .is_some_and(|kind| kind == SKILL_KIND);
    if !is_named_skill && !is_kind_skill {
        return Vec::new();
    }
    // Only a SKILL.md is named by its folder.
    let folder = place.folder.as_deref().filter(|_| is_named_skill);
    skill_spec::check(data, folder)
}

/// A file that should have frontmatter and has none: by its name, or by a block that is open and calls it a skill.
fn absence_warnings(place: &FilePlace<'_>, text: &str) -> Vec<SkillSpecWarning> {
    let absence = frontmatter::absence(text);
    let calls_itself_skill =
        absence == Absence::Unclosed && text.lines().any(|line| line.trim() == "kind: skill");
    if skill_spec::is_skill_file_name(&place.name) || calls_itself_skill {
        vec![skill_spec::no_frontmatter(absence)]
    } else {
        Vec::new()
    }
}

fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF])
}

/// A file name without its last extension.
fn without_extension(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !extension.is_empty() && !extension.contains('/') => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_spelling_of_tools_counts_where_the_newer_is_absent_or_null() {
        for (boxel, expected) in [
            (json!({"tools": [], "commands": [1]}), Some(json!([]))),
            (json!({"tools": null, "commands": [1]}), Some(json!([1]))),
            (json!({"commands": [1]}), Some(json!([1]))),
            (json!({"tools": "x", "commands": [1]}), Some(json!("x"))),
            (json!({"tools": null, "commands": null}), Some(json!(null))),
            (json!({"tools": null}), None),
            (json!({}), None),
        ] {
            let boxel = boxel.as_object().expect("an object");
            assert_eq!(authored_tools(boxel), expected.as_ref(), "{boxel:?}");
        }
    }

    #[test]
    fn names_lose_their_last_extension() {
        for (name, expected) in [
            ("a.md", "a"),
            ("a.b.markdown", "a.b"),
            (".md", ""),
            ("a", "a"),
            ("a.", "a."),
            ("a.b/c", "a.b/c"),
        ] {
            assert_eq!(without_extension(name), expected);
        }
    }
}
