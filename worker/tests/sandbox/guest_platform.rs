//! The web platform that modules see: each file of `tests/guest_platform` is run in the sandbox, by a tool that tells
//! which of its cases fail.

use std::fs;
use std::path::{Path, PathBuf};

use crate::outcome::outcome;
use crate::realms::MadeRealm;

/// Runs the cases of the file beside it, one after another.
const RUNNER: &str = r#"
    import * as file from './cases.js';

    // What can be told in JSON, with what it can't tell put as null, as lists of values put it.
    const shown = (value) => JSON.stringify(value === undefined ? null : value);

    async function failing() {
      const failing = [];
      for (const [name, actual, expected] of file.cases) {
        let value;
        try {
          value = await actual();
        } catch (error) {
          value = `threw ${error?.stack ?? error}`;
        }
        if (shown(value) !== shown(expected)) failing.push(`${name}: ${shown(value)}, expected ${shown(expected)}`);
      }
      return failing;
    }

    export default class Runner {
      description = String(file.cases.length);
      getInputJsonSchema = async () => ({ attributes: { type: 'object', properties: {}, examples: await failing() } });
    }
    export const rejects = class {
      description = '';
      getInputJsonSchema = async () => ({ attributes: { type: 'object', properties: {}, title: file.rejects } });
    };
"#;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest_platform");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "js"))
        .collect();
    files.sort();
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn every_case_of_every_file() {
    let files = files();
    assert!(!files.is_empty());
    let mut failures = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let realm = MadeRealm::new(&[
            ("cases.js", &fs::read_to_string(&file).unwrap()),
            ("runner.js", RUNNER),
        ]);
        let describer = realm.describer();
        let module = format!("{}runner", MadeRealm::URL);
        let told = outcome(&describer, &module, "default").await;
        // A file may say that running it ends in an error.
        let rejects = outcome(&describer, &module, "rejects").await;
        let rejects = rejects["parameters"]["properties"]["attributes"]["title"].clone();
        if rejects.is_string() {
            if told["error"] != rejects {
                failures.push(format!("{name}: ended in {told}, expected {rejects}"));
            }
            continue;
        }
        match told["parameters"]["properties"]["attributes"]["examples"].as_array() {
            Some(failing) => failures.extend(
                failing
                    .iter()
                    .map(|case| format!("{name}: {}", case.as_str().unwrap())),
            ),
            None => failures.push(format!("{name}: {told}")),
        }
        assert_ne!(told["description"], "0", "{name} has no case");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
