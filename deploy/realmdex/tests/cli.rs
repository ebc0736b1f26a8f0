//! The binary as its users call it.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod running;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
fn realmdex(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn command(arguments: &[&str]) -> Command {
    running::command(running::REALMS, arguments)
}

fn said(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn describes_a_tool_for_people_and_as_json() {
    let (code, text, errors) = said(&realmdex(&["describe", "demo/skills/weather/forecast.gts"]));
    assert_eq!((code, errors.as_str()), (0, ""));
    insta::assert_snapshot!("describe", text);
    let (code, json, _) = said(&realmdex(&[
        "describe",
        "demo/skills/weather/forecast.gts",
        "--json",
    ]));
    assert_eq!(code, 0);
    let definition: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        definition["function"]["parameters"]["required"],
        serde_json::json!(["attributes", "description"])
    );
}

#[test]
fn prints_a_closure_with_what_was_looked_for() {
    let (code, text, _) = said(&realmdex(&[
        "describe",
        "https://acme.test/skills/weather/forecast",
        "--map",
        "https://acme.test/=demo",
        "--closure",
    ]));
    assert_eq!(code, 0);
    let kinds: Vec<(&str, &str)> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .map(|words| (words[0], words[1]))
        .collect();
    let forecast = "https://acme.test/skills/weather/forecast";
    let expected = [
        ("absent", ""),
        ("absent", ".gjs"),
        ("read", ".gts"),
        ("absent", ".js"),
        ("absent", ".ts"),
    ];
    assert_eq!(
        kinds,
        expected
            .map(|(kind, extension)| (kind, format!("{forecast}{extension}")))
            .each_ref()
            .map(|(kind, id)| (*kind, id.as_str()))
    );
}

#[test]
fn a_missing_export_is_a_failure_with_its_reason() {
    let (code, text, errors) = said(&realmdex(&[
        "describe",
        "demo/skills/weather/forecast.gts",
        "Nope",
    ]));
    assert_eq!((code, text.as_str()), (1, ""));
    assert!(
        errors.contains("module does not export a tool class named \"Nope\""),
        "{errors}"
    );
}

#[test]
fn extracts_a_skill_with_its_tools_stamped() {
    let (code, json, _) = said(&realmdex(&["extract", "demo/skills/weather/SKILL.md"]));
    assert_eq!(code, 0);
    insta::assert_snapshot!("extract", json);
}

#[test]
fn the_url_decides_the_function_names() {
    let named = |arguments: &[&str]| {
        let (_, json, _) = said(&realmdex(arguments));
        let document: Value = serde_json::from_str(&json).unwrap();
        document["data"]["attributes"]["frontmatter"]["tools"][0].clone()
    };
    let file = "demo/skills/weather/SKILL.md";
    let local = named(&["extract", file]);
    let served = named(&[
        "extract",
        file,
        "--url",
        "https://acme.test/realm/skills/weather/SKILL.md",
    ]);
    assert_eq!(
        served["codeRef"]["module"],
        "https://acme.test/realm/skills/weather/forecast"
    );
    assert_ne!(local["functionName"], served["functionName"]);
    assert_eq!(
        local["definition"]["function"]["parameters"],
        served["definition"]["function"]["parameters"]
    );
}

#[test]
fn findings_are_told_by_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let skill = folder.path().join("SKILL.md");
    std::fs::write(
        &skill,
        "---\nname: a\ndescription: Use when: it rains\n---\nBody\n",
    )
    .unwrap();
    let (code, json, _) = said(&realmdex(&["extract", skill.to_str().unwrap()]));
    let document: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(code, 1);
    assert_eq!(document["findings"]["frontmatterParseError"]["line"], 2);
}

