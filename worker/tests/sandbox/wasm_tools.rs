//! Tools that are wasm components: the sample, and components that fail in every way.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use realmdex_types::TOOLS_WIT;
use realmdex_worker::enrich::{Describer, DescriberConfig};
use realmdex_worker::modules::LoadLimits;
use realmdex_worker::sandbox::{Compiler, SandboxLimits, compile_into_cache};
use serde_json::{Value, json};

use crate::component_from_wat::{component, tool_component};
use crate::outcome::{describe, error, lines, outcome, told};
use crate::realms::{ALL, MadeRealm, WASM, compiled, folder, limited, patient};

pub fn sample() -> String {
    fs::read_to_string(folder("wasm").join("text-length.wat")).unwrap()
}

/// The sample with `code` run at the start of `describe`.
pub fn sample_with(code: &str) -> String {
    let start = "(if (call $is_default";
    let changed = sample().replacen(start, &format!("{code}\n    {start}"), 1);
    assert_ne!(changed, sample());
    changed
}

/// The sample with one text replaced by another of any length.
fn sample_saying(text: &str, other: &str) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let (old, new) = (escaped(text), escaped(other));
    assert!(sample().contains(&old), "{old}");
    // Texts lie apart; a longer one is put where nothing else is.
    let at = if text.starts_with('{') { 1088 } else { 1024 };
    sample()
        .replace(
            &format!("(data (i32.const {at}) \"{old}\")"),
            &format!("(data (i32.const 8192) \"{new}\")"),
        )
        .replace(&format!("(i32.const {at})"), "(i32.const 8192)")
        .replace(
            &format!("(i32.const {})", text.len()),
            &format!("(i32.const {})", other.len()),
        )
        .replace("(i32.const 4096)", "(i32.const 60000)")
}

const DESCRIPTION: &str = "Counts the bytes of the arguments it is given.";
const SCHEMA: &str = r#"{"type":"object","properties":{"text":{"type":"string","description":"The text to measure"}},"required":["text"]}"#;

async fn outcome_of(bytes: &[u8], limits: SandboxLimits) -> Value {
    let realm = MadeRealm::new(&[]);
    realm.write("tool.wasm", bytes);
    let describer = limited(realm.packages(), LoadLimits::default(), limits);
    outcome(&describer, &format!("{}tool", MadeRealm::URL), "default").await
}

async fn outcome_of_sample(text: &str) -> Value {
    outcome_of(&tool_component(text).unwrap(), patient()).await
}

