//! The processes of the fleet: started, stopped, killed, started again.

use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex as Briefly, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use reqwest::Client;
use tokio::process::{Child, Command};
use tokio::sync::Mutex;

use crate::tally::{Samples, Tally, samples};

/// How long a process may take to answer about itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often processes are looked after.
const PERIOD: Duration = Duration::from_millis(300);

/// How long a process may take to end in good order.
const DRAIN: Duration = Duration::from_secs(20);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Scheduler,
    Worker,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Self::Scheduler => "scheduler",
            Self::Worker => "worker",
        }
    }
}

/// Where the binary runs, and with what settings.
#[derive(Clone)]
pub struct Settings {
    pub folder: PathBuf,
    pub variables: Vec<(&'static str, String)>,
}

impl Settings {
    /// A command of the binary.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_realmdex"));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("REALMDEX_")) {
            command.env_remove(name);
        }
        command
            .args(arguments)
            .env(
                "REALMDEX_CACHE",
                Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
            )
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        command
    }
}

/// A process that is started again whenever it ends.
pub struct Process {
    role: Role,
    name: String,
    port: u16,
    settings: Settings,
    client: Client,
    tally: Arc<Tally>,
    /// One thing is done to it at a time.
    life: Mutex<Life>,
    /// What it said last of itself in this life.
    said: Briefly<Samples>,
}

#[derive(Default)]
struct Life {
    child: Option<Child>,
    number: usize,
}

impl Process {
    pub fn base(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn start(&self, life: &mut Life) -> anyhow::Result<()> {
        life.number += 1;
        let log = self
            .settings
            .folder
            .join(format!("{}-{}.log", self.name, life.number));
        let file = File::create(&log).with_context(|| format!("making {}", log.display()))?;
        let child = self
            .settings
            .command(&[self.role.name()])
            .env("REALMDEX_NAME", &self.name)
            .env("REALMDEX_LISTEN", format!("127.0.0.1:{}", self.port))
            .env("REALMDEX_PUBLIC", "127.0.0.1:0")
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .context("starting the binary")?;
        life.child = Some(child);
        Ok(())
    }

    /// Takes down what it has counted, as far as it says so.
    async fn listen(&self) {
        let asked = self.client.get(format!("{}/metrics", self.base()));
        let Ok(answer) = asked.timeout(PATIENCE).send().await else {
            return;
        };
        if let Ok(text) = answer.text().await {
            *self.said.lock().unwrap_or_else(PoisonError::into_inner) = samples(&text);
        }
    }

    fn dies(&self) {
        let said = std::mem::take(&mut *self.said.lock().unwrap_or_else(PoisonError::into_inner));
        self.tally.lived(&said);
    }

    /// SIGKILL, then a new life.
    ///
    /// # Errors
    /// When it can't be started.
    pub async fn kill(&self) -> anyhow::Result<()> {
        let mut life = self.life.lock().await;
        self.listen().await;
        if let Some(child) = &mut life.child {
            child.kill().await.context("killing it")?;
        }
        self.dies();
        self.start(&mut life)
    }

    /// SIGTERM, and SIGKILL where it does not end, which is a fault of its own; then a new life.
    ///
    /// # Errors
    /// When it can't be started.
    pub async fn end(&self) -> anyhow::Result<()> {
        let mut life = self.life.lock().await;
        self.listen().await;
        if let Some(child) = &mut life.child {
            signal(child, "TERM").await;
            match tokio::time::timeout(DRAIN, child.wait()).await {
                Ok(status) => {
                    if !status.context("waiting for it")?.success() {
                        self.tally.count("ended badly", self.name.as_str());
                    }
                }
                Err(_) => {
                    self.tally.count("ended badly", self.name.as_str());
                    child.kill().await.context("killing it")?;
                }
            }
        }
        self.dies();
        self.start(&mut life)
    }

    /// SIGSTOP, a while, SIGCONT: whatever it holds is given to others meanwhile.
    pub async fn stop(&self, a_while: Duration) {
        let life = self.life.lock().await;
        if let Some(child) = &life.child {
            signal(child, "STOP").await;
            tokio::time::sleep(a_while).await;
            signal(child, "CONT").await;
        }
    }

    /// Starts it again where it has ended by itself.
    async fn look_after(&self) -> anyhow::Result<()> {
        // Someone is at it.
        let Ok(mut life) = self.life.try_lock() else {
            return Ok(());
        };
        if let Some(child) = &mut life.child
            && let Some(status) = child.try_wait().context("looking after a process")?
        {
            self.tally
                .count("ended by themselves", format!("{} {status}", self.name));
            self.dies();
            return self.start(&mut life);
        }
        self.listen().await;
        Ok(())
    }

    /// Whether it says that it can work.
    async fn is_ready(&self) -> bool {
        let asked = self.client.get(format!("{}/_readiness", self.base()));
        let answer = asked.timeout(PATIENCE).send().await;
        answer.is_ok_and(|answer| answer.status().is_success())
    }
}

async fn signal(child: &Child, name: &str) {
    if let Some(process) = child.id() {
        let sent = Command::new("kill")
            .args(["-s", name, &process.to_string()])
            .stderr(Stdio::null())
            .status();
        // It may have ended meanwhile.
        sent.await.ok();
    }
}

/// All processes.
pub struct Fleet {
    pub schedulers: Vec<Arc<Process>>,
    pub workers: Vec<Arc<Process>>,
}

impl Fleet {
    /// Starts them.
    ///
    /// # Errors
    /// When one can't be started.
    pub async fn start(
        settings: &Settings,
        client: &Client,
        tally: &Arc<Tally>,
        counts: [(Role, usize); 2],
    ) -> anyhow::Result<Self> {
        let mut fleet = Self {
            schedulers: Vec::new(),
            workers: Vec::new(),
        };
        for (role, count) in counts {
            for number in 1..=count {
                let process = Arc::new(Process {
                    role,
                    name: format!("{}{number}", role.name()),
                    port: free_port()?,
                    settings: settings.clone(),
                    client: client.clone(),
                    tally: Arc::clone(tally),
                    life: Mutex::default(),
                    said: Briefly::default(),
                });
                process.start(&mut *process.life.lock().await)?;
                match role {
                    Role::Scheduler => fleet.schedulers.push(process),
                    Role::Worker => fleet.workers.push(process),
                }
            }
        }
        Ok(fleet)
    }

