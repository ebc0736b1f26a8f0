//! What holds for every verb.

use clap::{Command, CommandFactory};

/// Verbs without `--json`, and why.
const WITHOUT_JSON: [(&str, &str); 6] = [
    (
        "up",
        "a role: it goes on until it is told to stop, and answers nothing",
    ),
    ("scheduler", "a role"),
    ("worker", "a role"),
    ("completions", "a script for a shell"),
    ("man", "pages for `man`"),
    ("compile-wasm", "only realmdex itself calls it"),
];

/// Every verb that does something, with the words that call it.
fn verbs() -> Vec<(String, Command)> {
    fn below(path: &str, command: &Command, found: &mut Vec<(String, Command)>) {
        for verb in command.get_subcommands() {
            let path = format!("{path} {}", verb.get_name());
            if verb.has_subcommands() {
                below(&path, verb, found);
            } else {
                found.push((path.trim_start().to_owned(), verb.clone()));
            }
        }
    }
    let mut found = Vec::new();
    below("", &crate::Cli::command(), &mut found);
    found
}

fn has(verb: &Command, flag: &str) -> bool {
    verb.get_arguments()
        .any(|argument| argument.get_long() == Some(flag))
}

#[test]
fn the_command_line_is_sound() {
    crate::Cli::command().debug_assert();
}

#[test]
fn every_answer_is_for_programs_too() {
    for (path, verb) in verbs() {
        let is_excused = WITHOUT_JSON.iter().any(|(excused, _)| *excused == path);
        assert_eq!(has(&verb, "json"), !is_excused, "{path}");
        let flag = verb
            .get_arguments()
            .find(|argument| argument.get_long() == Some("json"));
        if let Some(flag) = flag {
            assert!(!flag.get_action().takes_values(), "{path}");
        }
    }
    for (excused, _) in WITHOUT_JSON {
        assert!(verbs().iter().any(|(path, _)| path == excused), "{excused}");
    }
}

#[test]
fn every_verb_has_examples() {
    for (path, verb) in verbs() {
        if verb.is_hide_set() {
            continue;
        }
        let help = verb
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(help.contains("Example"), "{path}: {help}");
        assert!(
            help.contains(&format!("\n  realmdex {path}")),
            "{path}: {help}"
        );
        if has(&verb, "server") {
            assert!(help.contains("--server http"), "{path}: {help}");
        }
    }
}

/// Whoever may ask a server may say with what token, and whoever reads an index may ask one.
#[test]
fn servers_are_asked_alike() {
    for (path, verb) in verbs() {
        assert_eq!(has(&verb, "server"), has(&verb, "token-file"), "{path}");
    }
    for path in ["show", "errors", "export", "why", "verify"] {
        let (_, verb) = verbs()
            .into_iter()
            .find(|(other, _)| other == path)
            .unwrap();
        assert!(has(&verb, "server"), "{path}");
    }
}
