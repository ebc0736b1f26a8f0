//! The limits on what a tool may use and load: each ends in a message that names it.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::future::join_all;
use realmdex_worker::enrich::Describer;
use realmdex_worker::modules::LoadLimits;
use realmdex_worker::sandbox::SandboxLimits;
use serde_json::{Value, json};

use crate::outcome::{all_exports, describe, error, outcome};
use crate::realms::{HOSTILE, MadeRealm, folder, limited, map, patient};

fn hostile(sandbox_limits: SandboxLimits) -> Describer {
    limited(
        map(&[(HOSTILE, folder("hostile"))]),
        LoadLimits::default(),
        sandbox_limits,
    )
}

/// Little time: the alone run has ten times as much.
fn hurried() -> SandboxLimits {
    SandboxLimits {
        guest_time: Duration::from_millis(20),
        ..SandboxLimits::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn loops_end() {
    let describer = hostile(hurried());
    let mut outcomes =
        all_exports(&describer, HOSTILE, &folder("hostile"), "endless-later.js").await;
    outcomes.insert(
        "at import".into(),
        outcome(&describer, &format!("{HOSTILE}endless"), "tool").await,
    );
    insta::assert_json_snapshot!(outcomes);
}

/// Endless loops beside it, and a limit so short that a busy machine alone may reach it: the second run, alone and
/// for longer, still describes a tool that means no harm.
#[tokio::test(flavor = "multi_thread")]
async fn bad_neighbours_are_no_fault() {
    let describer = hostile(hurried());
    let looping = format!("{HOSTILE}endless");
    let quiet = format!("{HOSTILE}quiet");
    let mut running = Vec::new();
    for _ in 0..2 {
        running.push(describe(&describer, &looping, "tool"));
        running.extend((0..5).map(|_| describe(&describer, &quiet, "tool")));
    }
    let described = join_all(running).await;
    let good = described.iter().filter(|one| one.outcome.is_ok()).count();
    assert_eq!(good, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_is_bounded() {
    insta::assert_json_snapshot!(
        all_exports(
            &hostile(patient()),
            HOSTILE,
            &folder("hostile"),
            "greedy.js"
        )
        .await
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn depth_is_bounded() {
    insta::assert_json_snapshot!(shown(
        all_exports(&hostile(patient()), HOSTILE, &folder("hostile"), "deep.js").await
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn definitions_and_messages_are_bounded() {
    insta::assert_json_snapshot!(shown(
        all_exports(&hostile(patient()), HOSTILE, &folder("hostile"), "huge.js").await
    ));
}

/// A smaller limit of each kind is named as it was set.
#[tokio::test(flavor = "multi_thread")]
async fn limits_are_settings() {
    let describer = hostile(SandboxLimits {
        definition_bytes: 1000,
        memory_bytes: 24 << 20,
        stack_bytes: 256 << 10,
        ..patient()
    });
    let mut messages = Vec::new();
    for (file, name) in [
        ("huge", "fits"),
        ("greedy", "Large"),
        ("deep", "Recursion"),
        ("deep", "Native"),
    ] {
        messages.push(outcome(&describer, &format!("{HOSTILE}{file}"), name).await);
    }
    insta::assert_json_snapshot!(messages);
}

/// Documents that are good but long are shown by their length, long messages by their ends.
fn shown(outcomes: BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let short = |outcome: Value| {
        let length = outcome.to_string().len();
        match outcome.get("error").and_then(Value::as_str) {
            Some(message) if length > 1000 => {
                let start: String = message.chars().take(40).collect();
                json!({"error": format!("{start}… of {} characters", message.chars().count())})
            }
            None if length > 1000 => json!(format!("a document of {length} bytes")),
            _ => outcome,
        }
    };
    outcomes
        .into_iter()
        .map(|(name, outcome)| (name, short(outcome)))
        .collect()
}

fn loading(realm: &MadeRealm, load_limits: LoadLimits) -> Describer {
    limited(realm.packages(), load_limits, patient())
}

const TOOL: &str =
    "export const tool = { description: 'd', inputSchema: { type: 'object' }, run() {} };\n";

/// A chain of modules, each importing the next; the first is the tool.
fn chain(length: usize) -> MadeRealm {
    let realm = MadeRealm::new(&[]);
    for at in 0..length {
        let next = if at + 1 < length {
            format!("import './m{}.js';\n", at + 1)
        } else {
            String::new()
        };
        realm.write(&format!("m{at}.js"), format!("{next}{TOOL}"));
    }
    realm
}

#[tokio::test(flavor = "multi_thread")]
async fn modules_are_counted() {
    let realm = chain(12);
    let first = format!("{}m0.js", MadeRealm::URL);
    let within = loading(
        &realm,
        LoadLimits {
            modules: 12,
            ..LoadLimits::default()
        },
    );
    assert!(describe(&within, &first, "tool").await.outcome.is_ok());

    let past = loading(
        &realm,
        LoadLimits {
            modules: 11,
            ..LoadLimits::default()
        },
    );
    let described = describe(&past, &first, "tool").await;
    insta::assert_snapshot!(described.outcome.unwrap_err());
    assert!(
        described.closure.modules().count() >= 11,
        "what was read until then is recorded"
    );

    // Dynamic imports count as well, and catching the refusal does not help.
    realm.write("dynamic.js", "
        const load = async () => { let loaded = 0; for (let at = 11; at >= 0; at--) { try { await import(`./m${at}.js`); loaded++; } catch {} } return loaded; };
        export class Tool { description = 'd'; async getInputJsonSchema() { return { attributes: { type: 'object', title: `${await load()} loaded` } }; } }");
    let dynamic = format!("{}dynamic.js", MadeRealm::URL);
    let loaded = outcome(
        &loading(
            &realm,
            LoadLimits {
                modules: 5,
                ..LoadLimits::default()
            },
        ),
        &dynamic,
        "Tool",
    )
    .await;
    assert_eq!(
        loaded["parameters"]["properties"]["attributes"]["title"],
        "4 loaded"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_modules() {
    let first = format!("{}m0.js", MadeRealm::URL);
    let message = error(
        &loading(&chain(1001), LoadLimits::default()),
        &first,
        "tool",
    )
    .await;
    assert!(message.contains("1000 modules"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_are_counted() {
    let padding = |bytes: usize| format!("{TOOL}/*{}*/", "x".repeat(bytes));
    let realm = MadeRealm::new(&[
        ("large.js", &padding(2000)),
        ("imports-large.js", &format!("import './large.js';\n{TOOL}")),
        ("a.js", &format!("import './b.js'; {}", padding(700))),
        ("b.js", &padding(700)),
    ]);
    let describer = loading(
        &realm,
        LoadLimits {
            module_bytes: 1500,
            closure_bytes: 1500,
            ..LoadLimits::default()
        },
    );
    let mut messages = Vec::new();
    for module in ["large.js", "large", "imports-large.js", "a.js"] {
        messages.push(outcome(&describer, &format!("{}{module}", MadeRealm::URL), "tool").await);
    }
    insta::assert_json_snapshot!(messages);
    assert!(
        describe(&describer, &format!("{}b.js", MadeRealm::URL), "tool")
            .await
            .outcome
            .is_ok()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nesting_in_source_is_bounded() {
    let deep = |open: &str, close: &str| {
        format!(
            "export const a = {}1{};\n{TOOL}",
            open.repeat(50_000),
            close.repeat(50_000)
        )
    };
    let realm = MadeRealm::new(&[
        ("brackets.js", &deep("[", "]")),
        ("parentheses.ts", &deep("(", ")")),
        (
            "arrows.js",
            &format!("export const a = {}1;\n{TOOL}", "x=>".repeat(50_000)),
        ),
    ]);
    let describer = realm.describer();
    for module in ["brackets", "parentheses", "arrows"] {
        let described = describe(&describer, &format!("{}{module}", MadeRealm::URL), "tool").await;
        let fault = described.outcome.unwrap_err();
        assert!(!fault.is_transient());
        assert!(
            fault
                .to_string()
                .starts_with(&format!("{}{module}", MadeRealm::URL)),
            "{fault}"
        );
    }
}
