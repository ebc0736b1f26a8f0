//! Any YAML between a skill's fences: it is read or becomes a finding, and both documents are JSON all the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use realmdex_worker::extract::extract;
use url::Url;

fuzz_target!(|yaml: &str| {
    let url = Url::parse("https://realm.test/skills/any/SKILL.md").expect("a URL");
    let text = format!("---\n{yaml}\n---\n# Title\n");
    let extracted = extract(&url, text.as_bytes());
    assert_eq!(extracted, extract(&url, text.as_bytes()), "twice the same");
    serde_json::to_string(&extracted.search_document()).expect("JSON");
    let (document, findings) = extracted.into_document(url.as_str(), None, None);
    serde_json::to_string(&document).expect("JSON");
    for finding in findings.listed() {
        serde_json::to_string(&finding).expect("JSON");
    }
});
