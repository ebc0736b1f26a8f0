//! `realmdex up` on the embedded default, with its single connection: everything the fleet does, in one process that may
//! be killed at any moment.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod running;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use running::{Said, command, run};
use serde_json::Value;
use tempfile::TempDir;

/// Long enough for a busy machine, short enough to fail a test.
const PATIENCE: Duration = Duration::from_secs(120);

fn tool(description: &str) -> String {
    format!(
        "export default {{ description: {description:?}, inputSchema: {{ type: 'object', properties: {{}} }}, run: () => 1 }};"
    )
}

fn skill(module: &str) -> String {
    format!(
        "---\nname: s\ndescription: A skill.\nboxel:\n  kind: skill\n  tools:\n    - codeRef: {{ module: {module:?}, name: default }}\n---\nText.\n"
    )
}

/// Folders of realms, and a home for the index.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        fs::create_dir_all(place.path("home")).unwrap();
        place
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn up(&self, arguments: &[&str]) -> Up {
        let mut command = command(self.0.path(), &[&["up"], arguments].concat());
        command
            .env("XDG_DATA_HOME", self.path("home"))
            .env("REALMDEX_LEASE", "3s")
            .env("REALMDEX_BEAT", "500ms")
            .env("REALMDEX_RECONCILE_REINDEXES", "100ms")
            .env("REALMDEX_LOG", "error")
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        let (line, lines) = channel();
        std::thread::spawn(move || {
            for text in said.lines().map_while(Result::ok) {
                if line.send(text).is_err() {
                    return;
                }
            }
        });
        Up { child, lines }
    }

    fn run(&self, arguments: &[&str]) -> Said {
        run(command(self.0.path(), arguments).env("XDG_DATA_HOME", self.path("home")))
    }

    /// What a command answers as JSON.
    fn json(&self, arguments: &[&str]) -> Value {
        let said = self.run(arguments);
        serde_json::from_str(&said.text)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {} {}", said.text, said.errors))
    }

    /// Waits until nothing is left to do.
    fn settled(&self) {
        until("everything is done", || {
            let open = self.json(&["jobs", "list", "--state", "queued,running", "--json"]);
            let reindexing = self.json(&["queue", "--json"]);
            let is_idle = |jobs: &Value| jobs["state"] != "queued" && jobs["state"] != "running";
            open["jobs"].as_array().is_some_and(Vec::is_empty)
                && reindexing["backlog"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(is_idle)
        });
        let verified = self.run(&["verify", "--all", "realm"]);
        assert_eq!(verified.code, 0, "{}{}", verified.text, verified.errors);
    }

    /// The description of a skill's only tool, as the index has it.
    fn described(&self, skill: &str) -> String {
        let said = self.run(&["show", skill, "--json"]);
        let document: Value = serde_json::from_str(&said.text).unwrap_or_default();
        let tools = &document["data"]["attributes"]["frontmatter"]["tools"];
        let description = &tools[0]["definition"]["function"]["description"];
        description.as_str().unwrap_or_default().to_owned()
    }
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "not in time: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A running `realmdex up`.
struct Up {
    child: Child,
    lines: Receiver<String>,
}

impl Up {
    /// Waits for a line that says this.
    fn says(&self, words: &str) -> String {
        let begun = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let line = self
                .lines
                .recv_timeout(left)
                .unwrap_or_else(|_| panic!("it never said {words:?}"));
            if line.contains(words) {
                return line;
            }
        }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends it as Ctrl-C does.
    fn stop(mut self) {
        let id = self.child.id().to_string();
        let told = std::process::Command::new("kill")
            .args(["-INT", &id])
            .status();
        assert!(told.unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn edits_are_seen_without_anyone_announcing_them() {
    let place = Place::new();
    place.write("realm/SKILL.md", &skill("./lib/tool"));
    place.write("realm/lib/tool.js", "export { default } from './deep.js';");
    place.write("realm/lib/deep.js", &tool("one"));
    place.write("realm/pages/a.md", "a");
    let up = place.up(&["realm"]);
    up.says("realmdex is up");
    up.says("done");
    place.settled();
    assert_eq!(place.described("realm/SKILL.md"), "one");

    place.write("realm/lib/deep.js", &tool("two"));
    until("the edit is seen", || {
        place.described("realm/SKILL.md") == "two"
    });

    // A folder that is renamed, and back.
    fs::rename(place.path("realm/lib"), place.path("realm/gone")).unwrap();
    until("the module is missed", || {
        place.described("realm/SKILL.md").is_empty()
    });
    place.settled();
    let errors = place.run(&["errors", "realm"]);
    assert_eq!(errors.code, 1, "{}", errors.errors);
    assert!(errors.text.contains("lib/tool"), "{}", errors.text);
    fs::rename(place.path("realm/gone"), place.path("realm/lib")).unwrap();
    until("it is found again", || {
        place.described("realm/SKILL.md") == "two"
    });

    // What is ignored is gone, what no longer is is back.
    let exported = || place.run(&["show", "realm/pages/a.md", "--json"]).text;
    place.write("realm/.gitignore", "pages/\n");
    until("it is ignored", || !exported().contains("\"content\""));
    fs::remove_file(place.path("realm/.gitignore")).unwrap();
    until("it is back", || exported().contains("\"content\""));
    place.settled();
    up.stop();
    // The index is there still, for commands that open it themselves.
    assert_eq!(place.described("realm/SKILL.md"), "two");
    assert!(!place.path("home").join("operator.url").exists());
}

/// What an agent is answered: the status, and what it holds.
fn asked(url: &str, accept: &str) -> (u16, String) {
    // Fails only where another test has chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let asked = client.get(url).header("accept", accept).send().await;
        let answer = asked.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    })
}

#[test]
fn agents_read_what_it_serves() {
    let place = Place::new();
    place.write("realm/SKILL.md", &skill("./tool"));
    place.write("realm/tool.js", &tool("one"));
    let up = place.up(&["realm", "--public", "127.0.0.1:0"]);
    let said = up.says("realmdex is up");
    let (_, served) = said.split_once("served at ").unwrap();
    let root = served.split(' ').next().unwrap();
    up.says("done");
    place.settled();
    let file_meta = "application/vnd.card.file-meta+json";
    let described = |description: &str| {
        let (status, text) = asked(&format!("{root}/SKILL.md"), file_meta);
        assert_eq!(status, 200, "{text}");
        let document: Value = serde_json::from_str(&text).unwrap();
        let tool = &document["data"]["attributes"]["frontmatter"]["tools"][0];
        tool["definition"]["function"]["description"] == description
    };
    assert!(described("one"));
    place.write("realm/tool.js", &tool("two"));
    until("the edit is served", || described("two"));
    let (status, source) = asked(&format!("{root}/tool"), "*/*");
    assert_eq!((status, source), (200, tool("two")));
    let (status, found) = asked(&format!("{root}/_skills?q=skills"), "*/*");
    assert_eq!(status, 200, "{found}");
    assert!(found.contains("https://realm.local/SKILL.md"), "{found}");
    assert_eq!(asked(&format!("{root}/none.md"), "*/*").0, 404);
    up.stop();
}

#[test]
fn others_reach_it_by_files_that_only_their_owner_may_read() {
    let place = Place::new();
    place.write("realm/a.md", "a");
    let data = place.path("data");
    let up = place.up(&["realm", "--data", data.to_str().unwrap()]);
    up.says("realmdex is up");
    let token = data.join("operator.token");
    let mode = fs::metadata(&token).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(fs::read_to_string(&token).unwrap().len(), 64);
    let url = fs::read_to_string(data.join("operator.url")).unwrap();
    let url = url.trim();
    // Without the token nothing is told.
    let refused = place.run(&["jobs", "list", "--server", url]);
    assert_eq!(refused.code, 2);
    assert!(refused.errors.contains("token"), "{}", refused.errors);
    let token = token.to_str().unwrap();
    let told = place.run(&["realms", "list", "--server", url, "--token-file", token]);
    assert!(
        told.text.contains("https://realm.local/"),
        "{}{}",
        told.text,
        told.errors
    );
    let healthy = place.run(&["healthcheck", "--url", url]);
    assert_eq!(healthy.code, 0, "{}", healthy.errors);
    // A second one is told whose the folder is.
    let mut second = place.up(&["realm", "--data", data.to_str().unwrap()]);
    assert!(!second.child.wait().unwrap().success());
    up.stop();
    assert!(!data.join("operator.url").exists() && !data.join("operator.token").exists());
}

#[test]
fn a_whole_realm_again() {
    let place = Place::new();
    for number in 0..30 {
        place.write(&format!("realm/{number}.md"), "x");
    }
    let up = place.up(&["realm"]);
    up.says("done");
    let done = place.run(&["reindex", "realm", "--wait", "--force", "--json"]);
    assert_eq!(done.code, 0, "{}{}", done.text, done.errors);
    fs::rename(place.path("realm/0.md"), place.path("realm/first.md")).unwrap();
    place.settled();
    for number in 1..30 {
        fs::remove_file(place.path(&format!("realm/{number}.md"))).unwrap();
    }
    until("they are gone", || {
        place.run(&["show", "realm/29.md", "--json"]).code != 0
    });
    place.settled();
    up.stop();
}

/// Killed at any moment while it has much to do: the next one goes on, and in the end the index is what a single process
/// makes of the same files.
#[test]
fn killed_at_any_moment_it_goes_on() {
    let place = Place::new();
    let write_all = |round: usize| {
        for number in 0..120 {
            place.write(
                &format!("realm/pages/{number}.md"),
                &format!("round {round}"),
            );
        }
        for number in 0..20 {
            place.write(
                &format!("realm/tools/{number}.js"),
                &tool(&format!("{number} in {round}")),
            );
            place.write(
                &format!("realm/skills/{number}/SKILL.md"),
                &skill(&format!("../../tools/{number}")),
            );
        }
    };
    for round in 0..6 {
        write_all(round);
        let up = place.up(&["realm"]);
        up.says("realmdex is up");
        write_all(round + 100);
        // Sooner or later, in the middle of it.
        let files = round * 25;
        until("it has begun", || {
            let queue = place.json(&["queue", "--json"]);
            let backlog = queue["backlog"].as_array().unwrap();
            let open: u64 = backlog
                .iter()
                .filter_map(|jobs| jobs["jobs"].as_u64())
                .sum();
            open > 0 && open < (200 - files) as u64 || backlog.is_empty()
        });
        up.kill();
    }
    let up = place.up(&["realm"]);
    up.says("done");
    place.settled();
    for number in 0..20 {
        let described = place.described(&format!("realm/skills/{number}/SKILL.md"));
        assert_eq!(described, format!("{number} in 105"));
    }
    let export = |place: &Place| place.run(&["export", "realm"]).text;
    let through_up = export(&place);
    up.stop();
    let fresh = Place(TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
    copy(&place.path("realm"), &fresh.path("realm"));
    fs::create_dir_all(fresh.path("home")).unwrap();
    assert_eq!(fresh.run(&["index", "realm"]).code, 0);
    assert_eq!(export(&fresh), through_up);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
