//! Runs the binary.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::{Path, PathBuf};
use std::process::Command;

pub const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
pub const REALMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worker/tests/realms");
/// The example realm, from the repository's top.
pub const EXAMPLE: &str = "deploy/examples/realm";

/// How a run ended.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub text: String,
    pub errors: String,
}

/// Runs it where the test realms are.
pub fn realmdex(arguments: &[&str]) -> Said {
    realmdex_in(REALMS, arguments)
}

/// Runs it in a folder.
pub fn realmdex_in(folder: impl AsRef<Path>, arguments: &[&str]) -> Said {
    run(&mut command(folder, arguments))
}

pub fn command(folder: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_realmdex"));
    command
        .args(arguments)
        .env(
            "REALMDEX_CACHE",
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache"),
        )
        .env_remove("REALMDEX_LOG")
        .env_remove("REALMDEX_LIMITS")
        .env_remove("REALMDEX_DATABASE")
        .env_remove("REALMDEX_DATA")
        .env_remove("REALMDEX_SERVER")
        .env_remove("REALMDEX_TOKEN_FILE")
        .env_remove("REALMDEX_BROKER")
        .env_remove("REALMDEX_BROKER_MANAGEMENT")
        .current_dir(folder);
    command
}

pub fn run(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said {
        code: output.status.code().unwrap(),
        text: text(output.stdout),
        errors: text(output.stderr),
    }
}
