//! What answers below a realm say of it in their headers: Boxel's clients learn there where they are.

use std::time::Duration;

use realmdex_scheduler::public::Limits;

use super::with_limits;

#[tokio::test]
async fn every_answer_to_a_reader_says_which_realm_it_is_of() {
    // Nobody indexes these realms: they are never ready.
    let limits = Limits {
        readiness_budget: Duration::ZERO,
        ..Limits::default()
    };
    with_limits(limits, |site| async move {
        site.realm("a", &["*"]).await;
        site.realm("b", &["someone"]).await;
        site.put("a", "a.md", "text");
        for (uri, status) in [
            ("a.md", 200),
            ("none.md", 404),
            ("_info", 200),
            ("_mtimes", 200),
            ("_readiness-check", 503),
            ("_indexing-errors", 200),
            ("_indexing-errors?page[size]=0", 400),
            ("_dependencies?url=https://realm.test/a/a.md", 200),
            ("_nothing", 404),
        ] {
            let answer = site.get(&format!("/a/{uri}"), &[]).await;
            let told = [
                "x-boxel-realm-url",
                "x-boxel-realm-public-readable",
                "vary",
                "cache-control",
            ];
            let told = told.map(|name| answer.header(name));
            let wanted = [
                "https://realm.test/a/",
                "true",
                "Accept",
                "public, max-age=0",
            ];
            assert_eq!((answer.status, told), (status, wanted), "{uri}");
            // Those who may not learn the realm alone, and where to get a token for it.
            let answer = site.get(&format!("/b/{uri}"), &[]).await;
            let told = told_of_a_private_one(uri);
            assert_eq!(
                (
                    answer.status,
                    answer.header("x-boxel-realm-url"),
                    answer.header("x-boxel-realm-public-readable"),
                    answer.header("cache-control"),
                ),
                (told.0, "https://realm.test/b/", "", told.1),
                "{uri}"
            );
        }
    })
    .await;
}

/// Whether a private realm is ready is for everyone to know.
fn told_of_a_private_one(uri: &str) -> (u16, &'static str) {
    match uri {
        "_readiness-check" => (503, "private, max-age=0"),
        _ => (401, ""),
    }
}
