//! The search for skills.

use serde_json::{Value, json};

use super::{Site, skill, with_site};

async fn names(site: &Site, query: &str) -> Vec<String> {
    let answer = site.get(&format!("/_skills?{query}"), &[]).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let document = answer.json();
    let data = document["data"].as_array().unwrap().iter();
    data.map(|skill| skill["attributes"]["name"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn skills_are_found_by_their_words() {
    with_site(|site| async move {
        let (a, b) = (site.realm("a", &["*"]).await, site.realm("b", &["*"]).await);
        let hidden = site.realm("c", &[]).await;
        site.index(&a, "mail.md", "1", skill("send-mail", "Sends letters to people.")).await;
        site.index(&a, "post.md", "2", skill("postman", "Carries mail, and letters as well.")).await;
        site.index(&b, "cook.md", "3", skill("cook", "Cooks meals for people.")).await;
        site.index(&hidden, "spy.md", "4", skill("spy", "Reads letters to people.")).await;
        // Listed by its name, though it declares no tools; and no skill at all.
        let plain = json!({"title": "Plain", "frontmatter": {"rawContent": {"name": "plain", "description": "Knows people."}}});
        site.index(&b, "plain/SKILL.md", "5", plain).await;
        site.index(&b, "people.md", "6", json!({"title": "People", "excerpt": "people"})).await;
        for (query, expected) in [
            ("", &["send-mail", "postman", "cook", "plain"][..]),
            ("q=", &["send-mail", "postman", "cook", "plain"]),
            ("q=people", &["send-mail", "cook", "plain"]),
            // By its stem; in a name before elsewhere.
            ("q=mails", &["send-mail", "postman"]),
            ("q=letter+-people", &["postman"]),
            ("q=%22letters+to+people%22", &["send-mail"]),
            ("q=cook+or+plain", &["cook", "plain"]),
            ("q=spy", &[]),
            ("q=the", &[]),
            ("q=%27%29%3B+drop+table+files%3B--", &[]),
        ] {
            let mut found = names(&site, query).await;
            let mut expected: Vec<_> = expected.iter().map(|name| (*name).to_owned()).collect();
            if query.contains("people") || query.contains("or") {
                // Equally good ones.
                found.sort();
                expected.sort();
            }
            assert_eq!(found, expected, "{query}");
        }
        let answer = site.get("/_skills?q=mail&page[size]=1", &[]).await;
        insta::assert_json_snapshot!("skills", answer.json());
        assert_eq!(answer.header("cache-control"), "private, max-age=0");
        // Page by page each comes once.
        let mut next = Some("/_skills?page[size]=3".to_owned());
        let mut seen = Vec::new();
        while let Some(uri) = next {
            let page = site.get(&uri, &[]).await.json();
            seen.extend(page["data"].as_array().unwrap().iter().map(|skill| skill["id"].clone()));
            next = page["links"].get("next").and_then(Value::as_str).map(ToOwned::to_owned);
        }
        assert_eq!(seen.len(), 4);
        seen.sort_by_key(ToString::to_string);
        seen.dedup();
        assert_eq!(seen.len(), 4);
        for query in ["page[size]=0", "page[number]=x", "q=%00"] {
            assert_eq!(site.get(&format!("/_skills?{query}"), &[]).await.status, 400, "{query}");
        }
    })
    .await;
}
