//! Any bytes as a markdown file: whatever they are, there is a document.
#![no_main]

use libfuzzer_sys::fuzz_target;
use realmdex_worker::extract::extract;
use url::Url;

fuzz_target!(|bytes: &[u8]| {
    let url = Url::parse("https://realm.test/notes/any%20name.md").expect("a URL");
    let extracted = extract(&url, bytes);
    assert_eq!(extracted.attributes["contentSize"], bytes.len());
    serde_json::to_string(&extracted.search_document()).expect("JSON");
    let (document, _) = extracted.into_document(url.as_str(), None, None);
    serde_json::to_string(&document).expect("JSON");
});
