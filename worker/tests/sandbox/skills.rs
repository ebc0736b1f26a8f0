//! What indexing stamps onto the tools of each skill of the cards realm.

use std::fs;

use realmdex_types::RealmUrl;
use realmdex_worker::enrich::{Describer, Enriched, enrich};
use realmdex_worker::extract::extract;
use serde_json::json;
use url::Url;

use crate::realms::{ALL, CARDS, WITHOUT_BASE, folder};

/// From the file to the stamped tools, as indexing does it.
pub async fn enriched(describer: &Describer, skill: &str) -> Enriched {
    let url = Url::parse(CARDS)
        .unwrap()
        .join(&format!("skills/{skill}/SKILL.md"))
        .unwrap();
    let bytes = fs::read(folder("cards").join("skills").join(skill).join("SKILL.md")).unwrap();
    let extracted = extract(&url, &bytes);
    assert_eq!(extracted.findings.frontmatter_parse_error, None, "{skill}");
    let authored = extracted.skill.as_ref().unwrap().authored.clone();
    let enriched = enrich(describer, &describer.graph(), url.as_str(), &authored).await;

    let realm = RealmUrl::parse(CARDS).unwrap();
    let (document, _) =
        extracted.into_document(url.as_str(), Some(&realm), Some(enriched.tools.clone()));
    assert_eq!(
        document.data.attributes["frontmatter"]["tools"], enriched.tools,
        "the document has what was stamped"
    );
    enriched
}

macro_rules! stamped {
    ($($name:ident: $skill:literal,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let enriched = enriched(&ALL, $skill).await;
                let document = json!({"tools": enriched.tools, "toolSchemaErrors": enriched.errors});
                insta::assert_json_snapshot!($skill, document);
            }
        )*
        const STAMPED: &[&str] = &[$($skill),*];
    };
}

stamped! {
    every_primitive_field: "fields",
    static_and_function_form_enums: "choices",
    nesting_links_and_inheritance: "shapes",
    required_and_ignored_names: "wishes",
    cards_that_contain_themselves: "recursion",
    classes_without_a_name: "anonymous",
    what_tools_say_of_themselves: "descriptions",
    tools_that_extend_nothing: "ducks",
    imports_of_every_kind: "modules",
    services_of_the_host: "services",
    packages_of_the_host: "stand-ins",
    everything_that_fails: "broken",
    spellings_of_references: "references",
    entries_good_and_bad: "entries",
    tools_by_their_older_name: "older",
    an_empty_list_wins: "both",
    tools_that_are_no_list: "not-a-list",
}

#[test]
fn no_skill_is_left_out() {
    let mut skills: Vec<_> = fs::read_dir(folder("cards").join("skills"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    // Those of fields that only the guest's base package has.
    skills.retain(|skill| skill != "fallback");
    skills.sort();
    let mut stamped = STAMPED.to_vec();
    stamped.sort_unstable();
    assert_eq!(skills, stamped);
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_of_the_base_package_that_is_not_mapped() {
    let enriched = enriched(&WITHOUT_BASE, "fallback").await;
    insta::assert_json_snapshot!(
        "fallback",
        json!({"tools": enriched.tools, "toolSchemaErrors": enriched.errors})
    );
}

/// The guest's stand-ins for the base package define what the package itself does.
#[tokio::test(flavor = "multi_thread")]
async fn with_or_without_a_mapped_base_package() {
    for skill in ["fields", "choices", "shapes", "wishes", "anonymous"] {
        let (with, without) = (
            enriched(&ALL, skill).await,
            enriched(&WITHOUT_BASE, skill).await,
        );
        assert_eq!(with.tools, without.tools, "{skill}");
        assert_eq!(with.errors, without.errors, "{skill}");
    }
}

/// Each tool has a fresh instance with the same clock and the same seed.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_each_time() {
    for skill in ["modules", "services", "descriptions", "recursion", "broken"] {
        let (first, second) = (enriched(&ALL, skill).await, enriched(&ALL, skill).await);
        assert_eq!(first.tools, second.tools, "{skill}");
        assert_eq!(first.errors, second.errors, "{skill}");
        let closures = |enriched: Enriched| serde_json::to_value(enriched.closures).unwrap();
        assert_eq!(closures(first), closures(second), "{skill}");
    }
}
