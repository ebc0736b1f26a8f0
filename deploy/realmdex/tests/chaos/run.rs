//! A run from beginning to end.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use fastrand::Rng;
use realmdex_scheduler::operator::wire::{RealmAdded, RealmRequest};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::arguments::Form;
use crate::compare;
use crate::fleet::{Fleet, Role, Settings};
use crate::fresh;
use crate::mischief::{self, Stage, url};
use crate::operator::{ManagementPage, Operators};
use crate::realm::{A, B, World};
use crate::script::{OWNER, SCHEDULERS, Step, WORKERS, script};
use crate::services::Services;
use crate::settle;
use crate::tally::Tally;

/// How long a lease holds, and what goes with it.
const LEASE: Duration = Duration::from_secs(3);

/// Differences that are told.
const TOLD: usize = 50;

/// Steps at the end of a script that must be done whatever happens.
const LAST_STEPS: usize = 3;

/// The fleet's settings: everything that is waited for comes soon.
const SETTINGS: [(&str, &str); 14] = [
    ("REALMDEX_LEASE", "3s"),
    ("REALMDEX_BEAT", "500ms"),
    ("REALMDEX_SLOTS", "4"),
    ("REALMDEX_PREFETCH", "16"),
    ("REALMDEX_DRAIN", "2s"),
    ("REALMDEX_TRIES", "5"),
    ("REALMDEX_WATCH", "false"),
    ("REALMDEX_OFFER_STANDS", "3s"),
    ("REALMDEX_RECONCILE_LEASES", "1s"),
    ("REALMDEX_RECONCILE_REINDEXES", "500ms"),
    ("REALMDEX_RECONCILE_UNSETTLED", "1s"),
    ("REALMDEX_RECONCILE_INVARIANT", "3s"),
    ("REALMDEX_RECONCILE_RETENTION", "5s"),
    ("REALMDEX_LOG", "info"),
];

/// How long each part took.
struct Phases {
    since: Instant,
    took: Vec<(&'static str, Duration)>,
}

impl Phases {
    fn ended(&mut self, phase: &'static str) {
        self.took.push((phase, self.since.elapsed()));
        self.since = Instant::now();
    }
}

/// Runs it; answers how many differences there are.
///
/// # Errors
/// Whatever keeps it from an end.
pub async fn run(form: &Form, folder: &Path) -> anyhow::Result<usize> {
    let mut phases = Phases {
        since: Instant::now(),
        took: Vec::new(),
    };
    let mut rng = Rng::with_seed(form.seed);
    let mut world = World::new(form.size(), &mut rng);
    let roots = ["a", "b"].map(|realm| folder.join("realms").join(realm));
    let aside = folder.join("aside");
    fs::create_dir_all(&aside)?;
    for (tree, root) in world.realms.iter().zip(&roots) {
        tree.lay_out(root).context("writing the realms")?;
    }
    let steps = script(&mut world, form.plan(), &mut rng);
    let services = Services::start(folder).await?;
    phases.ended("starting");

    let tally = Arc::new(Tally::default());
    let database = new_database(&services, "fleet").await?;
    let fresh_database = new_database(&services, "fresh").await?;
    // Chooses who speaks TLS for the whole process, and lets the delivery limit hold.
    realmdex_queue::Management::new(&services.management, &services.broker)?
        .apply()
        .await?;
    let client = reqwest::Client::builder().build()?;
    let mut settings = Settings {
        folder: folder.join("processes"),
        variables: SETTINGS
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect(),
    };
    fs::create_dir_all(&settings.folder)?;
    let single = settings.clone();
    settings.variables.extend([
        ("REALMDEX_DATABASE", database.clone()),
        ("REALMDEX_BROKER", services.broker.clone()),
        ("REALMDEX_BROKER_MANAGEMENT", services.management.clone()),
    ]);
    let migrated = settings.command(&["migrate"]).output().await?;
    ensure!(
        migrated.status.success(),
        "migrate: {}",
        String::from_utf8_lossy(&migrated.stderr)
    );
    let counts = [(Role::Scheduler, SCHEDULERS), (Role::Worker, WORKERS)];
    let fleet = Fleet::start(&settings, &client, &tally, counts).await?;
    fleet.ready(Instant::now() + form.patience()).await?;
    let bases = fleet.schedulers.iter().map(|one| one.base()).collect();
    let stage = Arc::new(Stage {
        page: ManagementPage::new(client.clone(), &services.management)?,
        operators: Operators::new(client, bases),
        services,
        fleet,
        tally: Arc::clone(&tally),
        roots,
        aside,
        lease: LEASE,
        database: database.clone(),
    });
    phases.ended("up");

    let looking_after = {
        let stage = Arc::clone(&stage);
        tokio::spawn(async move { stage.fleet.look_after().await })
    };
    register(&stage, Instant::now() + form.patience()).await?;
    mischief::play(&stage, &steps).await?;
    phases.ended("mischief");

    let deadline = Instant::now() + form.patience();
    stage.fleet.ready(deadline).await?;
    let last: &[Step] = &steps[steps.len() - LAST_STEPS..];
    settle::open_up(&stage, last, deadline).await?;
    let retried = settle::settle(&stage, deadline).await?;
    tally.add("tried again at last", "dead or failed jobs", retried as u64);
    phases.ended("settling");
    let edges = settle::verify(&stage).await?;
    looking_after.abort();
    stage.fleet.end().await?;

    for (tree, root) in world.realms.iter().zip(&stage.roots) {
        let wrong = tree.differences(root)?;
        ensure!(
            wrong.is_empty(),
            "{} is not as it was meant: {wrong:?}",
            tree.url
        );
    }
    fresh::index(&single, &fresh_database, &stage.roots).await?;
    phases.ended("one process");
    let (fleet, fresh) = (
        compare::rows(&database).await?,
        compare::rows(&fresh_database).await?,
    );
    let differences = compare::differences(&fleet, &fresh);
    if differences.is_empty() {
        let missed = compare::unnoticed(&fresh_database, &fleet).await?;
        ensure!(
            missed.is_empty(),
            "planted differences are not noticed: {missed:#?}"
        );
    }
    phases.ended("comparing");
    print!("{}", tally.table(&phases.took));
    println!(
        "{:<22}{edges} edges, all say what their targets are",
        "verify"
    );
    println!(
        "{:<22}{}  ({})",
        "rows compared",
        fresh.len(),
        compare::counts(&fresh)
    );
    for difference in differences.iter().take(TOLD) {
        println!("{difference}");
    }
    Ok(differences.len())
}

async fn new_database(services: &Services, name: &str) -> anyhow::Result<String> {
    let mut connection = PgConnection::connect(&services.database("postgres")).await?;
    sqlx::query(AssertSqlSafe(format!("create database {name}")))
        .execute(&mut connection)
        .await?;
    connection.close().await?;
    Ok(services.database(name))
}

async fn register(stage: &Stage, deadline: Instant) -> anyhow::Result<()> {
    for realm in [A, B] {
        let source = url::Url::from_directory_path(&stage.roots[realm])
            .map_err(|()| anyhow::anyhow!("the realms' folder is no absolute path"))?;
        let request = RealmRequest {
            url: url(realm),
            source: source.into(),
            owner: Some(OWNER.to_owned()),
            readers: None,
            writers: Vec::new(),
        };
        let _: RealmAdded = stage
            .operators
            .insist("/_realms", &request, deadline)
            .await?;
    }
    Ok(())
}
