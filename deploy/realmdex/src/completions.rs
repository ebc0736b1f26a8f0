//! `realmdex completions`: what a shell needs to complete commands.

use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::answer;

/// `realmdex completions`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex completions bash > ~/.local/share/bash-completion/completions/realmdex
  realmdex completions zsh > ~/.zfunc/_realmdex       ~/.zfunc is in fpath before ~/.zshrc calls compinit
  realmdex completions fish > ~/.config/fish/completions/realmdex.fish
  realmdex completions elvish >> ~/.config/elvish/rc.elv
  realmdex completions powershell >> $PROFILE
  source <(realmdex completions bash)                 in this shell alone")]
pub(crate) struct Arguments {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    answer::print(&script(arguments.shell)?)?;
    Ok(ExitCode::SUCCESS)
}

fn script(shell: Shell) -> anyhow::Result<String> {
    let mut command = shown(&crate::Cli::command());
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    String::from_utf8(script).context("writing the script")
}

/// A command line without the verbs that people are not shown: scripts would offer them.
fn shown(all: &clap::Command) -> clap::Command {
    let verbs = all.get_subcommands().filter(|verb| !verb.is_hide_set());
    clap::Command::new(env!("CARGO_PKG_NAME"))
        .version(env!("CARGO_PKG_VERSION"))
        .args(all.get_arguments().cloned())
        .subcommands(verbs.cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn each_shell_is_told_every_verb() {
        let command = shown(&crate::Cli::command());
        let verbs: Vec<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        for shell in Shell::value_variants() {
            let script = script(*shell).unwrap();
            for verb in &verbs {
                assert!(script.contains(verb), "{shell}: {verb}");
            }
            assert!(script.contains("token-file"), "{shell}");
            assert!(!script.contains("compile-wasm"), "{shell}");
        }
    }
}
