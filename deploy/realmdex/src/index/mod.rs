//! `realmdex index`: a whole realm, or what changed in it.

pub(crate) mod summary;
mod through_up;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use realmdex_scheduler::operator::findings;
use realmdex_scheduler::operator::wire::HoldingsAnswer;
use realmdex_store::{Holdings, Realm, Store};
use realmdex_types::{RealmPath, RealmUrl};
use realmdex_worker::enrich::DefinitionCache;
use realmdex_worker::pass::{self, PassConfig, PassReport, Progress};
use serde_json::json;
use url::Url;

use crate::database::{Database, IndexPlace};
use crate::describe::LOCAL_REALM;
use crate::operator_client::running::{self, Holder, Missing};
use crate::realm_place::RealmPlace;
use crate::report::{FileFindings, Format, report};
use crate::setup::{self, Modules, describer};
use crate::{answer, folders};

/// The largest file that is read, in bytes.
const FILE_BYTES: u64 = 64 << 20;

/// Files that are looked at at once, per core: some wait for their bytes while others compute.
const FILES_PER_CORE: usize = 4;

/// `realmdex index`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex index                                  the realm in this folder
  realmdex index ../my-skills --strict            for a CI job: exit code 1 on findings
  realmdex index --json > outcome.json            what came of it, for programs
  realmdex index https://realms.example/acme/     a realm that is served
  realmdex index skills --map @cardstack/base/=../boxel/packages/base
  realmdex index skills --database postgres://localhost/realmdex --url https://realms.example/skills/

