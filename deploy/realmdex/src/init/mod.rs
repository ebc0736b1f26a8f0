//! `realmdex init`: a realm to begin with.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use serde::Serialize;

use crate::answer;

/// `realmdex init`
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Existing files are never overwritten: if one is in the way, nothing is written.

Examples:
  realmdex init my-realm
  realmdex init --kind boxel"
)]
pub(crate) struct Arguments {
    /// The realm's folder; it is made if need be.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// What kind of tool its skill has.
    #[arg(long, value_enum, default_value_t)]
    kind: Kind,
    /// Print the answer as JSON: `{folder, files, next}`, where `next` are commands.
    #[arg(long)]
    json: bool,
}

/// What was made, for programs.
#[derive(Debug, Serialize)]
struct Made<'a> {
    /// The realm's folder.
    folder: &'a Path,
    /// The files, below that.
    files: Vec<&'a str>,
    /// What to do next: commands.
    next: Vec<String>,
}

/// Kinds of tools to begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// An object with a JSON Schema, in plain JavaScript.
    #[default]
    Plain,
    /// A Boxel tool class, whose input is a card class, in TypeScript.
    Boxel,
}

/// The path and text of each file.
fn files(kind: Kind, name: &str) -> [(&'static str, String); 5] {
    let (skill, module, code) = match kind {
        Kind::Plain => (
            include_str!("templates/plain/SKILL.md"),
            "tools/words.js",
            include_str!("templates/plain/words.js"),
        ),
        Kind::Boxel => (
            include_str!("templates/boxel/SKILL.md"),
            "tools/count-words.ts",
            include_str!("templates/boxel/count-words.ts"),
        ),
    };
    [
        (
            "realm.json",
            format!("{:#}\n", serde_json::json!({"name": name})),
        ),
        (".gitignore", include_str!("templates/gitignore").to_owned()),
        (
            "README.md",
            include_str!("templates/README.md").replace("{name}", name),
        ),
        ("skills/word-count/SKILL.md", skill.to_owned()),
        (module, code.to_owned()),
    ]
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let dir = &arguments.dir;
    std::fs::create_dir_all(dir).with_context(|| format!("making the folder {}", dir.display()))?;
    let files = files(arguments.kind, &realm_name(dir));
    let in_the_way: Vec<String> = files
        .iter()
        .map(|(path, _)| dir.join(path))
        .filter(|path| path.symlink_metadata().is_ok())
        .map(|path| format!("  {}", path.display()))
        .collect();
    if !in_the_way.is_empty() {
        bail!(
            "these files exist already, and nothing was written; name another folder, or move them:\n{}",
            in_the_way.join("\n")
        );
    }
    for (path, text) in &files {
        write_new(&dir.join(path), text)?;
    }
    let skill = dir.join("skills/word-count/SKILL.md");
    let made = Made {
        folder: dir,
        files: files.iter().map(|(path, _)| *path).collect(),
        next: vec![
            format!("realmdex check {}", dir.display()),
            format!("realmdex extract {}", skill.display()),
        ],
    };
    answer::print(&if arguments.json {
        answer::json(&made)?
    } else {
        made.text()
    })?;
    Ok(ExitCode::SUCCESS)
}

impl Made<'_> {
    fn text(&self) -> String {
        let mut text = String::from("Made a realm with one skill and one tool:\n");
        for path in &self.files {
            text += &format!("  {}\n", self.folder.join(path).display());
        }
        text += "\nNext:\n";
        for command in &self.next {
            text += &format!("  {command}\n");
        }
        text
    }
}

/// A name for people: that of the folder.
fn realm_name(dir: &Path) -> String {
    dir.canonicalize()
        .ok()
        .and_then(|dir| Some(dir.file_name()?.to_string_lossy().into_owned()))
        .unwrap_or_else(|| "A realm".to_owned())
}

/// Writes a file that must not exist yet.
fn write_new(path: &Path, text: &str) -> anyhow::Result<()> {
    let write = || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::File::create_new(path)?.write_all(text.as_bytes())
    };
    write().with_context(|| format!("writing {}", path.display()))
}
