//! `realmdex up`: scheduler and worker in one process, watching folders, on an embedded database or on given services.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use prometheus::Registry;
use realmdex_queue::Broker;
use realmdex_scheduler::operator::{OperatorToken, router, serve};
use realmdex_scheduler::{Metrics, Scheduler, SchedulerConfig};
use realmdex_store::{NewRealm, OPERATOR, ReindexRequest, ReindexRow, Store};
use realmdex_types::{RealmUrl, ReindexOutcome};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::public::PublicListener;
use super::{broker, listener, opener, public, shift, stopping};
use crate::config::{Config, Settings};
use crate::database::{Database, IndexPlace};
use crate::describe::LOCAL_REALM;
use crate::operator_client::running::{FLEET, TOKEN_FILE, URL_FILE};
use crate::realm_place::{RealmPlace, one_of_several};
use crate::setup::Modules;
use crate::{answer, folders, secrets};

/// How often to look whether a reindex has ended, to say so.
const NEWS: Duration = Duration::from_millis(200);

/// How many of the latest reindexes are looked at for that.
const SHOWN: i64 = 100;

/// `realmdex up`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex up                              the realm in this folder, indexed anew with each edit
  realmdex up skills ../catalog --map @cardstack/base/=../boxel/packages/base
  realmdex up skills --url https://realms.example/skills/
  realmdex up skills --database postgres://localhost/realmdex --broker amqp://localhost/

Other commands find it: `realmdex show`, `errors`, `jobs list`, `reindex` and so on work while it runs. Ctrl-C ends it.")]
pub(crate) struct Arguments {
    /// Folders of realms, or URLs they are served from.
    #[arg(default_value = ".", value_name = "PATH|URL")]
    realms: Vec<String>,
    /// The root URL of the realm, where there is one.
    #[arg(long, value_parser = RealmUrl::parse)]
    url: Option<RealmUrl>,
    /// Keep the embedded index in this folder. By default a single realm's is the one that `realmdex index` uses.
    #[arg(long, env = "REALMDEX_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    modules: Modules,
    #[command(flatten)]
    settings: Settings,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let mut config = arguments.settings.read()?;
    if !config.says_where_to_listen {
        // Any free port: other commands find it in the data folder.
        config.listen.set_port(0);
    }
    let stop = stopping::told()?;
    let places = places(&arguments)?;
    let folder = match &arguments.data {
        Some(folder) => folder.clone(),
        None => match places.as_slice() {
            [only] => folders::index_of(&only.location)?,
            _ => folders::indexes()?.join(FLEET),
        },
    };
    let is_embedded = config.database.is_empty();
    let place = IndexPlace {
        database: (!is_embedded).then(|| config.database.clone()),
        data: Some(folder.clone()),
    };
    let database = Database::open(&place, &folder).await?;
    let ran = work(&arguments, &config, &database.store, &places, &folder, stop).await;
    // What went wrong first is what is told.
    let closed = database.close().await;
    ran?;
    closed?;
    Ok(ExitCode::SUCCESS)
}

fn places(arguments: &Arguments) -> anyhow::Result<Vec<RealmPlace>> {
    if arguments.url.is_some() && arguments.realms.len() > 1 {
        anyhow::bail!(
            "--url is for a single realm: give the others their URLs with `realmdex realms add`"
        );
    }
    arguments
        .realms
        .iter()
        .map(|realm| RealmPlace::of(realm, arguments.url.clone()))
        .collect()
}

async fn work(
    arguments: &Arguments,
    config: &Config,
    store: &Store,
    places: &[RealmPlace],
    folder: &Path,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let is_alone = config.database.is_empty();
    if is_alone {
        store.begin_alone().await?;
    }
    let broker = if config.broker.is_empty() {
        Broker::local()
    } else {
        broker::connect(config).await?
    };
    let access = secrets::access(
        store,
        config.realm_secret_file(),
        config.delegation_secret_file(),
    )?;
    let listening = listener::bind(config.listen).await?;
    let public = PublicListener::bind_somewhere(config).await?;
    store
        .remember_packages(&arguments.modules.entries()?)
        .await?;
    for place in places {
        register(store, place, places.len() == 1).await?;
    }
    let metrics = Arc::new(Metrics::new(Registry::new()).context("setting up what is counted")?);
    let limits = &arguments.modules.limits;
    let counted = metrics.registry();
    let ready = shift(store, &broker, config, limits, counted, is_alone, &stop).await?;
    let Some(shift) = ready else {
        return Ok(());
    };
    let scheduler = Scheduler::new(SchedulerConfig {
        store: store.clone(),
        broker: broker.clone(),
        metrics,
        dispatch: config.dispatch(),
        reconcile: config.reconcile(is_alone),
        watch: config.watching(),
    });
    let wakes = scheduler.wakes();
    let shift = shift.waking(Arc::new(move || wakes.dispatch.up()));
    let address = listening
        .local_addr()
        .context("finding the listener's port")?;
    let signs = Signs::put_up(
        folder,
        &format!("http://{address}"),
        listener::token(config)?,
    )?;
    let operator = scheduler
        .operator()
        .with_access(access.clone())
        .with_sources(opener(config.private_addresses))
        .with_token(signs.token.clone());
    let mut parts = JoinSet::new();
    let mut served_at = String::new();
    if let Some(listener) = public {
        served_at = format!(" · served at http://{}", listener.address()?);
        let public = public::of_scheduler(&scheduler, config, access, operator.events());
        parts.spawn(listener.serve(public, stop.clone()));
    }
    answer::print(&format!(
        "realmdex is up: {}{served_at} · operators: http://{address} · data: {}\n",
        match places {
            [only] => only.location.to_string(),
            several => format!("{} realms", several.len()),
        },
        folder.display()
    ))?;
    let served = serve(listening, router(operator), stop.clone());
    parts.spawn(async move { served.await.context("serving the operator's listener") });
    let scheduling = scheduler.run(stop.clone());
    parts.spawn(async move {
        scheduling.await;
        Ok(())
    });
    let telling = tell_of_reindexes(store.clone(), stop.clone());
    parts.spawn(async move {
        telling.await;
        Ok(())
    });
    let working = shift.run(stop.clone());
    parts.spawn(async move { working.await.context("working") });
    let mut ended = Ok(());
    while let Some(part) = parts.join_next().await {
        // Without one part the others are of no use.
        stop.cancel();
        ended = ended.and(part.context("a part of it panicked").and_then(|part| part));
    }
    drop(signs);
    broker.close().await;
    ended
}

