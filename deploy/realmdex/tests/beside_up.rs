//! `realmdex up` on its embedded index, and the other commands while it has that: they find it without being told.
#![cfg(feature = "embedded")]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod running;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use running::{Said, command, run};

/// A folder with two realms, `one` and `two`, each with a skill, and a home for indexes.
struct Place(TempDir);

/// A `realmdex up` that runs.
struct Up<'a> {
    place: &'a Place,
    process: Child,
}

impl Place {
    fn new() -> Self {
        let place = Self(TempDir::new().unwrap());
        for realm in ["one", "two"] {
            let skill = place.path(realm).join("skills/words");
            fs::create_dir_all(&skill).unwrap();
            fs::write(
                skill.join("SKILL.md"),
                "---\nname: words\ndescription: Counts words.\nboxel:\n  kind: skill\n  tools:\n    - codeRef: { module: ./words.js, name: count }\n    - codeRef: { module: ./none.js, name: none }\n---\nText\n",
            )
            .unwrap();
            fs::write(
                skill.join("words.js"),
                "export const count = { description: 'Counts', inputSchema: { type: 'object' }, run: () => 1 };\n",
            )
            .unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(self.0.path(), arguments);
        command.env("XDG_DATA_HOME", self.path("data"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Said {
        run(&mut self.command(arguments))
    }

    fn says(&self, arguments: &[&str], code: i32, words: &str) -> String {
        let said = self.run(arguments);
        let all = format!("{}{}", said.text, said.errors);
        assert_eq!(said.code, code, "{arguments:?}: {all}");
        assert!(all.contains(words), "{arguments:?}: {all}");
        said.text
    }

    /// Runs until it says that it is up.
    fn up(&self, realms: &[&str]) -> Up<'_> {
        let mut process = self
            .command(&[&["up"], realms].concat())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        assert!(first.starts_with("realmdex is up: "), "{first}");
        // It goes on talking.
        std::thread::spawn(move || lines.for_each(drop));
        Up {
            place: self,
            process,
        }
    }

    /// The folder of the only index.
    fn index(&self) -> PathBuf {
        let mut folders = fs::read_dir(self.path("data/realmdex")).unwrap();
        let folder = folders.next().unwrap().unwrap().path();
        assert!(folders.next().is_none());
        folder
    }
}

impl Up<'_> {
    /// Tells it to stop, and waits until it has.
    fn stop(mut self) {
        let pid = self.process.id().to_string();
        let told = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(told.unwrap().success());
        let ended = self.process.wait().unwrap();
        assert!(ended.success(), "{ended}");
        let left = fs::read_dir(self.place.index()).unwrap();
        let names: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert!(
            !names
                .iter()
                .any(|name| name.to_string_lossy().starts_with("operator.")),
            "{names:?}"
        );
    }
}

impl Drop for Up<'_> {
    fn drop(&mut self) {
        // Where it has ended there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().permissions().mode() & 0o777
}

#[test]
fn other_commands_find_it() {
    let place = Place::new();
    place.says(&["queue"], 2, "start it with `realmdex up");
    let up = place.up(&["one"]);
    assert_eq!(mode(&place.index().join("operator.token")), 0o600);

    let ended = place.says(&["reindex", "one", "--wait"], 0, "done");
    assert!(ended.contains("https://realm.local/"), "{ended}");
    place.says(&["realms", "list"], 0, "https://realm.local/");
    place.says(&["queue"], 0, "the broker takes jobs");
    place.says(&["jobs", "list", "--realm", "one"], 0, "");
    place.says(
        &["changes", "one", "skills/words/SKILL.md"],
        0,
        "1 file is looked at",
    );
    place.says(
        &["show", "one/skills"],
        2,
        "is not in the index of https://realm.local/",
    );
    place.says(&["show", "one"], 2, "name a file of it");
    place.says(&["index", "one", "--json"], 2, "realmdex reindex");
    let indexed = place.says(&["index", "one"], 0, "1 of 2 stamped");
    assert!(indexed.contains("\nfiles     2  ("), "{indexed}");
    place.says(&["index", "one", "--strict"], 1, "none.js");

    // Whoever has the index answers the same.
    let questions = [
        (&["show", "one/skills/words/SKILL.md", "--json"][..], 0),
        (&["errors", "one"], 1),
        (&["errors", "one", "--json"], 1),
        (&["export", "one", "--format", "mcp"], 0),
        (&["why", "one/skills/words/SKILL.md"], 0),
        (&["why", "one/skills/words/words.js", "--json"], 0),
        (&["verify", "one"], 0),
        (&["verify", "one", "--json"], 0),
        (&["verify", "one", "--all"], 0),
    ];
    let answers = || {
        questions.map(|(question, code)| {
            let said = place.run(question);
            assert_eq!(
                said.code, code,
                "{question:?}: {}{}",
                said.text, said.errors
            );
            said.text
        })
    };
    let through_it = answers();
    up.stop();
    assert_eq!(through_it, answers());
}

#[test]
fn several_realms_have_one_index() {
    let place = Place::new();
    let up = place.up(&["one", "two"]);
    place.says(&["reindex", "--all", "--wait"], 0, "done");
    place.says(&["index", "two"], 0, "https://realm.local/two/");
    place.says(&["show", "two/skills/words/SKILL.md"], 0, "Counts");
    assert!(place.index().ends_with("fleet"));
    up.stop();
    place.says(&["show", "two/skills/words/SKILL.md"], 0, "Counts");
}

#[test]
fn one_that_was_killed_is_in_nobodys_way() {
    let place = Place::new();
    let up = place.up(&["one"]);
    place.says(&["reindex", "one", "--wait"], 0, "done");
    drop(up);
    let folder = place.index();
    assert!(folder.join("operator.url").exists());
    place.says(&["queue"], 2, "start it with `realmdex up");
    place.says(&["verify", "one"], 0, "clean");
    let data = folder.to_str().unwrap();
    let asked = place.run(&["reindex", "one", "--data", data]);
    assert_eq!(asked.code, 0, "{}", asked.errors);
    assert!(
        asked.errors.contains("realmdex up --data"),
        "{}",
        asked.errors
    );
    place.says(
        &["reindex", "one", "--wait", "--data", data],
        2,
        "nobody works on the index",
    );
    // What was asked for is done.
    let up = place.up(&["one"]);
    place.says(&["reindex", "one", "--wait"], 0, "done");
    up.stop();
}
