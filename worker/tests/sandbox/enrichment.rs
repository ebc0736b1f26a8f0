//! Enrichment as a whole: order, what is dropped, what one job shares.

use realmdex_worker::enrich::enrich;
use serde_json::{Value, json};

use crate::outcome::{error, outcome};
use crate::realms::{ALL, CARDS, MadeRealm};

fn tool(module: &str, name: &str) -> Value {
    json!({"codeRef": {"module": module, "name": name}})
}

#[tokio::test(flavor = "multi_thread")]
async fn many_tools_keep_their_order() {
    let skill = format!("{CARDS}skills/x/SKILL.md");
    let names = [
        "EmptyTool",
        "NoSuchTool",
        "TextTool",
        "StaticTool",
        "NullTool",
    ];
    let authored: Vec<_> = (0..40)
        .map(|at| tool("../../tools/descriptions", names[at % names.len()]))
        .collect();
    let enriched = enrich(&ALL, &ALL.graph(), &skill, &json!(authored)).await;
    for (at, stamped) in enriched.tools.as_array().unwrap().iter().enumerate() {
        let name = names[at % names.len()];
        assert_eq!(stamped["codeRef"]["name"], name);
        let fails = ["NoSuchTool", "NullTool"].contains(&name);
        assert_eq!(stamped.get("definition").is_none(), fails, "{name}");
    }
    let failed: Vec<_> = enriched
        .errors
        .iter()
        .map(|error| error.name.as_str())
        .collect();
    assert_eq!(failed, ["NoSuchTool", "NullTool"].repeat(8));
    assert_eq!(enriched.closures.len(), 40);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_list_has_no_tools() {
    for authored in [json!(null), json!("text"), json!(7), json!({}), json!([])] {
        let enriched = enrich(&ALL, &ALL.graph(), "https://realm.test/SKILL.md", &authored).await;
        assert_eq!(enriched.tools, authored);
        assert!(enriched.errors.is_empty() && enriched.closures.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_tool_leaves_its_closure_too() {
    let skill = format!("{CARDS}skills/x/SKILL.md");
    let enriched = enrich(
        &ALL,
        &ALL.graph(),
        &skill,
        &json!([tool("../../tools/broken/missing-dependency", "default"), 7]),
    )
    .await;
    assert_eq!(enriched.errors.len(), 2);
    let [(code_ref, closure)] = enriched.closures.as_slice() else {
        panic!("one closure, of the entry that names a tool");
    };
    assert_eq!(
        code_ref.module,
        format!("{CARDS}tools/broken/missing-dependency")
    );
    let looked_for = closure
        .files
        .keys()
        .filter(|id| id.as_str().contains("/tools/rake"));
    assert_eq!(
        looked_for.count(),
        7,
        "the missing module under each of its names"
    );
}

/// A skill in a package is resolved within the package, and hashed by that name.
#[tokio::test(flavor = "multi_thread")]
async fn a_skill_of_a_package() {
    let enriched = enrich(
        &ALL,
        &ALL.graph(),
        "@cardstack/boxel-host/skills/a/SKILL.md",
        &json!([
            tool("../../tools/open-plot", "default"),
            tool("$REALM/tools/open-plot", "default")
        ]),
    )
    .await;
    assert_eq!(enriched.errors, []);
    for stamped in enriched.tools.as_array().unwrap() {
        assert_eq!(
            stamped["codeRef"]["module"],
            "@cardstack/boxel-host/tools/open-plot"
        );
        assert_eq!(stamped["functionName"], "open-plot_7202");
    }
}

/// A job reads each file once; the next job reads it anew.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_read_for_one_job_serves_another() {
    let text = |description: &str| {
        format!(
            "export const tool = {{ description: '{description}', inputSchema: {{ type: 'object' }}, run() {{}} }};"
        )
    };
    let realm = MadeRealm::new(&[("tool.js", &text("first"))]);
    let describer = realm.describer();
    let module = format!("{}tool", MadeRealm::URL);
    let said = |outcome: Value| outcome["description"].as_str().map(str::to_owned);

    assert_eq!(
        said(outcome(&describer, &module, "tool").await).as_deref(),
        Some("first")
    );
    realm.write("tool.js", text("second"));
    assert_eq!(
        said(outcome(&describer, &module, "tool").await).as_deref(),
        Some("second")
    );
    realm.write("tool.js", "export const tool = ;");
    let message = error(&describer, &module, "tool").await;
    assert!(
        message.starts_with(&format!("{}tool.js:1:", MadeRealm::URL)),
        "{message}"
    );
    realm.write("tool.js", text("third"));
    assert_eq!(
        said(outcome(&describer, &module, "tool").await).as_deref(),
        Some("third")
    );
}

/// In one job a file that changes meanwhile is seen as it first was: by all tools of the skill.
#[tokio::test(flavor = "multi_thread")]
async fn one_job_sees_one_state() {
    let realm = MadeRealm::new(&[(
        "tool.js",
        "export const a = { description: 'old', inputSchema: { type: 'object' }, run() {} };",
    )]);
    let describer = realm.describer();
    let graph = describer.graph();
    let code_ref = |name: &str| realmdex_types::CodeRef {
        module: format!("{}tool", MadeRealm::URL),
        name: name.into(),
    };
    let first = describer.describe(&graph, &code_ref("a")).await;
    realm.write("tool.js", "export const b = 1;");
    let second = describer.describe(&graph, &code_ref("a")).await;
    assert_eq!(first.outcome.unwrap(), second.outcome.unwrap());
    assert!(
        describer
            .describe(&describer.graph(), &code_ref("a"))
            .await
            .outcome
            .is_err()
    );
}
