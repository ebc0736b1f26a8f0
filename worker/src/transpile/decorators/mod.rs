//! Rewrites decorators the way Boxel's build does (the npm package decorator-transforms), before types are stripped.
//!
//! Neither the decorators of the ECMAScript proposal nor TypeScript's legacy ones fit: `@field x = contains(Y)` must
//! be called as `field(prototype, "x", {configurable, enumerable, writable, initializer})`, and the property
//! descriptor it returns is what counts. So
//!
//! ```js
//! @cls class C {
//!   @field x = contains(Y);
//!   @action go() {}
//! }
//! ```
//!
//! becomes
//!
//! ```js
//! const C = __realmdexDecorate.class(class C {
//!   go() {}
//!   static {
//!     __realmdexDecorate.field(this.prototype, "x", [field], function () { return contains(Y); });
//!     __realmdexDecorate.method(this.prototype, "go", [action]);
//!   }
//!   #__realmdex0 = (__realmdexDecorate.init(this, "x"), void 0);
//! }, [cls]);
//! ```
//!
//! `__realmdexDecorate` is a global of the guest (`guest/decorators.js`). The decorators of one member are handed over
//! last one first, as they are applied; being written in that order, they are evaluated in it too.
//!
//! Calls are collected as far as order allows: a static block ends where the author's next static element begins, an
//! initialisation where the next undecorated field does.
//!
//! Facts kept from decorator-transforms, because a definition may depend on them: `this` in a decorator of a member is
//! the class; a decorated static field whose decorator returns no accessor is never initialised; a decorated anonymous
//! class has no name.

mod calls;
mod members;

use oxc::{
    allocator::{Allocator, ArenaBox, ArenaVec, TakeIn},
    ast::{
        ast::{
            AccessorProperty, ArrowFunctionBody, Class, ClassType, Declaration,
            ExportDefaultDeclarationKind, Expression, FormalParameter, FunctionBody, Program,
            Statement, VariableDeclarationKind,
        },
        builder::AstBuilder,
    },
    ast_visit::{VisitJsMut, walk_js_mut},
    span::{SPAN, Span},
};

use super::error::Fault;

/// Start of the names this pass makes up.
const NAME_START: &str = "__realmdex";

/// Rewrites every decorated class of `program`. `source` is what it was parsed from.
pub(super) fn rewrite<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    source: &str,
) -> Result<(), Fault> {
    if !source.contains('@') && !source.contains("accessor") {
        return Ok(());
    }
    let mut name_start = NAME_START.to_owned();
    while source.contains(&format!("#{name_start}")) || source.contains(&format!("{name_start}Key"))
    {
        name_start.push('_');
    }
    let mut rewriter = Rewriter {
        ast: AstBuilder::new(allocator),
        allocator,
        name_start,
        keys: Vec::new(),
        key_count: 0,
        fault: None,
    };
    rewriter.visit_program(program);
    rewriter.fault.map_or(Ok(()), Err)
}

struct Rewriter<'a> {
    ast: AstBuilder<'a>,
    allocator: &'a Allocator,
    name_start: String,
    /// Variables for computed keys that the statement being visited needs: declared in front of it, so there is one
    /// per run of the block or function it is in.
    keys: Vec<&'a str>,
    key_count: usize,
    /// The first fault found.
    fault: Option<Fault>,
}

