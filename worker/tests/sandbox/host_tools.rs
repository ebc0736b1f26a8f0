//! Tools of the host application: by which names they go, and what they reach within the host.

use crate::outcome::{describe, lines, told};
use crate::realms::{ALL, BASE, HOST, describer, folder, map};
use realmdex_worker::modules::PackageMap;
use serde_json::{Value, json};

const OUTCOMES: [&str; 10] = [
    "tools/open-plot#default",
    "commands/open-plot#OpenPlotCommand",
    "tools/patch-plot#default",
    "tools/search-plots#SearchPlotsTool",
    "tools/search-plots.ts#CountPlotsTool",
    "tools/ask-gardener#default",
    "tools/bots/ask-gardener#default",
    "tools/unlisted#default",
    "tools/index#register",
    "lib/host-base-tool#default",
];

#[tokio::test(flavor = "multi_thread")]
async fn tools_go_by_the_name_they_are_registered_under() {
    let mut outcomes = serde_json::Map::new();
    for tool in OUTCOMES {
        let (path, name) = tool.split_once('#').unwrap();
        let described = describe(&ALL, &format!("{HOST}{path}"), name).await;
        outcomes.insert(tool.to_owned(), told(&described));
    }
    insta::assert_json_snapshot!(outcomes);
}

/// `commands` is what `tools` was called: one file, one function name.
#[tokio::test(flavor = "multi_thread")]
async fn both_spellings_are_one_tool() {
    let described =
        async |folder: &str| describe(&ALL, &format!("{HOST}{folder}/open-plot"), "default").await;
    let (tools, commands) = (described("tools").await, described("commands").await);
    assert_eq!(tools.outcome.unwrap(), commands.outcome.unwrap());
    assert_eq!(tools.closure.files, commands.closure.files);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_host_tool_depends_on() {
    let described = describe(&ALL, &format!("{HOST}tools/ask-gardener"), "default").await;
    insta::assert_json_snapshot!(lines(&described.closure));
}

/// A host that publishes only its tools: the base class is then the guest's, and the rest stands in.
#[tokio::test(flavor = "multi_thread")]
async fn only_the_tools_folder_is_mapped() {
    let tools = format!("{HOST}tools/");
    let describer = describer(map(&[
        (&tools, folder("host").join("tools")),
        (BASE, folder("base")),
    ]));
    let mut outcomes = json!({});
    for (module, name) in [
        ("open-plot", "default"),
        ("patch-plot", "default"),
        ("ask-gardener", "default"),
        ("unlisted", "default"),
    ] {
        let part = describe(&describer, &format!("{tools}{module}"), name).await;
        let whole = describe(&ALL, &format!("{tools}{module}"), name).await;
        outcomes[module] = lines(&part.closure);
        match (part.outcome, whole.outcome) {
            // Whatever the host's own modules would have put into the text is a stand-in here.
            (Ok(part), Ok(whole)) => {
                assert_eq!(part.function().parameters, whole.function().parameters)
            }
            (Err(part), Err(whole)) => assert_eq!(part.to_string(), whole.to_string()),
            (part, whole) => panic!("{module}: {part:?} is not {whole:?}"),
        }
    }
    insta::assert_json_snapshot!(outcomes);
}

/// Without any host, its tools are not there: nothing stands in for a tool.
#[tokio::test(flavor = "multi_thread")]
async fn no_host_is_mapped() {
    let describer = describer(map(&[(BASE, folder("base"))]));
    let mut messages = Vec::new();
    for module in [
        "tools/open-plot",
        "commands/open-plot",
        "lib/host-base-tool",
    ] {
        messages.push(told(
            &describe(&describer, &format!("{HOST}{module}"), "default").await,
        ));
    }
    insta::assert_json_snapshot!(messages);
}

/// An index that can't be read hides no tool: the file is then looked for by its own name.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_without_an_index() {
    let bots = format!("{HOST}tools/");
    let describer = describer(map(&[
        (&bots, folder("host").join("tools/bots")),
        (BASE, folder("base")),
    ]));
    let described = describe(&describer, &format!("{bots}ask-gardener"), "default").await;
    let message: Value = told(&described);
    // It is found, and then lacks what it imports.
    insta::assert_json_snapshot!(json!({"outcome": message, "closure": lines(&described.closure)}));
}

/// An alias leads from one prefix to another; a root of just that prefix is nearer than the alias.
#[tokio::test(flavor = "multi_thread")]
async fn aliases() {
    let aliased = |builder: realmdex_worker::modules::PackageMapBuilder| {
        builder.alias("@old/host/", HOST).unwrap()
    };
    let roots = |extra: &[(&str, std::path::PathBuf)]| -> PackageMap {
        let mut builder = aliased(PackageMap::builder());
        for (prefix, folder) in [(HOST, folder("host")), (BASE, folder("base"))]
            .iter()
            .chain(extra)
        {
            builder = crate::realms::mapped(builder, prefix, folder);
        }
        builder.build()
    };
    let old = describer(roots(&[]));
    let described = describe(&old, "@old/host/commands/open-plot", "default").await;
    assert_eq!(
        described.outcome.unwrap().function().parameters["properties"]["attributes"]["required"],
        json!(["plotIdentifier"])
    );
    let ids: Vec<_> = described
        .closure
        .modules()
        .map(ToString::to_string)
        .collect();
    assert!(
        ids.contains(&format!("{HOST}tools/open-plot.ts")),
        "{ids:?}"
    );

    let own = describer(roots(&[("@old/host/", folder("plain"))]));
    let described = describe(&own, "@old/host/table", "nothing").await;
    assert_eq!(
        described.outcome.unwrap().function().description.as_deref(),
        Some("Takes nothing.")
    );
    let ids: Vec<_> = described
        .closure
        .modules()
        .map(ToString::to_string)
        .collect();
    assert_eq!(ids, ["@old/host/table.ts"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_circle_of_aliases_ends() {
    let packages = PackageMap::builder()
        .alias("@a/", "@b/")
        .unwrap()
        .alias("@b/", "@a/")
        .unwrap()
        .build();
    let described = describe(&describer(packages), "@a/tool", "default").await;
    assert!(
        described
            .outcome
            .unwrap_err()
            .to_string()
            .contains("not mapped")
    );
}
