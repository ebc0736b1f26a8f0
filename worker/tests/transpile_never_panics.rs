//! Whatever the text: an answer, and never one that says the transpiler itself failed.

use proptest::prelude::*;
use realmdex_worker::transpile::transpile;

/// Pieces that make the tokenizer, the parser and the passes after it meet in unusual ways.
const PIECES: &[&str] = &[
    "\n",
    " ",
    ";",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "=",
    "=>",
    "+",
    "++",
    "-",
    "!",
    "?",
    ":",
    ".",
    "?.",
    "...",
    "<",
    ">",
    "/",
    "*",
    "&&",
    "|",
    "@",
    "#",
    "`",
    "'",
    "\"",
    "${",
    "\\",
    "//",
    "/*",
    "*/",
    "0",
    "1.5",
    "1n",
    "'a'",
    "`b`",
    "/c/g",
    "a",
    "b",
    "#p",
    "@d",
    "é",
    "\u{2028}",
    "<template>",
    "</template>",
    "<template>x</template>",
    "class A",
    "class",
    "extends",
    "static",
    "declare",
    "abstract",
    "accessor",
    "get",
    "set",
    "constructor",
    "super",
    "this",
    "new",
    "function",
    "async",
    "await",
    "yield",
    "return",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "try",
    "catch",
    "finally",
    "break",
    "continue",
    "throw",
    "typeof",
    "void",
    "delete",
    "in",
    "instanceof",
    "of",
    "let",
    "const",
    "var",
    "using",
    "import",
    "export",
    "from",
    "as",
    "satisfies",
    "is",
    "import.meta",
    "import('x')",
    "import a, * as b from 'x';",
    "import { a as c, type b } from 'y';",
    "export * from 'z';",
    "export * as n from 'z';",
    "export default",
    "export { a };",
    "enum E",
    "namespace N",
    "module",
    "interface I",
    "type T =",
    "keyof",
    "infer U",
    "readonly",
    "private",
    "override",
    "unique symbol",
    ": string",
    "<T,>",
    "!.",
    "@field x = contains(Y);",
    "@action m() {}",
    "@service declare s: S;",
    "constructor(private x: X) {}",
    "static {",
    "with (a)",
    "debugger",
    "arguments",
    "eval",
    "__realmdexTemplate",
    "__tpl__",
    "new __tpl__",
    "__vite_ssr_import__",
    "await __vite_ssr_import__('x')",
];

fn answers(source: &str) {
    if let Err(error) = transpile("any.gts", source) {
        assert!(
            !error.message.contains("transpiler"),
            "{error}\nin {source:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn on_any_text(source in any::<String>()) {
        answers(&source);
    }

    #[test]
    fn on_any_pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60), spaced in any::<bool>()) {
        answers(&pieces.join(if spaced { " " } else { "" }));
    }

    #[test]
    fn on_any_class_body(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..30)) {
        answers(&format!("@d export class A extends B {{ {} }}", pieces.join(" ")));
    }
}