impl<'a> VisitJsMut<'a> for Rewriter<'a> {
    fn visit_statements(&mut self, statements: &mut ArenaVec<'a, Statement<'a>>) {
        let outer_keys = std::mem::take(&mut self.keys);
        let mut insertions = Vec::new();
        for (index, statement) in statements.iter_mut().enumerate() {
            self.visit_statement(statement);
            if !self.keys.is_empty() {
                insertions.push((index, self.key_variables()));
            }
            if let Statement::ExportDefaultDeclaration(export) = statement
                && let Some(declared) = self.decorated_default(&mut export.declaration)
            {
                insertions.push((index, declared));
            }
        }
        for (index, statement) in insertions.into_iter().rev() {
            statements.insert(index, statement);
        }
        self.keys = outer_keys;
    }

    fn visit_arrow_function_body(&mut self, body: &mut ArrowFunctionBody<'a>) {
        let Some(value) = body.as_expression_mut() else {
            walk_js_mut::walk_arrow_function_body(self, body);
            return;
        };
        let outer_keys = std::mem::take(&mut self.keys);
        self.visit_expression(value);
        if !self.keys.is_empty() {
            // Each call makes a class of its own, with a key of its own.
            let value = value.take_in(&self.allocator);
            let answer = Statement::new_return_statement(SPAN, Some(value), &self.ast);
            let statements = [self.key_variables(), answer];
            *body = ArrowFunctionBody::FunctionBody(FunctionBody::boxed(
                SPAN,
                [],
                statements,
                &self.ast,
            ));
        }
        self.keys = outer_keys;
    }

    fn visit_declaration(&mut self, declaration: &mut Declaration<'a>) {
        walk_js_mut::walk_declaration(self, declaration);
        if let Declaration::ClassDeclaration(class) = declaration
            && !class.decorators.is_empty()
            && !class.declare
            && let Some(name) = class.id.as_ref().map(|id| id.name)
        {
            let span = class.span;
            let decorated = self.decorated_class(class.take_in_box(&self.allocator));
            *declaration = Declaration::new_variable_declaration(
                span,
                VariableDeclarationKind::Const,
                [self.variable(name.as_str(), Some(decorated))],
                false,
                &self.ast,
            );
        }
    }

    fn visit_expression(&mut self, expression: &mut Expression<'a>) {
        walk_js_mut::walk_expression(self, expression);
        if let Expression::ClassExpression(class) = expression
            && !class.decorators.is_empty()
        {
            *expression = self.decorated_class(class.take_in_box(&self.allocator));
        }
    }

    fn visit_class(&mut self, class: &mut Class<'a>) {
        walk_js_mut::walk_class(self, class);
        if !class.declare && class.body.body.iter().any(members::is_decorated) {
            self.rewrite_members(&mut class.body.body);
        }
    }

    fn visit_accessor_property(&mut self, accessor: &mut AccessorProperty<'a>) {
        self.refuse(
            accessor.span,
            "`accessor` fields are not supported: use a field, or a getter and a setter",
        );
    }

    fn visit_formal_parameter(&mut self, parameter: &mut FormalParameter<'a>) {
        if let Some(decorator) = parameter.decorators.first() {
            self.refuse(decorator.span, "parameters cannot be decorated");
        }
        walk_js_mut::walk_formal_parameter(self, parameter);
    }
}

impl<'a> Rewriter<'a> {
    fn refuse(&mut self, span: Span, message: &str) {
        let at = usize::try_from(span.start).unwrap_or(0);
        self.fault.get_or_insert_with(|| Fault::at(at, message));
    }

    /// `let key0, key1;`
    fn key_variables(&mut self) -> Statement<'a> {
        let names = std::mem::take(&mut self.keys);
        let variables = names.into_iter().map(|name| self.variable(name, None));
        Statement::new_variable_declaration(
            SPAN,
            VariableDeclarationKind::Let,
            ArenaVec::from_iter_in(variables, &self.allocator),
            false,
            &self.ast,
        )
    }

    /// For `export default @dec class C {}`: makes it `export default C` and returns the declaration of `C`.
    fn decorated_default(
        &self,
        exported: &mut ExportDefaultDeclarationKind<'a>,
    ) -> Option<Statement<'a>> {
        let ExportDefaultDeclarationKind::ClassDeclaration(class) = exported else {
            return None;
        };
        if class.decorators.is_empty() {
            return None;
        }
        let name = class.id.as_ref().map(|id| id.name);
        let decorated = self.decorated_class(class.take_in_box(&self.allocator));
        let Some(name) = name else {
            *exported = ExportDefaultDeclarationKind::from(decorated);
            return None;
        };
        *exported = ExportDefaultDeclarationKind::new_identifier(SPAN, name, &self.ast);
        Some(Statement::new_variable_declaration(
            SPAN,
            VariableDeclarationKind::Const,
            [self.variable(name.as_str(), Some(decorated))],
            false,
            &self.ast,
        ))
    }

    /// `__realmdexDecorate.class(class …, [decorators])`
    fn decorated_class(&self, mut class: ArenaBox<'a, Class<'a>>) -> Expression<'a> {
        let decorators = self.last_first(class.decorators.take_in(&self.allocator));
        class.r#type = ClassType::ClassExpression;
        let class = Expression::ClassExpression(class);
        self.call("class", [class.into(), decorators.into()])
    }
}
