//! Sources that fail: only a definite absence takes anything away, and what fails for a while is looked at again.

use realmdex_source::SourceError;
use realmdex_types::FindingKind;
use realmdex_worker::pass::PassError;

use crate::indexed::{Unreliable, indexed, skill, tool};

const NOTHING: [&str; 0] = [];

fn unreachable(path: &str) -> SourceError {
    SourceError::Unreachable {
        at: path.to_owned(),
        why: "503".to_owned(),
    }
}

fn forbidden(path: &str) -> SourceError {
    SourceError::Forbidden {
        at: path.to_owned(),
        why: "401".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_realm_that_cannot_be_listed_keeps_its_rows() {
    indexed(&[("a.md", "text"), ("b.md", "text")], async |mut realm| {
        realm.pass().await;
        let fails: [fn(&str) -> Option<SourceError>; 2] =
            [|path| Some(unreachable(path)), |path| Some(forbidden(path))];
        for fails in fails {
            realm.source = Some(Unreliable::of(&realm, fails));
            let error = realm.try_pass().await.unwrap_err();
            assert!(matches!(error, PassError::Listing(_)), "{error}");
        }
        let row = realm.row("a.md").await.unwrap();
        assert!(row.document.is_some() && row.error.is_none());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_be_read_keeps_its_row_and_says_so() {
    indexed(&[("a.md", "text"), ("b.md", "text")], async |mut realm| {
        realm.pass().await;
        type Fails = fn(&str) -> Option<SourceError>;
        let cases: [(Fails, &str, bool); 2] = [
            (
                |path| (path == "a.md").then(|| unreachable(path)),
                "503",
                true,
            ),
            (
                |path| (path == "a.md").then(|| forbidden(path)),
                "401",
                false,
            ),
        ];
        for (fails, why, transient) in cases {
            realm.write("a.md", why);
            realm.source = Some(Unreliable::of(&realm, fails));
            assert_eq!(realm.pass().await, NOTHING);
            let row = realm.row("a.md").await.unwrap();
            assert!(row.document.is_some());
            assert!(row.error.unwrap().contains(why));
            assert_eq!(row.retry_at.is_some(), transient);
            // The next pass looks again, though nothing seems to have changed.
            realm.source = None;
            assert_eq!(realm.pass().await, ["a.md"]);
            assert_eq!(realm.row("a.md").await.unwrap().error, None);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_too_large_says_so() {
    indexed(&[], async |realm| {
        realm.write("large.md", &"x".repeat((1 << 20) + 1));
        realm.pass().await;
        let findings = realm.findings().await;
        assert!(
            findings[0].starts_with("large.md: large.md: larger than the limit of 1048576 bytes"),
            "{findings:?}"
        );
        realm.write("large.md", "small");
        assert_eq!(realm.pass().await, ["large.md"]);
        assert_eq!(realm.findings().await, NOTHING);
    })
    .await;
}

/// A module whose source does not answer: a transient finding, looked at again by itself; the good tool stays good.
#[tokio::test(flavor = "multi_thread")]
async fn a_module_that_does_not_answer_is_looked_for_again() {
    indexed(&[], async |mut realm| {
        realm.write("SKILL.md", &skill(&["./down", "./up"]));
        realm.write("down.js", &tool("down"));
        realm.write("up.js", &tool("up"));
        realm.source = Some(Unreliable::of(&realm, |path| {
            (path == "down.js").then(|| unreachable(path))
        }));
        realm.try_pass().await.unwrap();
        realm.assert_settled().await;
        assert_eq!(realm.descriptions("SKILL.md").await[1], "up");
        assert!(realm.row("SKILL.md").await.unwrap().retry_at.is_some());
        let findings = realm.store.findings(realm.realm.id).await.unwrap();
        let lasting: Vec<_> = findings
            .iter()
            .filter(|one| !one.finding.transient)
            .map(|one| one.finding.kind)
            .collect();
        assert_eq!(lasting, [FindingKind::SkillSpecWarning], "its name");
        realm.source = None;
        assert_eq!(realm.pass().await, ["SKILL.md", "down.js"]);
        assert_eq!(realm.descriptions("SKILL.md").await, ["down", "up"]);
        assert_eq!(realm.findings().await, NOTHING);
        assert_eq!(realm.pass().await, NOTHING);
    })
    .await;
}

/// A tool may catch an import that fails: the definition it then gives is not the one it would have.
#[tokio::test(flavor = "multi_thread")]
async fn a_definition_made_without_a_module_does_not_last() {
    indexed(&[], async |mut realm| {
        realm.write("SKILL.md", &skill(&["./careful"]));
        realm.write(
            "careful.js",
            "import { Tool } from '@cardstack/runtime-common';
             import { CardDef } from '@cardstack/base/card-api';
             class Input extends CardDef {}
             export default class Careful extends Tool {
               description = 'careful';
               async getInputType() {
                 await import('./down.js').catch(() => {});
                 return Input;
               }
             }",
        );
        realm.write("down.js", &tool("down"));
        realm.source = Some(Unreliable::of(&realm, |path| {
            (path == "down.js").then(|| unreachable(path))
        }));
        realm.try_pass().await.unwrap();
        assert_eq!(realm.descriptions("SKILL.md").await, ["careful"]);
        assert!(realm.row("SKILL.md").await.unwrap().retry_at.is_some());
        realm.source = None;
        assert_eq!(realm.pass().await, ["SKILL.md", "down.js"]);
        assert!(realm.row("SKILL.md").await.unwrap().retry_at.is_none());
        assert_eq!(realm.pass().await, NOTHING);
    })
    .await;
}

/// A module that may not be read looks absent to who imports it, and is looked for again when that changes.
#[tokio::test(flavor = "multi_thread")]
async fn a_forbidden_module_looks_absent() {
    indexed(&[], async |mut realm| {
        realm.write("SKILL.md", &skill(&["./secret"]));
        realm.write("secret.js", &tool("secret"));
        realm.source = Some(Unreliable::of(&realm, |path| {
            (path == "secret.js").then(|| forbidden(path))
        }));
        realm.pass().await;
        let findings = realm.findings().await;
        assert!(
            findings
                .iter()
                .any(|said| said.starts_with("SKILL.md: cannot find module")),
            "{findings:?}"
        );
        realm.source = None;
        assert_eq!(realm.pass().await, ["SKILL.md", "secret.js"]);
        assert_eq!(realm.descriptions("SKILL.md").await, ["secret"]);
    })
    .await;
}