#[test]
fn a_wasm_tool_is_compiled_by_a_child_process() {
    let codes = [
        ("wasm/text-length.wasm", 1, "leave the extension out"),
        (
            "demo/realm.json",
            1,
            "not a JavaScript or TypeScript module",
        ),
    ];
    for (file, expected, reason) in codes {
        let (code, _, errors) = said(&realmdex(&["describe", file]));
        assert_eq!(code, expected, "{errors}");
        assert!(errors.contains(reason), "{errors}");
    }
    let (code, text, errors) = said(&realmdex(&[
        "describe",
        "https://acme.test/text-length",
        "--map",
        "https://acme.test/=wasm",
    ]));
    assert_eq!(code, 0, "{errors}");
    assert!(
        text.contains("text (string, required): The text to measure"),
        "{text}"
    );

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.wasm"), b"not wasm").unwrap();
    let map = format!("https://acme.test/={}", folder.path().display());
    let (code, _, errors) = said(&realmdex(&[
        "describe",
        "https://acme.test/broken",
        "--map",
        &map,
    ]));
    assert_eq!(code, 1);
    assert!(
        errors.contains("the wasm tool can't be compiled: "),
        "{errors}"
    );
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn wrong_arguments_say_the_mend() {
    for (arguments, mend) in [
        (
            &["describe", "@acme/x", "--map", "nonsense"][..],
            "--map @acme/tools/=../tools",
        ),
        (
            &["describe", "@acme/x", "--map", "@acme/=no-such-folder"],
            "no-such-folder is no folder",
        ),
        (
            &["describe", "@acme/x", "--alias", "=x"],
            "--alias @acme/tools/=../tools",
        ),
        (&["extract", "no-such-file.md"], "no-such-file.md"),
        (&["conformance", "no-such-file.json"], "no-such-file.json"),
        (
            &["describe", "demo/tools/words.js", "--log", "==="],
            "e.g. `info`",
        ),
        (
            &["describe", "@acme/x", "--limit", "gest-time=2s"],
            "there is no limit \"gest-time\": the limits are guest-time, memory",
        ),
        (
            &["describe", "@acme/x", "--limit", "memory=5GiB"],
            "between 16 MiB and 4 GiB",
        ),
    ] {
        let (code, text, errors) = said(&realmdex(arguments));
        assert_eq!((code, text.as_str()), (2, ""), "{arguments:?}");
        assert!(errors.contains(mend), "{errors}");
    }
    let (code, _, errors) = said(&realmdex(&["describe", "@acme/tools/x"]));
    assert_eq!(code, 1);
    assert!(
        errors.contains("add --map @acme/tools/=FOLDER_OR_URL"),
        "{errors}"
    );
}

/// Each limit by its name: set so low that it is reached, and told in the message.
#[test]
fn limits_are_set_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
    let plain = "export default { description: 'd', inputSchema: { type: 'object' }, run() {} };";
    write("realm.json", "{}");
    write("plain.js", plain);
    write("loops.js", "for (;;);");
    write("recurses.js", "const down = () => down() + 1; down();");
    write(
        "bomb.js",
        "const all = []; for (;;) all.push(new Uint8Array(1e5));",
    );
    write(
        "imports.js",
        &format!("import './plain.js'; import './loops.js'; {plain}"),
    );
    std::fs::copy(
        Path::new(running::REALMS).join("wasm/text-length.wasm"),
        folder.path().join("counts.wasm"),
    )
    .unwrap();
    for (file, limit, message) in [
        (
            "loops.js",
            "guest-time=5ms",
            "longer than 50 ms of computing",
        ),
        ("bomb.js", "memory=20MiB", "more than 20 MiB of memory"),
        ("recurses.js", "stack=256KiB", "more than 256 KiB of stack"),
        ("plain", "definition=10", "more than the limit of 10"),
        ("plain", "module=10", "10 bytes"),
        ("imports", "modules=1", "the limit of 1 modules"),
        (
            "imports",
            "closure=100B",
            "the limit of 100 bytes of source",
        ),
        ("imports", "lookups=1", "more than 1 imports"),
        ("counts", "component=100", "100 bytes"),
    ] {
        let module = format!("https://acme.test/{file}");
        let map = format!("https://acme.test/={}", folder.path().display());
        let (code, _, errors) = said(&realmdex(&[
            "describe", &module, "--map", &map, "--limit", limit,
        ]));
        assert_eq!(code, 1, "{limit}: {errors}");
        assert!(errors.contains(message), "{limit}: {errors}");

        let (_, _, same) = said(
            &command(&["describe", &module, "--map", &map])
                .env("REALMDEX_LIMITS", format!("instances=2,{limit}"))
                .output()
                .unwrap(),
        );
        assert_eq!(same, errors, "{limit}: from the environment");
    }

    let module = folder.path().join("plain.js");
    let in_environment = |arguments: &[&str], limits: &str| {
        let mut all = vec!["describe", module.to_str().unwrap()];
        all.extend(arguments);
        said(
            &command(&all)
                .env("REALMDEX_LIMITS", limits)
                .output()
                .unwrap(),
        )
    };
    // Of two limits that would be reached, the one that the command line sets otherwise is not.
    let wins = ["--limit", "definition=1KiB"];
    let (_, _, errors) = in_environment(&wins, "definition=10");
    assert!(
        !errors.contains("limit of 10"),
        "the command line wins: {errors}"
    );
    let (code, _, errors) = in_environment(&[], "modules=none");
    assert_eq!(code, 2);
    assert!(errors.contains("REALMDEX_LIMITS"), "{errors}");
    assert!(errors.contains("write a whole number"), "{errors}");
}

