//! What nobody learns of a private realm without the right, route by route: a route that is new has to be told of here.

use std::fmt::Write;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request};
use chrono::Utc;
use futures::StreamExt;
use realmdex_scheduler::Wakes;
use realmdex_scheduler::access::{Access, Claims, DelegationSecret, RealmSecret};
use realmdex_scheduler::public::{Public, Route, router};
use realmdex_store::{Found, Package, Realm};
use realmdex_types::{ContentDigest, FindingKind, ReadState};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::index::{metrics, url};
use crate::rows::{finding, stamped_as, tool_finding};
use crate::serving::{Answer, FILE_META, Site, computed, folders, skill, with_edges, with_site};

/// In the name and the words of whatever is private.
const SECRET: &str = "s3cret";

/// A reader, whose token says other permissions than they have: it is to be renewed, and opens no realm before. Lists of
/// several realms don't compare.
const SAYS_TOO_MUCH: &str = "a reader's that says too much";

/// Longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(30);

fn secret() -> RealmSecret {
    RealmSecret::new("the realm secret").unwrap()
}

/// A token of a user for a realm, with what they may do there.
fn claims(user: &str, realm: &str, permissions: &[&str]) -> Claims {
    let now = Utc::now().timestamp();
    Claims {
        user: user.to_owned(),
        realm: Some(url(realm).to_string()),
        permissions: Some(permissions.iter().map(|&name| name.to_owned()).collect()),
        realm_server_url: None,
        delegated: false,
        iat: Some(now - 60),
        exp: now + 3600,
        nbf: None,
    }
}

fn delegated(user: &str, realm: &str) -> Claims {
    Claims {
        delegated: true,
        ..claims(user, realm, &["read"])
    }
}

fn bearer(claims: &Claims) -> Option<String> {
    Some(format!("Bearer {}", secret().sign(claims).unwrap()))
}

/// Everyone who may not read the private realm `p`, by what they show.
fn strangers() -> Vec<(&'static str, Option<String>)> {
    let expired = Claims {
        exp: Utc::now().timestamp() - 1,
        ..claims("bob", "p", &["read"])
    };
    let forged = RealmSecret::new("a guess").unwrap();
    let forged = forged.sign(&claims("ann", "p", &["read"])).unwrap();
    vec![
        ("nobody", None),
        ("nonsense", Some("Bearer nonsense".to_owned())),
        ("forged", Some(format!("Bearer {forged}"))),
        ("another user", bearer(&claims("eve", "m", &["read"]))),
        (
            "another user's for the realm",
            bearer(&claims("eve", "p", &["read"])),
        ),
        (
            SAYS_TOO_MUCH,
            bearer(&claims("bob", "p", &["read", "write"])),
        ),
        (
            "another realm's owner",
            bearer(&claims("olga", "o", &["read", "realm-owner", "write"])),
        ),
        ("revoked", bearer(&claims("gone", "p", &["read"]))),
        ("revoked and delegated", bearer(&delegated("gone", "p"))),
        (
            "delegated for another realm",
            bearer(&delegated("bob", "m")),
        ),
        ("delegated for another user", bearer(&delegated("eve", "p"))),
        ("expired", bearer(&expired)),
        (
            "expired and delegated",
            bearer(&Claims {
                delegated: true,
                ..expired
            }),
        ),
        ("users", bearer(&claims("users", "p", &["read"]))),
        ("everyone", bearer(&claims("*", "p", &["read"]))),
    ]
}

/// Everyone who may read it.
fn readers() -> Vec<(&'static str, Option<String>)> {
    vec![
        (
            "the owner",
            bearer(&claims("ann", "p", &["read", "realm-owner", "write"])),
        ),
        ("a reader", bearer(&claims("bob", "p", &["read"]))),
        ("delegated", bearer(&delegated("bob", "p"))),
    ]
}

