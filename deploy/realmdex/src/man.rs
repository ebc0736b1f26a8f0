//! `realmdex man`: the help of every verb as pages for `man`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Command, CommandFactory};
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
    let command = command();
    match &arguments.out {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("making the folder {}", folder.display()))?;
            write(&command, folder)?;
        }
        None => answer::print(&Page::of(&command)?.text)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The command line, complete: each verb knows what it is called.
fn command() -> Command {
    let mut command = crate::Cli::command().disable_help_subcommand(true);
    command.build();
    command
}

/// A page, in the language of `man`.
struct Page {
    /// What its file is called.
    file: String,
    text: String,
}

impl Page {
    fn of(command: &Command) -> anyhow::Result<Self> {
        let man = Man::new(command.clone()).source(concat!("realmdex ", env!("CARGO_PKG_VERSION")));
        let mut text = Vec::new();
        man.render(&mut text).context("writing a page")?;
        let text = String::from_utf8(text).context("writing a page")?;
        Ok(Self {
            file: man.get_filename(),
            // Examples are lines: they are not filled. The next heading ends that.
            text: text.replace("\n.SH EXTRA\n", "\n.SH EXAMPLES\n.nf\n"),
        })
    }
}

/// Writes the page of a verb, and those of the verbs below it.
fn write(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let page = Page::of(command)?;
    let file = folder.join(page.file);
    std::fs::write(&file, page.text).with_context(|| format!("writing {}", file.display()))?;
    command
        .get_subcommands()
        .filter(|verb| !verb.is_hide_set())
        .try_for_each(|verb| write(verb, folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_page_names_every_verb() {
        let page = Page::of(&command()).unwrap().text;
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
        let pages = folder.path();
        write(&command(), pages).unwrap();
        for name in ["realmdex", "realmdex-show", "realmdex-jobs-list"] {
            let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
            assert!(page.contains(".SH NAME"), "{name}");
        }
        assert!(!pages.join("realmdex-compile-wasm.1").exists());
    }
}
