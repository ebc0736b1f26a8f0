//! What indexing came to, for people.

use realmdex_store::{Holdings, Realm, Store};
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::realm_findings;
use crate::report::{FileFindings, Format, report};

/// What is known of an indexing that others did.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Asked {
    /// Files that were looked at.
    pub(crate) looked_at: u64,
    /// How long it took.
    pub(crate) seconds: f64,
    /// Whether findings are a "no".
    pub(crate) is_strict: bool,
}

/// The summary of an indexing that others did.
pub(crate) async fn answer(
    store: &Store,
    realm: &Realm,
    asked: &Asked,
    coloured: bool,
) -> anyhow::Result<Answer> {
    let findings = realm_findings::of(store, realm.id).await?;
    let done = match asked.looked_at {
        0 => "nothing has changed".to_owned(),
        files => format!("{files} looked at"),
    };
    let summary = Summary {
        realm,
        holdings: &store.holdings(realm.id).await?,
        findings: &findings,
        done,
        skills_done: None,
        seconds: asked.seconds,
    };
    let text = summary.text(coloured);
    Ok(if asked.is_strict && !findings.is_empty() {
        Answer::no(text)
    } else {
        Answer::yes(text)
    })
}

/// What an indexing came to.
pub(super) struct Summary<'a> {
    pub(super) realm: &'a Realm,
    pub(super) holdings: &'a Holdings,
    pub(super) findings: &'a [FileFindings],
    /// What was done with files, in words.
    pub(super) done: String,
    /// Skills whose tools were computed, where that is known.
    pub(super) skills_done: Option<usize>,
    pub(super) seconds: f64,
}

impl Summary<'_> {
    pub(super) fn text(&self, coloured: bool) -> String {
        let holdings = self.holdings;
        let found: usize = self.findings.iter().map(|file| file.findings.len()).sum();
        let skills_done = self
            .skills_done
            .map(|skills| format!("  ({skills} with tools computed)"));
        let lines = [
            ("realm", self.realm.url.to_string()),
            ("files", format!("{}  ({})", holdings.files, self.done)),
            (
                "skills",
                format!("{}{}", holdings.skills, skills_done.unwrap_or_default()),
            ),
            (
                "tools",
                format!(
                    "{} of {} stamped",
                    holdings.tools_stamped, holdings.tools_declared
                ),
            ),
            ("findings", found.to_string()),
            ("time", format!("{:.2} s", self.seconds)),
        ];
        let mut text = report(Format::Text, self.findings, coloured);
        for (name, value) in lines {
            text += &format!("{name:<10}{value}\n");
        }
        text
    }
}
