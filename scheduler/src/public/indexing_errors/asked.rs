//! Which of a realm's findings are asked for (JSON:API 1.1: the families `filter` and `page`).

use realmdex_types::{FindingKind, RealmPath, RealmUrl};
use serde::Deserialize;
use url::Url;
use url::form_urlencoded::Serializer;
use utoipa::IntoParams;

use crate::public::Problem;

/// Findings on a page, where nobody says how many.
const PAGE: u16 = 100;

/// Findings on a page, at most.
const LARGEST_PAGE: u16 = 1000;

/// Boxel's type for cards with dead links: files have none, so it is known, and never found.
const BROKEN_LINK: &str = "broken-link";

/// What the query says.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::public) struct Query {
    /// Only findings of these types, with commas between them.
    #[serde(rename = "filter[type]")]
    kinds: Option<String>,
    /// Only those of the file of this URL.
    #[serde(rename = "filter[url]")]
    url: Option<String>,
    /// How many at most.
    #[serde(rename = "page[size]")]
    #[param(minimum = 1, maximum = 1000)]
    size: Option<u16>,
    /// Where the page begins: from `links.next` of the one before.
    #[serde(rename = "page[cursor]")]
    cursor: Option<String>,
}

/// What that comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) filter: Filter,
    pub(super) size: u16,
    pub(super) after: Option<Cursor>,
}

/// Which findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    /// None can be meant.
    Nothing,
    /// Those of some kinds (of all where none is named), of one file or of all.
    Some {
        kinds: Vec<FindingKind>,
        path: Option<RealmPath>,
    },
}

/// The last finding of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) path: String,
    pub(super) kind: FindingKind,
}

impl Cursor {
    fn parse(text: &str) -> Option<Self> {
        let (kind, path) = text.split_once(':')?;
        Some(Self {
            kind: FindingKind::parse(kind)?,
            path: RealmPath::parse(path).ok()?.to_string(),
        })
    }
}

impl Query {
    /// What it asks of a realm.
    pub(super) fn of(&self, realm: &RealmUrl) -> Result<Asked, Problem> {
        let size = self.size.unwrap_or(PAGE);
        if !(1..=LARGEST_PAGE).contains(&size) {
            return Err(Problem::bad(format!(
                "`page[size]` is {size}: give 1 to {LARGEST_PAGE}"
            )));
        }
        let after = match &self.cursor {
            None => None,
            Some(text) => Some(Cursor::parse(text).ok_or_else(|| {
                Problem::bad("`page[cursor]` is not one of ours: follow `links.next` as it is")
            })?),
        };
        Ok(Asked {
            filter: self.filter(realm)?,
            size,
            after,
        })
    }

    fn filter(&self, realm: &RealmUrl) -> Result<Filter, Problem> {
        let named = self.kinds.as_deref().map(kinds).transpose()?;
        let path = match &self.url {
            None => None,
            Some(text) => {
                let path = Url::parse(text).ok().and_then(|url| realm.path_of(&url));
                Some(path.ok_or_else(|| {
                    Problem::bad(format!(
                        "`filter[url]` is {text:?}: give the URL of a file below {realm}"
                    ))
                })?)
            }
        };
        Ok(match named {
            Some(kinds) if kinds.is_empty() => Filter::Nothing,
            named => Filter::Some {
                kinds: named.unwrap_or_default(),
                path,
            },
        })
    }

    /// The query of the page that begins after a finding.
    pub(super) fn after(&self, last: &Cursor) -> String {
        let mut query = Serializer::new(String::new());
        if let Some(kinds) = &self.kinds {
            query.append_pair("filter[type]", kinds);
        }
        if let Some(url) = &self.url {
            query.append_pair("filter[url]", url);
        }
        if let Some(size) = self.size {
            query.append_pair("page[size]", &size.to_string());
        }
        let cursor = format!("{}:{}", last.kind.as_str(), last.path);
        query.append_pair("page[cursor]", &cursor).finish()
    }
}

fn kinds(text: &str) -> Result<Vec<FindingKind>, Problem> {
    let names = text
        .split(',')
        .map(str::trim)
        .filter(|name| *name != BROKEN_LINK);
    names
        .map(|name| {
            FindingKind::parse(name).ok_or_else(|| {
                let known = FindingKind::ALL.map(FindingKind::as_str).join(", ");
                Problem::bad(format!(
                    "`filter[type]`: there is no type {name:?}: give some of {known}"
                ))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn asked(query: Query) -> Result<Asked, String> {
        let realm = RealmUrl::parse("https://r.test/a/").unwrap();
        query.of(&realm).map_err(|problem| problem.detail)
    }

    #[test]
    fn a_page_follows_the_one_before() {
        let first = Query {
            kinds: Some("tool-schema-error,broken-link".into()),
            url: Some("https://r.test/a/b%20c.md".into()),
            size: Some(2),
            cursor: None,
        };
        let last = Cursor {
            path: "b c&d.md".into(),
            kind: FindingKind::FrontmatterError,
        };
        let text = first.after(&last);
        assert_eq!(
            text,
            "filter%5Btype%5D=tool-schema-error%2Cbroken-link&filter%5Burl%5D=https%3A%2F%2Fr.test%2Fa%2Fb%2520c.md\
             &page%5Bsize%5D=2&page%5Bcursor%5D=frontmatter-error%3Ab+c%26d.md"
        );
        let uri = format!("/?{text}").parse().unwrap();
        let axum::extract::Query(second) =
            axum::extract::Query::<Query>::try_from_uri(&uri).unwrap();
        let wanted = Asked {
            filter: Filter::Some {
                kinds: vec![FindingKind::ToolSchemaError],
                path: Some(RealmPath::parse("b c.md").unwrap()),
            },
            size: 2,
            after: Some(last),
        };
        assert_eq!(asked(second), Ok(wanted));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let rows = [
            (
                Query {
                    size: Some(0),
                    ..Query::default()
                },
                "give 1 to 1000",
            ),
            (
                Query {
                    size: Some(1001),
                    ..Query::default()
                },
                "give 1 to 1000",
            ),
            (
                Query {
                    kinds: Some("nonsense".into()),
                    ..Query::default()
                },
                "there is no type \"nonsense\"",
            ),
            (
                Query {
                    url: Some("https://r.test/b/x.md".into()),
                    ..Query::default()
                },
                "below https://r.test/a/",
            ),
            (
                Query {
                    url: Some("x.md".into()),
                    ..Query::default()
                },
                "below https://r.test/a/",
            ),
            (
                Query {
                    cursor: Some("x".into()),
                    ..Query::default()
                },
                "`links.next`",
            ),
            (
                Query {
                    cursor: Some("frontmatter-error:../x".into()),
                    ..Query::default()
                },
                "`links.next`",
            ),
        ];
        for (query, words) in rows {
            let refused = asked(query.clone()).unwrap_err();
            assert!(refused.contains(words), "{query:?}: {refused}");
        }
        let only_cards = Query {
            kinds: Some(BROKEN_LINK.into()),
            ..Query::default()
        };
        assert_eq!(asked(only_cards).unwrap().filter, Filter::Nothing);
    }
}
