//! `realmdex man`: the help of every verb as pages for `man`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap_mangen::Man;

use crate::answer;

/// `realmdex man`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex man | man -l -
  realmdex man --out ~/.local/share/man/man1      then `man realmdex` and, say, `man realmdex-jobs-list`")]
pub(crate) struct Arguments {
    /// Write a page for each verb into this folder, which is made if need be; without it, the first page is printed.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.out {
        Some(folder) => write(folder)?,
        None => answer::print(&page()?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The command line, each verb of which says its version.
fn command() -> clap::Command {
    crate::Cli::command().propagate_version(true)
}

/// The page of all verbs.
fn page() -> anyhow::Result<String> {
    let mut page = Vec::new();
    Man::new(command().disable_help_subcommand(true))
        .render(&mut page)
        .context("writing the page")?;
    String::from_utf8(page).context("writing the page")
}

fn write(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("making the folder {}", folder.display()))?;
    clap_mangen::generate_to(command(), folder)
        .with_context(|| format!("writing pages into {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_page_names_every_verb() {
        let page = page().unwrap();
        for verb in command()
            .get_subcommands()
            .filter(|verb| !verb.is_hide_set())
        {
            // A hyphen is escaped in a page.
            let name = format!("realmdex\\-{}", verb.get_name().replace('-', "\\-"));
            assert!(page.contains(&name), "{name}");
        }
    }

    #[test]
    fn each_verb_has_a_page() {
        let folder = tempfile::tempdir().unwrap();
        let pages = folder.path().join("man/man1");
        write(&pages).unwrap();
        for name in ["realmdex", "realmdex-show", "realmdex-jobs-list"] {
            let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
            assert!(page.contains(".SH NAME"), "{name}");
        }
        assert!(!pages.join("realmdex-compile-wasm.1").exists());
    }
}
