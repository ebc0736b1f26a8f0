//! Any text as a module: code, or an error that points into the text and does not blame the transpiler.
#![no_main]

use libfuzzer_sys::fuzz_target;
use realmdex_worker::transpile::transpile;

fuzz_target!(|source: &str| {
    if let Err(error) = transpile("any.ts", source) {
        assert!(!error.message.contains("transpiler"), "{error}");
        let lines = source.split(['\n', '\r']).count();
        assert!(error.line as usize <= lines, "{error}: of {lines} lines");
    }
});
