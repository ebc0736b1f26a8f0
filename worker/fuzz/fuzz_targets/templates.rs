//! Any text in the template of a component, and any text around one: taken out, or an error that points into the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use realmdex_worker::transpile::transpile;

fuzz_target!(|text: &str| {
    let (around, within) = text.split_once('\0').unwrap_or(("", text));
    for source in [
        format!("{around}\nexport default class A extends B {{ <template>{within}</template> }}"),
        format!("import {{ a }} from 'a';\nconst b = <template>{within}</template>;\n{around}"),
    ] {
        if let Err(error) = transpile("any.gts", &source) {
            assert!(!error.message.contains("transpiler"), "{error}");
            let lines = source.split(['\n', '\r']).count();
            assert!(error.line as usize <= lines, "{error}: of {lines} lines");
        }
    }
});
