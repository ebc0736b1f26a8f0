//! `realmdex init`, as its users call it.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod running;

use std::fs;

use running::{Said, realmdex_in};

#[test]
fn a_new_realm_is_clean() {
    for kind in ["plain", "boxel"] {
        let folder = tempfile::tempdir().unwrap();
        let Said { code, text, errors } =
            realmdex_in(folder.path(), &["init", "acme", "--kind", kind]);
        assert_eq!((code, errors.as_str()), (0, ""));
        insta::assert_snapshot!(format!("made_{kind}"), text);
        // What it says comes next works.
        let next = text
            .lines()
            .filter_map(|line| line.strip_prefix("  realmdex "));
        let mut ran = 0;
        for command in next {
            let arguments: Vec<&str> = command.split(' ').collect();
            let Said { code, text, errors } = realmdex_in(folder.path(), &arguments);
            assert_eq!((code, errors.as_str()), (0, ""), "{command}: {text}");
            ran += 1;
        }
        assert_eq!(ran, 2);
        let checked = realmdex_in(folder.path(), &["check", "acme"]);
        assert!(
            checked
                .text
                .starts_with("5 files, 1 skill, 1 tool stamped, 0 findings"),
            "{checked:?}"
        );
    }
}

#[test]
fn programs_are_told_what_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let Said { code, text, errors } = realmdex_in(folder.path(), &["init", "acme", "--json"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    let made: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&made["folder"], &made["next"][0]),
        (&"acme".into(), &"realmdex check acme".into())
    );
    for file in made["files"].as_array().unwrap() {
        assert!(
            folder
                .path()
                .join("acme")
                .join(file.as_str().unwrap())
                .is_file(),
            "{file}"
        );
    }
}

#[test]
fn nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("README.md"), "mine").unwrap();
    fs::write(folder.path().join("realm.json"), "{}").unwrap();
    let Said { code, text, errors } = realmdex_in(folder.path(), &["init"]);
    assert_eq!((code, text.as_str()), (2, ""));
    assert!(
        errors.contains("  ./realm.json\n  ./README.md\n"),
        "{errors}"
    );
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 2);
    assert_eq!(
        fs::read_to_string(folder.path().join("README.md")).unwrap(),
        "mine"
    );
}