/// Registers a realm. One that was registered before is indexed again: nobody watched it meanwhile.
async fn register(store: &Store, place: &RealmPlace, is_only: bool) -> anyhow::Result<()> {
    let location = place.location.as_str();
    let known = store.realms().await?;
    let url = match &place.url {
        Some(url) => url.clone(),
        None => match known.iter().find(|realm| realm.source == location) {
            Some(realm) => realm.url.clone(),
            None if is_only => RealmUrl::parse(LOCAL_REALM)?,
            None => one_of_several(location)?,
        },
    };
    let new = NewRealm {
        url,
        source: location.to_owned(),
        owner: OPERATOR.to_owned(),
        readers: vec!["*".to_owned()],
    };
    let (realm, is_new) = store.add_realm(&new).await?;
    // A folder is listed when watching begins.
    if !is_new && !location.starts_with("file:") && !realm.is_archived {
        let wanted = ReindexRequest::of(realm.id, "realmdex up".to_owned());
        store.request_reindex(&wanted).await?;
    }
    Ok(())
}

/// Says what came of each reindex, once, until told to stop; not of those that had ended before.
async fn tell_of_reindexes(store: Store, stop: CancellationToken) {
    let mut told: Option<BTreeSet<i64>> = None;
    loop {
        if let Ok(mut rows) = store.reindexes(None, None, SHOWN).await {
            rows.reverse();
            let ended: BTreeSet<i64> = rows
                .iter()
                .filter(|row| row.outcome.is_some())
                .map(|row| row.id)
                .collect();
            if let Some(told) = &told {
                for row in rows.iter().filter(|row| !told.contains(&row.id)) {
                    // Whoever reads has gone: the work goes on.
                    let _ = row
                        .outcome
                        .map(|outcome| answer::print(&news_of(row, outcome)));
                }
            }
            told = Some(ended);
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(NEWS) => {}
        }
    }
}

fn news_of(row: &ReindexRow, outcome: ReindexOutcome) -> String {
    match &row.error {
        None => format!(
            "{}: {} files, {} looked at, {}\n",
            row.realm,
            row.listed.unwrap_or_default(),
            row.planned.unwrap_or_default(),
            outcome.as_str()
        ),
        Some(error) => format!("{}: {}: {error}\n", row.realm, outcome.as_str()),
    }
}

/// The files by which other commands find this process; they go with it.
struct Signs {
    folder: PathBuf,
    token: OperatorToken,
}

impl Signs {
    fn put_up(folder: &Path, url: &str, given: Option<String>) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("making the data folder {}", folder.display()))?;
        let text = match given {
            Some(text) => text,
            None => random_token()?,
        };
        write_private(&folder.join(TOKEN_FILE), &text)?;
        write_private(&folder.join(URL_FILE), &format!("{url}\n"))?;
        Ok(Self {
            folder: folder.to_owned(),
            token: OperatorToken::new(&text).context("the token is empty")?,
        })
    }
}

/// 256 bits that nobody can guess.
fn random_token() -> anyhow::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context("making a token")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Drop for Signs {
    fn drop(&mut self) {
        for name in [URL_FILE, TOKEN_FILE] {
            // A sign that stays is found to lead nowhere.
            let _ = fs::remove_file(self.folder.join(name));
        }
    }
}

/// Writes a file that only this user may read, anew: one that was there may be readable for others.
fn write_private(path: &Path, text: &str) -> anyhow::Result<()> {
    let _ = fs::remove_file(path);
    let mut file = fs::File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .with_context(|| format!("making {}", path.display()))?;
    file.write_all(text.as_bytes())
        .with_context(|| format!("writing {}", path.display()))
}
