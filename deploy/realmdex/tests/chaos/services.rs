//! A Postgres and a RabbitMQ of the run's own, which may be restarted and killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use tokio::sync::Mutex;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../services");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    Postgres,
    RabbitMq,
}

impl Service {
    const ALL: [Self; 2] = [Self::Postgres, Self::RabbitMq];

    fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::RabbitMq => "rabbitmq",
        }
    }
}

/// The services of a run. One thing is done to each at a time.
pub struct Services {
    folder: PathBuf,
    postgres: Mutex<()>,
    rabbitmq: Mutex<()>,
    /// The database that is always there.
    database: String,
    /// AMQP.
    pub broker: String,
    /// The management page, with user and password.
    pub management: String,
}

impl Services {
    /// Starts both.
    ///
    /// # Errors
    /// When one does not start.
    pub async fn start(folder: &Path) -> anyhow::Result<Self> {
        let (postgres, rabbitmq) = tokio::try_join!(
            run(folder, "start", Service::Postgres),
            run(folder, "start", Service::RabbitMq)
        )?;
        let mut urls = rabbitmq.lines();
        let mut url = || {
            urls.next()
                .map(str::to_owned)
                .context("deploy/services names no URL")
        };
        Ok(Self {
            folder: folder.to_owned(),
            postgres: Mutex::default(),
            rabbitmq: Mutex::default(),
            database: postgres.trim().to_owned(),
            broker: url()?,
            management: url()?,
        })
    }

    /// The URL of a database of that name.
    pub fn database(&self, name: &str) -> String {
        self.database.replace("/postgres?", &format!("/{name}?"))
    }

    /// Ends a service, by an order or as a power cut would, and starts it again.
    ///
    /// # Errors
    /// When it does not come back.
    pub async fn again(&self, service: Service, is_killed: bool) -> anyhow::Result<()> {
        let _alone = match service {
            Service::Postgres => self.postgres.lock().await,
            Service::RabbitMq => self.rabbitmq.lock().await,
        };
        if is_killed {
            run(&self.folder, "kill", service).await?;
            run(&self.folder, "start", service).await?;
        } else {
            run(&self.folder, "restart", service).await?;
        }
        Ok(())
    }
}

async fn run(folder: &Path, verb: &str, service: Service) -> anyhow::Result<String> {
    let output = tokio::process::Command::new(PROGRAM)
        .args([verb, service.name()])
        .arg(folder)
        .stdin(Stdio::null())
        .output()
        .await
        .with_context(|| format!("running {PROGRAM}"))?;
    ensure!(
        output.status.success(),
        "{verb} {}: {}",
        service.name(),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The folder of a run. Whatever becomes of it, nothing that was started there goes on.
pub struct RunFolder {
    path: PathBuf,
    is_kept: bool,
}

/// Says that a folder is to stay.
const KEPT: &str = "kept";

impl RunFolder {
    /// A folder for this process, below one that all runs share; what runs that were killed have left there goes.
    ///
    /// # Errors
    /// When it can't be made.
    pub fn make(shared: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(shared).with_context(|| format!("making {}", shared.display()))?;
        for run in fs::read_dir(shared)?.flatten() {
            let process = run.file_name().to_string_lossy().into_owned();
            let goes_on = Path::new("/proc").join(process).exists();
            if !goes_on && !run.path().join(KEPT).exists() {
                remove(&run.path());
            }
        }
        let path = shared.join(std::process::id().to_string());
        if path.exists() {
            remove(&path);
        }
        fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Self {
            path,
            is_kept: false,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lets it stay, with the data of the services, which are stopped.
    pub fn keep(&mut self) {
        self.is_kept = fs::write(self.path.join(KEPT), "").is_ok();
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            remove(&self.path);
            return;
        }
        for service in Service::ALL {
            end("stop", service, &self.path);
        }
    }
}

fn remove(folder: &Path) {
    for service in Service::ALL {
        if folder.join(service.name()).exists() {
            end("remove", service, folder);
        }
    }
    // What is left is found by the next run.
    fs::remove_dir_all(folder).ok();
}

fn end(verb: &str, service: Service, folder: &Path) {
    // Said on standard error by the program itself.
    Command::new(PROGRAM)
        .args([verb, service.name()])
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .ok();
}
