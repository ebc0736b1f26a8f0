//! What is wrong in a realm, as `_indexing-errors` tells it.

use std::collections::BTreeSet;

use insta::assert_json_snapshot;
use realmdex_store::{Found, Realm};
use realmdex_types::{Finding, FindingKind, JobClass};
use serde_json::{Value, json};

use crate::asking::{below, get, public};
use crate::index::{Index, with_index};
use crate::rows::{finding, stamped, stamped_as, tool_finding};

/// One of everything.
async fn troubled(index: &Index) -> Realm {
    let realm = index.realm("a").await;
    let broken = Finding {
        line: Some(4),
        column: Some(7),
        ..finding(
            FindingKind::FrontmatterError,
            "line 4: a mapping has no end: close it with }",
        )
    };
    let short = finding(
        FindingKind::SkillSpecWarning,
        "there is no `description`; add one",
    );
    let gone = "the source did not answer: it is asked again";
    let transient = Finding {
        transient: true,
        ..tool_finding("https://realm.test/a/far", "Far", gone)
    };
    let missing = tool_finding(
        "https://realm.test/a/gone",
        "Gone",
        "there is no such module",
    );
    // Several kinds in one row, several tools in one kind.
    let three = [
        broken.clone(),
        missing.clone(),
        tool_finding("", "", "tool entry is missing a codeRef module/name"),
        short.clone(),
    ];
    index.skill(&realm, "b c.md", &[], &three).await;
    index.skill(&realm, "far.md", &[], &[transient]).await;
    index
        .skill(&realm, "skills/spec/SKILL.md", &[], &[short])
        .await;
    index.skill(&realm, "yaml.md", &[], &[broken]).await;
    // Two skills, and two tools of one.
    let (x, y) = ("https://realm.test/a/x", "https://realm.test/a/y");
    index
        .skill(
            &realm,
            "one.md",
            &[stamped_as("go_1", x, "go"), stamped(x, "Fine")],
            &[],
        )
        .await;
    index
        .skill(
            &realm,
            "two.md",
            &[
                stamped_as("go_1", y, "go"),
                stamped_as("go_2", x, "a"),
                stamped_as("go_2", y, "b"),
            ],
            &[],
        )
        .await;
    index
        .skill(&realm, "shared.md", &[stamped(x, "Fine")], &[])
        .await;
    // Rows in error: what was found before is not told, and their tools are nobody's match.
    index
        .skill(
            &realm,
            "locked.md",
            &[stamped_as("go_1", "z", "go")],
            std::slice::from_ref(&missing),
        )
        .await;
    index
        .wrote(
            &realm,
            "locked.md",
            Found::Forbidden {
                why: "the source says 403: let it be read".into(),
            },
        )
        .await;
    index
        .wrote(
            &realm,
            "new.md",
            Found::Failed {
                why: "it is too large: 9 GiB".into(),
                transient: false,
            },
        )
        .await;
    index
        .wrote(
            &realm,
            "slow.md",
            Found::Failed {
                why: gone.into(),
                transient: true,
            },
        )
        .await;
    // And what is gone has nothing wrong with it.
    index
        .skill(
            &realm,
            "gone.md",
            &[stamped_as("go_1", "z", "go")],
            std::slice::from_ref(&missing),
        )
        .await;
    index.wrote(&realm, "gone.md", Found::Absent).await;
    let other = index.realm("b").await;
    index
        .skill(
            &other,
            "one.md",
            &[stamped_as("go_1", "z", "go")],
            &[missing],
        )
        .await;
    realm
}

#[tokio::test]
async fn everything_that_is_wrong_is_told() {
    with_index(async |index| {
        let realm = troubled(&index).await;
        let answer = get(&public(&index), &below(&realm, "_indexing-errors")).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, Some("application/vnd.api+json"))
        );
        assert_json_snapshot!(without_times(answer.body));
        let healthy = index.realm("healthy").await;
        let answer = get(&public(&index), &below(&healthy, "_indexing-errors")).await;
        let nothing =
            json!({"data": [], "links": {"next": null}, "meta": {"total": 0, "isSettled": true}});
        assert_eq!((answer.status, answer.body), (200, nothing));
    })
    .await;
}

