//! From a module's source to code the `QuickJS` guest can run.
//!
//! All of `.js`, `.mjs`, `.gjs`, `.ts` and `.gts` go through the same steps, as they do in Boxel
//! (`packages/runtime-common/transpile.ts`): templates are taken out, and what is left is read as TypeScript.
//!
//! 1. `template_tag` takes `<template>` out, `template_names` notes which imports templates use;
//! 2. `nesting` refuses what would overflow the stack, `parse_thread` is where the rest happens;
//! 3. `decorators` rewrites decorated classes for the guest's `__realmdexDecorate`;
//! 4. types are stripped and imports that are used by types only, or not at all, are dropped;
//! 5. `module_form` gives the code the shape the module runner takes.
//!
//! # What the guest provides
//! The code is the body of a synchronous function, made strict by a directive in it, with these parameters:
//!
//! | parameter | what it is |
//! |---|---|
//! | `__vite_ssr_import__(specifier)` | the namespace of a static import, already loaded; asked once per import statement |
//! | `__vite_ssr_dynamic_import__(specifier, options?)` | `import()` |
//! | `__vite_ssr_import_meta__` | `import.meta` |
//! | `__vite_ssr_exports__` | the object the exports are defined on, as getters, before anything else runs |
//! | `__vite_ssr_exportAll__(namespace)` | `export * from` |
//!
//! and uses two globals: `__realmdexDecorate` (`guest/decorators.js`), and `__realmdexTemplate()`, which returns an
//! inert component of its own at each call.

mod decorators;
mod default_name;
mod error;
mod lexer;
mod module_form;
mod nesting;
mod parse_thread;
mod scan;
mod template_names;
mod template_tag;

use std::{collections::BTreeSet, path::Path};

use oxc::{
    allocator::Allocator,
    ast::ast::Program,
    codegen::{Codegen, CodegenOptions, CommentOptions},
    diagnostics::{Diagnostics, OxcDiagnostic, Severity},
    parser::{ParseOptions, Parser},
    semantic::{Scoping, SemanticBuilder},
    span::SourceType,
    syntax::reference::{Reference, ReferenceFlags},
    transformer::{Module, TransformOptions, Transformer},
};

use error::Fault;
pub use error::TranspileError;
use parse_thread::Lost;

/// A module the guest can run, and what it asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transpiled {
    /// The function body described at [the top](self).
    pub code: String,
    /// Specifiers of the static imports that are left after types were stripped, each once, in source order.
    pub imports: Vec<String>,
    /// Specifiers of dynamic imports that are string literals, sorted. Others are known only when they run.
    pub dynamic_imports: Vec<String>,
}

/// Transpiles one module. `name` is the file's name, for messages.
///
/// Runs on a thread of its own and waits for it, so it may take some milliseconds of the caller's time.
///
/// # Errors
/// If the source is no valid module, is nested too deeply, or does what a tool's module cannot do: await at its top
/// level, `import x = require()`, decorate parameters or private members, have `accessor` fields.
pub fn transpile(name: &str, source: &str) -> Result<Transpiled, TranspileError> {
    let text = source.to_owned();
    let answer = parse_thread::run(move |allocator| transpile_here(allocator, &text));
    let result = answer.unwrap_or_else(|lost| {
        Err(Fault::anywhere(match lost {
            Lost::NoThread => "no thread could be started to read it",
            Lost::Panicked => "the transpiler cannot read this module, although it may be valid",
        }))
    });
    result.map_err(|fault| fault.in_file(name, source))
}

/// All the steps, on a thread that has the stack for them.
fn transpile_here(allocator: &Allocator, source: &str) -> Result<Transpiled, Fault> {
    if source.len() > u32::MAX as usize {
        return Err(Fault::anywhere("larger than 4 GiB"));
    }
    let untagged = template_tag::take_out(source)?;
    let code = untagged.as_ref().map_or(source, |it| &it.code);
    nesting::check(code)?;
    let mut program = parse(allocator, code).map_err(|fault| match &untagged {
        Some(untagged) => untagged.explain(fault),
        None => fault,
    })?;

    let mut template_uses = BTreeSet::new();
    if let Some(untagged) = &untagged {
        template_tag::fill_in(allocator, &mut program, &untagged.placeholders)?;
        for content in &untagged.contents {
            template_names::collect(content, &mut template_uses);
        }
    }
    decorators::rewrite(allocator, &mut program, code)?;
    module_form::prepare(allocator, &mut program)?;
    strip_types(allocator, &mut program, &template_uses)?;
    let scoping = check(&mut program)?;
    let requests = module_form::into_runner_form(allocator, &mut program, scoping);
    Ok(Transpiled {
        code: print(&program),
        imports: requests.imports,
        dynamic_imports: requests.dynamic_imports,
    })
}