#[test]
fn the_samples_are_what_their_sources_make() {
    let samples = [
        folder("wasm").join("text-length"),
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/examples/realm/tools/roman"),
    ];
    for sample in samples {
        let text = fs::read_to_string(sample.with_extension("wat")).unwrap();
        let made = tool_component(&text).unwrap();
        let kept = fs::read(sample.with_extension("wasm")).unwrap();
        assert!(
            made == kept,
            "run: cargo run --release --example component_from_wat"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_is_described() {
    let described = describe(&ALL, &format!("{WASM}text-length"), "default").await;
    insta::assert_json_snapshot!(
        "sample",
        json!({
            "definition": described.outcome.unwrap(),
            "closure": lines(&described.closure),
        })
    );
    for (module, name, message) in [
        (
            "text-length",
            "other",
            "this component has one tool: default",
        ),
        // The name of a default export keeps its extension, as Boxel's do.
        (
            "text-length.wasm",
            "default",
            "leave the extension out of the codeRef's module",
        ),
    ] {
        let told = error(&ALL, &format!("{WASM}{module}"), name).await;
        assert!(told.contains(message), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn components_that_misbehave() {
    let mut outcomes = serde_json::Map::new();
    for (what, code) in [
        ("traps", "unreachable"),
        (
            "divides by zero",
            "(drop (i32.div_u (i32.const 1) (i32.const 0)))",
        ),
        (
            "reads out of bounds",
            "(drop (i32.load (i32.const 0x7fffffff)))",
        ),
        (
            "takes all memory",
            "(loop $more (br_if $more (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) unreachable",
        ),
        (
            "does without the memory it is refused",
            "(drop (memory.grow (i32.const 60000)))",
        ),
        (
            "answers where no memory is",
            "(return (i32.const 0x7ffffff0))",
        ),
        (
            "answers with a pointer that is not aligned",
            "(return (i32.const 17))",
        ),
        (
            "answers with a case that is none",
            "(i32.store8 (i32.const 16) (i32.const 9)) (return (i32.const 16))",
        ),
        (
            "answers with a text out of bounds",
            "(i32.store (i32.const 20) (i32.const 0x7fffff00)) (i32.store (i32.const 24) (i32.const 16)) (return (i32.const 16))",
        ),
        (
            "answers with an endless text",
            "(i32.store (i32.const 20) (i32.const 0)) (i32.store (i32.const 24) (i32.const -1)) (return (i32.const 16))",
        ),
        (
            "answers with what is no UTF-8",
            "(i32.store8 (i32.const 1024) (i32.const 0xff))",
        ),
    ] {
        outcomes.insert(what.to_owned(), outcome_of_sample(&sample_with(code)).await);
    }
    let recursive = sample_with("(call $down)").replace(
        "  ;; Whether the name",
        "  (func $down (call $down))\n  ;; Whether the name",
    );
    outcomes.insert("calls itself".into(), outcome_of_sample(&recursive).await);
    let starting = |code: &str| {
        sample().replace(
            "  ;; Whether the name",
            &format!("  (func $start {code})\n  (start $start)\n  ;; Whether the name"),
        )
    };
    outcomes.insert(
        "traps at its start".into(),
        outcome_of_sample(&starting("unreachable")).await,
    );
    insta::assert_json_snapshot!(outcomes);
}

#[tokio::test(flavor = "multi_thread")]
async fn components_that_never_end() {
    let hurried = || SandboxLimits {
        guest_time: Duration::from_millis(20),
        ..SandboxLimits::default()
    };
    let looping = sample_with("(loop $ever (br $ever))");
    let starting = sample().replace(
        "  ;; Whether the name",
        "  (func $start (loop $ever (br $ever)))\n  (start $start)\n  ;; Whether the name",
    );
    for text in [looping, starting] {
        let told = outcome_of(&tool_component(&text).unwrap(), hurried()).await;
        assert_eq!(
            told["error"],
            "describing the tool took longer than 200 ms of computing, the limit: look for a loop that does not end"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn components_that_say_what_is_no_tool() {
    let mut outcomes = serde_json::Map::new();
    for (what, schema) in [
        ("no JSON", "type: object"),
        ("no object", "[]"),
        ("another type", r#"{"type":"string"}"#),
        (
            "what providers refuse",
            r#"{"type":"object","properties":{"a":{"type":"array"}}}"#,
        ),
        (
            "half a surrogate pair",
            r#"{"type":"object","title":"\ud83c"}"#,
        ),
        ("nothing", ""),
    ] {
        outcomes.insert(
            what.into(),
            outcome_of_sample(&sample_saying(SCHEMA, schema)).await,
        );
    }
    let deep = format!(
        r#"{{"type":"object","default":{}{}}}"#,
        "[".repeat(1000),
        "]".repeat(1000)
    );
    outcomes.insert(
        "deep JSON".into(),
        outcome_of_sample(&sample_saying(SCHEMA, &deep)).await,
    );
    outcomes.insert(
        "an empty description".into(),
        outcome_of_sample(&sample_saying(DESCRIPTION, "")).await,
    );
    let small = SandboxLimits {
        definition_bytes: 100,
        ..patient()
    };
    let told = outcome_of(&tool_component(&sample()).unwrap(), small).await;
    outcomes.insert("more than the limit".into(), told);
    insta::assert_json_snapshot!(outcomes);
}

/// A component that wants something of its host gets nothing, and no part of WASI either.
fn importing() -> Result<Vec<u8>, Box<dyn Error>> {
    let wit = "package test:greedy; interface clock { now: func() -> u64; }\
               world greedy { import clock; export realmdex:tools/tool@0.1.0; }";
    let text = sample_with("(drop (call $now))").replace(
        "(module\n",
        "(module\n  (import \"test:greedy/clock\" \"now\" (func $now (result i64)))\n",
    );
    component(&text, &[TOOLS_WIT, wit], "greedy")
}

/// A component of another kind.
fn another() -> Result<Vec<u8>, Box<dyn Error>> {
    let wit = "package test:other; world other { export answer: func() -> u32; }";
    component(
        "(module (func (export \"answer\") (result i32) (i32.const 42)))",
        &[wit],
        "other",
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_no_tool_components() {
    let wat = |text: &str| wat::parse_str(text).unwrap();
    let mut outcomes = serde_json::Map::new();
    for (what, bytes) in [
        ("it imports something", importing().unwrap()),
        ("another interface", another().unwrap()),
        ("a core module", wat("(module)")),
        ("an empty component", wat("(component)")),
        ("text", b"export default class {}".to_vec()),
        ("nothing", Vec::new()),
        (
            "cut short",
            tool_component(&sample()).unwrap()[..200].to_vec(),
        ),
        (
            "64-bit memory",
            wat("(component (core module (memory i64 1)))"),
        ),
        (
            "shared memory",
            wat("(component (core module (memory 1 1 shared)))"),
        ),
        (
            "garbage-collected types",
            wat("(component (core module (type (struct (field i32)))))"),
        ),
        ("exceptions", wat("(component (core module (tag)))")),
    ] {
        outcomes.insert(what.to_owned(), outcome_of(&bytes, patient()).await);
    }
    let hungry = tool_component(&sample().replace(
        "(memory (export \"memory\") 1)",
        "(memory (export \"memory\") 2000)",
    ))
    .unwrap();
    outcomes.insert(
        "more memory than the limit from the start".into(),
        outcome_of(&hungry, patient()).await,
    );
    insta::assert_json_snapshot!(outcomes);
}

/// A component may be larger than a script, up to a limit of its own.
#[tokio::test(flavor = "multi_thread")]
async fn the_size_of_components() {
    let padded = |mebibytes: usize| {
        let mut bytes = tool_component(&sample()).unwrap();
        // A custom section: its id, its length in LEB128, the length of its name, its name, and nothing of meaning.
        let length = mebibytes << 20;
        bytes.push(0);
        let mut rest = length;
        while rest >= 0x80 {
            bytes.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
            rest >>= 7;
        }
        bytes.push(u8::try_from(rest).unwrap());
        bytes.extend([1, b'x']);
        bytes.extend(vec![0; length - 2]);
        bytes
    };
    assert_eq!(
        outcome_of(&padded(6), patient()).await["description"],
        DESCRIPTION
    );
    let too_large = outcome_of(&padded(8), patient()).await;
    assert!(
        too_large["error"]
            .as_str()
            .unwrap()
            .contains("8388608 bytes"),
        "{too_large}"
    );
}

fn compiled_by(
    program: &str,
    arguments: &[&str],
    sandbox_limits: SandboxLimits,
) -> (MadeRealm, Describer) {
    let realm = MadeRealm::new(&[]);
    realm.write("tool.wasm", tool_component(&sample()).unwrap());
    let describer = Describer::new(DescriberConfig {
        packages: realm.packages(),
        load_limits: LoadLimits::default(),
        sandbox_limits,
        cache: Some(compiled()),
        compiler: Compiler::Child {
            program: PathBuf::from(program),
            arguments: arguments
                .iter()
                .map(|&argument| argument.to_owned())
                .collect(),
            cache: compiled(),
        },
        definitions: None,
    })
    .unwrap();
    (realm, describer)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compiler_that_fails() {
    let mut outcomes = Vec::new();
    for (program, arguments) in [
        ("false", &[] as &[&str]),
        ("sh", &["-c", "echo 'no good' >&2; exit 3"]),
        ("sh", &["-c", "kill -9 $$"]),
        ("sh", &["-c", "kill -XCPU $$"]),
        ("no-such-program-anywhere", &[]),
    ] {
        let (_realm, describer) = compiled_by(program, arguments, patient());
        outcomes.push(outcome(&describer, &format!("{}tool", MadeRealm::URL), "default").await);
    }
    let impatient = SandboxLimits {
        compile_time: Duration::from_millis(10),
        ..patient()
    };
    let (_realm, describer) = compiled_by("sh", &["-c", "exec sleep 600"], impatient);
    outcomes.push(outcome(&describer, &format!("{}tool", MadeRealm::URL), "default").await);
    insta::assert_json_snapshot!(outcomes);
}

/// What a good child leaves in the cache is all that is needed.
#[tokio::test(flavor = "multi_thread")]
async fn a_compiler_that_succeeds() {
    compile_into_cache(&tool_component(&sample()).unwrap(), &patient(), &compiled()).unwrap();
    let (_realm, describer) = compiled_by("true", &[], patient());
    let described = describe(&describer, &format!("{}tool", MadeRealm::URL), "default").await;
    assert_eq!(told(&described)["description"], DESCRIPTION);
    assert!(compile_into_cache(b"no component", &patient(), &compiled()).is_err());
}
