//! What modules become: one snapshot per file of `tests/transpile`.

#![allow(clippy::unwrap_used)]

use std::{fs, path::Path};

use realmdex_worker::transpile::{Transpiled, transpile};

fn transpiled(name: &str, source: &str) -> Transpiled {
    transpile(name, source).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transpile");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let module = transpiled(name, &fs::read_to_string(&file).unwrap());
        let text = format!(
            "{}\n=== imports\n{}\n=== dynamic imports\n{}",
            module.code,
            module.imports.join("\n"),
            module.dynamic_imports.join("\n")
        );
        insta::assert_snapshot!(name, text);
    }
}

/// Each is a whole module that must come out as nothing but the directive.
#[test]
fn nothing_is_left_of_types() {
    let modules = [
        "",
        "// only a comment",
        "\u{FEFF}",
        "export type A = string; export interface B {}",
        "import type { A } from 'a'; export type { A };",
        "import { A } from 'a'; let x: A extends infer U ? U : never; export {}",
        "declare const x: string; declare function f(): void; declare class C {} declare enum E {}",
        "declare module 'x' { export const y: string }",
        "export default interface A {}",
        "import fs = require('fs'); let x: fs.Stats;",
    ];
    for source in modules {
        let code = transpiled("types.ts", source).code;
        let left = code.replace("\"use strict\";", "").replace("let x;", "");
        assert_eq!(left.trim(), "", "{source}");
    }
}

#[test]
fn imports_are_in_source_order_and_each_once() {
    let module = transpiled(
        "order.ts",
        "export * from 'z'; import b from 'b'; import 'a'; import { c } from 'b'; export { x } from 'y'; b(c); \
         import('d'); import('c'); import('d');",
    );
    assert_eq!(module.imports, ["z", "b", "a", "y"]);
    assert_eq!(module.dynamic_imports, ["c", "d"]);
}

/// `.js` and `.gjs` are read as Boxel reads them: types and templates are allowed everywhere.
#[test]
fn every_extension_is_read_alike() {
    let source =
        "import { T } from './t'; export const x: T = <template>a</template>; class A { @d b = 1 }";
    let expected = transpiled("a.gts", source);
    for name in ["a.ts", "a.js", "a.gjs", "a.mjs"] {
        assert_eq!(transpiled(name, source), expected, "{name}");
    }
}

/// Bodies of conditions and loops are where a `/` is hardest to read.
#[test]
fn slashes_are_read_as_the_parser_reads_them() {
    let modules = [
        "if (x) /[`'\"]/.test(y)\n<template>a</template>",
        "const a = b / c; const d = '<template>' / 2;\n<template>a</template>",
        "const a = (b) / c / `${d / 2}`;\n<template>a</template>",
        "function f() {}\n/<template>`/.test(x);\n<template>a</template>",
        "const a = x++ / 2; const b = y! / 2; // it's '\n<template>a</template>",
        "const a = [1] / 2 / 3, b = /[/`]/, c = x\n  / 2 // '\n<template>a</template>",
        "for (const x of /a'/[Symbol.matchAll](y)) {}\n<template>a</template>",
        "const a = <T,>(x: T) => /'/; return_ / 2 / '';\n<template>a</template>",
    ];
    for source in modules {
        let code = transpiled("slashes.gts", source).code;
        assert!(
            code.contains("__vite_ssr_export_default__ = __realmdexTemplate()"),
            "{source}\n{code}"
        );
    }
}

#[test]
fn a_name_keeps_what_a_class_is_called() {
    let cases = [
        ("export class A {}", "class A {"),
        ("export const A = class {};", "const A = class {"),
        ("@d class A {}", "class(class A {"),
        ("export default class A {}", "class A {"),
        ("export default class {}", "{ default: class {} }.default"),
        (
            "export default (function () {})",
            "{ default: (function() {}) }.default",
        ),
        ("const A = class { @d x = 1 };", "const A = class {"),
    ];
    for (source, expected) in cases {
        let code = transpiled("names.js", source).code;
        assert!(code.contains(expected), "{source}\n{code}");
    }
}

#[test]
fn long_flat_modules_are_fine() {
    let statement =
        "export const NAME = { a: [1, 2], b: f(x) ? `y${z}` : !w, c: (a < b) as any };\n";
    let source: String = (0..5_000)
        .map(|index| statement.replace("NAME", &format!("name{index}")))
        .collect();
    assert!(transpile("flat.ts", &source).is_ok());
    // The same without one semicolon or comma to lean on.
    let source: String = (0..5_000)
        .map(|index| {
            format!("let name{index} = a + b.c(d)\nif (name{index}) {{ f() }} else {{ g() }}\n")
        })
        .collect();
    assert!(transpile("no-semicolons.js", &source).is_ok());
    let source = format!("export const list = [{}];", "'text', ".repeat(50_000));
    assert!(transpile("list.js", &source).is_ok());
}
