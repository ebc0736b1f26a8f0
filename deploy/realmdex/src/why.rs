//! `realmdex why`: what a file's row was computed from, and what of that has moved since.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use realmdex_store::{Dependency, Dependent, Realm, Store, TargetState};
use realmdex_types::{ModuleId, ReadState, RealmPath};
use realmdex_worker::modules::{ModuleGraph, Rights, TranspileCache};
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::answering::{Question, Verb};
use crate::database::IndexPlace;
use crate::index;
use crate::limits::Limits;
use crate::verify::{now_text, then_text};

/// `realmdex why`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex why skills/weather/SKILL.md
  realmdex why tools/words.js
  realmdex why @cardstack/base/card-api.gts --realm .

Lists every file that the row was computed from, names tried before the hit included, and how each is found now; then
the files that were computed from this one.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    place: IndexPlace,
}

/// Which file.
#[derive(Debug, clap::Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// The file: a path, a URL or a package's module.
    file: String,
    /// The realm in whose index to look, for a package's module.
    #[arg(long, value_name = "PATH|URL")]
    realm: Option<String>,
}

impl Asked {
    fn is_package(&self) -> bool {
        self.file.starts_with('@')
    }

    /// What tells which index has it.
    fn place(&self) -> &str {
        match &self.realm {
            Some(realm) => realm,
            None if self.is_package() => ".",
            None => &self.file,
        }
    }
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let place = arguments.asked.place().to_owned();
    Question::about(&place, Verb::Why(arguments.asked))?
        .put(&arguments.place)
        .await?
        .print()
}

/// What a file was computed from.
pub(crate) async fn answer(
    store: &Store,
    realm: &Realm,
    path: Option<&RealmPath>,
    asked: &Asked,
) -> anyhow::Result<Answer> {
    let packages = index::packages_of(store, None).await?;
    let id = match (&asked.realm, path) {
        _ if asked.is_package() => ModuleId::stored(asked.file.clone()),
        (Some(_), _) => match url::Url::parse(&asked.file) {
            Ok(url) => ModuleId::stored(url.into()),
            Err(_) => packages.id_of(&realm.url, &RealmPath::parse(&asked.file)?),
        },
        (None, Some(path)) => packages.id_of(&realm.url, path),
        (None, None) => bail!("{} is a realm: name a file of it", asked.file),
    };
    let row = store
        .file(&id)
        .await?
        .with_context(|| format!("the index knows nothing of {id}"))?;
    let dependencies = store.dependencies_of(&id).await?;
    let dependents = store.dependents_of(&id).await?;
    let graph = ModuleGraph::new(
        Arc::new(packages),
        TranspileCache::default(),
        Limits::default().in_effect()?.load,
        Rights::default(),
    );
    let own = graph.state_of(&id).await;
    let mut text = format!("{id}\n  {}\n", moved(&is_now(&row.state), &own));
    if let Some(indexed_at) = row.indexed_at {
        let took = row.duration_ms.unwrap_or_default();
        text += &format!(
            "  computed {}, in {took} ms\n",
            indexed_at.format("%F %T UTC")
        );
    }
    text += &format!("computed from {} files\n", dependencies.len());
    for dependency in &dependencies {
        let now = graph.state_of(&dependency.target).await;
        text += &dependency_text(dependency, &now);
    }
    text += &format!("{} files were computed from it\n", dependents.len());
    text.extend(dependents.iter().map(dependent_text));
    Ok(Answer::yes(text))
}

fn is_now(state: &TargetState) -> Option<ReadState> {
    match state {
        TargetState::Present(digest) => Some(ReadState::Read { digest: *digest }),
        TargetState::Absent => Some(ReadState::Absent),
        TargetState::Forbidden => Some(ReadState::Forbidden),
        TargetState::Unread => None,
    }
}

/// What was, and what is, where the two differ.
fn moved(then: &Option<ReadState>, now: &ReadState) -> String {
    match then {
        Some(then) if then == now => then_text(then),
        Some(then) => format!("{}, now {}", then_text(then), then_text(now)),
        None => format!("never read, now {}", then_text(now)),
    }
}

fn dependency_text(dependency: &Dependency, now: &ReadState) -> String {
    let mark = match (dependency.then == *now, dependency.is_broken) {
        (true, false) => " ",
        _ => "!",
    };
    let indexed = if dependency.is_broken {
        format!(" (its row says {})", now_text(&dependency.now))
    } else {
        String::new()
    };
    format!(
        "{mark} {}  {}{indexed}\n",
        dependency.target,
        moved(&Some(dependency.then.clone()), now)
    )
}

fn dependent_text(dependent: &Dependent) -> String {
    let mark = if dependent.is_broken { "!" } else { " " };
    format!("{mark} {}\n", dependent.source)
}
