//! `GET /_skills`: skills of every realm that the one who asks may read.

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use realmdex_store::{FoundSkill, RealmId};
use realmdex_types::RealmUrl;
use serde::Serialize;
use url::Url;
use utoipa::ToSchema;

use super::answer::pretty;
use super::served::Served;
use super::{JSON_API, Problem, Public};
use crate::access::{Reader, Refusal};

/// Skills on one page, if nobody says how many.
const PAGE: u32 = 20;

/// Skills on one page, at most.
const LARGEST_PAGE: u32 = 100;

/// How far one may turn the pages: who looks further asks for something else.
const LAST_PAGE: u32 = 1_000;

/// The longest question, in characters.
const LONGEST: usize = 1_000;

#[derive(Debug, PartialEq, Eq)]
struct Asked {
    words: String,
    page: u32,
    size: u32,
}

impl Asked {
    fn read(query: &str) -> Result<Self, Problem> {
        let mut asked = Self {
            words: String::new(),
            page: 1,
            size: PAGE,
        };
        let number = |key: &str, value: &str, most: u32| match value.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(Problem::bad(format!(
                "`{key}` is a number from 1 to {most}"
            ))),
        };
        for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
            match &*key {
                "q" if value.chars().nth(LONGEST).is_some() => {
                    return Err(Problem::bad(format!(
                        "`q` is at most {LONGEST} characters long"
                    )));
                }
                "q" if value.contains('\0') => {
                    return Err(Problem::bad("`q` is text, and that has no NUL"));
                }
                "q" => asked.words = value.into_owned(),
                "page[size]" => asked.size = number(&key, &value, LARGEST_PAGE)?,
                "page[number]" => asked.page = number(&key, &value, LAST_PAGE)?,
                _ => {}
            }
        }
        Ok(asked)
    }

    fn link(&self, page: u32) -> String {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("q", &self.words)
            .append_pair("page[number]", &page.to_string())
            .append_pair("page[size]", &self.size.to_string())
            .finish();
        format!("/_skills?{query}")
    }
}

/// Skills (JSON:API).
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Skills {
    /// The best first.
    data: Vec<Skill>,
    links: Links,
}

/// Other pages.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Links {
    /// This one.
    #[serde(rename = "self")]
    own: String,
    /// The next one; none after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    next: Option<String>,
}

/// A skill that was found.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Skill {
    /// `skill`
    #[serde(rename = "type")]
    kind: &'static str,
    /// Its URL.
    #[schema(value_type = String, format = "uri")]
    id: Url,
    attributes: SkillAttributes,
}

/// What is told of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SkillAttributes {
    /// Its name.
    name: String,
    /// What it is for.
    description: String,
    /// The kind that its frontmatter says it is.
    kind: Option<String>,
    /// Its URL.
    #[schema(value_type = String, format = "uri")]
    url: Url,
    /// Its realm.
    #[serde(rename = "realmURL")]
    #[schema(value_type = String, format = "uri")]
    realm_url: RealmUrl,
    /// Tools that it declares.
    tools_declared: u64,
    /// Those of them that have a definition.
    tools_stamped: u64,
}

/// Skills of all realms that the one who asks may read.
///
/// Skills that `q` is found in, by name, description and kind, the best first; all of them without it. Whoever shows a
/// token that does not hold is told so (401), rather than that there are fewer skills. The path is below the listener's
/// root.
#[utoipa::path(
    get, path = "/_skills", tag = "listener", operation_id = "skills",
    params(
        ("q" = Option<String>, Query, max_length = 1000, pattern = r"^[^\u0000]*$", description = "What to look for."),
        ("page[size]" = Option<u32>, Query, minimum = 1, maximum = 100, description = "How many at most; 20 if nothing is said."),
        ("page[number]" = Option<u32>, Query, minimum = 1, maximum = 1000, description = "Which page, from 1."),
    ),
    responses((status = 200, description = "Skills.", body = Skills, content_type = "application/vnd.api+json")),
)]
pub(super) async fn get(
    State(public): State<Public>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let asked = Asked::read(query.as_deref().unwrap_or_default())?;
    let served = public.realms.now().await?;
    let reader = public.access.reader(&headers).await?;
    let realms = readable(&served, &reader);
    let offset = (asked.page - 1) * asked.size;
    // One more tells whether there is another page.
    let mut found = public
        .store
        .find_skills(&asked.words, &realms, asked.size + 1, offset)
        .await
        .map_err(Problem::from)?;
    let has_more = found.len() > asked.size as usize && asked.page < LAST_PAGE;
    found.truncate(asked.size as usize);
    let data: Vec<Skill> = found
        .iter()
        .filter_map(|skill| told(&served, skill))
        .collect();
    let links = Links {
        own: asked.link(asked.page),
        next: has_more.then(|| asked.link(asked.page + 1)),
    };
    let mut answer = pretty(&Skills { data, links }).into_response();
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, JSON_API);
    // What it holds depends on who asks.
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("private, max-age=0"),
    );
    Ok(answer)
}

fn readable(served: &Served, reader: &Reader) -> Vec<RealmId> {
    let realms = served.realms().iter();
    realms
        .filter(|realm| reader.may_read(realm))
        .map(|realm| realm.realm.id)
        .collect()
}

/// None for a file that has become another realm's since.
fn told(served: &Served, skill: &FoundSkill) -> Option<Skill> {
    if served.is_anothers(skill.realm, &skill.path) {
        return None;
    }
    let realm = &served.realm(skill.realm)?.realm;
    let url = realm.url.file(&skill.path);
    Some(Skill {
        kind: "skill",
        id: url.clone(),
        attributes: SkillAttributes {
            name: skill.name.clone(),
            description: skill.description.clone(),
            kind: skill.kind.clone(),
            url,
            realm_url: realm.url.clone(),
            tools_declared: skill.tools_declared.unwrap_or(0),
            tools_stamped: skill.tools_stamped.unwrap_or(0),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_or_refused() {
        let asked = |words: &str, page, size| Asked {
            words: words.to_owned(),
            page,
            size,
        };
        for (query, expected) in [
            ("", Some(asked("", 1, PAGE))),
            ("q=a+b%20c", Some(asked("a b c", 1, PAGE))),
            (
                "page[size]=5&page%5Bnumber%5D=3&other=1",
                Some(asked("", 3, 5)),
            ),
            ("page[size]=0", None),
            ("page[size]=101", None),
            ("page[number]=-1", None),
            ("page[number]=1001", None),
            ("page[number]=x", None),
            ("q=%00", None),
        ] {
            assert_eq!(Asked::read(query).ok(), expected, "{query}");
        }
        assert!(Asked::read(&format!("q={}", "a".repeat(LONGEST + 1))).is_err());
        assert_eq!(
            asked("a&b", 2, 5).link(2),
            "/_skills?q=a%26b&page%5Bnumber%5D=2&page%5Bsize%5D=5"
        );
    }
}
