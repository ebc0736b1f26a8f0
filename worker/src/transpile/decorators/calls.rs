//! The pieces of program that decorators become.

use oxc::{
    allocator::{ArenaVec, IntoIn},
    ast::ast::{
        Argument, ArrayExpressionElement, BindingIdentifier, BindingPattern, Decorator, Expression,
        FormalParameterKind, FormalParameters, FunctionBody, FunctionType, IdentifierName,
        Statement, VariableDeclarator,
    },
    span::SPAN,
};

use super::Rewriter;

/// The guest's global object of decorator functions.
const RUNTIME: &str = "__realmdexDecorate";

impl<'a> Rewriter<'a> {
    pub(super) fn variable(
        &self,
        name: &'a str,
        value: Option<Expression<'a>>,
    ) -> VariableDeclarator<'a> {
        let name = BindingPattern::new_binding_identifier(SPAN, name, &self.ast);
        VariableDeclarator::new(SPAN, name, None, value, false, &self.ast)
    }

    /// `[last, …, first]`
    pub(super) fn last_first(&self, decorators: ArenaVec<'a, Decorator<'a>>) -> Expression<'a> {
        let elements = decorators
            .into_iter()
            .rev()
            .map(|decorator| ArrayExpressionElement::from(decorator.expression));
        let elements = ArenaVec::from_iter_in(elements, &self.allocator);
        Expression::new_array_expression(SPAN, elements, &self.ast)
    }

    /// What the decorators of a member are called with: `this` for a static one, else `this.prototype`.
    pub(super) fn target(&self, is_static: bool) -> Argument<'a> {
        let this = Expression::new_this_expression(SPAN, &self.ast);
        if is_static {
            this.into()
        } else {
            self.member(this, "prototype").into()
        }
    }

    /// `function () { return value; }`
    pub(super) fn initialiser(&self, value: Expression<'a>) -> Expression<'a> {
        let parameters = FormalParameters::boxed(
            SPAN,
            FormalParameterKind::FormalParameter,
            [],
            None,
            &self.ast,
        );
        let answer = Statement::new_return_statement(SPAN, Some(value), &self.ast);
        Expression::new_function_expression(
            SPAN,
            FunctionType::FunctionExpression,
            None::<BindingIdentifier<'a>>,
            false,
            false,
            false,
            None,
            None,
            parameters,
            None,
            Some(FunctionBody::boxed(SPAN, [], [answer], &self.ast)),
            &self.ast,
        )
    }

    /// `__realmdexDecorate.function(arguments)`
    pub(super) fn call(
        &self,
        function: &'static str,
        arguments: impl IntoIn<'a, ArenaVec<'a, Argument<'a>>>,
    ) -> Expression<'a> {
        let runtime = Expression::new_identifier(SPAN, RUNTIME, &self.ast);
        let callee = self.member(runtime, function);
        Expression::new_call_expression(SPAN, callee, None, arguments, false, &self.ast)
    }

    pub(super) fn member(&self, object: Expression<'a>, property: &'static str) -> Expression<'a> {
        let property = IdentifierName::new(SPAN, property, &self.ast);
        Expression::new_static_member_expression(SPAN, object, property, false, &self.ast)
    }

    pub(super) fn statement(&self, expression: Expression<'a>) -> Statement<'a> {
        Statement::new_expression_statement(SPAN, expression, &self.ast)
    }

    pub(super) fn arena_str(&self, text: &str) -> &'a str {
        self.allocator.alloc_str(text)
    }
}
