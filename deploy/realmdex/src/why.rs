//! `realmdex why`: what a file's row was computed from, and what of that has moved since.

use std::process::ExitCode;

use anyhow::Context;
use realmdex_scheduler::operator::wire::{WhyAnswer, WhyAsked, WhyDependency, WhyDependent};
use realmdex_types::RealmPath;

use crate::answer::{self, Answer};
use crate::operator_client::{OperatorClient, OperatorPlace};
use crate::realm_place::AskedPlace;

/// `realmdex why`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex why skills/weather/SKILL.md
  realmdex why tools/words.js
  realmdex why @cardstack/base/card-api.gts --realm .
  realmdex why https://realms.example/acme/SKILL.md --server https://fleet.example:4790 --token-file token

Lists every file that the row was computed from, names tried before the hit included, and how each is found now; then
the files that were computed from this one. What is found is up to whoever has the index: a server reads files itself.")]
pub(crate) struct Arguments {
    /// The file: a path, a URL or a package's module.
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    file: String,
    /// The realm in whose index to look, for a package's module.
    #[arg(long, value_name = "PATH|URL", value_hint = clap::ValueHint::AnyPath)]
    realm: Option<String>,
    /// Print the answer as JSON: what the operator's `GET /_why` answers.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: OperatorPlace,
}

impl Arguments {
    fn is_package(&self) -> bool {
        self.file.starts_with('@')
    }

    /// What tells which index has it.
    fn index(&self) -> &str {
        match &self.realm {
            Some(realm) => realm,
            None if self.is_package() => ".",
            None => &self.file,
        }
    }
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let asked = AskedPlace::of(arguments.index())?;
    let place = &arguments.place;
    place
        .with_index_of(&asked, async |client| {
            let query = query(client, &arguments, &asked).await?;
            let answer: WhyAnswer = client.get("/_why", &query).await?;
            let text = if arguments.json {
                answer::json(&answer)?
            } else {
                why_text(&answer)
            };
            Answer::yes(text).print()
        })
        .await
}

async fn query(
    client: &OperatorClient,
    arguments: &Arguments,
    asked: &AskedPlace,
) -> anyhow::Result<WhyAsked> {
    let file = &arguments.file;
    let by_id = || WhyAsked {
        realm: None,
        path: None,
        id: Some(file.clone()),
    };
    if arguments.is_package() {
        return Ok(by_id());
    }
    let (realm, path) = match &arguments.realm {
        Some(_) if url::Url::parse(file).is_ok() => return Ok(by_id()),
        Some(_) => {
            let (realm, _) = client.realm_of(asked).await?;
            (realm, Some(RealmPath::parse(file)?))
        }
        None => client.realm_of(asked).await?,
    };
    let path = path.with_context(|| format!("{file} is a realm: name a file of it"))?;
    Ok(WhyAsked {
        realm: Some(realm.url),
        path: Some(path),
        id: None,
    })
}

fn why_text(answer: &WhyAnswer) -> String {
    let mut text = format!("{}\n  {}\n", answer.id, own_state(answer));
    if let Some(indexed_at) = answer.indexed_at {
        let took = answer.duration_ms.unwrap_or_default();
        text += &format!(
            "  computed {}, in {took} ms\n",
            indexed_at.format("%F %T UTC")
        );
    }
    text += &format!("computed from {} files\n", answer.dependencies.len());
    text.extend(answer.dependencies.iter().map(dependency_text));
    text += &format!("{} files were computed from it\n", answer.dependents.len());
    text.extend(answer.dependents.iter().map(dependent_text));
    text
}

fn own_state(answer: &WhyAnswer) -> String {
    let then = match answer.state.as_str() {
        "unread" => "never read",
        state => state,
    };
    moved(then, answer.has_moved, answer.source.as_deref())
}

/// What was, and what is, where the two differ.
fn moved(then: &str, has_moved: bool, now: Option<&str>) -> String {
    match now {
        Some(now) if has_moved => format!("{then}, now {now}"),
        _ => then.to_owned(),
    }
}

fn dependency_text(dependency: &WhyDependency) -> String {
    let mark = mark(dependency.has_moved || dependency.is_broken);
    let indexed = if dependency.is_broken {
        format!(" (its row says {})", dependency.now)
    } else {
        String::new()
    };
    let found = moved(
        &dependency.then,
        dependency.has_moved,
        dependency.source.as_deref(),
    );
    format!("{mark} {}  {found}{indexed}\n", dependency.id)
}

fn dependent_text(dependent: &WhyDependent) -> String {
    format!("{} {}\n", mark(dependent.is_broken), dependent.id)
}

/// Marks what is not as it was.
fn mark(is_other: bool) -> &'static str {
    if is_other { "!" } else { " " }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependency(id: &str, then: &str, source: Option<&str>, is_broken: bool) -> WhyDependency {
        WhyDependency {
            id: id.to_owned(),
            then: then.to_owned(),
            now: "absent".to_owned(),
            source: source.map(str::to_owned),
            has_moved: source.is_some_and(|source| source != then),
            is_broken,
        }
    }

    #[test]
    fn what_has_moved_is_marked() {
        let answer = WhyAnswer {
            id: "https://h/a.md".to_owned(),
            state: "unread".to_owned(),
            source: Some("0a".to_owned()),
            has_moved: true,
            indexed_at: None,
            duration_ms: None,
            dependencies: vec![
                dependency("a.js", "0b", Some("0b"), false),
                dependency("b.js", "0c", Some("absent"), true),
                dependency("c.js", "0d", Some("0e"), false),
                dependency("d.js", "0f", None, true),
            ],
            dependents: vec![WhyDependent {
                id: "e.md".to_owned(),
                is_broken: false,
            }],
        };
        insta::assert_snapshot!(why_text(&answer), @r"
        https://h/a.md
          never read, now 0a
        computed from 4 files
          a.js  0b
        ! b.js  0c, now absent (its row says absent)
        ! c.js  0d, now 0e
        ! d.js  0f (its row says absent)
        1 files were computed from it
          e.md
        ");
    }
}
