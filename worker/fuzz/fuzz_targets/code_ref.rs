//! Any tool declaration, in any skill: it resolves to one reference, has a function name, and smuggles nothing in.
//! The input is the skill's URL or package id, a newline, and an entry of `boxel.tools` as JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use realmdex_types::{
    Declaration, Definition, FunctionDefinition, function_name, strip_generated_keys,
};
use serde_json::{Value, json};

fuzz_target!(|text: &str| {
    let (skill, entry) = text.split_once('\n').unwrap_or(("", text));
    let Ok(entry) = serde_json::from_str::<Value>(entry) else {
        return;
    };
    let stripped = strip_generated_keys(&entry);
    assert_eq!(stripped, strip_generated_keys(&stripped));
    let Ok(declaration) = Declaration::from_entry(&entry) else {
        return;
    };
    let code_ref = declaration.code_ref.resolve(skill);
    if code_ref != declaration.code_ref {
        assert_eq!(code_ref, code_ref.resolve(skill), "absolute once it is resolved");
    }
    let name = function_name(&code_ref);
    let definition = Definition::Function {
        function: FunctionDefinition {
            name: name.clone(),
            description: None,
            parameters: json!({"type": "object"}),
        },
    };
    let stamped = declaration.stamp(&entry, &code_ref, &definition);
    assert_eq!(stamped["functionName"], name);
    assert_eq!(
        Declaration::from_entry(&stamped).expect("still a declaration").code_ref,
        code_ref
    );
    for smuggled in ["tool", "schema"] {
        assert_eq!(stamped.get(smuggled), None);
    }
});
