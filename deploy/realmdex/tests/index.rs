//! `realmdex index` and what reads the index, on the embedded database, as a person would use them.
#![cfg(feature = "embedded")]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod running;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use running::{EXAMPLE, REPOSITORY, Said, realmdex_in};

/// A copy of the example realm, and a folder for its index.
struct Copied {
    realm: TempDir,
    data: TempDir,
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (from, name) = {
            let entry = entry.unwrap();
            (entry.path(), entry.file_name())
        };
        let to = to.join(name);
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, to).unwrap();
        }
    }
}

impl Copied {
    fn new() -> Self {
        let copied = Self {
            realm: TempDir::new().unwrap(),
            data: TempDir::new().unwrap(),
        };
        copy(&Path::new(REPOSITORY).join(EXAMPLE), copied.realm.path());
        copied
    }

    fn run(&self, arguments: &[&str]) -> Said {
        let data = self.data.path().to_str().unwrap();
        let mut all = arguments.to_vec();
        all.extend(["--data", data]);
        realmdex_in(self.realm.path().to_str().unwrap(), &all)
    }

    /// An index run; answers what it says to programs.
    fn index(&self) -> Value {
        let said = self.run(&["index", "--json"]);
        assert_eq!(said.code, 0, "{}", said.errors);
        let verified = self.run(&["verify"]);
        assert_eq!(verified.code, 0, "{}", verified.text);
        serde_json::from_str(&said.text).unwrap()
    }

    fn path(&self, path: &str) -> PathBuf {
        self.realm.path().join(path)
    }
}

fn computed(outcome: &Value) -> Vec<&str> {
    let computed = outcome["files"]["computed"].as_array().unwrap();
    computed.iter().map(|path| path.as_str().unwrap()).collect()
}

const NOTHING: [&str; 0] = [];

#[test]
fn what_changed_is_done_again_and_nothing_else() {
    let copied = Copied::new();
    let first = copied.index();
    assert_eq!(
        first["files"]["indexed"],
        first["files"]["computed"].as_array().unwrap().len()
    );
    assert_eq!(computed(&copied.index()), NOTHING);

    let table = copied.path("tools/units/table.js");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, format!("{text}\n// touched\n")).unwrap();
    let edited = copied.index();
    assert!(computed(&edited).contains(&"tools/units/table.js"));
    let skills: Vec<_> = computed(&edited)
        .into_iter()
        .filter(|path| path.ends_with(".md"))
        .collect();
    let users: Vec<_> = copied
        .run(&["why", "tools/units/table.js"])
        .text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("https://realm.local/"))
        .filter(|path| path.ends_with(".md"))
        .map(str::to_owned)
        .collect();
    assert!(!users.is_empty());
    assert_eq!(skills, users);

    // What a broken tool misses.
    fs::write(
        copied.path("skills/stock-count/suppliers.js"),
        "export const suppliers = ['a'];",
    )
    .unwrap();
    let mended = copied.index();
    assert_eq!(
        computed(&mended),
        [
            "skills/stock-count/SKILL.md",
            "skills/stock-count/suppliers.js"
        ]
    );
    fs::remove_file(copied.path("skills/stock-count/suppliers.js")).unwrap();
    assert_eq!(computed(&copied.index()), ["skills/stock-count/SKILL.md"]);
    assert_eq!(computed(&copied.index()), NOTHING);
}

#[test]
fn the_index_is_read() {
    let copied = Copied::new();
    let said = copied.run(&["index"]);
    assert_eq!(said.code, 0, "{}", said.errors);
    assert!(
        said.text.contains("\nrealm     https://realm.local/\n"),
        "{}",
        said.text
    );
    assert_eq!(
        copied.run(&["index", "--strict"]).code,
        1,
        "there is a finding"
    );

    let errors = copied.run(&["errors"]);
    assert_eq!(errors.code, 1);
    assert!(
        errors
            .text
            .contains("cannot find module \"./suppliers.js\""),
        "{}",
        errors.text
    );

    let shown = copied.run(&["show", "skills/stock-count/SKILL.md"]);
    assert_eq!(shown.code, 0, "{}", shown.errors);
    assert!(shown.text.contains("has no definition"), "{}", shown.text);
    let shown = copied.run(&["show", "skills/stock-count/SKILL.md", "--json"]);
    let document: Value = serde_json::from_str(&shown.text).unwrap();
    assert_eq!(document["data"]["type"], "file-meta");
    assert_eq!(document["data"]["meta"]["realmURL"], "https://realm.local/");

    let exported = copied.run(&["export", "--format", "mcp"]);
    let definitions: Value = serde_json::from_str(&exported.text).unwrap();
    let definitions = definitions.as_array().unwrap();
    assert!(definitions.len() > 10);
    assert!(
        definitions
            .iter()
            .all(|one| one["inputSchema"]["type"] == "object")
    );

    let why = copied.run(&["why", "skills/stock-count/SKILL.md"]);
    assert!(why.text.contains("suppliers.js  absent"), "{}", why.text);
}

