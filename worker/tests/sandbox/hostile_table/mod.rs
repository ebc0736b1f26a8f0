//! Every hostile tool in one table. Each is declared beside a tool that means no harm: it ends in one finding that names
//! the cause, the other tool is stamped as if it were alone, and the process lives. Tools that try in vain are stamped
//! too, and tell how far they got.

mod cases;
mod compiling;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::{StreamExt, stream};
use realmdex_types::{RealmUrl, ToolSchemaError};
use realmdex_worker::compute::{Computed, ToolCount, compute};
use realmdex_worker::enrich::{Describer, DescriberConfig};
use realmdex_worker::modules::LoadLimits;
use realmdex_worker::sandbox::SandboxLimits;
use serde_json::{Map, Value, json};

use crate::realms::{MadeRealm, compiled, patient};
use cases::{Case, Limits};

/// Skills computed at once.
const CONCURRENT: usize = 4;

/// A tool of the ordinary kind: a class, decorators, a card.
const HEALTHY: &str = "
    import { Command } from '@cardstack/runtime-common';
    import { CardDef, contains, field } from '@cardstack/base/card-api';
    import StringField from '@cardstack/base/string';
    class Input extends CardDef {
      @field text = contains(StringField, { description: 'Anything' });
    }
    export class Healthy extends Command {
      description = 'Means no harm.';
      async getInputType() { return Input; }
    }";

/// A skill that declares a hostile tool and one that means no harm.
fn skill(module: &str) -> String {
    format!(
        "---\nname: case\nboxel:\n  kind: skill\n  tools:\n    - codeRef: {{ module: \"{module}\", name: Hostile }}\n    \
         - codeRef: {{ module: ../healthy, name: Healthy }}\n---\n"
    )
}

/// The realm of the whole table: a folder for each case.
fn realm(cases: &[Case]) -> MadeRealm {
    let realm = MadeRealm::new(&[("healthy.ts", HEALTHY)]);
    for (at, case) in cases.iter().enumerate() {
        for (path, bytes) in &case.files {
            realm.write(&format!("case-{at}/{path}"), bytes);
        }
    }
    realm
}

fn describer(realm: &MadeRealm, limits: Limits) -> Describer {
    let sandbox_limits = match limits {
        Limits::Patient => patient(),
        Limits::Hurried => SandboxLimits {
            guest_time: Duration::from_millis(20),
            ..SandboxLimits::default()
        },
        Limits::Compiling => SandboxLimits {
            compile_time: Duration::from_secs(1),
            ..patient()
        },
    };
    Describer::new(DescriberConfig {
        packages: realm.packages(),
        load_limits: LoadLimits::default(),
        sandbox_limits,
        cache: Some(compiled()),
        compiler: compiling::child(),
        definitions: None,
    })
    .unwrap()
}

async fn computed(describer: &Describer, folder: &str, module: &str) -> Computed {
    let root = RealmUrl::parse(MadeRealm::URL).unwrap();
    let url = root.as_url().join(&format!("{folder}/SKILL.md")).unwrap();
    let bytes = skill(module);
    compute(describer, &describer.graph(), &root, &url, bytes.as_bytes()).await
}

fn tools(computed: &Computed) -> &Vec<Value> {
    let frontmatter = &computed.document.data.attributes["frontmatter"];
    frontmatter["tools"].as_array().unwrap()
}

/// What is told of a case: the finding's text, or what the tool got to say.
fn told(case: &Case, computed: &Computed) -> Value {
    let hostile = &tools(computed)[0];
    match computed.findings.tool_schema_errors.as_slice() {
        [] => {
            assert_eq!(stamped(computed), 2, "{}", case.what);
            json!({"stamps": hostile["definition"]["function"]["description"]})
        }
        [error] => {
            let ToolSchemaError {
                name,
                message,
                transient,
                ..
            } = error;
            assert_eq!((name.as_str(), *transient), ("Hostile", false), "{message}");
            assert_eq!(hostile.get("definition"), None, "{}", case.what);
            assert_eq!(stamped(computed), 1, "{}", case.what);
            json!(message)
        }
        several => panic!("{}: {several:?}", case.what),
    }
}

fn stamped(computed: &Computed) -> usize {
    let ToolCount { declared, stamped } = computed.tools.unwrap();
    assert_eq!(declared, 2);
    stamped
}

#[tokio::test(flavor = "multi_thread")]
async fn each_hostile_tool_is_one_finding() {
    let cases = cases::all();
    let realm = realm(&cases);
    let describers = [Limits::Patient, Limits::Hurried, Limits::Compiling]
        .map(|limits| (limits, describer(&realm, limits)));
    let describer = |limits: Limits| &describers.iter().find(|(of, _)| *of == limits).unwrap().1;
    // The tool that means no harm, beside one that is merely not there.
    let alone = computed(describer(Limits::Patient), "none", "./none").await;
    let healthy = &tools(&alone)[1];
    assert_eq!(
        healthy["definition"]["function"]["description"],
        "Means no harm."
    );

    let outcomes: Vec<(&Case, Computed)> = stream::iter(cases.iter().enumerate())
        .map(async |(at, case)| {
            let folder = format!("case-{at}");
            let computed = computed(describer(case.limits), &folder, case.module).await;
            (case, computed)
        })
        .buffered(CONCURRENT)
        .collect()
        .await;
    let mut table = Map::new();
    let mut otherwise = Vec::new();
    for (case, computed) in &outcomes {
        assert_eq!(&tools(computed)[1], healthy, "beside: {}", case.what);
        let told = told(case, computed);
        if told.is_object() != case.harmless {
            otherwise.push(format!("{}: {told}", case.what));
        }
        assert_eq!(table.insert(case.what.to_owned(), told), None, "told twice");
    }
    assert_eq!(otherwise, [] as [&str; 0], "harmless or not");
    assert!(table.len() >= 30);
    insta::assert_json_snapshot!(table);
}

/// Two tools that never give up the processor, on as many threads as the runtime has: a timer beside them still ticks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_heartbeat_goes_on_beside_endless_loops() {
    let cases: Vec<Case> = cases::all()
        .into_iter()
        .filter(|case| case.limits == Limits::Hurried)
        .take(2)
        .collect();
    let realm = realm(&cases);
    // So much time that the loops are never ended by it: the heartbeat ends this test.
    let describer = Arc::new(super::realms::limited(
        realm.packages(),
        LoadLimits::default(),
        SandboxLimits {
            guest_time: Duration::from_secs(3600),
            ..SandboxLimits::default()
        },
    ));
    let looping: Vec<_> = (0..2)
        .map(|at| {
            let describer = Arc::clone(&describer);
            tokio::spawn(async move {
                computed(&describer, &format!("case-{at}"), "./tool").await;
            })
        })
        .collect();
    let beats = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&beats);
    let heart = tokio::spawn(async move {
        let mut interval = tokio::time::interval(Duration::from_millis(10));
        for _ in 0..50 {
            interval.tick().await;
            counted.fetch_add(1, Ordering::Relaxed);
        }
    });
    heart.await.unwrap();
    assert_eq!(beats.load(Ordering::Relaxed), 50);
    for task in looping {
        assert!(!task.is_finished(), "the loop goes on");
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
    }
}
