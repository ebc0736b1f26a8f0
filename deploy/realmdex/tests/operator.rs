//! The fleet's commands on a database, with no role running: each round trip, and each refusal with its mend.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

#[path = "../../../proto/store/tests/database/mod.rs"]
mod database;
mod running;

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use database::with_url;
use running::{Said, command, run};

/// A fleet's database, and a folder with a realm, `skills`.
struct Fleet {
    url: String,
    folder: TempDir,
}

impl Fleet {
    fn new(url: String) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("skills/weather")).unwrap();
        fs::write(folder.path().join("skills/weather/SKILL.md"), "Rain\n").unwrap();
        Self { url, folder }
    }

    fn run(&self, arguments: &[&str]) -> Said {
        run(command(self.folder.path(), arguments).args(["--database", &self.url]))
    }

    /// What it says, having done what it was asked.
    fn done(&self, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_eq!(said.code, 0, "{arguments:?}: {}{}", said.text, said.errors);
        said.text
    }

    /// Why it was not done: with an exit code, in words that name the mend.
    fn refused(&self, arguments: &[&str], code: i32, words: &str) {
        let said = self.run(arguments);
        let all = format!("{}{}", said.text, said.errors);
        assert_eq!(said.code, code, "{arguments:?}: {all}");
        assert!(all.contains(words), "{arguments:?}: {all}");
    }

    /// The answer for programs, without what differs from run to run.
    fn json(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.push("--json");
        let text = self.done(&all).replace(&self.root(), "file:///folder");
        let mut value = serde_json::from_str(&text).unwrap();
        settle(&mut value);
        value
    }

    fn root(&self) -> String {
        let root = self.folder.path().canonicalize().unwrap();
        format!("file://{}", root.display())
    }
}

/// Takes times out.
fn settle(value: &mut Value) {
    match value {
        Value::String(text) if chrono::DateTime::parse_from_rfc3339(text).is_ok() => {
            *text = "(a time)".to_owned();
        }
        Value::Number(number) if number.is_f64() => *value = "(seconds)".into(),
        Value::Array(values) => values.iter_mut().for_each(settle),
        Value::Object(fields) => fields.values_mut().for_each(settle),
        _ => {}
    }
}

async fn with_fleet(test: impl FnOnce(&Fleet) + Send + 'static) {
    with_url(async |url| tokio::task::spawn_blocking(move || test(&Fleet::new(url))).await).await;
}

const REALM: &str = "https://realm.test/skills/";

