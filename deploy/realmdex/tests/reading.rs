//! The verbs that read an index, from a database and over HTTP: what they say is the same.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

#[path = "../../../proto/store/tests/database/mod.rs"]
mod database;
mod running;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use prometheus::Registry;
use realmdex_scheduler::Metrics;
use realmdex_scheduler::operator::{self, Operator, OperatorToken};
use realmdex_source::{FolderSource, OpenSource, Source};
use realmdex_store::Store;
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use database::with_url;
use running::{Said, command, run};

const TOKEN: &str = "a token of many letters";
const REALM: &str = "https://realm.test/skills/";

/// An index of the realm in the folder `skills`, and an operator that listens.
struct Read {
    database: String,
    server: String,
    home: TempDir,
}

impl Read {
    fn run(&self, arguments: &[&str], more: &[&str]) -> Said {
        let all = [arguments, more].concat();
        run(command(self.home.path(), &all).env("XDG_DATA_HOME", self.home.path().join("data")))
    }

    fn of_database(&self, arguments: &[&str]) -> Said {
        self.run(arguments, &["--database", &self.database])
    }

    fn of_server(&self, arguments: &[&str]) -> Said {
        let token = self.path("token");
        let token = token.to_str().unwrap();
        self.run(
            arguments,
            &["--server", &self.server, "--token-file", token],
        )
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn folders() -> OpenSource {
    Arc::new(|url| {
        let source: Arc<dyn Source> = Arc::new(FolderSource::at(&url.to_file_path().unwrap())?);
        Ok(source)
    })
}

async fn with_index(test: impl FnOnce(&Read) + Send + 'static) {
    with_url(async |database: String| {
        let store = Store::connect(&database, 4).await.unwrap();
        store.migrate().await.unwrap();
        let metrics = Arc::new(Metrics::new(Registry::new()).unwrap());
        let operator = Operator::new(store.clone(), metrics)
            .with_sources(folders())
            .with_token(OperatorToken::new(TOKEN).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = format!("http://{}", listener.local_addr().unwrap());
        let shutdown = CancellationToken::new();
        let router = operator::router(operator);
        let serving = tokio::spawn(operator::serve(listener, router, shutdown.clone()));
        let tested = tokio::task::spawn_blocking(move || {
            let read = Read {
                database,
                server,
                home: tempfile::tempdir().unwrap(),
            };
            read.write("token", TOKEN);
            read.write(
                "skills/words/SKILL.md",
                "---\nname: words\ndescription: Counts words.\nboxel:\n  kind: skill\n  tools:\n    - codeRef: { module: ./words.js, name: count }\n    - codeRef: { module: ./none.js, name: none }\n---\nText\n",
            );
            read.write(
                "skills/words/words.js",
                "export const count = { description: 'Counts', inputSchema: { type: 'object' }, run: () => 1 };\n",
            );
            let indexed = read.of_database(&["index", "skills", "--url", REALM, "--json"]);
            assert_eq!(indexed.code, 0, "{}", indexed.errors);
            let outcome: Value = serde_json::from_str(&indexed.text).unwrap();
            assert_eq!(outcome["tools"]["stamped"], 1, "{outcome}");
            test(&read);
        })
        .await;
        shutdown.cancel();
        serving.await.unwrap().unwrap();
        store.close().await;
        tested
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_says_what_the_database_does() {
    with_index(|read| {
        let skill = format!("{REALM}words/SKILL.md");
        let module = format!("{REALM}words/words.js");
        for (question, code, words) in [
            (&["show", &skill][..], 0, "Counts"),
            (&["show", "skills/words/SKILL.md"], 0, "needs approval"),
            (&["show", &skill, "--json"], 0, "\"file-meta\""),
            (&["errors", REALM], 1, "none.js"),
            (&["errors", "skills", "--json"], 1, "\"tool-schema-error\""),
            (&["errors", REALM, "--format", "sarif"], 1, "\"2.1.0\""),
            (&["export", REALM], 0, "\"function\""),
            (
                &["export", REALM, "--format", "mcp", "--json"],
                0,
                "inputSchema",
            ),
            (&["why", &skill], 0, "none.js  absent"),
            (&["why", &module, "--json"], 0, "\"dependents\""),
            (
                &["why", "words/SKILL.md", "--realm", REALM],
                0,
                "computed from",
            ),
            (&["verify", REALM], 0, "clean"),
            (&["verify", "--all"], 0, "clean"),
            (&["verify", REALM, "--json"], 0, "\"isClean\": true"),
            (&["show", REALM], 2, "is a realm: name a file of it"),
            (&["why", REALM], 2, "is a realm: name a file of it"),
            (
                &["show", &format!("{REALM}new.md")],
                2,
                "new.md is not in the index of",
            ),
            (
                &["why", "@acme/none.js"],
                2,
                "knows nothing of @acme/none.js",
            ),
            (
                &["errors", "https://none.test/"],
                2,
                "is in no realm of this index",
            ),
            (
                &["export", REALM, "--skill", "x.md"],
                2,
                "x.md is no skill with tools",
            ),
        ] {
            let [database, server] = [read.of_database(question), read.of_server(question)];
            let said = |said: &Said| (said.code, said.text.clone(), said.errors.clone());
            assert_eq!(said(&database), said(&server), "{question:?}");
            let all = format!("{}{}", server.text, server.errors);
            assert_eq!(server.code, code, "{question:?}: {all}");
            assert!(all.contains(words), "{question:?}: {all}");
            // An answer is on one stream, and whatever is wrong on the other.
            assert_eq!(server.text.is_empty(), code == 2, "{question:?}: {all}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_moved_is_seen_by_the_server() {
    with_index(|read| {
        let why = ["why", "skills/words/SKILL.md"];
        assert!(!read.of_server(&why).text.contains("! "));
        read.write("skills/words/none.js", "export const none = 1;");
        let said = read.of_server(&why);
        let line = said.text.lines().find(|line| line.contains("none.js"));
        assert!(
            line.unwrap().starts_with("! ") && line.unwrap().contains("absent, now "),
            "{}",
            said.text
        );
        assert_eq!(said.text, read.of_database(&why).text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_asked_for() {
    with_index(|read| {
        let errors = ["errors", REALM];
        let said = read.run(&errors, &["--server", &read.server]);
        assert_eq!(said.code, 2);
        assert!(said.errors.contains("--token-file"), "{}", said.errors);
        // One that may only read is enough.
        let create = ["tokens", "create", "reader", "--scope", "read"];
        let made = read.of_server(&create);
        assert_eq!(made.code, 0, "{}", made.errors);
        read.write("reader", &made.text);
        let reader = read.path("reader");
        let reader = reader.to_str().unwrap();
        for verb in [
            &errors[..],
            &["verify", "--all"],
            &["export", REALM],
            &["why", "@none/x.js"],
        ] {
            let by = ["--server", &read.server, "--token-file", reader];
            assert_eq!(
                read.run(verb, &by).text,
                read.of_server(verb).text,
                "{verb:?}"
            );
        }
        // The environment says it as well, and the command line wins.
        let home = read.home.path();
        let asked = |arguments: &[&str]| {
            run(command(home, arguments)
                .env("REALMDEX_SERVER", &read.server)
                .env("REALMDEX_TOKEN_FILE", reader)
                .env("XDG_DATA_HOME", home.join("data")))
        };
        assert_eq!(asked(&errors).text, read.of_server(&errors).text);
        let elsewhere = asked(&["errors", REALM, "--data", "none"]);
        assert!(
            elsewhere.errors.contains("there is no index in none"),
            "{}",
            elsewhere.errors
        );
        let both = ["errors", REALM, "--server", &read.server, "--data", "none"];
        assert!(asked(&both).errors.contains("give one of them"));
    })
    .await;
}
