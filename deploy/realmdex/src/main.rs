//! The `realmdex` binary: one subcommand per role.
#![allow(
    clippy::print_stdout,
    reason = "a command's answer goes to standard output"
)]

mod answer;
mod check;
mod collisions;
mod compile_wasm;
mod completions;
mod config;
mod conformance;
mod database;
mod definitions;
mod describe;
mod diff;
mod doctor;
mod errors;
mod export;
mod extract;
mod fleet;
mod folders;
mod index;
mod init;
mod limits;
mod logging;
mod man;
mod operator_client;
mod realm_folder;
mod realm_place;
mod report;
mod roles;
mod secrets;
mod settings;
mod setup;
mod show;
mod stamped;
mod verify;
mod why;

#[cfg(test)]
mod verbs_tests;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Indexes realms of agent skills: computes what a model needs to call a skill's tools, without a browser.
#[derive(Debug, Parser)]
#[command(name = "realmdex", version, about, max_term_width = 110)]
struct Cli {
    /// How much to log to standard error, as `tracing` directives. `info` where a role runs, `warn` elsewhere, unless
    /// given.
    #[arg(long, env = "REALMDEX_LOG", global = true)]
    log: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a realm with one skill and one tool, to begin with.
    Init(init::Arguments),
    /// Say what is wrong with a realm or with some of its files; no database is needed.
    Check(check::Arguments),
    /// Index a realm: every file, every tool, in an embedded database or one that is given.
    Index(index::Arguments),
    /// Show one file as the index has it.
    Show(show::Arguments),
    /// Say what is wrong in an indexed realm.
    Errors(errors::Arguments),
    /// Print every definition of an indexed realm.
    Export(export::Arguments),
    /// Tell what a file's row was computed from, and what of that has moved since.
    Why(why::Arguments),
    /// Tell whether every row follows from what its files are.
    Verify(verify::Arguments),
    /// Register realms, list them, say who may do what with them, archive and remove them.
    Realms(fleet::realms::Arguments),
    /// Make tokens for operators, list and revoke them.
    Tokens(fleet::tokens::Arguments),
    /// Make realm tokens for users, and revoke them.
    Sessions(fleet::sessions::Arguments),
    /// Map packages, announce new versions of them, list and remove them.
    Packages(fleet::packages::Arguments),
    /// Have whole realms looked at again.
    Reindex(fleet::reindex::Arguments),
    /// List jobs, show, cancel and retry them.
    Jobs(fleet::jobs::Arguments),
    /// Say how much work there is, and whether it gets on.
    Queue(fleet::queue::Arguments),
    /// Say that files of a realm changed.
    Changes(fleet::changes::Arguments),
    /// Set up a RabbitMQ, or check it.
    Broker(fleet::broker::Arguments),
    /// Say whether a role can work, for whatever restarts it.
    Healthcheck(fleet::healthcheck::Arguments),
    /// Print the definition of one tool, its module closure, or why it has none.
    Describe(describe::Arguments),
    /// Print the file-meta document of one file, and what is wrong with it.
    Extract(extract::Arguments),
    /// Say which tools changed between two realms or files of definitions, and whom that breaks.
    Diff(diff::Arguments),
    /// Say whether this machine offers what realmdex needs.
    Doctor(doctor::Arguments),
    /// Compare with an expectation file: definitions, a stamped skill, markdown documents or import closures.
    Conformance(conformance::Arguments),
    /// Keep realms indexed, with each edit, until told to stop: scheduler and worker in one process.
    Up(roles::up::Arguments),
    /// Take changes in and hand jobs out: the fleet's control plane.
    Scheduler(roles::scheduler::Arguments),
    /// Do jobs: the fleet's data plane.
    Worker(roles::worker::Arguments),
    /// Make the index's tables, or bring them up to date.
    Migrate(roles::migrate::Arguments),
    /// Print the settings of the fleet's roles, each with its default.
    Config(settings::Arguments),
    /// Print what a shell needs to complete commands.
    Completions(completions::Arguments),
    /// Print the manual page, or write one for each verb.
    Man(man::Arguments),
    /// Compile a wasm tool from standard input into the cache, under limits. Used by realmdex itself.
    #[command(hide = true)]
    CompileWasm(compile_wasm::Arguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let log = cli.log.as_deref().unwrap_or(match cli.command {
        Command::Scheduler(_) | Command::Worker(_) => logging::OF_ROLES,
        _ => logging::DEFAULT,
    });
    if let Err(error) = logging::start(log) {
        return fail(&error);
    }
    let ran = match cli.command {
        Command::Index(arguments) => block_on(index::run(arguments)),
        Command::Show(arguments) => block_on(show::run(arguments)),
        Command::Errors(arguments) => block_on(errors::run(arguments)),
        Command::Export(arguments) => block_on(export::run(arguments)),
        Command::Why(arguments) => block_on(why::run(arguments)),
        Command::Verify(arguments) => block_on(verify::run(arguments)),
        Command::Realms(arguments) => block_on(fleet::realms::run(arguments)),
        Command::Tokens(arguments) => block_on(fleet::tokens::run(arguments)),
        Command::Sessions(arguments) => block_on(fleet::sessions::run(arguments)),
        Command::Packages(arguments) => block_on(fleet::packages::run(arguments)),
        Command::Reindex(arguments) => block_on(fleet::reindex::run(arguments)),
        Command::Jobs(arguments) => block_on(fleet::jobs::run(arguments)),
        Command::Queue(arguments) => block_on(fleet::queue::run(arguments)),
        Command::Changes(arguments) => block_on(fleet::changes::run(arguments)),
        Command::Broker(arguments) => block_on(fleet::broker::run(arguments)),
        Command::Healthcheck(arguments) => block_on(fleet::healthcheck::run(arguments)),
        Command::Init(arguments) => init::run(&arguments),
        Command::Check(arguments) => block_on(check::run(arguments)),
        Command::Describe(arguments) => block_on(describe::run(arguments)),
        Command::Extract(arguments) => block_on(extract::run(arguments)),
        Command::Diff(arguments) => block_on(diff::run(arguments)),
        Command::Doctor(arguments) => block_on(doctor::run(arguments)),
        Command::Conformance(arguments) => block_on(conformance::run(arguments)),
        Command::Up(arguments) => block_on(roles::up::run(arguments)),
        Command::Scheduler(arguments) => block_on(roles::scheduler::run(arguments)),
        Command::Worker(arguments) => block_on(roles::worker::run(arguments)),
        Command::Migrate(arguments) => block_on(roles::migrate::run(arguments)),
        Command::Config(arguments) => settings::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
        Command::CompileWasm(arguments) => compile_wasm::run(&arguments),
    };
    ran.unwrap_or_else(|error| fail(&error))
}

fn block_on(work: impl Future<Output = anyhow::Result<ExitCode>>) -> anyhow::Result<ExitCode> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(work)
}

/// Says what went wrong, each cause on a line of its own. 2 is "could not do it"; 1 is a command's own "no".
fn fail(error: &anyhow::Error) -> ExitCode {
    eprintln!("realmdex: {error}");
    error
        .chain()
        .skip(1)
        .for_each(|cause| eprintln!("  because {cause}"));
    ExitCode::from(2)
}
