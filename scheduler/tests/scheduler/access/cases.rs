//! The cases: what is shown, of which realm, how, what else is so, and what comes of it.

use axum::http::Method;
use realmdex_scheduler::access::Denial;

use And::{Archived, Plain, Revoked, RevokedArchived};
use Method as M;
use Outcome::{Anyone, By, No};
use Shows::{
    Delegated, Empty, Expired, ExpiredDelegated, Foreign, Garbage, Nothing, Token, Unlisted,
};

/// Realms, each with its owner, readers and writers. Each has a twin that is archived.
pub(super) const REALMS: [(&str, &str, &[&str], &[&str]); 5] = [
    ("public", "ann", &["*"], &["wes"]),
    ("wiki", "ann", &["*"], &["*"]),
    ("dropbox", "ann", &[], &["*"]),
    ("private", "ann", &["bob", "rwa"], &["wes", "rwa"]),
    ("members", "ann", &["users"], &["rwa", "users"]),
];

/// What a request shows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shows {
    Nothing,
    Empty,
    Garbage,
    /// Signed by someone else: the user's and the permissions.
    Foreign(&'static str, &'static [&'static str]),
    Expired(&'static str, &'static [&'static str]),
    ExpiredDelegated(&'static str, &'static str),
    Token(&'static str, &'static [&'static str]),
    /// One that lists no permissions.
    Unlisted(&'static str),
    /// The user and the realm.
    Delegated(&'static str, &'static str),
}

/// What comes of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Anyone,
    By(&'static str),
    No(Denial),
}

/// What else is so: the user's sessions were revoked since; the realm is archived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum And {
    Plain,
    Revoked,
    Archived,
    RevokedArchived,
}

pub(super) const R: &[&str] = &["read"];
pub(super) const W: &[&str] = &["write"];
pub(super) const RW: &[&str] = &["write", "read"];
pub(super) const ALL: &[&str] = &["read", "write", "realm-owner"];
pub(super) const NONE: &[&str] = &[];

pub(super) type Row = (Shows, &'static str, Method, And, Outcome);

pub(super) const MISSING: Outcome = No(Denial::MissingHeader);
pub(super) const EXPIRED: Outcome = No(Denial::TokenExpired);
pub(super) const INVALID: Outcome = No(Denial::TokenInvalid);
pub(super) const REVOKED: Outcome = No(Denial::SessionRevoked);
pub(super) const MISMATCH: Outcome = No(Denial::PermissionMismatch);
pub(super) const READ_ONLY: Outcome = No(Denial::DelegatedReadOnly);
pub(super) const LESS: Outcome = No(Denial::Insufficient);
pub(super) const ARCHIVED: Outcome = No(Denial::Archived);

/// The method of requests that only owners may send.
pub(super) fn owners() -> Method {
    Method::from_bytes(b"OWNERS").unwrap()
}

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Row> {
    let query = Method::from_bytes(b"QUERY").unwrap();
    vec![
        // Without a token.
        (Nothing, "public", M::GET, Plain, Anyone),
        (Nothing, "public", query.clone(), Plain, Anyone),
        (Nothing, "public", M::HEAD, Plain, Anyone),
        (Nothing, "public", M::POST, Plain, MISSING),
        (Nothing, "public", M::DELETE, Plain, MISSING),
        (Nothing, "public", owners(), Plain, MISSING),
        (Nothing, "wiki", M::POST, Plain, Anyone),
        (Nothing, "wiki", M::PATCH, Plain, Anyone),
        (Nothing, "wiki", owners(), Plain, MISSING),
        (Nothing, "dropbox", M::PUT, Plain, Anyone),
        (Nothing, "dropbox", M::GET, Plain, MISSING),
        (Nothing, "private", M::GET, Plain, MISSING),
        (Nothing, "private", query, Plain, MISSING),
        (Nothing, "private", M::HEAD, Plain, Anyone),
        (Nothing, "private", M::POST, Plain, MISSING),
        (Nothing, "members", M::GET, Plain, MISSING),
        (Nothing, "members", M::HEAD, Plain, Anyone),
        (Empty, "private", M::GET, Plain, MISSING),
        (Empty, "public", M::GET, Plain, Anyone),
        // With one that does not hold: what everyone may is still done.
        (Garbage, "public", M::GET, Plain, Anyone),
        (Garbage, "public", M::POST, Plain, INVALID),
        (Garbage, "private", M::GET, Plain, INVALID),
        (Garbage, "private", M::HEAD, Plain, Anyone),
        (Foreign("ann", ALL), "private", M::GET, Plain, INVALID),
        (Foreign("ann", ALL), "public", M::GET, Plain, Anyone),
        (Foreign("bob", R), "private", M::GET, Revoked, INVALID),
        (Expired("bob", R), "private", M::GET, Plain, EXPIRED),
        (Expired("bob", R), "private", M::GET, Revoked, EXPIRED),
        (Expired("bob", R), "public", M::GET, Plain, Anyone),
        (Expired("ann", ALL), "private", owners(), Plain, EXPIRED),
        (ExpiredDelegated("bob", "private"), "private", M::GET, Plain, EXPIRED),
        // Readers.
        (Token("bob", R), "private", M::GET, Plain, By("bob")),
        (Token("bob", R), "private", M::POST, Plain, LESS),
        (Token("bob", R), "private", M::DELETE, Plain, LESS),
        (Token("bob", R), "private", owners(), Plain, LESS),
        (Token("bob", R), "public", M::GET, Plain, Anyone),
        (Token("bob", R), "public", M::POST, Plain, LESS),
        (Token("bob", RW), "private", M::GET, Plain, MISMATCH),
        (Token("bob", NONE), "private", M::GET, Plain, MISMATCH),
        (Token("bob", ALL), "private", M::POST, Plain, MISMATCH),
        (Token("bob", &["read", "read"]), "private", M::GET, Plain, MISMATCH),
        (Token("bob", &["read", "assume-user"]), "private", M::GET, Plain, MISMATCH),
        (Unlisted("bob"), "private", M::GET, Plain, MISMATCH),
        // Writers, who may not read unless that is said too.
        (Token("wes", W), "private", M::POST, Plain, By("wes")),
        (Token("wes", W), "private", M::GET, Plain, LESS),
        (Token("wes", RW), "private", M::POST, Plain, MISMATCH),
        (Token("wes", RW), "public", M::POST, Plain, By("wes")),
        (Token("wes", W), "public", M::POST, Plain, MISMATCH),
        (Token("rwa", RW), "private", M::GET, Plain, By("rwa")),
        (Token("rwa", &["read", "write"]), "private", M::PUT, Plain, By("rwa")),
        (Token("rwa", RW), "private", owners(), Plain, LESS),
        (Token("rwa", R), "private", M::GET, Plain, MISMATCH),
        // Owners, whatever their token lists.
        (Token("ann", ALL), "private", M::GET, Plain, By("ann")),
        (Token("ann", ALL), "private", M::POST, Plain, By("ann")),
        (Token("ann", ALL), "private", owners(), Plain, By("ann")),
        (Token("ann", R), "private", owners(), Plain, By("ann")),
        (Unlisted("ann"), "private", M::DELETE, Plain, By("ann")),
        (Token("ann", ALL), "wiki", owners(), Plain, By("ann")),
        // Strangers with a token of theirs.
        (Token("eve", NONE), "private", M::GET, Plain, LESS),
        (Token("eve", NONE), "private", M::POST, Plain, LESS),
        (Token("eve", R), "private", M::GET, Plain, MISMATCH),
        (Token("eve", ALL), "private", owners(), Plain, MISMATCH),
        (Token("eve", RW), "members", M::GET, Plain, By("eve")),
        (Token("eve", RW), "members", M::POST, Plain, By("eve")),
        (Token("eve", R), "members", M::GET, Plain, MISMATCH),
        (Token("eve", RW), "members", owners(), Plain, LESS),
        (Token("eve", R), "public", M::POST, Plain, LESS),
        (Token("eve", W), "dropbox", M::GET, Plain, LESS),
        (Token("*", NONE), "private", M::GET, Plain, LESS),
        (Token("users", NONE), "private", M::GET, Plain, LESS),
        // Whoever acts for a user.
        (Delegated("bob", "private"), "private", M::GET, Plain, By("bob")),
        (Delegated("bob", "private"), "private", M::HEAD, Plain, Anyone),
        (Delegated("bob", "private"), "private", M::POST, Plain, READ_ONLY),
        (Delegated("bob", "private"), "private", owners(), Plain, READ_ONLY),
        (Delegated("bob", "private"), "public", M::GET, Plain, Anyone),
        (Delegated("bob", "private"), "members", M::GET, Plain, INVALID),
        (Delegated("bob", "private"), "members", M::POST, Plain, INVALID),
        (Delegated("bob", "members"), "private", M::GET, Plain, INVALID),
        (Delegated("bob", "members"), "members", M::GET, Plain, By("bob")),
        (Delegated("bob", "wiki"), "wiki", M::POST, Plain, Anyone),
        (Delegated("rwa", "private"), "private", M::GET, Plain, By("rwa")),
        (Delegated("rwa", "private"), "private", M::PUT, Plain, READ_ONLY),
        (Delegated("ann", "private"), "private", M::GET, Plain, By("ann")),
        (Delegated("ann", "private"), "private", M::POST, Plain, READ_ONLY),
        (Delegated("ann", "private"), "private", owners(), Plain, READ_ONLY),
        (Delegated("wes", "private"), "private", M::GET, Plain, MISMATCH),
        (Delegated("wes", "private"), "private", M::POST, Plain, READ_ONLY),
        (Delegated("eve", "private"), "private", M::GET, Plain, MISMATCH),
        (Delegated("eve", "public"), "private", M::GET, Plain, INVALID),
        // Revoked: the bearer's word counts no more, whatever it is.
        (Token("bob", R), "private", M::GET, Revoked, REVOKED),
        (Token("bob", ALL), "private", M::GET, Revoked, REVOKED),
        (Token("bob", R), "public", M::GET, Revoked, Anyone),
        (Token("bob", R), "public", M::POST, Revoked, REVOKED),
        (Token("bob", R), "private", M::HEAD, Revoked, Anyone),
        (Token("ann", ALL), "private", M::GET, Revoked, REVOKED),
        (Token("ann", ALL), "private", owners(), Revoked, REVOKED),
        (Token("eve", RW), "members", M::GET, Revoked, REVOKED),
        (Delegated("bob", "private"), "private", M::GET, Revoked, REVOKED),
        (Delegated("bob", "private"), "private", M::POST, Revoked, REVOKED),
        (Delegated("bob", "private"), "members", M::GET, Revoked, REVOKED),
        // Archived: nobody may, and strangers are not told why.
        (Nothing, "public", M::GET, Archived, ARCHIVED),
        (Nothing, "public", M::HEAD, Archived, ARCHIVED),
        (Nothing, "public", M::POST, Archived, MISSING),
        (Nothing, "wiki", M::POST, Archived, ARCHIVED),
        (Nothing, "private", M::GET, Archived, MISSING),
        (Garbage, "private", M::GET, Archived, INVALID),
        (Expired("bob", R), "private", M::GET, Archived, EXPIRED),
        (Token("bob", R), "private", M::GET, Archived, ARCHIVED),
        (Token("bob", R), "private", M::POST, Archived, LESS),
        (Token("bob", RW), "private", M::GET, Archived, MISMATCH),
        (Token("eve", NONE), "private", M::GET, Archived, LESS),
        (Token("ann", ALL), "private", M::GET, Archived, ARCHIVED),
        (Token("ann", ALL), "private", owners(), Archived, ARCHIVED),
        (Delegated("bob", "private-old"), "private", M::GET, Archived, ARCHIVED),
        (Delegated("bob", "private-old"), "private", M::POST, Archived, READ_ONLY),
        (Delegated("bob", "private"), "private", M::GET, Archived, INVALID),
        (Delegated("eve", "private-old"), "private", M::GET, Archived, MISMATCH),
        (Token("bob", R), "private", M::GET, RevokedArchived, REVOKED),
        (Token("ann", ALL), "private", M::GET, RevokedArchived, REVOKED),
        (Token("bob", R), "public", M::GET, RevokedArchived, ARCHIVED),
    ]
}
