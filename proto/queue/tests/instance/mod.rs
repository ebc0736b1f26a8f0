//! A RabbitMQ of the test's own, to be ended as one likes.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

/// Gone with its data when it is dropped.
#[derive(Debug)]
pub struct Instance {
    folder: TempDir,
    /// Its AMQP URL: the same all its lives.
    pub amqp: String,
}

impl Instance {
    /// Starts a new one.
    pub async fn start() -> Self {
        let mut instance = Self {
            folder: tempfile::tempdir().unwrap(),
            amqp: String::new(),
        };
        let urls = instance.run("start", &[]).await;
        instance.amqp = urls.lines().next().unwrap().to_owned();
        instance
    }

    /// Ends it as a power cut would.
    pub async fn kill(&self) {
        self.run("kill", &[]).await;
    }

    /// Ends it in good order.
    pub async fn stop(&self) {
        self.run("stop", &[]).await;
    }

    /// Starts it once more.
    pub async fn start_again(&self) {
        self.run("start", &[]).await;
    }

    /// Runs rabbitmqctl.
    pub async fn ctl(&self, arguments: &[&'static str]) {
        self.run("ctl", arguments).await;
    }

    async fn run(&self, verb: &'static str, arguments: &[&'static str]) -> String {
        let mut command = self.command(verb);
        command.args(arguments);
        let output = tokio::task::spawn_blocking(move || command.output());
        let output = output.await.unwrap().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "deploy/services {verb}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn command(&self, verb: &str) -> Command {
        let services = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../deploy/services");
        let mut command = Command::new(services);
        command.args([verb, "rabbitmq"]).arg(self.folder.path());
        command
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // A power cut first: it is faster, and nobody needs the data.
        for verb in ["kill", "remove"] {
            self.command(verb).output().ok();
        }
    }
}
