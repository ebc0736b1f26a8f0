use std::collections::BTreeMap;
use std::fs;

use super::{Config, DEFAULTS, Settings, defaults};

/// Each key of the file of defaults, and another value for it.
fn others() -> BTreeMap<&'static str, &'static str> {
    BTreeMap::from([
        ("database", "'postgres://db/x'"),
        ("database_connections", "3"),
        ("broker", "'amqp://b/'"),
        ("broker_management", "'http://m/'"),
        ("listen", "'127.0.0.1:1'"),
        ("token_file", "'/t'"),
        ("realm_secret_file", "'/r'"),
        ("delegation_secret_file", "'/d'"),
        ("public", "'127.0.0.1:2'"),
        ("public_hosts", "['h:1']"),
        ("public_proxies", "['10.0.0.1']"),
        ("public_rate", "3"),
        ("public_burst", "4"),
        ("public_connections", "4"),
        ("public_request_time", "'9s'"),
        ("public_body_bytes", "'9KiB'"),
        ("name", "'n'"),
        ("private_addresses", "true"),
        ("slots", "2"),
        ("prefetch", "5"),
        ("lease", "'21s'"),
        ("beat", "'1s'"),
        ("deadline", "'9s'"),
        ("listing_deadline", "'8s'"),
        ("tries", "7"),
        ("drain", "'6s'"),
        ("file_bytes", "'5KiB'"),
        ("watch", "false"),
        ("window_least", "1"),
        ("window_most", "65"),
        ("offer_stands", "'4s'"),
        ("dispatch_busy", "'3ms'"),
        ("dispatch_idle", "'2ms'"),
        ("reconcile_leases", "'11s'"),
        ("reconcile_reindexes", "'12s'"),
        ("reconcile_unsettled", "'13s'"),
        ("reconcile_invariant", "'14s'"),
        ("reconcile_retention", "'15s'"),
        ("keep_jobs", "'16d'"),
        ("keep_tombstones", "'17d'"),
        ("keep_reindexes", "'18d'"),
        ("keep_definitions", "'19d'"),
    ])
}

/// Everything that settings come to.
fn effects(config: &Config) -> String {
    format!(
        "{config:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        config.shift(true),
        config.dispatch(),
        config.reconcile(false),
        config.watching(),
        config.token_file(),
        config.realm_secret_file(),
        config.delegation_secret_file(),
        config.name(),
        config.public(),
        config.public_limits(),
        config.public_connections()
    )
}

fn read(text: &str) -> anyhow::Result<Config> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("realmdex.toml");
    fs::write(&file, text).unwrap();
    let settings = Settings {
        config: Some(file),
        ..Settings::default()
    };
    settings.read()
}

#[test]
fn every_key_is_read_and_makes_a_difference() {
    let keys: Vec<&str> = DEFAULTS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.split_once(" = ")?.0))
        .collect();
    assert_eq!(
        keys.iter()
            .copied()
            .collect::<std::collections::BTreeSet<_>>(),
        others().into_keys().collect()
    );
    let defaults = effects(&read("").unwrap());
    for (key, value) in others() {
        let changed = effects(&read(&format!("{key} = {value}")).unwrap());
        assert_ne!(changed, defaults, "{key}");
    }
}

#[test]
fn every_key_says_what_it_means() {
    let mut is_said = false;
    for line in DEFAULTS.lines() {
        match line.split_once(" = ") {
            Some((key, _)) if !line.starts_with('#') => assert!(is_said, "{key}"),
            // One comment may be about the keys that follow it.
            _ => is_said = line.starts_with('#'),
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (text, why) in [
        ("slots = 0", "slots must be at least 1"),
        ("lease = '2s'", "at least three times beat"),
        ("keep_tombstones = '10s'", "a late write"),
        ("window_least = 5000", "more than window_most"),
        ("lease = 'soon'", "no time such as"),
        ("file_bytes = 'big'", "no size such as"),
        ("slot = 3", "slot"),
        ("listen = 'here'", "listen"),
        ("public = 'here'", "no address such as"),
        ("public_connections = 0", "at least 1"),
        ("public_hosts = 'h'", "public_hosts"),
        ("public_proxies = ['h']", "public_proxies"),
        ("watch = 'perhaps'", "watch"),
    ] {
        let error = format!("{:?}", read(text).unwrap_err());
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn flags_win_over_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("realmdex.toml");
    fs::write(&file, "slots = 3\ntries = 2\n").unwrap();
    let settings = Settings {
        config: Some(file),
        slots: Some(5),
        ..Settings::default()
    };
    let shift = settings.read().unwrap().shift(false);
    assert_eq!((shift.slots, shift.tries), (5, 2));
}

#[test]
fn defaults_are_for_programs_too() {
    let defaults = defaults().unwrap();
    assert_eq!(defaults["slots"], 8);
    assert_eq!(defaults["listen"], "127.0.0.1:4790");
    let lines = DEFAULTS.lines();
    let keys = lines.filter(|line| line.contains(" = ") && !line.starts_with('#'));
    assert_eq!(defaults.len(), keys.count());
}
