//! Takes `<template>` tags out of a source.
//!
//! The tag is recognised as content-tag (the preprocessor Boxel and Ember use) recognises it: the exact text
//! `<template>` wherever a `<` may be a token, so not in strings, comments, template literals and regular expressions;
//! its content is raw text up to the first `</template>`. It is legal as an expression, as a class member, and as a
//! top-level statement, which is the module's default export.
//!
//! A definition never depends on what a template renders, so the tag becomes a call of [`TEMPLATE_FUNCTION`], and a
//! tag that is a class member becomes an empty class element. This is done in two steps: [`take_out`] puts a
//! placeholder in the tag's place, with spaces for all the rest of it, so that each other byte keeps its line and
//! column; [`fill_in`] replaces the placeholders in the parsed program.

use oxc::{
    allocator::Allocator,
    ast::{
        ast::{ExportDefaultDeclarationKind, Expression, Program, Statement},
        builder::AstBuilder,
    },
    ast_visit::{VisitJsMut, walk_js_mut},
    span::{GetSpan, SPAN},
};

use super::{
    error::Fault,
    lexer::{Before, Broken, Kind, Lexer, Open, TAG_CLOSE, TAG_OPEN, Token},
};

/// The global function of the guest that gives an inert component for a template.
pub(super) const TEMPLATE_FUNCTION: &str = "__realmdexTemplate";

/// What stands for a tag until the source is parsed: `new`, then the tag's line breaks, then a name. It starts with a
/// keyword, so that a line break before it can end a statement, and ends where the tag ended, so that
/// `</template> satisfies X` stays on one line.
const PLACEHOLDER: [&str; 2] = ["new", "__tpl__"];
const _: () = assert!(PLACEHOLDER[0].len() <= TAG_OPEN.len());
const _: () = assert!(PLACEHOLDER[1].len() <= TAG_CLOSE.len());

/// A source without its tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Untagged<'s> {
    pub code: String,
    /// Where a tag became a placeholder, in order.
    pub placeholders: Vec<usize>,
    /// What stood between the tags, in order.
    pub contents: Vec<&'s str>,
}

impl Untagged<'_> {
    /// Puts a syntax error at a placeholder into the words of who wrote the tag.
    pub fn explain(&self, fault: Fault) -> Fault {
        match fault.offset {
            Some(at) if self.placeholders.binary_search(&at).is_ok() => misplaced(at),
            _ => fault,
        }
    }
}

/// Replaces the tags of `source`; `None` if it has none.
pub(super) fn take_out(source: &str) -> Result<Option<Untagged<'_>>, Fault> {
    if !source.contains(TAG_OPEN) {
        return Ok(None);
    }
    let mut lexer = Lexer::with_template_tags(source);
    let mut code = source.as_bytes().to_vec();
    let mut placeholders = Vec::new();
    let mut contents = Vec::new();
    let mut in_front = None;
    loop {
        let token = match lexer.next() {
            Ok(Some(token)) => token,
            Ok(None) => break,
            Err(Broken::UnclosedTemplateTag(at)) => {
                return Err(Fault::at(at, "`<template>` has no `</template>`"));
            }
            // The nesting check reports it.
            Err(Broken::HtmlComment(_) | Broken::StrayBackslash(_)) => break,
        };
        if token.kind == Kind::TemplateTag {
            let replacement = match place(&token, lexer.inside(), in_front) {
                Place::Expression => {
                    placeholders.push(token.start);
                    PLACEHOLDER
                }
                Place::ClassMember => {
                    lexer.end_element();
                    [";", ""]
                }
                Place::Nowhere => {
                    return Err(misplaced(token.start));
                }
            };
            contents.push(&source[token.start + TAG_OPEN.len()..token.end - TAG_CLOSE.len()]);
            for byte in &mut code[token.start..token.end] {
                if !matches!(byte, b'\n' | b'\r') {
                    *byte = b' ';
                }
            }
            let [first, last] = replacement.map(str::as_bytes);
            code[token.start..token.start + first.len()].copy_from_slice(first);
            code[token.end - last.len()..token.end].copy_from_slice(last);
        }
        in_front = (token.kind == Kind::Opening || token.kind == Kind::Sign)
            .then(|| lexer.text(&token))
            .and_then(|text| text.first().copied());
    }
    let code = String::from_utf8(code)
        .map_err(|_| Fault::anywhere("the module could not be read around its templates"))?;
    Ok((!contents.is_empty()).then_some(Untagged {
        code,
        placeholders,
        contents,
    }))
}

/// What a tag is, by where it stands.
enum Place {
    Expression,
    ClassMember,
    Nowhere,
}

/// `in_front` is the first byte of the sign or bracket before the tag, if it was one.
fn place(token: &Token, inside: Open, in_front: Option<u8>) -> Place {
    let ends_before = match token.before {
        Before::BraceEnd => true,
        Before::Operand | Before::Unsure => token.after_line_break,
        Before::Operator => matches!(in_front, Some(b'{' | b';')),
    };
    match (inside, token.before) {
        (Open::ClassBody, _) if ends_before => Place::ClassMember,
        (Open::ClassBody, Before::Operand | Before::Unsure) => Place::Nowhere,
        (_, Before::Operand) if !token.after_line_break => Place::Nowhere,
        _ => Place::Expression,
    }
}

fn misplaced(at: usize) -> Fault {
    Fault::at(
        at,
        "a `<template>` cannot stand here: it must be an expression, a class member or a statement of its own",
    )
}

/// Replaces the placeholders of `program` by calls of [`TEMPLATE_FUNCTION`]; one that is a top-level statement becomes
/// the default export. `placeholders` are the offsets that [`take_out`] gave.
pub(super) fn fill_in<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    placeholders: &[usize],
) -> Result<(), Fault> {
    let mut filler = Filler {
        ast: AstBuilder::new(allocator),
        placeholders,
        filled: vec![false; placeholders.len()],
    };
    for statement in &mut program.body {
        if let Statement::ExpressionStatement(it) = statement
            && filler.placeholder(&it.expression).is_some()
        {
            let mut template = Expression::new_null_literal(SPAN, &filler.ast);
            std::mem::swap(&mut template, &mut it.expression);
            let span = it.span;
            *statement = Statement::new_export_default_declaration(
                span,
                ExportDefaultDeclarationKind::from(template),
                &filler.ast,
            );
        }
    }
    filler.visit_program(program);
    match filler.filled.iter().position(|filled| !filled) {
        // Somewhere only a name may stand, such as a parameter.
        Some(missing) => Err(misplaced(placeholders[missing])),
        None => Ok(()),
    }
}

struct Filler<'a, 'p> {
    ast: AstBuilder<'a>,
    placeholders: &'p [usize],
    filled: Vec<bool>,
}

impl Filler<'_, '_> {
    /// Which placeholder an expression is.
    fn placeholder(&self, expression: &Expression<'_>) -> Option<usize> {
        match expression {
            Expression::NewExpression(it) if matches!(&it.callee, Expression::Identifier(name) if name.name == PLACEHOLDER[1]) =>
            {
                let start = usize::try_from(it.span.start).ok()?;
                self.placeholders.binary_search(&start).ok()
            }
            _ => None,
        }
    }
}

impl<'a> VisitJsMut<'a> for Filler<'a, '_> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if let Some(index) = self.placeholder(it) {
            let span = it.span();
            let function = Expression::new_identifier(span, TEMPLATE_FUNCTION, &self.ast);
            *it = Expression::new_call_expression(span, function, None, [], false, &self.ast);
            self.filled[index] = true;
        } else {
            walk_js_mut::walk_expression(self, it);
        }
    }
}
