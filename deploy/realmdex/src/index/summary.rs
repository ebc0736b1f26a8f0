//! What indexing came to, for people.

use realmdex_scheduler::operator::wire::{ErrorsAnswer, HoldingsAnswer, RealmAsked};
use realmdex_types::RealmUrl;

use crate::operator_client::OperatorClient;
use crate::report::{FileFindings, Format, report};

/// What an indexing that others did came to, as far as they tell: how many files were looked at, and how long that took
/// in seconds.
pub(super) async fn of_others(
    client: &OperatorClient,
    realm: RealmUrl,
    looked_at: u64,
    seconds: f64,
) -> anyhow::Result<Summary> {
    let query = RealmAsked { realm };
    let errors: ErrorsAnswer = client.get("/_errors", &query).await?;
    let holdings: HoldingsAnswer = client.get("/_holdings", &query).await?;
    Ok(Summary {
        realm: query.realm,
        holdings,
        findings: errors.files.into_iter().map(FileFindings::from).collect(),
        done: match looked_at {
            0 => "nothing has changed".to_owned(),
            files => format!("{files} looked at"),
        },
        skills_done: None,
        seconds,
    })
}

/// What an indexing came to.
pub(super) struct Summary {
    pub(super) realm: RealmUrl,
    pub(super) holdings: HoldingsAnswer,
    pub(super) findings: Vec<FileFindings>,
    /// What was done with files, in words.
    pub(super) done: String,
    /// Skills whose tools were computed, where that is known.
    pub(super) skills_done: Option<usize>,
    pub(super) seconds: f64,
}

impl Summary {
    pub(super) fn text(&self, coloured: bool) -> String {
        let holdings = &self.holdings;
        let found: usize = self.findings.iter().map(|file| file.findings.len()).sum();
        let skills_done = self
            .skills_done
            .map(|skills| format!("  ({skills} with tools computed)"));
        let lines = [
            ("realm", self.realm.to_string()),
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
        let mut text = report(Format::Text, &self.findings, coloured);
        for (name, value) in lines {
            text += &format!("{name:<10}{value}\n");
        }
        text
    }
}
