//! `realmdex doctor`: what this machine must offer.
//!
//! A check is a function that answers an [`Outcome`]; to add one, add it to the list in [`run`].

mod database;
mod folder;
mod limits;
mod sandbox;

use std::process::ExitCode;

use console::Style;
use serde::Serialize;

use crate::{answer, folders};

/// `realmdex doctor`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex doctor
  realmdex doctor --json

Exit code: 0 all is well or slower than it could be, 1 something does not work.")]
pub(crate) struct Arguments {
    /// Print the answer as JSON: `{isWell, checks: [{state, found, mend}]}`, where `state` is `ok`, `warn` or `fail`.
    #[arg(long)]
    json: bool,
}

/// What the checks found, for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Diagnosis {
    /// Whether everything works.
    is_well: bool,
    /// What each found.
    checks: Vec<Outcome>,
}

/// How a check went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// All is well.
    Ok,
    /// It works, but not as well as it could.
    Warn,
    /// It does not work.
    Fail,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Outcome {
    state: State,
    /// What was found, in one line.
    found: String,
    /// How to mend it; none where all is well.
    mend: Option<String>,
}

impl Outcome {
    fn ok(found: impl Into<String>) -> Self {
        Self {
            state: State::Ok,
            found: found.into(),
            mend: None,
        }
    }

    fn warn(found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            state: State::Warn,
            found: found.into(),
            mend: Some(mend.into()),
        }
    }

    fn fail(found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            state: State::Fail,
            found: found.into(),
            mend: Some(mend.into()),
        }
    }

    fn text(&self, coloured: bool) -> String {
        let (word, style) = match self.state {
            State::Ok => ("ok  ", Style::new().green()),
            State::Warn => ("warn", Style::new().yellow()),
            State::Fail => ("fail", Style::new().red()),
        };
        let word = style.force_styling(coloured).apply_to(word);
        let mend = self
            .mend
            .as_ref()
            .map_or_else(String::new, |mend| format!("      {mend}\n"));
        format!("{word}  {}\n{mend}", self.found)
    }
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let coloured = console::colors_enabled();
    let mut checks: Vec<Outcome> = Vec::new();
    // People are told each at once.
    let mut tell = |outcome: Outcome| {
        if !arguments.json {
            answer::print(&outcome.text(coloured))?;
        }
        checks.push(outcome);
        anyhow::Ok(())
    };
    tell(versions())?;
    tell(folder::writable(
        "the cache folder",
        folders::cache(),
        "set REALMDEX_CACHE to another one",
    ))?;
    tell(folder::writable(
        "the folder of indexes",
        folders::indexes(),
        "give the commands that use an index another one by --data",
    ))?;
    tell(limits::address_space())?;
    tell(limits::open_files())?;
    tell(sandbox::script().await)?;
    tell(sandbox::component().await)?;
    tell(database::index().await)?;
    let is_well = checks.iter().all(|check| check.state != State::Fail);
    if arguments.json {
        answer::print(&answer::json(&Diagnosis { is_well, checks })?)?;
    }
    Ok(if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn versions() -> Outcome {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Outcome::ok(format!(
        "realmdex {} on {} {}, processors: {cores}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_each_and_the_mend_below() {
        assert_eq!(
            Outcome::ok("all is well").text(false),
            "ok    all is well\n"
        );
        assert_eq!(
            Outcome::fail("no room", "make some").text(false),
            "fail  no room\n      make some\n"
        );
        let coloured = Outcome::warn("little room", "make some").text(true);
        assert_eq!(
            console::strip_ansi_codes(&coloured),
            "warn  little room\n      make some\n"
        );
    }
}
