//! Modules that mean harm, or are only very odd: each is told as a finding of its own, and nothing else suffers.

use futures::future::join_all;
use serde_json::json;

use crate::outcome::{all_exports, describe, outcome};
use crate::realms::{ALL, HOSTILE, folder};

async fn told(file: &str) -> std::collections::BTreeMap<String, serde_json::Value> {
    all_exports(&ALL, HOSTILE, &folder("hostile"), file).await
}

#[tokio::test(flavor = "multi_thread")]
async fn throwing_what_is_no_error() {
    insta::assert_json_snapshot!(told("throwing.js").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_exports() {
    let mut outcomes = told("exports.js").await;
    for file in ["then", "then-never", "then-throws"] {
        outcomes.insert(
            file.to_owned(),
            outcome(&ALL, &format!("{HOSTILE}{file}"), "default").await,
        );
    }
    insta::assert_json_snapshot!(outcomes);
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_are_no_json() {
    insta::assert_json_snapshot!(told("values.js").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_for_what_never_comes() {
    insta::assert_json_snapshot!(told("waiting.js").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn replacing_what_the_language_gives() {
    let mut outcomes = told("pollution.js").await;
    for name in ["tool", "Tool"] {
        let told = outcome(&ALL, &format!("{HOSTILE}pollutes-at-import"), name).await;
        outcomes.insert(format!("at import: {name}"), told);
    }
    insta::assert_json_snapshot!(outcomes);
}

/// What one module replaced is replaced for nobody else, however the instances are reused.
#[tokio::test(flavor = "multi_thread")]
async fn pollution_stays_where_it_was_made() {
    let quiet = format!("{HOSTILE}quiet");
    let before = describe(&ALL, &quiet, "tool").await.outcome.unwrap();
    let polluter = format!("{HOSTILE}pollutes-at-import");
    for _ in 0..8 {
        let (polluted, _, other) = tokio::join!(
            describe(&ALL, &polluter, "tool"),
            describe(&ALL, &polluter, "Tool"),
            describe(&ALL, &quiet, "tool"),
        );
        assert!(polluted.outcome.is_ok());
        assert_eq!(other.outcome.unwrap(), before);
    }
    assert_eq!(
        describe(&ALL, &quiet, "tool").await.outcome.unwrap(),
        before
    );
}

/// Nothing of the engine, the host or the machine is within reach; evaluating text works all the same.
#[tokio::test(flavor = "multi_thread")]
async fn reaching_out() {
    let mut attempts = json!({});
    for name in ["ReachingTool", "EvaluatingTool", "ListingTool"] {
        let mut told = outcome(&ALL, &format!("{HOSTILE}reaching"), name).await;
        attempts[name] = match told.pointer_mut("/parameters/properties/attributes/examples") {
            Some(examples) => examples.take(),
            None => told,
        };
    }
    insta::assert_json_snapshot!(attempts);
}

/// A hundred at once: more than there are instances in the pool.
#[tokio::test(flavor = "multi_thread")]
async fn many_at_once() {
    let module = format!("{HOSTILE}quiet");
    let described = join_all((0..100).map(|_| describe(&ALL, &module, "tool"))).await;
    for one in described {
        assert_eq!(
            one.outcome.unwrap().function().description.as_deref(),
            Some("Does nothing odd.")
        );
    }
}
