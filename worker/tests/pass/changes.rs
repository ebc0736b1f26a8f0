//! What is computed again when a file changes: exactly what follows from it.

use realmdex_worker::pass::{MassDelete, PassError};
use serde_json::json;

use crate::indexed::{indexed, skill, tool};
use crate::realms::MadeRealm;

const NOTHING: [&str; 0] = [];

/// A realm with a chain of imports: `a` uses one tool, `b` another that imports words through a middle module.
async fn chain<F>(test: impl FnOnce(crate::indexed::Indexed) -> F + Send + 'static)
where
    F: Future<Output = ()> + Send + 'static,
{
    indexed(&[], async move |realm| {
        realm.write("a/SKILL.md", &skill(&["../tools/alone"]));
        realm.write("b/SKILL.md", &skill(&["../tools/chained", "../tools/alone"]));
        realm.write("c/SKILL.md", "---\nname: c\ndescription: No tools.\n---\n");
        realm.write("tools/alone.ts", &tool("alone"));
        realm.write(
            "tools/chained.js",
            "import { middle } from './middle.js'; export default { description: middle, inputSchema: { type: 'object' }, run: () => 1 };",
        );
        realm.write(
            "tools/middle.js",
            "import { words } from './words.js'; export const middle = `says ${words}`;",
        );
        realm.write("tools/words.js", "export const words = 'one';");
        realm.write("notes.txt", "text");
        let mut all = realm.pass().await;
        all.sort();
        assert_eq!(
            all,
            [
                "a/SKILL.md",
                "b/SKILL.md",
                "c/SKILL.md",
                "notes.txt",
                "tools/alone.ts",
                "tools/chained.js",
                "tools/middle.js",
                "tools/words.js"
            ]
        );
        assert_eq!(realm.pass().await, NOTHING, "nothing has changed");
        test(realm).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_takes_exactly_its_dependents_along() {
    chain(async |realm| {
        assert_eq!(
            realm.descriptions("b/SKILL.md").await,
            ["says one", "alone"]
        );
        realm.write("tools/words.js", "export const words = 'two';");
        assert_eq!(realm.pass().await, ["b/SKILL.md", "tools/words.js"]);
        assert_eq!(
            realm.descriptions("b/SKILL.md").await,
            ["says two", "alone"]
        );
        realm.write("tools/alone.ts", &tool("new"));
        assert_eq!(
            realm.pass().await,
            ["a/SKILL.md", "b/SKILL.md", "tools/alone.ts"]
        );
        assert_eq!(realm.pass().await, NOTHING);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_looks_changed_takes_nothing_along() {
    chain(async |realm| {
        // The same bytes, written again.
        realm.write("tools/words.js", "export const words = 'one';");
        assert_eq!(realm.pass().await, NOTHING);
        realm.write("notes.txt", "other text");
        assert_eq!(realm.pass().await, ["notes.txt"]);
        realm.write(
            "c/SKILL.md",
            "---\nname: c\ndescription: Still none.\n---\n",
        );
        assert_eq!(realm.pass().await, ["c/SKILL.md"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_that_goes_and_comes_back() {
    chain(async |realm| {
        realm.remove("tools/words.js");
        assert_eq!(realm.pass().await, ["b/SKILL.md"]);
        assert_eq!(
            realm.descriptions("b/SKILL.md").await,
            [json!(null), json!("alone")]
        );
        let findings = realm.findings().await;
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(
            findings[0].contains("cannot find module \"./words.js\""),
            "{findings:?}"
        );
        assert_eq!(realm.pass().await, NOTHING);
        realm.write("tools/words.js", "export const words = 'back';");
        assert_eq!(realm.pass().await, ["b/SKILL.md", "tools/words.js"]);
        assert_eq!(
            realm.descriptions("b/SKILL.md").await,
            ["says back", "alone"]
        );
        assert_eq!(realm.findings().await, NOTHING);
    })
    .await;
}

/// `./alone` is looked for as `.js` before `.ts`: a file of that name takes its place.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_found_first() {
    chain(async |realm| {
        realm.write("tools/alone.js", &tool("nearer"));
        assert_eq!(
            realm.pass().await,
            ["a/SKILL.md", "b/SKILL.md", "tools/alone.js"]
        );
        assert_eq!(realm.descriptions("a/SKILL.md").await, ["nearer"]);
        realm.remove("tools/alone.js");
        assert_eq!(realm.pass().await, ["a/SKILL.md", "b/SKILL.md"]);
        assert_eq!(realm.descriptions("a/SKILL.md").await, ["alone"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_that_goes_leaves_a_tombstone() {
    chain(async |realm| {
        realm.remove("a/SKILL.md");
        let report = realm.try_pass().await.unwrap();
        assert_eq!(report.computed, []);
        assert_eq!(report.removed.len(), 1);
        realm.assert_settled().await;
        assert!(realm.row("a/SKILL.md").await.unwrap().document.is_none());
        // What it depended on concerns it no more.
        realm.write("tools/alone.ts", &tool("new"));
        assert_eq!(realm.pass().await, ["b/SKILL.md", "tools/alone.ts"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ignored_module_is_a_module_that_is_gone() {
    chain(async |realm| {
        realm.write(".gitignore", "words.js\n");
        assert_eq!(realm.pass().await, [".gitignore", "b/SKILL.md"]);
        realm.write(".gitignore", "other\n");
        assert_eq!(
            realm.pass().await,
            [".gitignore", "b/SKILL.md", "tools/words.js"]
        );
        assert_eq!(realm.findings().await, NOTHING);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn forced_it_computes_everything() {
    chain(async |mut realm| {
        realm.force = true;
        assert_eq!(realm.pass().await.len(), 8);
        realm.force = false;
        assert_eq!(realm.pass().await, NOTHING);
    })
    .await;
}

/// A package is not listed; the files of it that matter are looked at.
#[tokio::test(flavor = "multi_thread")]
async fn a_mapped_package_changes() {
    indexed(&[], async |mut realm| {
        let package = MadeRealm::new(&[
            ("greet.js", "import './name'; export default { description: 'greets', inputSchema: { type: 'object' }, run: () => 1 };"),
            ("name.ts", "export const name: string = 'x';"),
            ("unused.js", "export {}"),
        ]);
        realm.packages = vec![("@acme/tools/", package.path())];
        realm.write("SKILL.md", &skill(&["@acme/tools/greet"]));
        realm.write("other.md", "text");
        assert_eq!(realm.pass().await, ["SKILL.md", "other.md"]);
        assert_eq!(realm.descriptions("SKILL.md").await, ["greets"]);
        assert_eq!(realm.pass().await, NOTHING);
        package.write("unused.js", "export const changed = 1;");
        assert_eq!(realm.pass().await, NOTHING);
        package.write("name.ts", "export const name: string = 'y';");
        assert_eq!(realm.pass().await, ["SKILL.md"]);
        package.write("name.js", "export const name = 'z';");
        assert_eq!(realm.pass().await, ["SKILL.md"], "a name that is looked for first");
        // Without the package the skill, and only that, is another.
        realm.packages.clear();
        assert_eq!(realm.pass().await, ["SKILL.md"]);
        assert_eq!(realm.descriptions("SKILL.md").await, [json!(null)]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_realm_does_not_go_unasked() {
    indexed(&[], async |mut realm| {
        for number in 0..10 {
            realm.write(&format!("{number}.md"), "text");
        }
        realm.pass().await;
        for number in 0..6 {
            realm.remove(&format!("{number}.md"));
        }
        let refused = realm.try_pass().await.unwrap_err();
        assert!(
            matches!(
                refused,
                PassError::MassDelete(MassDelete { gone: 6, of: 10 })
            ),
            "{refused}"
        );
        assert!(refused.to_string().contains("--allow-mass-delete"));
        assert!(realm.row("0.md").await.unwrap().document.is_some());
        realm.allow_mass_delete = true;
        realm.pass().await;
        assert!(realm.row("0.md").await.unwrap().document.is_none());
    })
    .await;
}

/// A folder that becomes a package's: its files then go by other names, and those that use them follow.
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_mapped_as_a_package_later() {
    chain(async |mut realm| {
        realm.packages = vec![("@acme/tools/", realm.made.path().join("tools"))];
        let renamed = realm.pass().await;
        for path in [
            "a/SKILL.md",
            "b/SKILL.md",
            "tools/alone.ts",
            "tools/words.js",
        ] {
            assert!(renamed.contains(&path.to_owned()), "{path}: {renamed:?}");
        }
        assert_eq!(realm.pass().await, NOTHING);
        realm.write("tools/words.js", "export const words = 'two';");
        assert_eq!(realm.pass().await, ["b/SKILL.md", "tools/words.js"]);
        // And back.
        realm.packages.clear();
        realm.pass().await;
        assert_eq!(realm.pass().await, NOTHING);
        assert_eq!(
            realm.descriptions("b/SKILL.md").await,
            ["says two", "alone"]
        );
    })
    .await;
}

/// Names that no file can have stop nothing.
#[tokio::test(flavor = "multi_thread")]
async fn names_that_the_index_cannot_keep() {
    indexed(&[], async |mut realm| {
        realm.packages = vec![("@acme/tools/", realm.made.path().join("tools"))];
        realm.write("tools/good.js", &tool("good"));
        let long = "x".repeat(900);
        realm.write(
            "odd/SKILL.md",
            &skill(&[
                "@acme/tools/../../a\0.js",
                &format!("./{long}/{long}/{long}"),
                "../tools/good",
            ]),
        );
        realm.write("fine.md", "text");
        let computed = realm.pass().await;
        assert_eq!(computed, ["fine.md", "odd/SKILL.md", "tools/good.js"]);
        assert_eq!(
            realm.descriptions("odd/SKILL.md").await.last(),
            Some(&json!("good"))
        );
        assert_eq!(realm.pass().await, NOTHING);
    })
    .await;
}
