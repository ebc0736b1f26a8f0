//! Does what the script says. Faults go their own way, some of them for a while; the steps go on meanwhile.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use realmdex_scheduler::operator::wire::{
    ArchiveRequest, CancelRequest, CancelledAnswer, Changed, ChangesRequest, ChangesTaken,
    ReindexOrder, ReindexesRequested, RightsRequest,
};
use realmdex_types::RealmUrl;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{Connection, PgConnection};
use tokio::task::JoinSet;

use crate::fleet::Fleet;
use crate::operator::{ManagementPage, NotDone, Operators};
use crate::realm::{B, URLS};
use crate::script::{Action, Fault, Step};
use crate::services::{Service, Services};
use crate::tally::Tally;

/// What the script is played with.
pub struct Stage {
    pub services: Services,
    pub fleet: Fleet,
    pub operators: Operators,
    pub page: ManagementPage,
    pub tally: Arc<Tally>,
    /// The folders of the realms.
    pub roots: [PathBuf; 2],
    /// A folder outside of every realm, on their disk.
    pub aside: PathBuf,
    /// How long a lease holds.
    pub lease: Duration,
    /// The database of the fleet.
    pub database: String,
}

/// Plays all steps, and waits until what broke is whole again.
///
/// # Errors
/// When a file can't be written or something does not come back: the fleet's own failures are counted instead.
pub async fn play(stage: &Arc<Stage>, steps: &[Step]) -> anyhow::Result<()> {
    let mut faults = JoinSet::new();
    for step in steps {
        tokio::time::sleep(step.pause).await;
        match &step.action {
            Action::Fault(fault) => {
                let (stage, fault) = (Arc::clone(stage), *fault);
                faults.spawn(async move {
                    let done = stage.fault(fault).await;
                    done.with_context(|| format!("{fault:?}"))
                });
            }
            action => stage.act(step.scheduler, action).await?,
        }
        while let Some(ended) = faults.try_join_next() {
            ended??;
        }
    }
    while let Some(ended) = faults.join_next().await {
        ended??;
    }
    Ok(())
}

pub fn url(realm: usize) -> RealmUrl {
    RealmUrl::parse(URLS[realm]).expect("both are realm URLs")
}

impl Stage {
    async fn act(&self, scheduler: usize, action: &Action) -> anyhow::Result<()> {
        match action {
            Action::Files {
                what,
                realm,
                ops,
                announced,
            } => {
                self.tally.count("steps", *what);
                for op in ops {
                    op.apply(&self.roots[*realm], &self.aside)
                        .with_context(|| format!("{op:?}"))?;
                }
                self.tally.add("files", "written", ops.len() as u64);
                if announced.is_empty() {
                    self.tally.count("changes", "never announced");
                    return Ok(());
                }
                let request = ChangesRequest {
                    realm: url(*realm),
                    changes: announced.clone(),
                };
                let said: Result<ChangesTaken, _> =
                    self.operators.post(scheduler, "/_changes", &request).await;
                let how = match said {
                    Ok(_) => "taken in",
                    Err(NotDone::Refused(status, why)) => refused(status, &why)?,
                    Err(NotDone::Unanswered(_)) => "not heard",
                };
                self.tally.count("changes", how);
            }
            Action::Reindex { realm, force } => {
                let order = ReindexOrder {
                    realm: Some(url(*realm)),
                    all: false,
                    force: *force,
                    allow_mass_delete: false,
                    reason: Some("mischief".to_owned()),
                };
                let what = if *force { "force" } else { "reindex" };
                self.order::<ReindexesRequested>(scheduler, what, "/_reindex", &order)
                    .await?;
            }
            Action::Cancel { realm } => {
                let request = CancelRequest {
                    id: None,
                    realm: Some(url(*realm)),
                };
                self.order::<CancelledAnswer>(scheduler, "cancel", "/_jobs/cancel", &request)
                    .await?;
            }
            Action::Rights { owner, readers } => {
                let request = RightsRequest {
                    realm: url(B),
                    owner: Some((*owner).to_owned()),
                    readers: readers.iter().map(|reader| (*reader).to_owned()).collect(),
                    writers: None,
                };
                self.order::<Changed>(scheduler, "rights", "/_realms/rights", &request)
                    .await?;
            }
            Action::Archive { realm, undo } => {
                let request = ArchiveRequest {
                    realm: url(*realm),
                    undo: *undo,
                };
                let what = if *undo { "take back" } else { "archive" };
                self.order::<Changed>(scheduler, what, "/_realms/archive", &request)
                    .await?;
            }
            Action::Fault(_) => {}
        }
        Ok(())
    }

    async fn order<R: DeserializeOwned>(
        &self,
        scheduler: usize,
        what: &str,
        route: &str,
        request: &impl Serialize,
    ) -> anyhow::Result<()> {
        self.tally.count("steps", what);
        let said: Result<R, _> = self.operators.post(scheduler, route, request).await;
        match said {
            Ok(_) => {}
            Err(NotDone::Refused(status, why)) => {
                refused(status, &why)?;
                self.tally.count("orders refused", what);
            }
            Err(NotDone::Unanswered(_)) => self.tally.count("orders not heard", what),
        }
        Ok(())
    }

    async fn fault(&self, fault: Fault) -> anyhow::Result<()> {
        let name = match fault {
            Fault::KillWorker(worker) => {
                self.fleet.workers[worker].kill().await?;
                "worker killed"
            }
            Fault::StopWorker(worker, hundredths) => {
                let a_while = self.lease * hundredths / 100;
                self.fleet.workers[worker].stop(a_while).await;
                "worker stopped"
            }
            Fault::EndWorker(worker) => {
                self.fleet.workers[worker].end().await?;
                "worker restarted"
            }
            Fault::KillScheduler(scheduler) => {
                self.fleet.schedulers[scheduler].kill().await?;
                "scheduler killed"
            }
            Fault::EndScheduler(scheduler) => {
                self.fleet.schedulers[scheduler].end().await?;
                "scheduler restarted"
            }
            Fault::RestartBroker => {
                self.services.again(Service::RabbitMq, false).await?;
                "broker restarted"
            }
            Fault::KillBroker => {
                self.services.again(Service::RabbitMq, true).await?;
                "broker killed"
            }
            Fault::RestartDatabase => {
                self.services.again(Service::Postgres, false).await?;
                "Postgres restarted"
            }
            Fault::KillDatabase => {
                self.services.again(Service::Postgres, true).await?;
                "Postgres killed"
            }
            Fault::CutDatabase { all } => match self.cut_database(all).await {
                Ok(()) => "database connections cut",
                // It is down already.
                Err(_) => "cut of nothing",
            },
            Fault::CutBroker => match self.page.close_connections().await {
                Ok(1..) => "broker connections cut",
                Ok(0) | Err(_) => "cut of nothing",
            },
        };
        self.tally.count("faults", name);
        Ok(())
    }

    async fn cut_database(&self, all: bool) -> Result<(), sqlx::Error> {
        let mut connection = PgConnection::connect(&self.database).await?;
        sqlx::query(
            "select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and ($1 or pid % 2 = 0)",
        )
        .bind(all)
        .execute(&mut connection)
        .await?;
        connection.close().await
    }
}

/// What may be refused: nothing but work on what is archived.
fn refused(status: reqwest::StatusCode, why: &str) -> anyhow::Result<&'static str> {
    anyhow::ensure!(status == reqwest::StatusCode::CONFLICT, "{status}: {why}");
    Ok("refused")
}
