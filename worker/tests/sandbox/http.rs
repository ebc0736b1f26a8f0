//! Modules read from a realm over HTTP: what its server's answers come to.

use std::sync::Arc;
use std::time::Duration;

use realmdex_source::{AddressPolicy, HttpOptions, HttpSource};
use realmdex_types::RealmUrl;
use realmdex_worker::enrich::{Describer, enrich};
use realmdex_worker::modules::{LoadLimits, PackageMap};
use serde_json::json;
use url::Url;

use crate::outcome::{describe, lines, told};
use crate::realms::{limited, patient};
use crate::server::{Reply, Request, Server};

const REALM: &str = "https://realm.test/remote/";

/// A realm of that name, whose bytes the server has.
fn remote(server: &Server, load_limits: LoadLimits) -> Describer {
    let location = format!("http://{}/realm/", server.address);
    let options = HttpOptions {
        allow_addresses: AddressPolicy::AllowLoopback,
        ..HttpOptions::default()
    };
    let source = Arc::new(HttpSource::new(RealmUrl::parse(&location).unwrap(), options).unwrap());
    let packages = PackageMap::builder()
        .root(REALM, Url::parse(&location).unwrap(), source)
        .unwrap()
        .build();
    limited(packages, load_limits, patient())
}

fn module(text: &str) -> Reply {
    Reply::answer(200, "content-type: text/typescript\r\n", text)
}

fn status(code: u16) -> Reply {
    Reply::answer(code, "", "")
}

fn serve(request: &Request) -> Reply {
    match request.target.as_str() {
        "/realm/tool.ts" => module(
            "import { length } from './lib/length';\n\
             export const tool = { description: 'd', inputSchema: { type: 'object', properties: { length } }, run() {} };",
        ),
        "/realm/lib/length.gts" => module("export const length: object = { type: 'number' };"),
        "/realm/needs-secret.js" => module("import './secret/key.js';"),
        "/realm/needs-broken.js" => module("import './broken.js';"),
        "/realm/needs-busy.js" => module("import './busy';"),
        "/realm/needs-moved.js" => module(
            "import './moved.js';\nexport const tool = { description: 'moved', inputSchema: { type: 'object' }, run() {} };",
        ),
        "/realm/moved.js" => Reply::redirect(302, "/realm/lib/there.js"),
        "/realm/lib/there.js" => module("export const here = import.meta.url;"),
        "/realm/away.js" => Reply::redirect(302, "/elsewhere/away.js"),
        path if path.starts_with("/realm/secret/") => status(403),
        path if path.starts_with("/realm/members/") => status(401),
        "/realm/broken.js" => status(500),
        path if path.starts_with("/realm/busy") => status(503),
        "/realm/silent.js" => Reply::Hang(Vec::new()),
        _ => status(404),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_of_a_server() {
    let server = Server::start(serve).await;
    let describer = remote(&server, LoadLimits::default());
    let mut outcomes = json!({});
    for (path, name) in [
        ("tool", "tool"),
        ("not-there", "tool"),
        ("not-there.js", "tool"),
        ("secret/key", "tool"),
        ("secret/key.js", "tool"),
        ("members/card", "tool"),
        ("needs-secret", "tool"),
        ("broken.js", "tool"),
        ("broken", "tool"),
        ("needs-broken", "tool"),
        ("needs-busy", "tool"),
        ("needs-moved", "tool"),
        ("away.js", "tool"),
    ] {
        let described = describe(&describer, &format!("{REALM}{path}"), name).await;
        outcomes[path] =
            json!({"outcome": told(&described), "files": lines(&described.closure)["files"]});
    }
    // The port is another at each run.
    let text = serde_json::to_string_pretty(&outcomes)
        .unwrap()
        .replace(&server.address, "SERVER");
    insta::assert_snapshot!(text);
}

/// In one job a file is asked for once, whoever imports it; in the next it is asked for again.
#[tokio::test(flavor = "multi_thread")]
async fn each_file_is_asked_for_once_a_job() {
    let server = Server::start(serve).await;
    let describer = remote(&server, LoadLimits::default());
    let entry = json!({"codeRef": {"module": "./tool", "name": "tool"}});
    let authored = json!([entry, entry, entry, entry, entry, entry]);
    let enriched = enrich(
        &describer,
        &describer.graph(),
        &format!("{REALM}SKILL.md"),
        &authored,
    )
    .await;
    assert_eq!(enriched.errors, []);
    let mut asked: Vec<_> = server
        .requests()
        .into_iter()
        .map(|request| request.target)
        .collect();
    let count = asked.len();
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), count);
    enrich(
        &describer,
        &describer.graph(),
        &format!("{REALM}SKILL.md"),
        &authored,
    )
    .await;
    assert_eq!(server.requests().len(), 2 * count);
}

/// A server that never answers is a fault that may pass, told after the wait that sources are given.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_never_answers() {
    let server = Server::start(serve).await;
    let describer = remote(
        &server,
        LoadLimits {
            source_wait: Duration::from_millis(100),
            ..LoadLimits::default()
        },
    );
    let described = describe(&describer, &format!("{REALM}silent.js"), "tool").await;
    let fault = described.outcome.unwrap_err();
    assert!(fault.is_transient(), "{fault}");
    assert!(
        fault.to_string().contains("limit for waiting on sources"),
        "{fault}"
    );
}