/// The same at any time.
fn without_times(mut body: Value) -> Value {
    for one in body["data"].as_array_mut().unwrap() {
        for place in ["/attributes/retryAt", "/attributes/diagnostics/indexedAt"] {
            match one.pointer_mut(place) {
                Some(time) if time.is_string() => *time = json!("some time"),
                _ => {}
            }
        }
    }
    body
}

fn ids(body: &Value) -> Vec<String> {
    let data = body["data"].as_array().unwrap();
    data.iter()
        .map(|one| {
            format!(
                "{} {}",
                one["type"].as_str().unwrap(),
                one["id"].as_str().unwrap()
            )
        })
        .collect()
}

#[tokio::test]
async fn pages_are_all_of_it_once() {
    with_index(async |index| {
        let realm = troubled(&index).await;
        let listener = public(&index);
        let all = get(&listener, &below(&realm, "_indexing-errors"))
            .await
            .body;
        let wanted = ids(&all);
        assert_eq!(wanted.len(), wanted.iter().collect::<BTreeSet<_>>().len());
        for (filter, size) in [
            ("", 1),
            ("", 2),
            ("", 3),
            ("", wanted.len()),
            ("", 1000),
            ("&filter[type]=tool-schema-error,skill-spec-warning", 2),
        ] {
            let mut told = Vec::new();
            let mut next = Some(below(
                &realm,
                &format!("_indexing-errors?page[size]={size}{filter}"),
            ));
            let mut total = 0;
            while let Some(page) = next {
                let page = page.strip_prefix("https://realm.test").unwrap_or(&page);
                let answer = get(&listener, page).await;
                assert_eq!(answer.status, 200, "{page}: {answer:?}");
                let of_page = ids(&answer.body);
                assert!(of_page.len() <= size && !of_page.is_empty());
                told.extend(of_page);
                total = answer.body["meta"]["total"].as_u64().unwrap();
                next = answer.body["links"]["next"].as_str().map(str::to_owned);
            }
            let wanted: Vec<_> = wanted
                .iter()
                .filter(|id| {
                    filter.is_empty()
                        || id.starts_with("tool-schema")
                        || id.starts_with("skill-spec")
                })
                .collect();
            assert_eq!(told.iter().collect::<Vec<_>>(), wanted, "{size} {filter}");
            assert_eq!(total, wanted.len() as u64);
        }
    })
    .await;
}

#[tokio::test]
async fn some_of_it_can_be_asked_for() {
    with_index(async |index| {
        let realm = troubled(&index).await;
        let listener = public(&index);
        let file = |path: &str| format!("file::https://realm.test/a/{path}");
        let rows = [
            (
                "filter[type]=frontmatter-error",
                vec![file("b%20c.md::frontmatter-error"), file("yaml.md")],
            ),
            (
                "filter%5Btype%5D=indexing-error",
                vec![file("locked.md"), file("new.md"), file("slow.md")],
            ),
            ("filter[type]=broken-link", vec![]),
            (
                "filter[type]=function-name-collision&filter[url]=https://realm.test/a/two.md",
                vec![file("two.md")],
            ),
            (
                "filter[url]=https://realm.test/a/b%2520c.md",
                vec![
                    file("b%20c.md::frontmatter-error"),
                    file("b%20c.md::tool-schema-error"),
                    file("b%20c.md::skill-spec-warning"),
                ],
            ),
            ("filter[url]=https://realm.test/a/healthy.md", vec![]),
        ];
        for (query, wanted) in rows {
            let answer = get(
                &listener,
                &below(&realm, &format!("_indexing-errors?{query}")),
            )
            .await;
            let told = ids(&answer.body)
                .into_iter()
                .map(|id| id.split_once(' ').unwrap().1.to_owned());
            assert_eq!(told.collect::<Vec<_>>(), wanted, "{query}: {answer:?}");
            assert_eq!(answer.body["meta"]["total"], json!(wanted.len()));
        }
        for (query, words) in [
            ("filter[type]=nonsense", "give some of indexing-error, "),
            (
                "filter[url]=https://realm.test/b/one.md",
                "below https://realm.test/a/",
            ),
            ("page[size]=0", "give 1 to 1000"),
            ("page[size]=many", "invalid digit"),
            ("page[cursor]=x", "links.next"),
            ("page[cursor]=frontmatter-error:%00", "links.next"),
            ("sort=url", "unknown field `sort`"),
        ] {
            let answer = get(
                &listener,
                &below(&realm, &format!("_indexing-errors?{query}")),
            )
            .await;
            assert!(
                answer.status == 400 && answer.detail().contains(words),
                "{query}: {answer:?}"
            );
        }
    })
    .await;
}

