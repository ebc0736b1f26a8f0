//! The shape in which the guest's module runner takes a module: the body of a synchronous function.
//!
//! [`ModuleRunnerTransform`] does most of the work. What it leaves to do, or does differently from ECMAScript, is done
//! before it ([`prepare`]) and after it ([`into_runner_form`]):
//!
//! - it loses the default binding of `import d, * as ns from 'x'`: split into two imports;
//! - it names an anonymous default export after its own variable, where the language says `default`, and an anonymous
//!   default function is no longer hoisted;
//! - a template literal tagged with an import would be called with the module as `this`;
//! - it awaits each import, which makes the function asynchronous, and says which names are taken. The guest has
//!   loaded all imports before it runs a module, and looks names up when they are used.
//!
//! A module that awaits at its top level cannot be run so; nor can Boxel's AMD form of it.

use std::collections::{BTreeSet, HashSet};

use oxc::{
    allocator::{Allocator, ArenaVec, CloneIn, TakeIn},
    ast::{
        ast::{
            ArrowFunctionExpression, AwaitExpression, Directive, ExportDefaultDeclarationKind,
            Expression, ForOfStatement, Function, ImportDeclaration, ImportDeclarationSpecifier,
            Program, Statement, TaggedTemplateExpression, VariableDeclaration,
            VariableDeclarationKind,
        },
        builder::AstBuilder,
    },
    ast_visit::{VisitJsMut, walk_js_mut},
    semantic::Scoping,
    span::{GetSpan, Span},
    syntax::scope::ScopeFlags,
    transformer_plugins::ModuleRunnerTransform,
};

use super::{default_name, error::Fault};

/// What a module in runner form asks the runner for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Requests {
    /// Specifiers of static imports and re-exports, each once, in source order.
    pub imports: Vec<String>,
    /// Specifiers of dynamic imports that are literals, sorted.
    pub dynamic_imports: Vec<String>,
}

/// Rewrites what [`ModuleRunnerTransform`] would lose, and refuses what cannot be run. Wants a parsed program that
/// semantic analysis has not seen yet.
pub(super) fn prepare<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
) -> Result<(), Fault> {
    let mut preparer = Preparer {
        ast: AstBuilder::new(allocator),
        imported: imported_names(program),
        functions: 0,
        fault: None,
    };
    preparer.visit_program(program);
    if let Some(fault) = preparer.fault {
        return Err(fault);
    }
    let ast = preparer.ast;
    program.hashbang = None;
    if !program.has_use_strict_directive() {
        let strict = Directive::new_use_strict(&ast);
        program.directives.insert(0, strict);
    }
    let mut insertions = Vec::new();
    let mut has_default = false;
    for (index, statement) in program.body.iter_mut().enumerate() {
        match statement {
            Statement::ImportDeclaration(import) => {
                if import.phase.is_some() {
                    return Err(fault_at(
                        import.span,
                        "`import defer` and `import source` are not supported: use a plain import",
                    ));
                }
                if let Some(default_import) = split_default(import, &ast, allocator) {
                    insertions.push((index, default_import));
                }
            }
            Statement::ExportDefaultDeclaration(export) => {
                if is_value(&export.declaration) && std::mem::replace(&mut has_default, true) {
                    return Err(fault_at(
                        export.span,
                        "a module has one default export: a `<template>` of its own is one",
                    ));
                }
                if default_name::give(&mut export.declaration, &ast, allocator) {
                    insertions.push((0, default_name::set_on_function(&ast)));
                }
            }
            _ => {}
        }
    }
    for (index, statement) in insertions.into_iter().rev() {
        program.body.insert(index, statement);
    }
    Ok(())
}

/// Turns a program without types into runner form.
pub(super) fn into_runner_form<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: Scoping,
) -> Requests {
    let imports = static_imports(program);
    let (_, dynamic_imports) = ModuleRunnerTransform::new().transform(allocator, program, scoping);
    for statement in &mut program.body {
        if let Statement::VariableDeclaration(declaration) = statement
            && let [declarator] = declaration.declarations.as_mut_slice()
            && let Some(Expression::AwaitExpression(awaited)) = &mut declarator.init
            && let Some(call) = import_call(awaited, allocator)
        {
            declarator.init = Some(call);
        }
    }
    let dynamic_imports: BTreeSet<String> = dynamic_imports.into_iter().collect();
    Requests {
        imports,
        dynamic_imports: dynamic_imports.into_iter().collect(),
    }
}

