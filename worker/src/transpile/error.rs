//! Why a module could not be made into code the guest can run.

use std::fmt;

/// A module source that cannot be transpiled: where, and what to mend.
///
/// Displays as `file:line:column: message`, or `file: message` when no place in the file is to blame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct TranspileError {
    /// The name the caller gave the module.
    pub file: String,
    /// Line, counted from 1; 0 when the error has no place.
    pub line: u32,
    /// Column in characters, counted from 1; 0 when the error has no place.
    pub column: u32,
    /// What is wrong, and where it helps, how to mend it.
    pub message: String,
}

impl fmt::Display for TranspileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}", self.file, self.message)
        } else {
            write!(
                f,
                "{}:{}:{}: {}",
                self.file, self.line, self.column, self.message
            )
        }
    }
}

/// A fault found by one of the passes, before it is known which file it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// Byte offset into the source, if there is one to blame.
    pub offset: Option<usize>,
    pub message: String,
}

impl Fault {
    pub(super) fn at(offset: usize, message: impl Into<String>) -> Self {
        Self {
            offset: Some(offset),
            message: message.into(),
        }
    }

    pub(super) fn anywhere(message: impl Into<String>) -> Self {
        Self {
            offset: None,
            message: message.into(),
        }
    }

    /// Turns the byte offset into a line and column of `source`.
    pub(super) fn in_file(self, file: &str, source: &str) -> TranspileError {
        let (line, column) = self
            .offset
            .map_or((0, 0), |offset| line_and_column(source, offset));
        TranspileError {
            file: file.to_owned(),
            line,
            column,
            message: self.message,
        }
    }
}

/// Line and column (both from 1, the column in characters) of a byte offset. Line ends are `\n`, `\r\n` and `\r`.
fn line_and_column(source: &str, offset: usize) -> (u32, u32) {
    let before = &source[..source.floor_char_boundary(offset)];
    let mut lines = 1_u32;
    let mut line_start = 0;
    let bytes = before.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let ends_line = match byte {
            b'\n' => true,
            b'\r' => source.as_bytes().get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends_line {
            lines = lines.saturating_add(1);
            line_start = at + 1;
        }
    }
    let column = before[line_start..].chars().count();
    (
        lines,
        u32::try_from(column).unwrap_or(u32::MAX).saturating_add(1),
    )
}
