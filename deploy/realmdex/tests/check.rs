//! `realmdex check`, as its users call it.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod running;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use realmdex_types::{CodeRef, function_name};
use serde_json::Value;

use running::{EXAMPLE, REPOSITORY, Said, realmdex, realmdex_in};

/// What is said, without the time it took.
fn timeless(text: &str) -> String {
    text.lines()
        .map(|line| match line.rsplit_once(" (") {
            Some((counts, time)) if time.ends_with(" s)") => format!("{counts}\n"),
            _ => format!("{line}\n"),
        })
        .collect()
}

fn write(folder: &Path, path: &str, text: &str) {
    let file = folder.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

#[test]
fn the_example_has_one_finding() {
    let Said { code, text, errors } = realmdex_in(REPOSITORY, &["check", EXAMPLE]);
    assert_eq!((code, errors.as_str()), (1, ""));
    insta::assert_snapshot!("example", timeless(&text));
}

#[test]
fn github_gets_annotations_where_the_checkout_is() {
    let arguments = ["check", EXAMPLE, "--format", "github"];
    let Said { code, text, errors } = realmdex_in(REPOSITORY, &arguments);
    assert_eq!(code, 1);
    let place = format!("::error file={EXAMPLE}/skills/stock-count/SKILL.md,line=9,col=26,title=");
    assert!(text.starts_with(&place), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    // What it looked at is said, but not among the annotations.
    assert!(errors.contains("12 skills"), "{errors}");
}

#[test]
fn sarif_and_json_name_the_same_place() {
    let read = |format: &str| -> Value {
        let said = realmdex_in(REPOSITORY, &["check", EXAMPLE, "--format", format]);
        assert_eq!(said.code, 1);
        serde_json::from_str(&said.text).unwrap()
    };
    let (sarif, json) = (read("sarif"), read("json"));
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        place["artifactLocation"]["uri"],
        json["files"][0]["path"].as_str().unwrap()
    );
    assert_eq!(
        place["region"]["startLine"],
        json["files"][0]["findings"][0]["line"]
    );
}

#[test]
fn files_are_checked_within_their_realm() {
    let clean = format!("{EXAMPLE}/skills/invoices/SKILL.md");
    let broken = format!("{EXAMPLE}/skills/stock-count/SKILL.md");
    let module = format!("{EXAMPLE}/tools/text.js");
    let Said { code, text, errors } = realmdex_in(REPOSITORY, &["check", &clean, &module]);
    assert_eq!((code, errors.as_str()), (0, ""), "{text}");
    assert_eq!(
        timeless(&text),
        "2 files, 1 skill, 3 tools stamped, 0 findings\n"
    );
    let Said { code, text, .. } = realmdex_in(REPOSITORY, &["check", &clean, &broken]);
    assert_eq!(code, 1);
    assert!(text.starts_with(&format!("{broken}\n")), "{text}");
    assert!(
        timeless(&text).ends_with("2 files, 2 skills, 4 of 5 tools stamped, 1 finding\n"),
        "{text}"
    );
}

#[test]
fn findings_of_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    let realm = folder.path();
    write(realm, "README.md", "# Plain\n");
    write(
        realm,
        "skills/yaml/SKILL.md",
        "---\nname: a\ndescription: Use when: it rains\n---\nBody\n",
    );
    write(
        realm,
        "skills/named/SKILL.md",
        "---\nname: Other Name\ndescription: A skill.\n---\nBody\n",
    );
    let Said { code, text, .. } = realmdex_in(realm, &["check"]);
    assert_eq!(code, 1);
    insta::assert_snapshot!("findings", timeless(&text));
}

#[test]
fn tools_that_share_a_function_name_are_told() {
    let (one, other) = colliding();
    let folder = tempfile::tempdir().unwrap();
    let realm = folder.path();
    for (skill, module) in [("one", &one), ("other", &other)] {
        write(
            realm,
            &format!("tools/{module}.js"),
            "export const go = { description: 'Goes', inputSchema: { type: 'object', properties: {} }, run() {} };\n",
        );
        write(
            realm,
            &format!("skills/{skill}/SKILL.md"),
            &format!(
                "---\nname: {skill}\ndescription: Goes.\nboxel:\n  kind: skill\n  tools:\n    - codeRef: {{ module: ../../tools/{module}, name: go }}\n---\n"
            ),
        );
    }
    let Said { code, text, .. } = realmdex_in(realm, &["check", "--format", "json"]);
    assert_eq!(code, 1);
    let report: Value = serde_json::from_str(&text).unwrap();
    let files = report["files"].as_array().unwrap();
    assert_eq!(files.len(), 2);
    for (file, other) in files.iter().zip([other, one]) {
        let finding = &file["findings"][0];
        assert_eq!(finding["kind"], "function-name-collision");
        assert_eq!(finding["line"], 7);
        let message = finding["message"].as_str().unwrap();
        assert!(
            message.contains(&format!("https://realm.local/tools/{other}#go")),
            "{message}"
        );
    }
    // One of them alone collides with nothing.
    assert_eq!(
        realmdex_in(realm, &["check", "skills/one"]).code,
        1,
        "its tool is outside of that realm"
    );
    write(realm, "realm.json", "{}");
    assert_eq!(
        realmdex_in(realm, &["check", "skills/one/SKILL.md"]).code,
        0
    );
}

/// Two modules whose exports `go` share a function name: of some hundred names, four hex digits bring two together.
fn colliding() -> (String, String) {
    let mut seen = HashMap::new();
    for number in 0.. {
        let module = format!("tool{number:x}");
        let code_ref = CodeRef {
            module: format!("https://realm.local/tools/{module}"),
            name: "go".into(),
        };
        if let Some(other) = seen.insert(function_name(&code_ref), module.clone()) {
            return (other, module);
        }
    }
    unreachable!()
}

#[test]
fn what_can_not_be_checked_is_no_finding() {
    for (arguments, reason) in [
        (
            &["check", "no-such-folder"][..],
            "can't look at no-such-folder",
        ),
        (&["check", ".", "--url", "nonsense"], "is not a URL"),
        (&["check", ".", "--map", "x"], "--map @acme/tools/=../tools"),
        (
            &["check", "demo", "cards", "--url", "https://acme.test/"],
            "check them one by one",
        ),
    ] {
        let Said { code, text, errors } = realmdex(arguments);
        assert_eq!((code, text.as_str()), (2, ""), "{arguments:?}");
        assert!(errors.contains(reason), "{errors}");
    }
}
