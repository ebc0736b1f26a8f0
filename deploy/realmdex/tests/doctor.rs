//! `realmdex doctor`, as its users call it.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod running;

use running::{REALMS, Said, command, realmdex, run};

#[test]
fn a_machine_that_runs_these_tests_is_well() {
    let Said { code, text, errors } = realmdex(&["doctor"]);
    assert_eq!((code, errors.as_str()), (0, ""), "{text}");
    for found in [
        "ok    realmdex ",
        "the cache folder ",
        "address space ",
        "open at once",
        "ok    the sandbox describes a script (",
        "ok    a child process compiles wasm tools",
        "ok    an embedded database keeps an index (Postgres 17",
    ] {
        assert!(text.contains(found), "{found}: {text}");
    }
}

#[test]
fn programs_are_told_too() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut doctor = command(REALMS, &["doctor", "--json"]);
    let Said { code, text, .. } = run(doctor.env("REALMDEX_CACHE", file.path()));
    assert_eq!(code, 1, "{text}");
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told["isWell"], false, "{told}");
    let failed = told["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["state"] == "fail");
    let failed = failed.unwrap();
    assert!(
        failed["found"]
            .as_str()
            .unwrap()
            .contains("the cache folder"),
        "{told}"
    );
    assert!(
        failed["mend"].as_str().unwrap().contains("REALMDEX_CACHE"),
        "{told}"
    );
}

#[test]
fn a_cache_that_is_no_folder_fails_with_the_mend() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let Said { code, text, .. } =
        run(command(REALMS, &["doctor"]).env("REALMDEX_CACHE", file.path()));
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("fail  the cache folder"), "{text}");
    assert!(text.contains("set REALMDEX_CACHE to another one"), "{text}");
}