/// Requests that ask for something private, each with one that asks the same of what is not there.
fn pairs(route: Route) -> Vec<(Method, String, String)> {
    let gets = |pairs: &[(&str, &str)]| -> Vec<(Method, String, String)> {
        let pairs = pairs.iter();
        pairs
            .flat_map(|(there, other)| {
                [Method::GET, Method::HEAD, Method::POST, Method::DELETE]
                    .map(|method| (method, (*there).to_owned(), (*other).to_owned()))
            })
            .collect()
    };
    match route {
        // As if there were no such realm: asked for in `is_in_no_list`.
        Route::Skills => Vec::new(),
        Route::DelegateSession => {
            let path = "/_delegate-session".to_owned();
            vec![(Method::POST, path.clone(), path)]
        }
        Route::IndexingErrors => gets(&[
            ("/p/_indexing-errors", "/p/_indexing-errors?page[size]=0"),
            (
                "/p/_indexing-errors?filter[url]=https://realm.test/p/s3cret.md",
                "/p/_indexing-errors?filter[url]=https://realm.test/p/none.md",
            ),
        ]),
        Route::Events => gets(&[("/p/_events", "/p/_events?none")]),
        Route::Reindex => gets(&[("/p/_reindex", "/p/_reindex?none")]),
        Route::FullReindex => gets(&[("/p/_full-reindex", "/p/_full-reindex?none")]),
        Route::Invalidate => gets(&[("/p/_invalidate", "/p/_invalidate?none")]),
        Route::CancelIndexing => {
            gets(&[("/p/_cancel-indexing-job", "/p/_cancel-indexing-job?none")])
        }
        Route::Info => gets(&[("/p/_info", "/p/_info?none")]),
        Route::Mtimes => gets(&[("/p/_mtimes", "/p/_mtimes?none")]),
        // For everyone: it says whether anything is open.
        Route::Readiness => gets(&[("/p/_readiness-check", "/p/_readiness-check?none")]),
        Route::Dependencies => gets(&[
            (
                "/p/_dependencies?url=https://realm.test/p/s3cret.md",
                "/p/_dependencies?url=https://realm.test/p/none.md",
            ),
            (
                "/p/_dependencies?url=https://realm.test/p/s3cret",
                "/p/_dependencies",
            ),
        ]),
        Route::File => gets(&[
            ("/p/s3cret.md", "/p/none.md"),
            ("/p/s3cret.md?wait=1", "/p/none.md?wait=nonsense"),
            // A module by its name alone; a failed file; one that nobody indexed; one that has only a row; a folder.
            ("/p/s3cret-tool", "/p/nothing"),
            ("/p/s3cret-failed.md", "/p/none.md"),
            ("/p/s3cret-new.md", "/p/none.md"),
            ("/p/s3cret-gone.md", "/p/none.md"),
            ("/p/s3cret-folder", "/p/none"),
            ("/p/s3cret-folder/", "/p/none/"),
            ("/p/", "/p/none"),
            ("/p", "/p/none"),
            ("/p/%00", "/p/none"),
        ]),
    }
}

/// A private realm `p` of ann's that bob reads, one `m` that all users read, and one `o` for all.
struct Realms {
    site: Site,
    private: Realm,
    open: Realm,
}

