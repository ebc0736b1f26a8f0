//! The name of an anonymous default export.
//!
//! The language names it `default`. The runner form of the module keeps it in a variable, whose name it would get
//! instead; and Boxel stops reading the fields of a class at an ancestor without a name, so names must be right.

use oxc::{
    allocator::{Allocator, TakeIn},
    ast::{
        ast::{
            BindingIdentifier, ClassType, ExportDefaultDeclarationKind, Expression, IdentifierName,
            ObjectPropertyKind, PropertyKey, PropertyKind, Statement,
        },
        builder::AstBuilder,
    },
    span::SPAN,
};

/// What an anonymous default function is called inside the module, so that it stays hoisted.
const DEFAULT_FUNCTION: &str = "__realmdexDefault";

/// Gives an anonymous default export the name the language gives it, `default`. Says whether it is a function
/// declaration, which got the name [`DEFAULT_FUNCTION`] for now.
pub(super) fn give<'a>(
    exported: &mut ExportDefaultDeclarationKind<'a>,
    ast: &AstBuilder<'a>,
    allocator: &'a Allocator,
) -> bool {
    let expression = match exported {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
            let is_anonymous = function.id.is_none() && function.body.is_some();
            if is_anonymous {
                function.id = Some(BindingIdentifier::new(SPAN, DEFAULT_FUNCTION, ast));
            }
            return is_anonymous;
        }
        ExportDefaultDeclarationKind::ClassDeclaration(class) if class.id.is_none() => {
            class.r#type = ClassType::ClassExpression;
            Expression::ClassExpression(class.take_in_box(&allocator))
        }
        ExportDefaultDeclarationKind::ClassExpression(class) if class.id.is_none() => {
            Expression::ClassExpression(class.take_in_box(&allocator))
        }
        ExportDefaultDeclarationKind::FunctionExpression(function) if function.id.is_none() => {
            Expression::FunctionExpression(function.take_in_box(&allocator))
        }
        ExportDefaultDeclarationKind::ArrowFunctionExpression(function) => {
            Expression::ArrowFunctionExpression(function.take_in_box(&allocator))
        }
        _ => return false,
    };
    // `{ default: … }.default`: a property gives its name.
    let property = ObjectPropertyKind::new_object_property(
        SPAN,
        PropertyKind::Init,
        PropertyKey::new_static_identifier(SPAN, "default", ast),
        expression,
        false,
        false,
        false,
        ast,
    );
    let object = Expression::new_object_expression(SPAN, [property], ast);
    let name = IdentifierName::new(SPAN, "default", ast);
    *exported = ExportDefaultDeclarationKind::from(Expression::new_static_member_expression(
        SPAN, object, name, false, ast,
    ));
    false
}

/// `Object.defineProperty(__realmdexDefault, "name", { value: "default", configurable: true });`
pub(super) fn set_on_function<'a>(ast: &AstBuilder<'a>) -> Statement<'a> {
    let property = |name: &'static str, value: Expression<'a>| {
        ObjectPropertyKind::new_object_property(
            SPAN,
            PropertyKind::Init,
            PropertyKey::new_static_identifier(SPAN, name, ast),
            value,
            false,
            false,
            false,
            ast,
        )
    };
    let descriptor = Expression::new_object_expression(
        SPAN,
        [
            property(
                "value",
                Expression::new_string_literal(SPAN, "default", None, ast),
            ),
            property(
                "configurable",
                Expression::new_boolean_literal(SPAN, true, ast),
            ),
        ],
        ast,
    );
    let define = Expression::new_static_member_expression(
        SPAN,
        Expression::new_identifier(SPAN, "Object", ast),
        IdentifierName::new(SPAN, "defineProperty", ast),
        false,
        ast,
    );
    let call = Expression::new_call_expression(
        SPAN,
        define,
        None,
        [
            Expression::new_identifier(SPAN, DEFAULT_FUNCTION, ast).into(),
            Expression::new_string_literal(SPAN, "name", None, ast).into(),
            descriptor.into(),
        ],
        false,
        ast,
    );
    Statement::new_expression_statement(SPAN, call, ast)
}
