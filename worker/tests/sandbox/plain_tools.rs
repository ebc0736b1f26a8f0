//! Plain tools: modules that say their description and their schema themselves.

use serde_json::json;

use crate::outcome::{all_exports, error, outcome};
use crate::realms::{ALL, MadeRealm, PLAIN, folder};

#[tokio::test(flavor = "multi_thread")]
async fn plain_tools() {
    let outcomes = json!({
        "word-count": outcome(&ALL, &format!("{PLAIN}word-count"), "default").await,
        "convert": outcome(&ALL, &format!("{PLAIN}convert"), "default").await,
        "convert.mjs": outcome(&ALL, &format!("{PLAIN}convert.mjs"), "default").await,
        "table": all_exports(&ALL, PLAIN, &folder("plain"), "table.ts").await,
        "table as a whole": outcome(&ALL, &format!("{PLAIN}table"), "default").await,
        "by a name it lacks": outcome(&ALL, &format!("{PLAIN}word-count"), "wordCount").await,
        "a module that is no tool": outcome(&ALL, &format!("{PLAIN}units"), "default").await,
    });
    insta::assert_json_snapshot!(outcomes);
}

#[tokio::test(flavor = "multi_thread")]
async fn near_misses_and_what_providers_refuse() {
    insta::assert_json_snapshot!(all_exports(&ALL, PLAIN, &folder("plain"), "wrong.js").await);
}

/// A name the module has in another case or spelling is no other tool.
#[tokio::test(flavor = "multi_thread")]
async fn names_are_exact() {
    for name in [
        "Sort",
        "sort ",
        "",
        "toString",
        "__proto__",
        "constructor",
        "hasOwnProperty",
    ] {
        let message = error(&ALL, &format!("{PLAIN}table"), name).await;
        assert_eq!(
            message,
            format!("module does not export a tool class named \"{name}\"")
        );
    }
}

/// A default export stands before the module itself.
#[tokio::test(flavor = "multi_thread")]
async fn the_default_export_stands_before_the_module() {
    let both = |default: &str| {
        format!(
            "export const description = 'the module', inputSchema = {{ type: 'object' }};\nexport function run() {{}}\nexport default {default};"
        )
    };
    for (default, expected) in [
        (
            "{ description: 'the default', inputSchema: { type: 'object' }, run() {} }",
            "the default",
        ),
        ("undefined", "the module"),
    ] {
        let realm = MadeRealm::new(&[("tool.js", &both(default))]);
        let described = outcome(
            &realm.describer(),
            &format!("{}tool", MadeRealm::URL),
            "default",
        )
        .await;
        assert_eq!(described["description"], expected);
    }
    let realm = MadeRealm::new(&[("tool.js", &both("null"))]);
    let message = error(
        &realm.describer(),
        &format!("{}tool", MadeRealm::URL),
        "default",
    )
    .await;
    assert!(
        message.contains("does not export a tool class"),
        "{message}"
    );
}
