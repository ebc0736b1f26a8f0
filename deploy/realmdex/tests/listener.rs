//! The fleet's commands over HTTP: an operator's listener that asks for a token, and how it is found.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

#[path = "../../../proto/store/tests/database/mod.rs"]
mod database;
mod running;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prometheus::Registry;
use realmdex_queue::Broker;
use realmdex_scheduler::Metrics;
use realmdex_scheduler::operator::{self, Operator, OperatorToken};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use database::with_store;
use running::{Said, command, run};

const TOKEN: &str = "a token of many letters";

/// An operator that listens, and a home for who asks.
struct Listening {
    url: String,
    home: TempDir,
}

impl Listening {
    fn run(&self, arguments: &[&str]) -> Said {
        run(command(self.home.path(), arguments).env("XDG_DATA_HOME", self.home.path()))
    }

    fn says(&self, arguments: &[&str], code: i32, words: &str) {
        let said = self.run(arguments);
        let all = format!("{}{}", said.text, said.errors);
        assert_eq!(said.code, code, "{arguments:?}: {all}");
        assert!(all.contains(words), "{arguments:?}: {all}");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// What `realmdex up` leaves in the folder of an index.
    fn leave_in(&self, folder: &Path, url: &str) {
        fs::create_dir_all(folder.join("postgres")).unwrap();
        fs::write(folder.join("operator.url"), format!("{url}\n")).unwrap();
        fs::write(folder.join("operator.token"), format!("{TOKEN}\n")).unwrap();
    }
}

async fn with_listener(test: impl FnOnce(&Listening) + Send + 'static) {
    with_store(async |store| {
        let metrics = Arc::new(Metrics::new(Registry::new()).unwrap());
        let operator = Operator::new(store, metrics)
            .with_broker(Broker::local())
            .with_token(OperatorToken::new(TOKEN).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shutdown = CancellationToken::new();
        let serving = operator::serve(listener, operator::router(operator), shutdown.clone());
        let serving = tokio::spawn(serving);
        let home = tempfile::tempdir().unwrap();
        let tested = tokio::task::spawn_blocking(move || test(&Listening { url, home })).await;
        shutdown.cancel();
        serving.await.unwrap().unwrap();
        tested.unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_wants_its_token() {
    with_listener(|listening| {
        let url = listening.url.as_str();
        let token = listening.path("token");
        fs::write(&token, format!("{TOKEN}\n")).unwrap();
        let wrong = listening.path("wrong");
        fs::write(&wrong, "another").unwrap();
        let empty = listening.path("empty");
        fs::write(&empty, "\n").unwrap();
        let file = |path: &Path| path.to_str().unwrap().to_owned();
        let asked =
            |token: &str| ["queue", "--server", url, "--token-file", token].map(str::to_owned);
        let says = |token: &Path, code, words| {
            let asked = asked(&file(token));
            listening.says(&asked.each_ref().map(String::as_str), code, words);
        };
        says(&token, 0, "the broker takes jobs");
        says(&wrong, 2, "not this listener's");
        says(&empty, 2, "is empty");
        listening.says(&["queue", "--server", url], 2, "--token-file");
        listening.says(&["healthcheck", "--url", url], 0, "ready");
        let ready = listening.run(&["healthcheck", "--url", url, "--json"]);
        let ready: serde_json::Value = serde_json::from_str(&ready.text).unwrap();
        assert_eq!(ready, serde_json::json!({"isReady": true, "missing": []}));

        // What the command line says wins over the environment.
        let said = run(command(listening.home.path(), &["queue"])
            .env("REALMDEX_SERVER", url)
            .env("REALMDEX_TOKEN_FILE", &token)
            .env("REALMDEX_DATABASE", "postgres://127.0.0.1:1/none"));
        assert_eq!(said.code, 0, "{}", said.errors);
        let said = run(command(listening.home.path(), &["queue", "--data", "none"])
            .env("REALMDEX_SERVER", url)
            .env("REALMDEX_TOKEN_FILE", &token));
        assert!(
            said.errors.contains("there is no index in none"),
            "{}",
            said.errors
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_runs_is_found_by_what_it_leaves() {
    with_listener(|listening| {
        let url = listening.url.as_str();
        let one = listening.path("realmdex/one");
        listening.leave_in(&one, url);
        // One that was killed left something too.
        listening.leave_in(&listening.path("realmdex/killed"), "http://127.0.0.1:1");
        listening.says(&["queue"], 0, "the broker takes jobs");

        let other = listening.path("realmdex/other");
        listening.leave_in(&other, url);
        for folder in [&one, &other] {
            listening.says(&["queue"], 2, &format!("--data {}", folder.display()));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_the_folder_is_asked() {
    with_listener(|listening| {
        let folder = listening.path("folder");
        listening.leave_in(&folder, &listening.url);
        let held = File::create(folder.join("lock")).unwrap();
        held.lock().unwrap();
        let data = ["--data", folder.to_str().unwrap()];
        listening.says(
            &[&["queue"][..], &data].concat(),
            0,
            "the broker takes jobs",
        );
        // A realm that is not registered there.
        let realm = listening.path("realm");
        fs::create_dir(&realm).unwrap();
        let index = ["index", realm.to_str().unwrap()];
        listening.says(&[&index[..], &data].concat(), 2, "realmdex realms add");
        listening.says(
            &[&index[..], &data, &["--map", "@a/b/=."]].concat(),
            2,
            "realmdex packages set",
        );

        // One that is about to serve, or does not.
        fs::remove_file(folder.join("operator.url")).unwrap();
        listening.says(&[&["queue"][..], &data].concat(), 2, "is in use by another");
    })
    .await;
}