async fn with_realms<F>(test: impl FnOnce(Realms) -> F + 'static)
where
    F: Future<Output = ()> + 'static,
{
    with_site(|mut site| async move {
        let access = Access::default()
            .with_sessions(site.index.store.clone(), secret())
            .with_delegation(DelegationSecret::new("what both sides know").unwrap());
        let public = Public::new(
            site.index.store.clone(),
            access,
            metrics(),
            Wakes::default(),
        );
        site.listener = router(public.with_sources(folders()));
        let private = site.realm("p", &["bob", "gone"]).await;
        let members = site.realm("m", &["users"]).await;
        let open = site.realm("o", &["*"]).await;
        let store = &site.index.store;
        let readers = ["bob", "gone"].map(str::to_owned);
        store.set_rights(private.id, "ann", &readers).await.unwrap();
        store.revoke_sessions("gone").await.unwrap();
        for realm in [&private, &members, &open] {
            let folder = realm.url.as_url().path().trim_matches('/').to_owned();
            for at in [
                "s3cret.md",
                "s3cret-tool.ts",
                "s3cret-failed.md",
                "s3cret-new.md",
                "s3cret-folder/x.md",
            ] {
                if realm.id != open.id {
                    site.put(&folder, at, SECRET);
                }
            }
        }
        for realm in [&private, &members] {
            site.index(realm, "s3cret-tool.ts", SECRET, json!({"title": SECRET}))
                .await;
            site.index(realm, "s3cret-failed.md", SECRET, json!({"title": SECRET}))
                .await;
            let failed = Found::Failed {
                why: SECRET.to_owned(),
                transient: false,
            };
            site.write(realm, "s3cret-failed.md", failed).await;
            site.index(realm, "s3cret-gone.md", SECRET, json!({"title": SECRET}))
                .await;
            let module = realm.url.file(&crate::index::path("s3cret-tool.ts"));
            let edge = ReadState::Read {
                digest: ContentDigest::of(SECRET.as_bytes()),
            };
            let row = computed(realm, "s3cret.md", SECRET, skill(SECRET, SECRET));
            let mut found = with_edges(row, &[(module.as_str(), edge)]);
            add_findings(
                &mut found,
                &[finding(FindingKind::SkillSpecWarning, SECRET)],
            );
            site.write(realm, "s3cret.md", found).await;
        }
        site.index(&open, "open.md", "1", skill("open", "For all."))
            .await;
        // What is open would be waited for.
        site.index
            .sql("delete from jobs; delete from reindexes")
            .await;
        test(Realms {
            site,
            private,
            open,
        })
        .await;
    })
    .await;
}

fn add_findings(found: &mut Found, findings: &[realmdex_types::Finding]) {
    let Found::Computed(_, row) = found else {
        panic!("nothing was computed");
    };
    row.findings.extend_from_slice(findings);
}

impl Realms {
    async fn ask(&self, method: &Method, uri: &str, token: Option<&str>, accept: &str) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(uri)
            .header("accept", accept);
        for (name, value) in [
            ("range", "bytes=0-1"),
            ("if-none-match", "\"x\""),
            ("last-event-id", "0-0"),
        ] {
            request = request.header(name, value);
        }
        if let Some(token) = token {
            request = request.header("authorization", token);
        }
        let body = match *method {
            Method::POST => json!({"onBehalfOf": "bob", "realm": self.private.url,
                "data": {"attributes": {"urls": ["https://realm.test/p/s3cret.md"]}}})
            .to_string(),
            _ => String::new(),
        };
        self.site.ask(request.body(Body::from(body)).unwrap()).await
    }

    /// What a reader is answered.
    async fn read(&self, uri: &str, token: Option<&str>, accept: &str) -> Answer {
        let mut headers = vec![("accept", accept)];
        headers.extend(token.map(|token| ("authorization", token)));
        self.site.get(uri, &headers).await
    }

    /// What is told of what happened so far, up to some words.
    async fn events(&self, uri: &str, token: Option<&str>, until: &str) -> String {
        let mut request = Request::get(uri).header("last-event-id", "0-0");
        if let Some(token) = token {
            request = request.header("authorization", token);
        }
        let listener = self.site.listener.clone();
        let answer = listener
            .oneshot(request.body(Body::empty()).unwrap())
            .await
            .unwrap();
        assert_eq!(answer.status(), 200, "{uri}");
        let mut body = answer.into_body().into_data_stream();
        let mut told = String::new();
        while !told.contains(until) {
            let more = tokio::time::timeout(PATIENCE, body.next()).await;
            let more = more.unwrap_or_else(|_| panic!("in vain: {until} in {told}"));
            told.write_str(std::str::from_utf8(&more.unwrap().unwrap()).unwrap())
                .unwrap();
        }
        told
    }
}

fn shown(answer: &Answer) -> String {
    format!(
        "{:?} {}",
        answer.headers,
        String::from_utf8_lossy(&answer.body)
    )
}

