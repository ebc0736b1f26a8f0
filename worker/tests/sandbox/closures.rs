//! What is recorded of how a definition came about, and by which names files go.

use std::fs;

use realmdex_types::{ContentDigest, ModuleId, ReadState};
use realmdex_worker::modules::Target;
use serde_json::json;

use crate::outcome::{describe, lines, outcome, told};
use crate::realms::{ALL, BASE, CARDS, MadeRealm, WITHOUT_BASE, describer, folder, map};

/// Static imports, dynamic ones, re-exports and cycles, in the order of ids.
#[tokio::test(flavor = "multi_thread")]
async fn everything_that_was_loaded() {
    for (name, module, tool) in [
        ("static", "tools/primitives", "PrimitivesTool"),
        ("dynamic", "tools/modules", "DynamicTool"),
        ("caught", "tools/modules", "CaughtTool"),
        ("failed", "tools/broken/needs-missing-dependency", "default"),
        ("absent", "tools/broken/not-there", "default"),
        ("unmapped", "tools/broken/unmapped-package", "default"),
    ] {
        let described = describe(&ALL, &format!("{CARDS}{module}"), tool).await;
        insta::assert_json_snapshot!(name, lines(&described.closure));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hashes_are_those_of_the_bytes_read() {
    let described = describe(&ALL, &format!("{CARDS}tools/shapes"), "InheritedTool").await;
    assert!(described.closure.modules().count() > 3);
    for (id, state) in &described.closure.files {
        let ReadState::Read { digest } = state else {
            continue;
        };
        let path = id
            .as_str()
            .strip_prefix(CARDS)
            .map(|path| folder("cards").join(path));
        let path =
            path.unwrap_or_else(|| folder("base").join(id.as_str().strip_prefix(BASE).unwrap()));
        assert_eq!(*digest, ContentDigest::of(&fs::read(path).unwrap()), "{id}");
    }
}

/// The guest stands in for the core of a mapped base package, so none of those files is read, or decides anything.
#[tokio::test(flavor = "multi_thread")]
async fn core_modules_are_never_read() {
    let described = describe(&ALL, &format!("{CARDS}tools/primitives"), "PrimitivesTool").await;
    let core = |id: &ModuleId| {
        id.as_str().ends_with("/card-api.gts") || id.as_str().ends_with("/string.gts")
    };
    assert!(!described.closure.files.keys().any(core));
    let named = described
        .closure
        .lookups
        .iter()
        .filter_map(|lookup| match &lookup.target {
            Some(Target::Provided(id)) => Some(id.as_str()),
            _ => None,
        });
    let named: std::collections::BTreeSet<_> = named.collect();
    assert!(
        named.contains("@cardstack/base/card-api") && named.contains("@cardstack/base/string"),
        "{named:?}"
    );
}

/// What depends on the base package being mapped is told apart by the closure.
#[tokio::test(flavor = "multi_thread")]
async fn a_stand_in_is_no_file() {
    let module = format!("{CARDS}fields/choices");
    let code = |described: &realmdex_worker::enrich::DescribedTool| {
        lines(&described.closure)["files"].clone()
    };
    let with = describe(&ALL, &module, "Size").await;
    let without = describe(&WITHOUT_BASE, &module, "Size").await;
    assert_ne!(code(&with), code(&without));
    assert_eq!(
        code(&without),
        json!([
            format!("{module} absent"),
            format!("{module}.gjs absent"),
            format!("{module}.gts read"),
            format!("{module}.js absent"),
            format!("{module}.ts absent")
        ])
    );
}

/// Two prefixes of one folder are one identity: the one that was mapped first gives the name.
#[tokio::test(flavor = "multi_thread")]
async fn two_prefixes_of_one_folder() {
    let describer = describer(map(&[
        ("@garden/one/", folder("plain")),
        ("https://realm.test/two/", folder("plain")),
    ]));
    let one = describe(&describer, "@garden/one/convert", "default").await;
    let two = describe(&describer, "https://realm.test/two/convert", "default").await;
    let ids = |described: &realmdex_worker::enrich::DescribedTool| {
        described
            .closure
            .modules()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        ids(&one),
        ["@garden/one/convert.mjs", "@garden/one/units.mjs"]
    );
    assert_eq!(ids(&one), ids(&two));
    // The function's name is of the spelling all the same.
    assert_ne!(
        one.outcome.unwrap().function().name,
        two.outcome.unwrap().function().name
    );
}

/// One of two spellings in one closure is loaded once: its state is shared.
#[tokio::test(flavor = "multi_thread")]
async fn one_instance_for_two_spellings() {
    let realm = MadeRealm::new(&[
        ("state.js", "export const state = { count: 0 };"),
        (
            "tool.js",
            "import { state } from './state';
             import { state as again } from 'https://realm.test/made/state.js';
             import { state as packaged } from '@made/realm/state';
             const same = [state === again, state === packaged, again === packaged];
             export const tool = { description: `${same}`, inputSchema: { type: 'object' }, run() {} };",
        ),
    ]);
    let describer = describer(map(&[
        ("@made/realm/", realm.path()),
        (MadeRealm::URL, realm.path()),
    ]));
    for module in ["https://realm.test/made/tool", "@made/realm/tool.js"] {
        assert_eq!(
            outcome(&describer, module, "tool").await["description"],
            "true,true,true"
        );
    }
}

/// Of nested roots the longest serves a file, also one that the outer realm reaches by a relative path.
#[tokio::test(flavor = "multi_thread")]
async fn nested_roots() {
    let nested = format!("{CARDS}fields/");
    let describer = describer(map(&[
        (CARDS, folder("cards")),
        ("@garden/fields/", folder("cards").join("fields")),
        (BASE, folder("base")),
    ]));
    let described = describe(&describer, &format!("{CARDS}tools/shapes"), "NestedTool").await;
    assert!(described.outcome.is_ok());
    let ids: Vec<_> = described
        .closure
        .modules()
        .map(ToString::to_string)
        .collect();
    assert!(
        ids.contains(&"@garden/fields/soil.gts".to_owned()),
        "{ids:?}"
    );
    assert!(!ids.iter().any(|id| id.starts_with(&nested)), "{ids:?}");

    // And from inside out: the nested package's modules reach the outer realm where the folder lies.
    let realm = MadeRealm::new(&[
        ("outer.js", "export const description = 'from outside';"),
        (
            "inner/tool.js",
            "import { description } from '../outer'; export const tool = { description, inputSchema: { type: 'object' }, run() {} };",
        ),
    ]);
    let inside = crate::realms::describer(map(&[
        (MadeRealm::URL, realm.path()),
        ("@made/inner/", realm.path().join("inner")),
    ]));
    let described = describe(&inside, "@made/inner/tool", "tool").await;
    assert_eq!(
        described.outcome.unwrap().function().description.as_deref(),
        Some("from outside")
    );
    let ids: Vec<_> = described
        .closure
        .modules()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        ids,
        ["@made/inner/tool.js", "https://realm.test/made/outer.js"]
    );

    // A package that stands alone has no outside.
    let alone = crate::realms::describer(map(&[("@made/inner/", realm.path().join("inner"))]));
    let message = crate::outcome::error(&alone, "@made/inner/tool", "tool").await;
    assert!(
        message.contains("cannot find module \"../outer\" (imported by @made/inner/tool.js)"),
        "{message}"
    );
}

/// A realm whose URL lies within another's hides that part of it, wherever the files of both are.
#[tokio::test(flavor = "multi_thread")]
async fn a_realm_within_a_realm() {
    let outer = MadeRealm::new(&[
        (
            "tool.js",
            "import { description } from './inner/said'; export const tool = { description, inputSchema: { type: 'object' }, run() {} };",
        ),
        ("inner/said.js", "export const description = 'hidden';"),
    ]);
    let inner = MadeRealm::new(&[
        ("files/said.js", "export { description } from '../outside';"),
        (
            "outside.js",
            "throw new Error('beside the folder, not in a realm')",
        ),
    ]);
    outer.write(
        "outside.js",
        "export const description = 'from the inner realm, by way of the outer one';",
    );
    let within = format!("{}inner/", MadeRealm::URL);
    let describer = describer(map(&[
        (MadeRealm::URL, outer.path()),
        (&within, inner.path().join("files")),
    ]));
    let described = describe(&describer, &format!("{}tool", MadeRealm::URL), "tool").await;
    insta::assert_json_snapshot!(
        json!({"outcome": told(&described), "closure": lines(&described.closure)})
    );
}

/// However a file is spelled, it is one file.
#[tokio::test(flavor = "multi_thread")]
async fn one_identity_for_all_spellings() {
    let files = async |module: &str| describe(&ALL, module, "NothingTool").await.closure.files;
    let plain = files(&format!("{CARDS}tools/shapes")).await;
    for spelling in [
        "tools/./shapes",
        "skills/../tools/shapes",
        "tools/%73hapes",
        "tools/shapes?x",
        "tools/shapes#x",
    ] {
        let spelled = files(&format!("{CARDS}{spelling}")).await;
        let read = |files: &std::collections::BTreeMap<ModuleId, ReadState>| {
            files
                .iter()
                .filter(|(_, state)| matches!(state, ReadState::Read { .. }))
                .map(|(id, _)| id.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(read(&spelled), read(&plain), "{spelling}");
    }
}

/// Extensions in Boxel's order, then ours; a name that has one is looked for as it is.
#[tokio::test(flavor = "multi_thread")]
async fn the_order_of_extensions() {
    let tool = |name: &str| {
        format!(
            "export const tool = {{ description: '{name}', inputSchema: {{ type: 'object' }}, run() {{}} }};"
        )
    };
    let order = [".js", ".gjs", ".ts", ".gts", ".mjs"];
    let realm = MadeRealm::new(&[]);
    for extension in order {
        realm.write(&format!("tool{extension}"), tool(extension));
    }
    for (at, extension) in order.iter().enumerate() {
        let found = outcome(
            &realm.describer(),
            &format!("{}tool", MadeRealm::URL),
            "tool",
        )
        .await;
        assert_eq!(found["description"], *extension);
        let exact = outcome(
            &realm.describer(),
            &format!("{}tool{extension}", MadeRealm::URL),
            "tool",
        )
        .await;
        assert_eq!(exact["description"], *extension);
        fs::remove_file(realm.path().join(format!("tool{extension}"))).unwrap();
        assert!(at + 1 < order.len() || fs::read_dir(realm.path()).unwrap().count() == 0);
    }
    let described = describe(
        &realm.describer(),
        &format!("{}tool", MadeRealm::URL),
        "tool",
    )
    .await;
    assert_eq!(described.closure.files.len(), 7);
    assert!(
        described
            .closure
            .files
            .values()
            .all(|state| *state == ReadState::Absent)
    );
    let described = describe(
        &realm.describer(),
        &format!("{}tool.ts", MadeRealm::URL),
        "tool",
    )
    .await;
    assert_eq!(described.closure.files.len(), 1);
}

/// A closure without running anything, for those who only plan.
#[tokio::test(flavor = "multi_thread")]
async fn a_closure_without_running() {
    let graph = ALL.graph();
    let (closure, loaded) = graph
        .closure_of(&format!("{CARDS}tools/broken/throws-at-import"))
        .await;
    assert!(loaded.is_ok());
    assert_eq!(closure.modules().count(), 1);
    let (closure, loaded) = graph
        .closure_of(&format!("{CARDS}tools/broken/needs-missing-dependency"))
        .await;
    assert!(loaded.unwrap_err().to_string().contains("../rake"));
    assert_eq!(closure.modules().count(), 2);

    let located = graph.locate(&format!("{CARDS}cards/plant")).await.unwrap();
    assert_eq!(located.as_str(), format!("{CARDS}cards/plant.gts"));
    assert_eq!(graph.locate(&format!("{CARDS}cards/weed")).await, None);
}
