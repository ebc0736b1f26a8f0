//! `realmdex check`: what is wrong with a realm, or with some of its files.

mod summary;
mod targets;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use realmdex_types::{RealmPath, RealmUrl};

use crate::answer;
use crate::collisions::{self, Declared};
use crate::describe::LOCAL_REALM;
use crate::realm_folder::{ComputedFile, RealmFolder};
use crate::report::{self, FileFindings, Format, Written};
use crate::setup::Modules;
use summary::Summary;
use targets::Target;

/// `realmdex check`
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code: 0 nothing is wrong, 1 there are findings, 2 it could not be looked at.

Examples:
  realmdex check
  realmdex check realms/acme --url https://realms.example/acme/
  realmdex check skills/weather/SKILL.md skills/news/SKILL.md
  realmdex check --json

In GitHub Actions, annotations beside the lines of a pull request:
  - run: realmdex check . --format github

Or as code scanning alerts:
  - run: realmdex check . --format sarif > realmdex.sarif
  - if: success() || failure()
    uses: github/codeql-action/upload-sarif@v3
    with: { sarif_file: realmdex.sarif }

As a pre-commit hook, in .pre-commit-config.yaml:
  - repo: local
    hooks:
      - id: realmdex
        name: realmdex check
        language: system
        entry: realmdex check
        files: \\.md$
That looks at the markdown files of a commit. To see what a changed module breaks, look at the whole realm: put
`args: [.]` and `pass_filenames: false` in place of `files`."
)]
pub(crate) struct Arguments {
    /// A realm's folder, or files of realms. A file's realm is the nearest folder above it with a realm.json,
    /// .realm.json or .git.
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    written: Written,
    /// The realm's URL; function names depend on it.
    #[arg(long, default_value = LOCAL_REALM)]
    url: String,
    #[command(flatten)]
    modules: Modules,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let url = RealmUrl::parse(&arguments.url)?;
    let targets = targets::of(&arguments.paths)?;
    if targets.len() > 1 && url.as_str() != LOCAL_REALM {
        let realms: Vec<String> = targets
            .iter()
            .map(|target| target.folder.display().to_string())
            .collect();
        bail!(
            "--url names one realm, and the paths are in {} ({}): check them one by one",
            realms.len(),
            realms.join(", ")
        );
    }
    let mut summary = Summary::default();
    let mut files = Vec::new();
    for target in &targets {
        let checked = check(target, url.clone(), &arguments.modules, &mut summary).await?;
        files.extend(checked);
    }
    let format = arguments.written.format();
    summary.findings = files.iter().map(|file| file.findings.len()).sum();
    let report = report::report(format, &files, console::colors_enabled());
    answer::print(&report)?;
    let summary_line = summary.text(started.elapsed());
    if format == Format::Text {
        answer::print(&summary_line)?;
    } else {
        eprint!("{summary_line}");
    }
    Ok(if summary.findings == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn check(
    target: &Target,
    url: RealmUrl,
    modules: &Modules,
    summary: &mut Summary,
) -> anyhow::Result<Vec<FileFindings>> {
    let realm = Arc::new(RealmFolder::open(&target.folder, url, modules)?);
    let paths = match target.files() {
        Some(given) => {
            summary.files += given.len();
            target.markdown()
        }
        None => {
            let listing = realm.list().await?;
            summary.files += listing.total;
            listing.markdown
        }
    };
    let mut computed = compute(&realm, &paths).await?;
    add_collisions(&mut computed);
    for file in &computed {
        summary.count(file);
    }
    Ok(computed
        .into_iter()
        .map(|file| FileFindings {
            path: target.shown(&file.path),
            findings: file.findings,
        })
        .collect())
}

/// Adds what only shows between files.
fn add_collisions(files: &mut [ComputedFile]) {
    let declared = files.iter().flat_map(|file| {
        file.stamped.iter().map(|(tool, place)| Declared {
            skill: file.path.clone(),
            function_name: tool.definition.function().name.clone(),
            tool: tool.code_ref.clone(),
            place: *place,
        })
    });
    let mut found = collisions::of(declared);
    for file in files {
        let own = found.remove(&file.path).unwrap_or_default();
        file.findings.extend(own);
    }
}

/// Computes the files, with a bar on a terminal.
async fn compute(
    realm: &Arc<RealmFolder>,
    paths: &[RealmPath],
) -> anyhow::Result<Vec<ComputedFile>> {
    // It writes to standard error, and to a terminal only.
    let bar = ProgressBar::new(paths.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} markdown files") {
        bar.set_style(style);
    }
    let computed = realm.compute(paths, || bar.inc(1)).await;
    bar.finish_and_clear();
    computed
}
