//! What shells and `man` are given.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod running;

use std::fs;
use std::process::Command;

use running::{realmdex, realmdex_in};

#[test]
fn every_shell_has_a_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = realmdex(&["completions", shell]);
        assert_eq!((said.code, said.errors.as_str()), (0, ""), "{shell}");
        for word in ["show", "errors", "reindex", "completions", "token-file"] {
            assert!(said.text.contains(word), "{shell}: {word}");
        }
        assert!(!said.text.contains("compile-wasm"), "{shell}");
    }
    let said = realmdex(&["completions", "sh"]);
    assert_eq!(said.code, 2);
    assert!(said.errors.contains("possible values"), "{}", said.errors);
}

/// What bash offers after some words.
fn offered(script: &std::path::Path, words: &[&str]) -> String {
    let (last, before) = words.split_last().unwrap();
    let line = format!(
        "source {} && COMP_WORDS=({}) && COMP_CWORD={} && _realmdex realmdex '{last}' '{}' && echo \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.join(" "),
        before.len(),
        before.last().unwrap(),
    );
    let output = Command::new("bash").args(["-euc", &line]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bash_completes_verbs_and_flags() {
    if Command::new("bash").arg("--version").output().is_err() {
        eprintln!("there is no bash here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("realmdex.bash");
    fs::write(&script, realmdex(&["completions", "bash"]).text).unwrap();
    assert_eq!(offered(&script, &["realmdex", "expo"]), "export\n");
    assert_eq!(offered(&script, &["realmdex", "jobs", "canc"]), "cancel\n");
    assert_eq!(
        offered(&script, &["realmdex", "show", "--serv"]),
        "--server\n"
    );
}

#[test]
fn man_has_a_page_for_each_verb() {
    let folder = tempfile::tempdir().unwrap();
    let page = realmdex(&["man"]);
    assert_eq!((page.code, page.errors.as_str()), (0, ""));
    assert!(page.text.contains(".TH realmdex 1"), "{}", page.text);
    assert!(page.text.contains("realmdex\\-show(1)"), "{}", page.text);
    let said = realmdex_in(folder.path(), &["man", "--out", "man1"]);
    assert_eq!((said.code, said.text.as_str()), (0, ""), "{}", said.errors);
    for name in ["realmdex", "realmdex-why", "realmdex-realms-rights"] {
        let page = fs::read_to_string(folder.path().join(format!("man1/{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
    }
    let show = fs::read_to_string(folder.path().join("man1/realmdex-show.1")).unwrap();
    assert!(
        show.contains(".SH EXAMPLES\n.nf\nExamples:\n  realmdex show skills/weather/SKILL.md\n"),
        "{show}"
    );
    let in_the_way = folder.path().join("man1/realmdex.1/x");
    let said = realmdex(&["man", "--out", in_the_way.to_str().unwrap()]);
    assert_eq!(said.code, 2);
    assert!(said.errors.contains("making the folder"), "{}", said.errors);
}