Maps and aliases are kept with the index: a later run needs them only where they change.")]
pub(crate) struct Arguments {
    /// The realm's folder, or the URL it is served from.
    #[arg(default_value = ".", value_name = "PATH|URL")]
    realm: String,
    /// The realm's root URL, on which its tools' function names depend. A folder's is `https://realm.local/` unless
    /// given, wherever the folder lies.
    #[arg(long, value_parser = RealmUrl::parse)]
    url: Option<RealmUrl>,
    #[command(flatten)]
    modules: Modules,
    #[command(flatten)]
    place: IndexPlace,
    /// Print what came of it as JSON: `{realm, files, skills, tools, findings, milliseconds}`.
    #[arg(long)]
    json: bool,
    /// Compute every file, whatever has changed.
    #[arg(long)]
    force: bool,
    /// Exit with code 1 if there are findings.
    #[arg(long)]
    strict: bool,
    /// Let more than half of the index's files go, if they are no longer in the realm.
    #[arg(long)]
    allow_mass_delete: bool,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let place = RealmPlace::of(&arguments.realm, arguments.url.clone())?;
    let database = match holder(&arguments.place, &place).await? {
        Holder::Here(database) => database,
        Holder::Up(operator) => {
            return through_up::run(operator, &arguments, &place.location).await;
        }
    };
    let indexed = tokio::select! {
        indexed = index(&database, &arguments, place) => indexed,
        stopped = tokio::signal::ctrl_c() => {
            stopped.context("waiting for a signal")?;
            Err(anyhow::anyhow!(
                "stopped; what was indexed so far is kept, and the next run goes on from there"
            ))
        }
    };
    // What went wrong first is what is told.
    let closed = database.close().await;
    let indexed = indexed?;
    closed?;
    let is_refused = arguments.strict && !indexed.findings.is_empty();
    let text = if arguments.json {
        answer::json(&outcome(&indexed)?)?
    } else {
        summary(indexed)
    };
    answer::print(&text)?;
    Ok(if is_refused {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Who has the index: this process from now on, or a `realmdex up`, in the index's own folder or as one of its realms.
async fn holder(kept: &IndexPlace, place: &RealmPlace) -> anyhow::Result<Holder> {
    if kept.database.is_some() {
        let database = Database::open(kept, Path::new("")).await?;
        return Ok(Holder::Here(database));
    }
    if let Some(folder) = &kept.data {
        return running::holder(folder, Missing::IsMade).await;
    }
    let up = running::that_holds(|realm| realm.source == place.location.as_str()).await?;
    match up {
        Some(operator) => Ok(Holder::Up(operator)),
        None => {
            let folder = folders::index_of(&place.location)?;
            running::holder(&folder, Missing::IsMade).await
        }
    }
}

/// What a run came to.
struct Indexed {
    realm: Realm,
    pass: PassReport,
    holdings: Holdings,
    findings: Vec<FileFindings>,
}

async fn index(
    database: &Database,
    arguments: &Arguments,
    place: RealmPlace,
) -> anyhow::Result<Indexed> {
    let store = &database.store;
    let url = match &place.url {
        Some(url) => url.clone(),
        None => {
            let known = store.realms().await?.into_iter();
            let mut known = known.filter(|realm| realm.source == place.location.as_str());
            match known.next() {
                Some(realm) => realm.url,
                None => RealmUrl::parse(LOCAL_REALM)?,
            }
        }
    };
    let realm = store.register_realm(&url, place.location.as_str()).await?;
    store
        .remember_packages(&arguments.modules.entries()?)
        .await?;
    let packages = packages_of(store, &realm, &place).await?;
    let definitions = DefinitionCache::new(Some(store.clone()));
    let describer = Arc::new(describer(
        packages,
        &arguments.modules.limits,
        Some(definitions),
    )?);
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let config = PassConfig {
        realm: realm.clone(),
        source: place.source,
        force: arguments.force,
        allow_mass_delete: arguments.allow_mass_delete,
        file_bytes: FILE_BYTES,
        concurrency: cores * FILES_PER_CORE,
    };
    let bar = Bar::new();
    let pass = pass::run(store, describer, config, &bar).await;
    bar.finish();
    Ok(Indexed {
        pass: pass?,
        holdings: store.holdings(realm.id).await?,
        findings: findings(store, realm.id)
            .await?
            .into_iter()
            .map(FileFindings::from)
            .collect(),
        realm,
    })
}

/// Where an index's modules come from: what was mapped, and every realm it holds.
async fn packages_of(
    store: &Store,
    indexed: &Realm,
    place: &RealmPlace,
) -> anyhow::Result<realmdex_worker::modules::PackageMap> {
    let mut builder = setup::map(&store.packages().await?)?;
    for realm in store.realms().await? {
        let (location, source) = match realm.id == indexed.id {
            true => (place.location.clone(), Arc::clone(&place.source)),
            false => {
                let location = Url::parse(&realm.source)
                    .with_context(|| format!("{} has no place to read it from", realm.url))?;
                let source = setup::source(&location)?;
                (location, source)
            }
        };
        builder = builder.realm(&realm.url, location, source)?;
    }
    Ok(builder.build())
}

/// A progress bar on a terminal; nothing elsewhere.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        let style =
            ProgressStyle::with_template("{bar:32} {pos}/{len} files  {elapsed}  {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn planned(&self, files: usize) {
        self.0.inc_length(files as u64);
    }

    fn done(&self, path: &RealmPath) {
        self.0.set_message(path.to_string());
        self.0.inc(1);
    }
}

fn summary(indexed: Indexed) -> String {
    let pass = &indexed.pass;
    let mut done = Vec::new();
    for (count, what) in [
        (pass.computed.len(), "computed"),
        (pass.removed.len(), "removed"),
        (pass.unsettled.len(), "still changing, for the next run"),
    ] {
        if count > 0 {
            done.push(format!("{count} {what}"));
        }
    }
    if done.is_empty() {
        done.push("nothing has changed".to_owned());
    }
    let summary = summary::Summary {
        realm: indexed.realm.url,
        holdings: HoldingsAnswer {
            files: indexed.holdings.files,
            skills: indexed.holdings.skills,
            tools_declared: indexed.holdings.tools_declared,
            tools_stamped: indexed.holdings.tools_stamped,
        },
        findings: indexed.findings,
        done: done.join(", "),
        skills_done: Some(pass.skills_computed.len()),
        seconds: pass.took.as_secs_f64(),
    };
    let mut text = summary.text(console::colors_enabled());
    if pass.elsewhere > 0 {
        text += &format!(
            "{} files of other realms in this index depend on what changed: index those realms too\n",
            pass.elsewhere
        );
    }
    text
}

/// The same for programs.
fn outcome(indexed: &Indexed) -> anyhow::Result<serde_json::Value> {
    let pass = &indexed.pass;
    let findings = report(Format::Json, &indexed.findings, false);
    let findings: serde_json::Value =
        serde_json::from_str(&findings).context("the findings are JSON")?;
    Ok(json!({
        "realm": indexed.realm.url,
        "files": {
            "indexed": indexed.holdings.files,
            "listed": pass.listed,
            "read": pass.read,
            "computed": pass.computed,
            "removed": pass.removed,
            "unsettled": pass.unsettled,
        },
        "skills": {
            "indexed": indexed.holdings.skills,
            "computed": pass.skills_computed,
        },
        "tools": {
            "declared": indexed.holdings.tools_declared,
            "stamped": indexed.holdings.tools_stamped,
        },
        "findings": findings,
        "milliseconds": u64::try_from(pass.took.as_millis()).unwrap_or(u64::MAX),
    }))
}