fn static_imports(program: &Program<'_>) -> Vec<String> {
    let mut seen = HashSet::new();
    let sources = program.body.iter().filter_map(|statement| match statement {
        Statement::ImportDeclaration(import) => Some(import.source.value),
        Statement::ExportFromDeclaration(export) => Some(export.source.value),
        Statement::ExportAllDeclaration(export) => Some(export.source.value),
        _ => None,
    });
    sources
        .filter(|source| seen.insert(*source))
        .map(|source| source.to_string())
        .collect()
}

/// From `await __vite_ssr_import__(specifier, names)`: `__vite_ssr_import__(specifier)`.
fn import_call<'a>(
    awaited: &mut AwaitExpression<'a>,
    allocator: &'a Allocator,
) -> Option<Expression<'a>> {
    let Expression::CallExpression(call) = &mut awaited.argument else {
        return None;
    };
    if !matches!(&call.callee, Expression::Identifier(callee) if callee.name == "__vite_ssr_import__")
    {
        return None;
    }
    call.arguments.truncate(1);
    Some(awaited.argument.take_in(&allocator))
}

fn imported_names<'a>(program: &Program<'a>) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    for statement in &program.body {
        if let Statement::ImportDeclaration(import) = statement {
            for specifier in import.specifiers.iter().flatten() {
                names.insert(specifier.local().name.as_str());
            }
        }
    }
    names
}

/// Not an interface or an overload signature, of which there may be several.
fn is_value(exported: &ExportDefaultDeclarationKind<'_>) -> bool {
    match exported {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.body.is_some(),
        ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => false,
        _ => true,
    }
}

/// Takes the default binding out of `import d, * as ns from 'x'`, and returns an import of its own for it.
fn split_default<'a>(
    import: &mut ImportDeclaration<'a>,
    ast: &AstBuilder<'a>,
    allocator: &'a Allocator,
) -> Option<Statement<'a>> {
    let specifiers = import.specifiers.as_mut()?;
    let [
        ImportDeclarationSpecifier::ImportDefaultSpecifier(_),
        ImportDeclarationSpecifier::ImportNamespaceSpecifier(_),
    ] = specifiers.as_slice()
    else {
        return None;
    };
    let default = specifiers.remove(0);
    Some(Statement::new_import_declaration(
        import.span,
        Some(ArenaVec::from_value_in(default, &allocator)),
        import.source.clone_in(allocator),
        None,
        None,
        import.import_kind,
        ast,
    ))
}

struct Preparer<'a> {
    ast: AstBuilder<'a>,
    imported: HashSet<&'a str>,
    /// How many functions are open.
    functions: usize,
    fault: Option<Fault>,
}

impl Preparer<'_> {
    fn at_await(&mut self, span: Span) {
        if self.functions == 0 {
            self.fault.get_or_insert_with(|| {
                fault_at(
                    span,
                    "a tool's module cannot `await` at its top level: move it into an async function",
                )
            });
        }
    }
}

impl<'a> VisitJsMut<'a> for Preparer<'a> {
    fn visit_function(&mut self, it: &mut Function<'a>, flags: ScopeFlags) {
        self.functions += 1;
        walk_js_mut::walk_function(self, it, flags);
        self.functions -= 1;
    }

    fn visit_arrow_function_expression(&mut self, it: &mut ArrowFunctionExpression<'a>) {
        self.functions += 1;
        walk_js_mut::walk_arrow_function_expression(self, it);
        self.functions -= 1;
    }

    fn visit_await_expression(&mut self, it: &mut AwaitExpression<'a>) {
        self.at_await(it.span);
        walk_js_mut::walk_await_expression(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &mut ForOfStatement<'a>) {
        if it.r#await {
            self.at_await(it.span);
        }
        walk_js_mut::walk_for_of_statement(self, it);
    }

    fn visit_variable_declaration(&mut self, it: &mut VariableDeclaration<'a>) {
        if it.kind == VariableDeclarationKind::AwaitUsing {
            self.at_await(it.span);
        }
        walk_js_mut::walk_variable_declaration(self, it);
    }

    fn visit_tagged_template_expression(&mut self, it: &mut TaggedTemplateExpression<'a>) {
        walk_js_mut::walk_tagged_template_expression(self, it);
        let is_import = matches!(&it.tag, Expression::Identifier(tag) if self.imported.contains(tag.name.as_str()));
        if is_import {
            // `(0, tag)` is called without a `this`, as the plain name would be.
            let span = it.tag.span();
            let zero = Expression::new_number_0(&self.ast);
            let tag = it.tag.take_in(&self.ast);
            it.tag = Expression::new_sequence_expression(span, [zero, tag], &self.ast);
        }
    }
}

fn fault_at(span: Span, message: &str) -> Fault {
    Fault::at(usize::try_from(span.start).unwrap_or(0), message)
}