#[tokio::test]
async fn realms_come_and_go() {
    with_fleet(|fleet| {
        assert!(
            fleet
                .done(&["realms", "list"])
                .contains("realmdex realms add")
        );
        let added = fleet.done(&["realms", "add", "skills", "--url", REALM, "--private"]);
        assert!(
            added.starts_with(&format!("{REALM} is registered")),
            "{added}"
        );
        let again = fleet.done(&["realms", "add", "skills"]);
        assert!(again.contains("registered already"), "{again}");
        fleet.done(&["realms", "add", "https://other.test/b", "--owner", "@ann"]);
        insta::assert_json_snapshot!("realms", fleet.json(&["realms", "list"]));

        fleet.done(&[
            "realms", "rights", REALM, "--reader", "@bob", "--reader", "@eve",
        ]);
        // By its folder; who may read it stays.
        fleet.done(&["realms", "rights", "skills", "--owner", "@ann"]);
        assert!(
            fleet
                .done(&["realms", "archive", "skills"])
                .contains("--undo")
        );
        assert!(
            fleet
                .done(&["realms", "archive", "skills"])
                .contains("already")
        );
        let listed = fleet
            .done(&["realms", "list"])
            .replace(&fleet.root(), "file:///folder");
        insta::assert_snapshot!("realms_for_people", listed);
        fleet.refused(&["reindex", "skills"], 2, "realms archive --undo");
        fleet.done(&["realms", "archive", "skills", "--undo"]);

        fleet.refused(&["realms", "remove", "skills"], 2, "say --yes");
        fleet.done(&["realms", "remove", "skills", "--yes"]);
        let left = fleet.json(&["realms", "list"]);
        assert_eq!(left["realms"].as_array().unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn what_makes_no_sense_of_a_realm_is_told() {
    with_fleet(|fleet| {
        fleet.done(&["realms", "add", "skills", "--url", REALM]);
        for (arguments, words) in [
            (
                &["realms", "add", "nowhere"][..],
                "nowhere is no folder here",
            ),
            (
                &["realms", "add", "skills/weather/SKILL.md"],
                "give its folder",
            ),
            (
                &["realms", "add", "skills", "--url", "https://x.test/"],
                "leave --url out",
            ),
            (
                &["realms", "add", "https://x.test/", "--url", REALM],
                "another --url",
            ),
            (
                &["realms", "add", "https://x.test/", "--owner", " "],
                "nobody's name",
            ),
            (
                &["realms", "add", "x", "--reader", "a", "--private"],
                "cannot be used with",
            ),
            (&["realms", "rights", REALM], "--owner"),
            (
                &["realms", "archive", "https://x.test/"],
                "realmdex realms add",
            ),
            (
                &["realms", "archive", "skills/weather"],
                "lies in the realm",
            ),
            (
                &["changes", REALM, "/etc/passwd"],
                "no path below the realm's root",
            ),
            (&["reindex"], "--all"),
            (&["jobs", "list", "--state", "lost"], "give one of queued"),
            (&["jobs", "cancel"], "--realm"),
            (&["queue", "--data", "here"], "give one of them"),
        ] {
            fleet.refused(arguments, 2, words);
        }
    })
    .await;
}

#[tokio::test]
async fn tokens_and_sessions_come_and_go() {
    with_fleet(|fleet| {
        assert!(fleet.done(&["tokens", "list"]).contains("tokens create"));
        let create = ["tokens", "create", "ci", "--scope", "reindex"];
        let token = fleet.done(&create);
        assert!(
            token.starts_with("rdx_") && token.lines().count() == 1,
            "{token}"
        );
        fleet.refused(&create, 2, "revoke it with");
        fleet.refused(&["tokens", "create", "x"], 2, "--scope");
        fleet.refused(
            &["tokens", "create", "x", "--scope", "root"],
            2,
            "give one of read",
        );
        let listed = fleet.done(&["tokens", "list"]);
        assert!(
            listed.contains("reindex") && !listed.contains("rdx_"),
            "{listed}"
        );
        fleet.done(&["tokens", "revoke", "ci"]);
        fleet.refused(&["tokens", "revoke", "ci"], 1, "tokens list");

        fleet.done(&[
            "realms", "add", "skills", "--url", REALM, "--writer", "@wes",
        ]);
        let create = ["sessions", "create", "@wes", "skills"];
        fleet.refused(&create, 2, "realm_secret_file");
        let secret = fleet.folder.path().join("secret");
        fs::write(&secret, "what signs realm tokens\n").unwrap();
        let said = run(command(fleet.folder.path(), &create)
            .args(["--database", &fleet.url, "--json"])
            .env("REALMDEX_REALM_SECRET_FILE", &secret));
        let made: Value = serde_json::from_str(&said.text).unwrap();
        assert_eq!(
            made["permissions"],
            serde_json::json!(["read", "write"]),
            "{made}"
        );
        assert_eq!(
            made["token"].as_str().unwrap().split('.').count(),
            3,
            "{made}"
        );
        let revoked = fleet.done(&["sessions", "revoke", "@wes"]);
        assert!(revoked.contains("hold no more"), "{revoked}");
        fleet.done(&["realms", "rights", "skills", "--no-writers"]);
    })
    .await;
}

#[tokio::test]
async fn packages_come_and_go() {
    with_fleet(|fleet| {
        assert!(fleet.done(&["packages", "list"]).contains("packages set"));
        let set = ["packages", "set", "@acme/tools", "skills", "--version", "1"];
        let said = fleet.done(&set);
        assert!(
            said.contains("https://package.local/@acme/tools/"),
            "{said}"
        );
        assert!(fleet.done(&set).contains("already"));
        fleet.done(&[
            "packages",
            "set",
            "@acme/old/",
            "--alias-of",
            "@acme/tools/",
        ]);
        insta::assert_json_snapshot!("packages", fleet.json(&["packages", "list"]));
        let listed = fleet
            .done(&["packages", "list"])
            .replace(&fleet.root(), "file:///folder");
        insta::assert_snapshot!("packages_for_people", listed);

        fleet.done(&["packages", "remove", "@acme/old"]);
        fleet.refused(&["packages", "remove", "@acme/old"], 1, "packages list");
        fleet.refused(&["packages", "set", "./x", "skills"], 2, "is no prefix");
        fleet.refused(&["packages", "set", "@a/b/"], 2, "--alias-of");
        let both = ["packages", "set", "@a/b/", "skills", "--alias-of", "@c/d/"];
        fleet.refused(&both, 2, "cannot be used with");
    })
    .await;
}

#[tokio::test]
async fn work_is_asked_for_and_steered() {
    with_fleet(|fleet| {
        fleet.refused(&["reindex", "skills"], 2, "realmdex realms add");
        assert!(fleet.done(&["reindex", "--all"]).contains("realms add"));
        fleet.done(&["realms", "add", "skills", "--url", REALM]);
        let reindex = fleet.json(&["reindex", "skills", "--force", "--reason", "a test"]);
        let number = reindex["reindexes"][0].as_i64().unwrap();
        // What was asked for before and has not begun does it as well.
        let all = fleet.done(&["reindex", "--all"]);
        assert_eq!(all, format!("reindex {number} of {REALM} is asked for\n"));

        insta::assert_json_snapshot!("jobs", fleet.json(&["jobs", "list", "--state", "queued"]));
        insta::assert_json_snapshot!("queue", fleet.json(&["queue"]));
        assert!(fleet.done(&["queue"]).contains("full-reindex"));
        let jobs = fleet.json(&["jobs", "list", "--realm", "skills"]);
        let id = jobs["jobs"][0]["id"].to_string();
        let shown = fleet.done(&["jobs", "show", &id]);
        assert!(shown.contains("  kind          full-reindex\n"), "{shown}");
        fleet.refused(&["jobs", "show", "999"], 1, "no job 999");

        // No worker has it: there is nothing to try again yet.
        fleet.refused(&["jobs", "retry", &id], 1, "did not end badly");
        assert_eq!(fleet.done(&["jobs", "cancel", &id]), "1 job called off\n");
        fleet.refused(&["jobs", "cancel", &id], 1, "over already");
        assert_eq!(
            fleet.done(&["jobs", "retry", &id, &id]),
            "1 job is tried again\n"
        );
        assert_eq!(
            fleet.done(&["jobs", "retry", "--all"]),
            "0 jobs are tried again\n"
        );
        let realm = ["jobs", "cancel", "--realm", "skills"];
        assert_eq!(fleet.done(&realm), "1 job called off\n");
        assert!(fleet.done(&realm).contains("nothing to call off"));
    })
    .await;
}

#[tokio::test]
async fn changes_are_taken_in() {
    with_fleet(|fleet| {
        fleet.done(&["realms", "add", "skills", "--url", REALM]);
        let file = fleet
            .folder
            .path()
            .canonicalize()
            .unwrap()
            .join("skills/weather/SKILL.md");
        let file = file.to_str().unwrap().to_owned();
        let taken = fleet.json(&["changes", "skills", &file, "gone.md"]);
        assert_eq!(taken["files"], 2);
        assert!(taken["changeSeq"].as_i64().unwrap() > 0);
        assert!(
            fleet
                .done(&["changes", REALM, "weather"])
                .contains("lists the realm")
        );
        let jobs = fleet.json(&["jobs", "list"]);
        let paths: Vec<_> = jobs["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|job| job["path"].as_str())
            .collect();
        assert_eq!(paths, ["weather/SKILL.md", "gone.md"]);
    })
    .await;
}

/// A command where no fleet is known.
fn nowhere(arguments: &[&str]) -> Said {
    let home = tempfile::tempdir().unwrap();
    run(command(home.path(), arguments).env("XDG_DATA_HOME", home.path().join("data")))
}

#[test]
fn where_nobody_answers_the_mend_is_told() {
    // A port that was free just now.
    let free = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    for (arguments, code, words) in [
        (&["queue"][..], 2, "start it with `realmdex up"),
        (&["queue", "--data", "none"], 2, "there is no index in none"),
        (&["queue", "--server", &free], 2, "realmdex scheduler"),
        (&["queue", "--server", "ftp://h/"], 2, "no operator's URL"),
        (&["queue", "--server", "http://a:b@h/"], 2, "--token-file"),
        (
            &["queue", "--server", &free, "--token-file", "none"],
            2,
            "reading the operator's token from none",
        ),
        (&["healthcheck", "--url", &free], 1, "not ready: "),
        (&["broker", "check"], 2, "--broker"),
        (
            &[
                "broker",
                "check",
                "--broker",
                "http://h/",
                "--management",
                "http://h/",
            ],
            2,
            "not an AMQP URL",
        ),
    ] {
        let said = nowhere(arguments);
        let all = format!("{}{}", said.text, said.errors);
        assert_eq!(said.code, code, "{arguments:?}: {all}");
        assert!(all.contains(words), "{arguments:?}: {all}");
    }
}

#[test]
fn every_verb_has_examples() {
    for verb in [
        &["realms", "add"][..],
        &["realms", "list"],
        &["realms", "rights"],
        &["realms", "archive"],
        &["realms", "remove"],
        &["packages", "set"],
        &["packages", "list"],
        &["packages", "remove"],
        &["reindex"],
        &["jobs", "list"],
        &["jobs", "show"],
        &["jobs", "cancel"],
        &["jobs", "retry"],
        &["queue"],
        &["changes"],
        &["healthcheck"],
        &["broker", "setup"],
        &["broker", "check"],
    ] {
        let said = nowhere(&[verb, &["--help"]].concat());
        let example = format!("\n  realmdex {}", verb.join(" "));
        assert!(said.text.contains(&example), "{}", said.text);
    }
}

/// Passwords are not shown by help, though they may be in the environment.
#[test]
fn help_keeps_secrets() {
    let mut shown = command(Path::new("."), &["broker", "check", "--help"]);
    let said = run(shown.env("REALMDEX_BROKER", "amqp://u:hushhush@h/"));
    assert!(!said.text.contains("hushhush"), "{}", said.text);
}
