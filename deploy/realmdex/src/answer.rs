//! A command's answer, on standard output.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::Context;

/// What a command says, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// For standard output.
    text: String,
    /// The exit code.
    code: u8,
}

impl Answer {
    /// The command did what was asked.
    pub(crate) fn yes(text: String) -> Self {
        Self { text, code: 0 }
    }

    /// The command's own "no".
    pub(crate) fn no(text: String) -> Self {
        Self { text, code: 1 }
    }

    /// Writes it.
    pub(crate) fn print(&self) -> anyhow::Result<ExitCode> {
        print(&self.text)?;
        Ok(ExitCode::from(self.code))
    }
}

/// Writes the answer. Whoever reads it may stop reading (`| head`): that is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut output = std::io::stdout().lock();
    let written = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("writing to standard output")
        }
        _ => Ok(()),
    }
}

/// A value as indented JSON, ending in a newline.
pub(crate) fn json(value: &impl serde::Serialize) -> anyhow::Result<String> {
    let mut text = serde_json::to_string_pretty(value).context("writing JSON")?;
    text.push('\n');
    Ok(text)
}