/// The same realm elsewhere has the same names.
#[test]
fn names_do_not_depend_on_where_a_checkout_lies() {
    let [one, other] = [Copied::new(), Copied::new()].map(|copied| {
        copied.index();
        copied.run(&["export"]).text
    });
    assert_eq!(one, other);
}

#[test]
fn what_is_not_there_is_told() {
    let copied = Copied::new();
    copied.index();
    for (arguments, expected) in [
        (
            vec!["show", "nothing.md"],
            "nothing.md is not in the index of https://realm.local/",
        ),
        (vec!["show", "."], "is a realm: name a file of it"),
        (vec!["index", "nowhere"], "nowhere is no folder"),
        (
            vec!["index", "README.md"],
            "README.md is a file: give the folder of its realm",
        ),
        (vec!["errors", "/"], "/ is in no realm of this index"),
        (
            vec!["export", "--skill", "x"],
            "x is no skill with tools in https://realm.local/",
        ),
    ] {
        let said = copied.run(&arguments);
        assert_eq!(said.code, 2, "{arguments:?}");
        assert!(
            said.errors.contains(expected),
            "{arguments:?}: {}",
            said.errors
        );
    }
    let said = realmdex_in(
        copied.realm.path().to_str().unwrap(),
        &["index", "--database", "postgres://127.0.0.1:1/nothing"],
    );
    assert_eq!(said.code, 2);
    assert!(
        said.errors
            .contains("can't connect to the index's database"),
        "{}",
        said.errors
    );
}

#[test]
fn another_folder_for_the_same_url_is_refused() {
    let (copied, other) = (Copied::new(), Copied::new());
    copied.index();
    let there = other.realm.path().to_str().unwrap();
    let said = copied.run(&["index", there]);
    assert_eq!(said.code, 2);
    assert!(
        said.errors.contains("give this realm another --url"),
        "{}",
        said.errors
    );
    let said = copied.run(&["index", there, "--url", "https://realm.test/other/"]);
    assert_eq!(said.code, 0, "{}", said.errors);
    // Both are there.
    assert_eq!(copied.run(&["verify", "--all"]).code, 0);
    assert!(
        copied
            .run(&["show", "README.md"])
            .text
            .contains("https://realm.local/README.md")
    );
    let shown = copied.run(&["show", other.path("README.md").to_str().unwrap()]);
    assert!(
        shown.text.contains("https://realm.test/other/README.md"),
        "{}",
        shown.text
    );
}

/// The second of two processes on one data folder says so and ends.
#[test]
fn a_data_folder_has_one_owner() {
    let copied = Copied::new();
    copied.index();
    let data = copied.data.path().to_str().unwrap();
    let folder = copied.realm.path();
    let run = move || {
        Command::new(env!("CARGO_BIN_EXE_realmdex"))
            .args(["index", "--force", "--data", data])
            .current_dir(folder)
            .output()
    };
    let outputs: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..6).map(|_| scope.spawn(run)).collect();
        running
            .into_iter()
            .map(|one| one.join().unwrap().unwrap())
            .collect()
    });
    let (done, refused): (Vec<_>, Vec<_>) =
        outputs.iter().partition(|output| output.status.success());
    assert!(!done.is_empty());
    for output in refused {
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2));
        assert!(said.contains("is in use by another realmdex"), "{said}");
    }
    assert_eq!(copied.run(&["verify"]).code, 0);
}