fn parse<'a>(allocator: &'a Allocator, code: &'a str) -> Result<Program<'a>, Fault> {
    let options = ParseOptions {
        preserve_parens: false,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(allocator, code, SourceType::ts().with_module(true))
        .with_options(options)
        .parse();
    refuse_faulty(&parsed.diagnostics)?;
    Ok(parsed.program)
}

/// Takes out what only types need, unused imports among it. An import that a template uses is used.
fn strip_types<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    template_uses: &BTreeSet<&str>,
) -> Result<(), Fault> {
    // What this finds fault with is left to `check`: TypeScript forbids more than Boxel's build does.
    let mut scoping = SemanticBuilder::new()
        .with_excess_capacity(2.0)
        .with_enum_eval(true)
        .build(program)
        .semantic
        .into_scoping();
    keep_template_uses(&mut scoping, template_uses);
    let mut options = TransformOptions::default();
    options.env.module = Module::Esm;
    let transformed =
        Transformer::new(allocator, Path::new(""), &options).build_with_scoping(scoping, program);
    // Warnings too: they say that something was written that has no meaning in a module.
    transformed
        .diagnostics
        .first()
        .map_or(Ok(()), |diagnostic| Err(fault_of(diagnostic)))
}

/// Finds the faults a parser does not: names declared twice or not at all, a misplaced `super`, ….
fn check(program: &mut Program<'_>) -> Result<Scoping, Fault> {
    program.source_type = SourceType::mjs();
    let analysed = SemanticBuilder::new()
        .with_check_syntax_error(true)
        .with_excess_capacity(0.5)
        .build(program);
    refuse_faulty(&analysed.diagnostics)?;
    Ok(analysed.semantic.into_scoping())
}

/// Makes each import that a template uses count as used, so that it is kept with the code's own.
fn keep_template_uses(scoping: &mut Scoping, names: &BTreeSet<&str>) {
    for name in names {
        let Some(symbol) = scoping.get_root_binding((*name).into()) else {
            continue;
        };
        let node = scoping.symbol_declaration(symbol);
        let reference = scoping.create_reference(Reference::new_with_symbol_id(
            node,
            symbol,
            scoping.root_scope_id(),
            ReferenceFlags::Read,
        ));
        scoping.add_resolved_reference(symbol, reference);
    }
}

/// One statement a line, no indentation, no comments: close to the smallest text, and the line numbers in an engine's
/// messages still tell something.
fn print(program: &Program<'_>) -> String {
    let options = CodegenOptions {
        comments: CommentOptions::disabled(),
        indent_width: 0,
        ..CodegenOptions::default()
    };
    Codegen::new().with_options(options).build(program).code
}

/// The first error among `diagnostics`, if any.
fn refuse_faulty(diagnostics: &Diagnostics) -> Result<(), Fault> {
    let error = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.severity == Severity::Error);
    error.map_or(Ok(()), |error| Err(fault_of(error)))
}

/// What the compiler says of TypeScript's own module forms, in words that fit here.
const REWORDED: [(&str, &str); 3] = [
    (
        "Import assignment cannot be used",
        "`import x = require()` is not supported: use `import x from`",
    ),
    (
        "Export assignment cannot be used",
        "`export =` is not supported: use `export default`",
    ),
    (
        "Namespaces exporting non-const",
        "a namespace can export constants only: use `const`",
    ),
];

fn fault_of(diagnostic: &OxcDiagnostic) -> Fault {
    let offset = diagnostic
        .labels
        .first()
        .and_then(|label| usize::try_from(label.offset()).ok());
    let reworded = REWORDED
        .iter()
        .find(|(start, _)| diagnostic.message.starts_with(start));
    let message = match (reworded, &diagnostic.help) {
        (Some((_, ours)), _) => (*ours).to_owned(),
        (None, Some(help)) => format!("{}: {help}", diagnostic.message.trim_end_matches('.')),
        (None, None) => diagnostic.message.to_string(),
    };
    Fault { offset, message }
}
