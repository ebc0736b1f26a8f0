//! Compiling wasm tools in a child process: this test program itself, as a shell makes it under a limit on processor
//! time. (The binary's own child has tests where the binary is.)

use std::io::Read;
use std::path::{Path, PathBuf};

use realmdex_worker::sandbox::{CompileFault, Compiler, compile_into_cache};

use crate::realms::{compiled, patient};

/// Says that this process is the child, and where the cache is.
const CACHE: &str = "REALMDEX_TEST_COMPILES_INTO";

/// A compiler whose child process ends at its limits.
pub fn child() -> Compiler {
    // Arguments: the program, then `--cache DIR --memory BYTES --seconds N`.
    let script = format!(
        "ulimit -St \"$6\" && {CACHE}=\"$2\" exec \"$0\" --nocapture --exact hostile_table::compiling::compiles_what_it_is_given"
    );
    let program = std::env::current_exe().unwrap();
    Compiler::Child {
        program: PathBuf::from("sh"),
        arguments: vec!["-c".into(), script, program.to_str().unwrap().into()],
        cache: compiled(),
    }
}

/// What the child runs; in a test run of its own it has nothing to do.
#[test]
fn compiles_what_it_is_given() {
    let Some(cache) = std::env::var_os(CACHE) else {
        return;
    };
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).unwrap();
    if let Err(CompileFault::Refused(reason)) =
        compile_into_cache(&bytes, &patient(), Path::new(&cache))
    {
        eprintln!("{reason}");
        std::process::exit(1);
    }
}
