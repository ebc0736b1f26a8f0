//! The members of a decorated class: decorators off, calls of the runtime in.

use oxc::{
    allocator::{ArenaVec, CloneIn, TakeIn},
    ast::ast::{
        AssignmentTarget, ClassElement, Expression, MethodDefinition, MethodDefinitionKind,
        PropertyDefinition, PropertyDefinitionType, PropertyKey, Statement,
    },
    span::{GetSpan, SPAN},
    syntax::operator::AssignmentOperator,
};

use super::Rewriter;

/// Calls waiting for the next place where they can stand in a class body.
#[derive(Default)]
struct Waiting<'a> {
    /// Of the static block: decorations.
    decorations: Vec<Statement<'a>>,
    /// Of the private field: initialisations.
    initialisations: Vec<Expression<'a>>,
}

/// Where a decorated member's key may be repeated.
struct Key<'a> {
    for_decoration: Expression<'a>,
    for_initialisation: Expression<'a>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn rewrite_members(&mut self, members: &mut ArenaVec<'a, ClassElement<'a>>) {
        let mut rewritten = ArenaVec::with_capacity_in(members.len() + 2, &self.allocator);
        let mut waiting = Waiting::default();
        let mut private_names = 0;
        for mut member in members.take_in(&self.allocator) {
            match &mut member {
                ClassElement::MethodDefinition(method) if !method.decorators.is_empty() => {
                    self.decorate_method(method, &mut waiting);
                }
                ClassElement::PropertyDefinition(field) if !field.decorators.is_empty() => {
                    self.decorate_field(field, &mut waiting);
                    continue;
                }
                ClassElement::PropertyDefinition(field) if has_no_value(field) => {}
                ClassElement::PropertyDefinition(field) if !field.r#static => {
                    rewritten.extend(self.initialisation_field(&mut waiting, &mut private_names));
                }
                ClassElement::PropertyDefinition(_) | ClassElement::StaticBlock(_) => {
                    rewritten.extend(self.decoration_block(&mut waiting));
                }
                _ => {}
            }
            rewritten.push(member);
        }
        rewritten.extend(self.decoration_block(&mut waiting));
        rewritten.extend(self.initialisation_field(&mut waiting, &mut private_names));
        *members = rewritten;
    }

    fn decorate_method(&mut self, method: &mut MethodDefinition<'a>, waiting: &mut Waiting<'a>) {
        let decorators = method.decorators.take_in(&self.allocator);
        if method.kind == MethodDefinitionKind::Constructor {
            self.refuse(method.span, "a constructor cannot be decorated");
            return;
        }
        // Abstract methods and overload signatures.
        if method.value.body.is_none() {
            return;
        }
        let Some(key) = self.key(&mut method.key, method.computed, true) else {
            return;
        };
        let target = self.target(method.r#static);
        let decorators = self.last_first(decorators);
        let call = self.call(
            "method",
            [target, key.for_decoration.into(), decorators.into()],
        );
        waiting.decorations.push(self.statement(call));
    }

    fn decorate_field(&mut self, field: &mut PropertyDefinition<'a>, waiting: &mut Waiting<'a>) {
        if field.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition {
            return;
        }
        let Some(key) = self.key(&mut field.key, field.computed, false) else {
            return;
        };
        let target = self.target(field.r#static);
        let decorators = self.last_first(field.decorators.take_in(&self.allocator));
        let mut arguments = ArenaVec::from_array_in(
            [target, key.for_decoration.into(), decorators.into()],
            &self.allocator,
        );
        if let Some(value) = field.value.take() {
            arguments.push(self.initialiser(value).into());
        }
        let call = self.call("field", arguments);
        waiting.decorations.push(self.statement(call));
        if !field.r#static {
            let this = Expression::new_this_expression(SPAN, &self.ast);
            waiting
                .initialisations
                .push(self.call("init", [this.into(), key.for_initialisation.into()]));
        }
    }

    /// `static { … }`, if decorations wait.
    fn decoration_block(&self, waiting: &mut Waiting<'a>) -> Option<ClassElement<'a>> {
        let statements = std::mem::take(&mut waiting.decorations);
        (!statements.is_empty()).then(|| {
            let statements = ArenaVec::from_iter_in(statements, &self.allocator);
            ClassElement::new_static_block(SPAN, statements, &self.ast)
        })
    }

    /// `#name = (…, void 0)`, if initialisations wait.
    fn initialisation_field(
        &self,
        waiting: &mut Waiting<'a>,
        count: &mut usize,
    ) -> Option<ClassElement<'a>> {
        let mut steps = std::mem::take(&mut waiting.initialisations);
        if steps.is_empty() {
            return None;
        }
        steps.push(Expression::new_void_0(SPAN, &self.ast));
        let steps = ArenaVec::from_iter_in(steps, &self.allocator);
        let name = self.arena_str(&format!("{}{count}", self.name_start));
        *count += 1;
        Some(ClassElement::new_property_definition(
            SPAN,
            PropertyDefinitionType::PropertyDefinition,
            [],
            PropertyKey::new_private_identifier(SPAN, name, &self.ast),
            None,
            Some(Expression::new_sequence_expression(SPAN, steps, &self.ast)),
            false,
            false,
            false,
            false,
            false,
            false,
            false,
            None,
            &self.ast,
        ))
    }

    /// The key to call the decorators with. A computed key is evaluated once, into a variable: where it stands if the
    /// member `stays` in the class, else with the decorators.
    fn key(&mut self, key: &mut PropertyKey<'a>, computed: bool, stays: bool) -> Option<Key<'a>> {
        let span = key.span();
        let literal = match key {
            PropertyKey::PrivateIdentifier(_) => {
                self.refuse(span, "a private member cannot be decorated");
                return None;
            }
            PropertyKey::StaticIdentifier(name) => {
                Expression::new_string_literal(span, name.name.as_str(), None, &self.ast)
            }
            PropertyKey::StringLiteral(_)
            | PropertyKey::NumericLiteral(_)
            | PropertyKey::BigIntLiteral(_) => key.as_expression()?.clone_in(self.allocator),
            _ if computed => return self.computed_key(key, stays),
            _ => return None,
        };
        Some(Key {
            for_decoration: literal.clone_in(self.allocator),
            for_initialisation: literal,
        })
    }

    fn computed_key(&mut self, key: &mut PropertyKey<'a>, stays: bool) -> Option<Key<'a>> {
        let name = self.arena_str(&format!("{}Key{}", self.name_start, self.key_count));
        self.key_count += 1;
        self.keys.push(name);
        let value = key.as_expression_mut()?.take_in(&self.allocator);
        let assignment = Expression::new_assignment_expression(
            SPAN,
            AssignmentOperator::Assign,
            AssignmentTarget::new_assignment_target_identifier(SPAN, name, &self.ast),
            value,
            &self.ast,
        );
        let variable = || Expression::new_identifier(SPAN, name, &self.ast);
        let for_decoration = if stays {
            *key = PropertyKey::from(assignment);
            variable()
        } else {
            assignment
        };
        Some(Key {
            for_decoration,
            for_initialisation: variable(),
        })
    }
}

pub(super) fn is_decorated(member: &ClassElement<'_>) -> bool {
    match member {
        ClassElement::MethodDefinition(method) => !method.decorators.is_empty(),
        ClassElement::PropertyDefinition(field) => !field.decorators.is_empty(),
        _ => false,
    }
}

/// A field that only types know: nothing is left of it.
fn has_no_value(field: &PropertyDefinition<'_>) -> bool {
    field.declare || field.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition
}