/// What the child process needs to know of the limits, it is told.
#[test]
fn a_wasm_tool_is_compiled_under_the_same_limits() {
    let (code, text, errors) = said(&realmdex(&[
        "describe",
        "https://acme.test/text-length",
        "--map",
        "https://acme.test/=wasm",
        "--limit",
        "memory=16MiB,instances=1,component=20MiB,stack=128KiB",
    ]));
    assert_eq!(code, 0, "{text}{errors}");
}

#[test]
fn the_help_lists_each_limit() {
    let (code, text, _) = said(&realmdex(&["describe", "--help"]));
    assert_eq!(code, 0);
    insta::assert_snapshot!("help", text);
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let mut child = command(&["extract", "demo/skills/weather/SKILL.md"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[test]
fn conformance_reads_each_form_of_expectation() {
    for (file, arguments, summary) in [
        (
            "definitions.json",
            &["--map", "https://acme.test/=demo"][..],
            "identical 2/2",
        ),
        (
            "skill.json",
            &["--map", "https://acme.test/=demo"],
            "identical 4/4",
        ),
        ("markdown.json", &["--root", "markdown"], "identical 1/1"),
        (
            "closures.json",
            &["--map", "https://acme.test/=demo"],
            "identical 1/1",
        ),
    ] {
        let expectation = Path::new(TESTS).join("expectations").join(file);
        let mut all = vec!["conformance", expectation.to_str().unwrap()];
        all.extend(arguments);
        let (code, text, errors) = said(&realmdex(&all));
        assert_eq!(
            (code, text.trim_end().lines().last()),
            (0, Some(summary)),
            "{file}: {text}{errors}"
        );
    }
}

#[test]
fn conformance_tells_each_difference() {
    let expectation = Path::new(TESTS).join("expectations/wrong.json");
    let (code, text, _) = said(&realmdex(&[
        "conformance",
        expectation.to_str().unwrap(),
        "--map",
        "https://acme.test/=demo",
    ]));
    assert_eq!(code, 1);
    insta::assert_snapshot!("conformance", text);
    let (code, json, _) = said(&realmdex(&[
        "conformance",
        expectation.to_str().unwrap(),
        "--map",
        "https://acme.test/=demo",
        "--json",
    ]));
    assert_eq!(code, 1);
    let tally: Value = serde_json::from_str(&json).unwrap();
    let last = format!("identical {}/{}", tally["identical"], tally["total"]);
    assert_eq!(text.lines().last(), Some(last.as_str()));
    let first = tally["different"][0]["title"].as_str().unwrap();
    assert_eq!(text.lines().next(), Some(first));
}