    fn all(&self) -> impl Iterator<Item = &Arc<Process>> {
        self.schedulers.iter().chain(&self.workers)
    }

    /// Starts again what ends by itself, and takes down what everyone counts. Never ends.
    ///
    /// # Errors
    /// When one can't be started.
    pub async fn look_after(&self) -> anyhow::Result<()> {
        loop {
            for process in self.all() {
                process.look_after().await?;
            }
            tokio::time::sleep(PERIOD).await;
        }
    }

    /// Waits until everyone says that it can work.
    ///
    /// # Errors
    /// When one does not by then.
    pub async fn ready(&self, deadline: Instant) -> anyhow::Result<()> {
        for process in self.all() {
            while !process.is_ready().await {
                ensure!(
                    Instant::now() < deadline,
                    "{} is not ready: see its log",
                    process.name
                );
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Ok(())
    }

    /// Ends everyone for good, in good order.
    ///
    /// # Errors
    /// When one does not end.
    pub async fn end(&self) -> anyhow::Result<()> {
        for process in self.all() {
            let mut life = process.life.lock().await;
            process.listen().await;
            process.dies();
            if let Some(mut child) = life.child.take() {
                signal(&child, "TERM").await;
                let ended = tokio::time::timeout(DRAIN, child.wait()).await;
                let status = ended.with_context(|| format!("{} does not end", process.name))??;
                ensure!(
                    status.success(),
                    "{} ended with {status}: see its log",
                    process.name
                );
            }
        }
        Ok(())
    }
}

/// A free port, below those the system hands out by itself: it stays free while its process is down.
fn free_port() -> anyhow::Result<u16> {
    (0..100)
        .map(|_| fastrand::u16(12_000..20_000))
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .context("no port is free")
}