#[tokio::test]
async fn strangers_are_answered_the_same_whatever_there_is() {
    with_realms(|realms| async move {
        for route in Route::ALL {
            for (who, token) in strangers() {
                for (method, there, other) in pairs(route) {
                    for accept in [FILE_META, "*/*"] {
                        let token = token.as_deref();
                        let case = format!("{method} {there} {accept} by {who}");
                        let one = realms.ask(&method, &there, token, accept).await;
                        let other = realms.ask(&method, &other, token, accept).await;
                        assert_eq!(
                            (one.status, &one.headers, &one.body),
                            (other.status, &other.headers, &other.body),
                            "{case}"
                        );
                        let allowed: &[u16] = match route {
                            Route::Readiness => &[200, 405],
                            // Whether one may is not asked of what no file takes.
                            _ if matches!(
                                method,
                                Method::POST | Method::DELETE | Method::GET | Method::HEAD
                            ) =>
                            {
                                &[401, 403, 405]
                            }
                            _ => &[401, 403],
                        };
                        assert!(allowed.contains(&one.status), "{case}: {}", one.status);
                        assert!(!shown(&one).contains(SECRET), "{case}: {}", shown(&one));
                        for name in [
                            "etag",
                            "last-modified",
                            "content-range",
                            "location",
                            "x-created",
                            "x-boxel-realm-public-readable",
                            "x-realmdex-change-seq",
                        ] {
                            assert_eq!(one.header(name), "", "{case}: {name}");
                        }
                    }
                }
            }
        }
        // Nothing was done for them either.
        let open = realms
            .site
            .index
            .store
            .reindexes(Some(realms.private.id), None, 10)
            .await
            .unwrap();
        assert!(open.is_empty(), "{open:?}");
        assert!(realms.site.index.waiting(&realms.private).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_private_realm_is_in_no_strangers_list() {
    with_realms(|realms| async move {
        for (who, token) in strangers() {
            if who == SAYS_TOO_MUCH {
                continue;
            }
            for uri in [
                "/_skills",
                "/_skills?q=s3cret",
                "/_skills?page[size]=1&page[number]=2",
            ] {
                let answer = realms.read(uri, token.as_deref(), "*/*").await;
                let document = answer.text();
                // Whoever is a user sees what all users may.
                assert!(!document.contains("/p/"), "{uri} by {who}: {document}");
                let holds = !matches!(who, "nonsense" | "forged")
                    && !who.starts_with("revoked")
                    && !who.starts_with("expired");
                assert_eq!(
                    answer.status,
                    if holds { 200 } else { 401 },
                    "{uri} by {who}"
                );
                assert_eq!(answer.header("x-boxel-realm-url"), "", "{uri} by {who}");
            }
        }
        let skills = async |token: Option<String>| {
            let document = realms
                .read("/_skills", token.as_deref(), "*/*")
                .await
                .json();
            let data = document["data"].as_array().unwrap().iter();
            let ids: Vec<_> = data
                .map(|skill| skill["id"].as_str().unwrap().to_owned())
                .collect();
            ids.join(" ").replace("https://realm.test", "")
        };
        for (token, expected) in [
            (None, "/o/open.md"),
            (
                bearer(&claims("eve", "m", &["read"])),
                "/m/s3cret.md /o/open.md",
            ),
            (
                bearer(&claims("bob", "p", &["read"])),
                "/m/s3cret.md /o/open.md /p/s3cret.md",
            ),
            (bearer(&delegated("bob", "p")), "/o/open.md /p/s3cret.md"),
            (bearer(&delegated("bob", "m")), "/m/s3cret.md /o/open.md"),
            (bearer(&delegated("bob", "o")), "/o/open.md"),
        ] {
            assert_eq!(skills(token.clone()).await, expected, "{token:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn readers_are_told() {
    with_realms(|realms| async move {
        let of_members = [
            (
                "one of the users",
                "m",
                bearer(&claims("eve", "m", &["read"])),
            ),
            ("delegated by one", "m", bearer(&delegated("eve", "m"))),
        ];
        let of_private = readers().into_iter().map(|(who, token)| (who, "p", token));
        for (who, at, token) in of_private.chain(of_members) {
            let token = token.as_deref();
            for (below, accept, status, words) in [
                ("s3cret.md", "*/*", 200, SECRET),
                ("s3cret.md", FILE_META, 200, "Greet_a1b2"),
                ("s3cret-tool", FILE_META, 200, "\"title\": \"s3cret\""),
                ("s3cret-failed.md", FILE_META, 200, "unreadable"),
                ("s3cret-new.md", FILE_META, 200, "not-indexed"),
                ("s3cret-tool", "*/*", 302, ""),
                ("none.md", "*/*", 404, "no such file"),
                ("_info", "*/*", 200, "realm-info"),
                ("_mtimes", "*/*", 200, "s3cret-folder/x.md"),
                ("_readiness-check", "*/*", 200, ""),
                (
                    "_dependencies?url=https://realm.test/{at}/s3cret.md",
                    "*/*",
                    200,
                    "s3cret-tool.ts",
                ),
                ("_indexing-errors", "*/*", 200, "skill-spec-warning"),
            ] {
                let uri = format!("/{at}/{}", below.replace("{at}", at));
                let answer = realms.read(&uri, token, accept).await;
                let case = format!("{uri} {accept} by {who}");
                assert_eq!(answer.status, status, "{case}: {}", answer.text());
                assert!(answer.text().contains(words), "{case}: {}", answer.text());
                let cache = answer.header("cache-control");
                assert!(!cache.contains("public"), "{case}: {cache}");
            }
            let told = realms
                .events(&format!("/{at}/_events"), token, "s3cret.md")
                .await;
            assert!(!told.contains("open.md"), "{told}");
        }
        // What a reader may not have done.
        for (who, token) in readers() {
            let answer = realms
                .ask(&Method::POST, "/p/_reindex", token.as_deref(), "*/*")
                .await;
            assert_eq!(
                answer.status,
                if who == "the owner" { 204 } else { 403 },
                "{who}"
            );
        }
    })
    .await;
}

/// The lists of a public realm's reader: edges and findings of a file that was computed from a private realm's files.
#[tokio::test]
async fn a_public_realm_tells_nothing_of_a_private_ones_files() {
    with_realms(|realms| async move {
        let Realms {
            site,
            private,
            open,
        } = &realms;
        let kit = Package::Root {
            prefix: "@kit/s3cret/".to_owned(),
            location: private.source.clone(),
        };
        let alias = Package::Alias {
            prefix: "@alias/".to_owned(),
            to: "@kit/s3cret/".to_owned(),
        };
        site.index
            .store
            .remember_packages(&[kit, alias])
            .await
            .unwrap();
        let read = || ReadState::Read {
            digest: ContentDigest::of(SECRET.as_bytes()),
        };
        let mut found = with_edges(
            computed(open, "s.md", "s", skill("open", "For all.")),
            &[
                ("https://realm.test/o/t.ts", ReadState::Absent),
                ("https://realm.test/p/s3cret-tool.ts", read()),
                ("https://realm.test/p/s3cret-none.ts", ReadState::Absent),
                ("@kit/s3cret/none.ts", ReadState::Absent),
                ("@alias/s3cret.ts", ReadState::Absent),
            ],
        );
        let findings = [
            tool_finding(
                "https://realm.test/o/t.ts",
                "T",
                "https://realm.test/p/s3cret-tool.ts can't be parsed",
            ),
            tool_finding(
                "https://realm.test/o/t.ts",
                "U",
                "in \"@kit/s3cret/x.ts\": what is s3cret there",
            ),
            tool_finding("https://realm.test/p/t", "V", "unexpected token s3cret"),
            tool_finding("@alias/t", "W", "unexpected token s3cret"),
            tool_finding(
                "https://realm.test/o/t.ts",
                "X",
                "open to all, as https://realm.test/o/t.ts is",
            ),
        ];
        add_findings(&mut found, &findings);
        site.write(open, "s.md", found).await;
        // Two tools of one name, each in a realm of its own.
        let (mine, theirs) = (
            "https://realm.test/o/t.ts",
            "https://realm.test/p/s3cret-tool.ts",
        );
        site.index
            .skill(open, "same.md", &[stamped_as("same_0000", mine, "T")], &[])
            .await;
        site.index
            .skill(
                private,
                "s3cret-same.md",
                &[stamped_as("same_0000", theirs, "T")],
                &[],
            )
            .await;
        site.index
            .sql("delete from jobs; delete from reindexes")
            .await;
        let dependencies = "/o/_dependencies?url=https://realm.test/o/s.md";
        let mut blind = strangers();
        blind.retain(|(who, _)| *who != SAYS_TOO_MUCH);
        blind.push((
            "delegated for this realm alone",
            bearer(&delegated("bob", "o")),
        ));
        for (who, token) in blind {
            for uri in [
                dependencies,
                "/o/_indexing-errors",
                "/o/_mtimes",
                "/o/_info",
            ] {
                let answer = realms.read(uri, token.as_deref(), "*/*").await;
                let text = answer.text();
                assert_eq!(answer.status, 200, "{uri} by {who}: {text}");
                assert!(!text.contains(SECRET), "{uri} by {who}: {text}");
                assert!(
                    !text.contains("function-name-collision"),
                    "{uri} by {who}: {text}"
                );
                if uri.ends_with("_indexing-errors") {
                    assert_eq!(text.matches("that you may not read").count(), 8, "{text}");
                    assert!(text.contains("open to all"), "{text}");
                }
            }
        }
        for (who, token) in readers() {
            for (uri, words) in [
                (dependencies, ["p/s3cret-tool.ts", "@kit/s3cret/none.ts"]),
                (
                    "/o/_indexing-errors",
                    ["s3cret-tool.ts can't be parsed", "unexpected token s3cret"],
                ),
            ] {
                let answer = realms.read(uri, token.as_deref(), "*/*").await;
                for words in words {
                    assert!(
                        answer.text().contains(words),
                        "{uri} by {who}: {}",
                        answer.text()
                    );
                }
                assert!(
                    !answer.text().contains("function-name-collision"),
                    "{}",
                    answer.text()
                );
            }
        }
    })
    .await;
}

/// Rows stay the outer realm's until they are looked at again.
#[tokio::test]
async fn what_has_become_a_private_realms_is_told_by_no_list() {
    with_realms(|realms| async move {
        let Realms { site, open, .. } = &realms;
        let wrong = finding(FindingKind::SkillSpecWarning, SECRET);
        let module = "https://realm.test/o/inner/s3cret.ts";
        let tool = |name: &str| stamped_as("same_0000", module, name);
        site.index
            .skill(
                open,
                "inner/s3cret.md",
                &[tool("A")],
                std::slice::from_ref(&wrong),
            )
            .await;
        site.index
            .skill(
                open,
                "same.md",
                &[stamped_as("same_0000", "https://realm.test/o/t.ts", "B")],
                &[],
            )
            .await;
        let uris = [
            "/o/_indexing-errors",
            "/o/_indexing-errors?filter[url]=https://realm.test/o/inner/s3cret.md",
        ];
        for uri in uris {
            assert!(
                realms.read(uri, None, "*/*").await.text().contains(SECRET),
                "{uri}"
            );
        }
        assert!(
            realms
                .events("/o/_events", None, "same.md")
                .await
                .contains(SECRET)
        );
        site.realm_at("https://elsewhere.test/hidden/", "o/inner", &[])
            .await;
        site.index
            .sql("delete from jobs; delete from reindexes")
            .await;
        for uri in uris {
            let document = realms.read(uri, None, "*/*").await.json();
            assert_eq!(
                (&document["data"], &document["meta"]["total"]),
                (&json!([]), &Value::from(0)),
                "{uri}"
            );
        }
        let told = realms.events("/o/_events", None, "same.md").await;
        assert!(!told.contains(SECRET), "{told}");
    })
    .await;
}

/// The same headers as for `GET`, and no body (RFC 9110, 9.3.2), on every route that is read.
#[tokio::test]
async fn heads_say_what_answers_would() {
    with_realms(|realms| async move {
        let token = bearer(&claims("bob", "p", &["read"]));
        for uri in [
            "/_skills",
            "/p/_indexing-errors",
            "/p/_info",
            "/p/_mtimes",
            "/p/_readiness-check",
            "/p/_dependencies?url=https://realm.test/p/s3cret.md",
            "/p/_dependencies",
            "/p/s3cret.md",
            "/p/s3cret-tool",
            "/p/s3cret-new.md",
            "/p/none.md",
            "/nowhere",
        ] {
            for accept in [FILE_META, "*/*"] {
                let headers = [
                    ("accept", accept),
                    ("authorization", token.as_deref().unwrap()),
                ];
                let site = &realms.site;
                let get = site.send(Method::GET, uri, &headers).await;
                let head = site.send(Method::HEAD, uri, &headers).await;
                let told = |answer: &Answer| {
                    let mut headers = answer.headers.clone();
                    // Of an answer with a body the connection writes it.
                    headers.remove("content-length");
                    (answer.status, headers)
                };
                assert_eq!(told(&head), told(&get), "{uri} {accept}");
                assert!(head.body.is_empty(), "{uri} {accept}");
                let length = head.header("content-length");
                assert!(
                    length.is_empty() || length == get.body.len().to_string(),
                    "{uri} {accept}: {length}"
                );
            }
        }
    })
    .await;
}

/// Who may is asked first, so that only those who would be let in learn that a realm is archived; whether it is ready is
/// told to everyone (Boxel's rules).
#[tokio::test]
async fn an_archived_realm_says_so_to_those_who_may_read_it() {
    with_realms(|realms| async move {
        let store = &realms.site.index.store;
        store.archive_realm(realms.private.id, true).await.unwrap();
        let (owner, reader) = (&readers()[0].1, &readers()[1].1);
        for route in Route::ALL {
            let (method, uri, body) = match route {
                Route::Skills | Route::DelegateSession => continue,
                Route::File => (Method::GET, "/p/s3cret.md", ""),
                Route::Readiness => {
                    let answer = realms.read("/p/_readiness-check", None, "*/*").await;
                    assert_eq!(answer.status, 200);
                    continue;
                }
                Route::IndexingErrors => (Method::GET, "/p/_indexing-errors", ""),
                Route::Events => (Method::GET, "/p/_events", ""),
                Route::Info => (Method::GET, "/p/_info", ""),
                Route::Mtimes => (Method::GET, "/p/_mtimes", ""),
                Route::Dependencies => (Method::GET, "/p/_dependencies", ""),
                Route::Reindex => (Method::POST, "/p/_reindex", ""),
                Route::FullReindex => (Method::POST, "/p/_full-reindex", ""),
                Route::Invalidate => (Method::POST, "/p/_invalidate", "{}"),
                Route::CancelIndexing => (Method::POST, "/p/_cancel-indexing-job", ""),
            };
            let may = if method == Method::GET { reader } else { owner };
            for (token, status) in [(may, 403), (&None, 401)] {
                let mut request = Request::builder().method(&method).uri(uri);
                if let Some(token) = token {
                    request = request.header("authorization", token);
                }
                let answer = realms
                    .site
                    .ask(request.body(Body::from(body)).unwrap())
                    .await;
                assert_eq!(answer.status, status, "{method} {uri}");
                let archived = answer.header("x-boxel-realm-archived");
                assert_eq!(
                    archived,
                    if status == 403 { "true" } else { "" },
                    "{method} {uri}"
                );
                assert_eq!(
                    answer.text().contains("\"archived\""),
                    status == 403,
                    "{method} {uri}"
                );
                assert!(!shown(&answer).contains(SECRET), "{method} {uri}");
            }
        }
        let skills = realms.read("/_skills", owner.as_deref(), "*/*").await;
        assert!(!skills.text().contains("/p/"), "{}", skills.text());
    })
    .await;
}
