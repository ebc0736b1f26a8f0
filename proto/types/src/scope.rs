//! What a token of an operator is good for.

use serde::{Deserialize, Serialize};

/// What a token of an operator is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Looks at everything.
    Read,
    /// Says what changed, has realms looked at again, calls jobs off and tries them again; and reads.
    Reindex,
    /// Approves calls of tools; and reads.
    Approve,
    /// Everything: realms, packages, tokens and sessions too.
    Admin,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 4] = [Self::Read, Self::Reindex, Self::Approve, Self::Admin];

    /// Its name, as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Reindex => "reindex",
            Self::Approve => "approve",
            Self::Admin => "admin",
        }
    }

    /// The scope of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name)
    }

    /// Whether who has it may do what asks for `other`. Whoever does something may look at it too; to reindex and to
    /// approve have nothing to do with each other.
    pub fn includes(self, other: Self) -> bool {
        self == Self::Admin || self == other || other == Self::Read
    }
}

#[cfg(test)]
mod tests {
    use super::Scope::{self, Admin, Approve, Read, Reindex};

    #[test]
    fn a_scope_includes_what_lies_below_it() {
        for (scope, included) in [
            (Read, &[Read][..]),
            (Reindex, &[Read, Reindex]),
            (Approve, &[Read, Approve]),
            (Admin, &Scope::ALL),
        ] {
            for other in Scope::ALL {
                assert_eq!(
                    scope.includes(other),
                    included.contains(&other),
                    "{scope:?} {other:?}"
                );
            }
            assert_eq!(Scope::parse(scope.as_str()), Some(scope));
        }
        assert_eq!(Scope::parse("root"), None);
    }
}
