//! A virtual host of its own for each test, on the RabbitMQ that `REALMDEX_TEST_BROKER` and
//! `REALMDEX_TEST_BROKER_MANAGEMENT` name.

#![allow(dead_code)]

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::{Client, Method, Url};
use tokio::task::LocalSet;

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// An empty virtual host.
#[derive(Clone, Debug)]
pub struct Vhost {
    /// Its name.
    pub name: String,
    /// Its AMQP URL.
    pub amqp: String,
    /// The URL of the server's management page, with credentials.
    pub management: String,
}

/// Runs a test on an empty virtual host, and removes that whatever came of it.
pub async fn with_vhost<F>(test: impl FnOnce(Vhost) -> F)
where
    F: Future<Output = ()> + 'static,
{
    let vhost = Vhost::new();
    vhost
        .ask(Method::PUT, &format!("vhosts/{}", vhost.name), "{}")
        .await;
    // A task of its own, so that a panic ends here.
    let tested = LocalSet::new()
        .run_until(async { tokio::task::spawn_local(test(vhost.clone())).await })
        .await;
    vhost
        .ask(Method::DELETE, &format!("vhosts/{}", vhost.name), "")
        .await;
    if let Err(panicked) = tested {
        std::panic::resume_unwind(panicked.into_panic());
    }
}

impl Vhost {
    fn new() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let name = format!(
            "realmdex_test_{}_{}_{}",
            std::process::id(),
            since.as_nanos(),
            NUMBER.fetch_add(1, Ordering::Relaxed)
        );
        let mut amqp = Url::parse(&server("REALMDEX_TEST_BROKER")).unwrap();
        amqp.set_path(&name);
        Self {
            name,
            amqp: amqp.to_string(),
            management: server("REALMDEX_TEST_BROKER_MANAGEMENT"),
        }
    }

    /// Asks the management API; panics unless it does what it is asked for.
    pub async fn ask(&self, method: Method, path: &str, body: &'static str) -> String {
        rustls::crypto::ring::default_provider()
            .install_default()
            .ok();
        let url = format!("{}/api/{path}", self.management.trim_end_matches('/'));
        let request = Client::new()
            .request(method, url)
            .header("content-type", "application/json")
            .body(body);
        let answer = request.send().await.unwrap().error_for_status().unwrap();
        answer.text().await.unwrap()
    }
}

fn server(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| {
        panic!(
            "set {variable} to the URL of a RabbitMQ in which virtual hosts may be made, or run deploy/test"
        )
    })
}
