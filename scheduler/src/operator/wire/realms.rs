//! What is indexed, and from where.

use realmdex_types::RealmUrl;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wire;

wire! {
    /// `GET /_realms`
    RealmsAnswer {
        /// Every realm, by URL.
        realms: Vec<RealmAnswer>,
    }

    /// A realm.
    RealmAnswer {
        /// Its root.
        #[schema(value_type = String, format = "uri")]
        url: RealmUrl,
        /// Where its bytes are.
        source: String,
        /// Whose it is.
        owner: String,
        /// Who else may read it; `*` is everyone.
        readers: Vec<String>,
        /// Who else may change it and have it worked on; `*` is everyone.
        writers: Vec<String>,
        /// Whether it is neither indexed nor read by others.
        is_archived: bool,
    }

    /// `POST /_realms`
    RealmRequest {
        /// Its root.
        #[schema(value_type = String, format = "uri")]
        url: RealmUrl,
        /// Where its bytes are: a `file:`, `http:` or `https:` URL.
        source: String,
        /// Whose it is; the operator's if nobody is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<String>,
        /// Who else may read it; everyone (`*`) if nothing is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        readers: Option<Vec<String>>,
        /// Who else may change it and have it worked on; `*` is everyone. To read it is another right.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        writers: Vec<String>,
    }

    /// A realm that is registered now. One that was before is left as it was.
    RealmAdded {
        /// Its root.
        #[schema(value_type = String, format = "uri")]
        url: RealmUrl,
        /// Where its bytes are.
        source: String,
        /// Whether it was not registered before.
        is_new: bool,
    }

    /// `POST /_realms/rights`
    RightsRequest {
        /// The realm.
        #[schema(value_type = String, format = "uri")]
        realm: RealmUrl,
        /// Whose it is; whose it was if nobody is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<String>,
        /// Who else may read it, instead of those who could; `*` is everyone.
        readers: Vec<String>,
        /// Who else may change it, instead of those who could; those who could if nothing is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        writers: Option<Vec<String>>,
    }

    /// `POST /_realms/archive`
    ArchiveRequest {
        /// The realm.
        #[schema(value_type = String, format = "uri")]
        realm: RealmUrl,
        /// Takes it back.
        #[serde(default)]
        undo: bool,
    }

    /// `POST /_realms/remove`
    RemoveRequest {
        /// The realm.
        #[schema(value_type = String, format = "uri")]
        realm: RealmUrl,
    }

    /// Whether anything is other than it was.
    Changed {
        /// Whether it is.
        has_changed: bool,
    }

    /// `GET /_packages`
    PackagesAnswer {
        /// The package map, by prefix.
        packages: Vec<PackageAnswer>,
    }

    /// An entry of the package map.
    PackageAnswer {
        /// What ids begin with.
        prefix: String,
        /// Where the files below it are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        location: Option<String>,
        /// The prefix it stands for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alias: Option<String>,
        /// What was last announced.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
    }

    /// `POST /_packages`: with a location or an alias.
    PackageRequest {
        /// What ids begin with: a package's name or a realm's URL.
        #[schema(min_length = 1)]
        prefix: String,
        /// Where its files are: a `file:`, `http:` or `https:` URL.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        location: Option<String>,
        /// The prefix it stands for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alias: Option<String>,
        /// What its deployment calls this version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        /// The URL of the realm that its files are indexed as. If none is given: the realm's that lies there already,
        /// else the prefix where that is a URL, else `https://package.local/` and the prefix.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<String>, format = "uri")]
        url: Option<RealmUrl>,
    }

    /// A package that is announced.
    PackageAnnounced {
        /// Whether the map says something else than it did: then every realm is looked at.
        has_changed: bool,
        /// The realm that its files are indexed as.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<String>, format = "uri")]
        realm: Option<RealmUrl>,
    }

    /// `POST /_packages/remove`
    PackageRemoveRequest {
        /// What ids begin with.
        #[schema(min_length = 1)]
        prefix: String,
    }
}
