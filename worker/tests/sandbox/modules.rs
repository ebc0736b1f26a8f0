//! Which module a specifier names, and what of it a tool sees.

use serde_json::json;

use crate::outcome::{describe, error};
use crate::realms::{BASE, MadeRealm, describer, folder, map};

const TOOL: &str =
    "export const tool = { description: TEXT, inputSchema: { type: 'object' }, run() {} };";

/// A plain tool whose description is what the expression comes to.
fn saying(expression: &str) -> String {
    TOOL.replace("TEXT", expression)
}

async fn said(realm: &MadeRealm, module: &str) -> String {
    let describer = describer(realm.packages());
    let described = describe(&describer, &format!("{}{module}", MadeRealm::URL), "tool").await;
    let definition = described.outcome.unwrap();
    definition
        .function()
        .description
        .clone()
        .unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_import_takes_nothing_along() {
    let realm = MadeRealm::new(&[
        ("good.js", "export const word = 'good';"),
        ("bad.js", "export class {"),
        ("both.js", "import './good.js'; import './bad.js';"),
        (
            "tool.js",
            "export class T { async getInputJsonSchema() { \
               const again = async () => import('./both.js').then(() => 'loaded', (error) => error.message); \
               const first = await again(); \
               if (first !== await again()) throw new Error('another error the second time'); \
               const { word } = await import('./good.js'); \
               return { attributes: { type: 'object', description: word, properties: {} } }; } }",
        ),
    ]);
    let describer = describer(realm.packages());
    let described = describe(&describer, &format!("{}tool.js", MadeRealm::URL), "T").await;
    let definition = described.outcome.unwrap();
    let parameters = &definition.function().parameters;
    assert_eq!(
        parameters["properties"]["attributes"]["description"],
        json!("good")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_that_a_cycle_has_not_reached_read_as_undefined() {
    let realm = MadeRealm::new(&[
        (
            "a.js",
            &format!(
                "import {{ B }} from './b.js'; export class A {{}} {}",
                saying("`${B.early} ${B.later()}`")
            ),
        ),
        (
            "b.js",
            "import { A } from './a.js'; export class B { static early = A; static later() { return A.name; } }",
        ),
    ]);
    assert_eq!(said(&realm, "a.js").await, "undefined A");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escaped_slash_is_no_second_name() {
    let realm = MadeRealm::new(&[("inner/tool.js", &saying("'inner'"))]);
    let describer = describer(realm.packages());
    for escaped in [
        "inner%2ftool.js",
        "inner%2Ftool.js",
        "inner%5ctool.js",
        "%ff.js",
    ] {
        let described = describe(&describer, &format!("{}{escaped}", MadeRealm::URL), "tool").await;
        let message = described.outcome.unwrap_err().to_string();
        assert!(
            message.contains("cannot find module"),
            "{escaped}: {message}"
        );
        assert_eq!(described.closure.modules().count(), 0, "{escaped}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relative_import_follows_the_url_before_the_disk() {
    let realm = MadeRealm::new(&[
        (
            "one/tool.js",
            &format!(
                "import {{ word }} from '../two/word.js'; {}",
                saying("word")
            ),
        ),
        ("two/word.js", "export const word = 'beside it on disk';"),
        ("other/word.js", "export const word = 'beside it by URL';"),
    ]);
    let describer = describer(map(&[
        ("https://realm.test/one/", realm.path().join("one")),
        ("https://realm.test/y/", realm.path().join("two")),
        ("https://realm.test/two/", realm.path().join("other")),
    ]));
    let described = describe(&describer, "https://realm.test/one/tool.js", "tool").await;
    let description = described.outcome.unwrap().function().description.clone();
    assert_eq!(description.as_deref(), Some("beside it by URL"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_is_one_by_whichever_name_it_is_mapped() {
    let realm = MadeRealm::new(&[(
        "tool.gts",
        "import { Tool } from '@cardstack/runtime-common'; \
         import { CardDef, contains, field } from 'https://cardstack.com/base/card-api'; \
         import StringField from '@cardstack/base/string'; \
         class Input extends CardDef { @field word = contains(StringField); } \
         export default class extends Tool { async getInputType() { return Input; } }",
    )]);
    let url = "https://cardstack.com/base/";
    for prefixes in [&[url][..], &[url, BASE], &[BASE, url]] {
        let mut roots: Vec<_> = prefixes
            .iter()
            .map(|prefix| (*prefix, folder("base")))
            .collect();
        roots.push((MadeRealm::URL, realm.path()));
        let described = describe(
            &describer(map(&roots)),
            &format!("{}tool", MadeRealm::URL),
            "default",
        )
        .await;
        let definition = described.outcome.unwrap();
        let parameters = &definition.function().parameters;
        assert_eq!(
            parameters["properties"]["attributes"]["properties"],
            json!({"word": {"type": "string"}}),
            "{prefixes:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn look_ups_come_to_an_end() {
    let realm = MadeRealm::new(&[
        (
            "many.js",
            &format!(
                "for (let at = 0; at < 12000; at++) import('./none-' + at).catch(() => {{}}); {}",
                saying("''")
            ),
        ),
        (
            "long.js",
            &format!("import './{}'; {}", "a".repeat(5000), saying("''")),
        ),
    ]);
    let describer = describer(realm.packages());
    let long = error(&describer, &format!("{}long.js", MadeRealm::URL), "tool").await;
    assert!(
        long.contains("specifier of 5002 bytes, more than the limit of 1024"),
        "{long}"
    );
    let many = describe(&describer, &format!("{}many.js", MadeRealm::URL), "tool").await;
    assert_eq!(many.closure.lookups.len(), 10_000);
}