/// Whoever has just mended a file is told what came of it.
#[tokio::test]
async fn what_people_wait_for_is_waited_for() {
    with_index(async |index| {
        let realm = troubled(&index).await;
        let listener = public(&index);
        index
            .enqueue(&realm, ["bulk.md".to_owned()], JobClass::Bulk)
            .await;
        let is_settled = async || {
            let answer = get(&listener, &below(&realm, "_indexing-errors?page[size]=1")).await;
            answer.body["meta"]["isSettled"].clone()
        };
        assert_eq!(
            is_settled().await,
            json!(true),
            "nobody waits for bulk work"
        );
        let jobs = index
            .enqueue(&realm, ["yaml.md".to_owned()], JobClass::Interactive)
            .await;
        assert_eq!(is_settled().await, json!(false));
        let ended = async {
            index.store.cancel(jobs[0]).await.unwrap();
        };
        let (is_settled, ()) = tokio::join!(is_settled(), ended);
        assert_eq!(is_settled, json!(true));
    })
    .await;
}

/// Where a realm's bytes lie is its operator's: readers know it by its URL.
#[tokio::test]
async fn places_of_sources_are_told_to_nobody() {
    with_index(async |index| {
        let folder = index.added("a", "file:///srv/some%20where/a/").await;
        let served = index.added("b", "http://10.1.2.3:8080/deep/b/").await;
        let as_it_is = index.added("c", "https://realm.test/c/").await;
        let failed = |why: &str| Found::Failed {
            why: why.to_owned(),
            transient: false,
        };
        for (realm, at, why) in [
            (&folder, "x.md", "/srv/some where/a: no such folder"),
            (&folder, "y.md", "file:///srv/some%20where/a/y.md: odd"),
            (
                &served,
                "x.md",
                "http://10.1.2.3:8080/deep/b/x.md: refused: it redirects to http://10.1.2.3:8080/login, outside the \
                 realm http://10.1.2.3:8080/deep/b/",
            ),
            (
                &as_it_is,
                "x.md",
                "https://realm.test/c/x.md: refused: it redirects to https://realm.test/login",
            ),
        ] {
            index.wrote(realm, at, failed(why)).await;
        }
        // Modules may be another realm's.
        let unread = tool_finding(
            "https://realm.test/b/far",
            "Far",
            "https://realm.test/b/far: http://10.1.2.3:8080/deep/b/far.js: not allowed to read it",
        );
        index.skill(&folder, "skill.md", &[], &[unread]).await;
        let listener = public(&index);
        for (realm, wanted) in [
            (
                &folder,
                vec![
                    "https://realm.test/b/far: https://realm.test/b/far.js: not allowed to read it",
                    "https://realm.test/a: no such folder",
                    "https://realm.test/a/y.md: odd",
                ],
            ),
            (
                &served,
                vec![
                    "https://realm.test/b/x.md: refused: it redirects to (the source)/login, outside the realm \
                     https://realm.test/b/",
                ],
            ),
            (
                &as_it_is,
                vec!["https://realm.test/c/x.md: refused: it redirects to https://realm.test/login"],
            ),
        ] {
            let answer = get(&listener, &below(realm, "_indexing-errors")).await;
            let told: Vec<&str> = answer.body["data"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|one| {
                    let of_row = &one["attributes"]["errorDoc"]["message"];
                    let of_tool = &one["attributes"]["toolSchemaErrors"][0]["message"];
                    of_row.as_str().or(of_tool.as_str())
                })
                .collect();
            assert_eq!(told, wanted, "{}", realm.url);
        }
    })
    .await;
}
