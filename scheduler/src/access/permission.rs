//! What a user may do with a realm now.

use realmdex_store::RegisteredRealm;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A permission on a realm, as Boxel's tokens name it. In the order in which JavaScript sorts the names.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Permission {
    /// Reads its files.
    Read,
    /// Says who may do what.
    RealmOwner,
    /// Changes it and has it worked on.
    Write,
}

impl Permission {
    /// Its name in a token.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::RealmOwner => "realm-owner",
            Self::Write => "write",
        }
    }
}

/// Everyone, without a token too.
pub(super) const EVERYONE: &str = "*";

/// Everyone who shows a token of theirs.
pub(super) const USERS: &str = "users";

/// What a user may do with a realm now, sorted, each once: everything for its owner, for others what is granted to their
/// name, to `*` or to `users` (Boxel's `RealmPermissionChecker`). Boxel asks Matrix whether a user exists before it
/// grants what `users` have; here whoever is named by a token that was signed with the realm secret is a user.
pub fn permissions_of(realm: &RegisteredRealm, user: &str) -> Vec<Permission> {
    if realm.realm.owner == user {
        return vec![Permission::Read, Permission::RealmOwner, Permission::Write];
    }
    let is_granted = |names: &[String]| {
        names
            .iter()
            .any(|name| name == user || name == EVERYONE || name == USERS)
    };
    let mut permissions = Vec::new();
    if is_granted(&realm.readers) {
        permissions.push(Permission::Read);
    }
    if is_granted(&realm.writers) {
        permissions.push(Permission::Write);
    }
    permissions
}

/// Whether everyone may, without a token too.
pub(super) fn everyone_may(realm: &RegisteredRealm, permission: Permission) -> bool {
    let names = match permission {
        Permission::Read => &realm.readers,
        Permission::Write => &realm.writers,
        // Nobody says who may do what without saying who they are.
        Permission::RealmOwner => return false,
    };
    names.iter().any(|name| name == EVERYONE)
}
