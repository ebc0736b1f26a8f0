//! What cannot be transpiled, and what its author is told.

use realmdex_worker::transpile::transpile;

fn fault(source: &str) -> String {
    match transpile("tool.gts", source) {
        Ok(module) => panic!("{source}\nwas accepted as\n{}", module.code),
        Err(error) => error.to_string(),
    }
}

#[test]
fn messages_name_the_place_and_the_mend() {
    let sources = [
        "let a = {",
        "let a = 1;\nlet a = 2;",
        "const a;",
        "a b",
        "export { missing };",
        "return 1;",
        "with (a) {}",
        "x = 010;",
        "class A { #a; #a }",
        "class A { m() { return this.#b } }",
        "export default 1;\nexport default 2;",
        "<template>a</template>\nexport default 1;",
        "<template>a</template>\n<template>b</template>",
        "class A {\n  <template>\n  never closed\n}",
        "const a = b <template>c</template>;",
        "let x: Partial<template>;\n",
        "function f(<template></template>) {}",
        "class A { static <template>a</template> }",
        "<!-- a script's comment",
        "let a = \\b;",
        "const data = await fetch('x');",
        "if (a) {\n  for await (const x of y) {}\n}",
        "class A { [await b] = 1 }",
        "await using a = b;",
        "import fs = require('fs');\nfs.read();",
        "export = 1;",
        "import defer * as a from 'a';\na.b;",
        "namespace N { export let changing = 1 }",
        "class A { accessor b = 1 }",
        "class A { @d accessor b = 1 }",
        "class A { @d #b = 1 }",
        "class A { @d #b() {} }",
        "class A { @d constructor() {} }",
        "class A { constructor(@d b) {} }",
        "class A { @d b = super.c; @d d = arguments }",
        "const o = { @d a: 1 };",
    ];
    let told: Vec<String> = sources
        .iter()
        .map(|source| format!("{source}\n  -> {}", fault(source)))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

/// A template's text must not move what stands behind it: not the line, nor the column.
#[test]
fn places_are_those_of_the_source() {
    let cases = [
        (
            "const a = <template>\n\n  é{{x}}\n</template>; let b = ;\n",
            "tool.gts:4:22:",
        ),
        (
            "class A {\n  <template>é</template> x = ;\n}",
            "tool.gts:2:30:",
        ),
        ("\r\n\r\nlet a = ;", "tool.gts:3:9:"),
        ("'é😀'; let a = ;", "tool.gts:1:15:"),
        ("\u{FEFF}let a = ;", "tool.gts:1:10:"),
    ];
    for (source, place) in cases {
        let told = fault(source);
        assert!(told.starts_with(place), "{source}\n{told}");
    }
}

/// Nesting that would overflow the parser's stack, which nothing could catch.
#[test]
fn deep_nesting_is_refused() {
    let depth = 100_000;
    let chains = [
        "(",
        "[",
        "{a:",
        "{",
        "f(",
        "`${",
        "!",
        "- ",
        "typeof ",
        "new ",
        "await ",
        "a=>",
        "(a)=>",
        "(a=",
        "a?b:",
        "a?",
        "a**",
        "a=",
        "a+",
        "a.b+",
        "a&&",
        "if(a)",
        "if(a);else ",
        "for(;;)",
        "while(a)",
        "do ",
        "a:",
        "<A>",
        "a<",
        "a<b,",
        "class extends ",
        "class{x=",
        "class{static{",
        "function(){",
        "async()=>",
        "import(",
        "@a(",
        "let x:A<",
        "x as A<",
        "keyof ",
        "namespace A{",
        "switch(a){case ",
        "try{",
        "//\n(",
        "/*/*/(",
        "/[/(]/-(",
        "'\\''+(",
        "a\n!",
        "a\n/b/-",
        "{}!",
        "<template></template>+(",
    ];
    for chain in chains {
        let told = fault(&chain.repeat(depth));
        assert!(
            told.contains("nested too deeply") || !told.contains("transpiler"),
            "{chain}: {told}"
        );
        let told = fault(&format!("x = {}1", chain.repeat(depth)));
        assert!(!told.contains("transpiler"), "{chain}: {told}");
    }
    let postfixes = [".a", "()", "[0]", "``", "?.a", "!", " as A", "+1", "\n.a\n"];
    for postfix in postfixes {
        let told = fault(&format!("x = a{}", postfix.repeat(depth)));
        assert!(told.contains("nested too deeply"), "{postfix}: {told}");
    }
}

/// Text that looks like a string, comment or template literal in one reading must not hide brackets from the check.
#[test]
fn nesting_cannot_be_hidden() {
    let deep = format!("x = {}1", "(".repeat(100_000));
    let covers = [
        "type A = B\n/`/;\n",
        "let a: T\n/'/;\n",
        "function f() {}\n/`/;\n",
        "a = {}\n/ '`' /;\n",
        "a = b > /`/;\n",
        "for (a of /`/) ;\n",
        "break\n/`/;\n",
        "a = b as const / '`' /;\n",
        "a = b! / '`' /;\n",
        "a\n++/`/.x;\n",
        "do x; while (y) /`/;\n",
        "async () => { for await (a of b) /`/; }\n",
        "a = /[/`]/;\n",
        "a = '\\\r\n`';\n",
        "a = '\u{2028}`';\n",
        "// \u{2028}a = `b`;\n",
        "a = b.if (c) / '`' /;\n",
        "a = { if(x) { } } / `b` /;\n",
        "a = \\u{61} / '`' / `b`;\n",
        "-->`\n",
        "<!-- `\n",
        "a = <!-- `\n",
        "#!`\n",
        "a\\`\n",
        "++yield /a//*\n",
        "x(await /a//*\n);",
        "function f() { await /a//*\n",
        "\\u0069f (a) /b/*\n",
        "\\u{72}eturn /b/*\n",
    ];
    for cover in covers {
        let told = fault(&format!("{cover}{deep}"));
        assert!(!told.contains("transpiler"), "{cover}: {told}");
        fault(&format!("{cover}{deep}`"));
        fault(&format!("{cover}{deep}'"));
    }
}
