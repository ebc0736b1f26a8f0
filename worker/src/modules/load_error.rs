//! Why a module could not be loaded.

use std::time::Duration;

use realmdex_source::SourceError;
use realmdex_types::ModuleId;
use thiserror::Error;

use crate::transpile::TranspileError;

/// Why a module, or one that it imports, could not be loaded. The text is for the skill's author.
#[derive(Debug, Error)]
pub enum LoadError {
    /// Nothing is there under any name it could have.
    #[error(
        "cannot find module {specifier:?}{}: {looked_for}",
        imported_by(importer)
    )]
    NotFound {
        /// As written.
        specifier: String,
        /// Who imports it.
        importer: Option<ModuleId>,
        /// What was tried.
        looked_for: String,
    },
    /// No root serves it.
    #[error("cannot find module {specifier:?}{}: {mend}", imported_by(importer))]
    Unmapped {
        /// As written.
        specifier: String,
        /// Who imports it.
        importer: Option<ModuleId>,
        /// What to do about it.
        mend: String,
    },
    /// Its source did not answer.
    #[error("cannot read module {id}: {source}")]
    Source {
        /// The module.
        id: ModuleId,
        /// What its source says.
        #[source]
        source: SourceError,
    },
    /// It is no JavaScript or TypeScript that we can run.
    #[error("{0}")]
    Transpile(#[from] TranspileError),
    /// It is no UTF-8 text.
    #[error("{0} is not UTF-8 text")]
    NotText(ModuleId),
    /// It is of a kind that cannot be imported.
    #[error(
        "{id}{} is not a JavaScript or TypeScript module{}",
        imported_by(importer),
        wasm_hint(id)
    )]
    NotAModule {
        /// The file.
        id: ModuleId,
        /// Who imports it.
        importer: Option<ModuleId>,
    },
    /// A limit on the closure was reached.
    #[error("{id} would be past the limit of {limit}")]
    Limit {
        /// The module that is too much.
        id: ModuleId,
        /// The limit, in words.
        limit: String,
    },
    /// It asks for more than one description may look up.
    #[error("describing the tool looks up more than {limit} imports, the limit")]
    TooManyLookups {
        /// The limit.
        limit: usize,
    },
    /// A specifier that is no name of anything.
    #[error(
        "an import{} has a specifier of {bytes} bytes, more than the limit of {limit}",
        imported_by(importer)
    )]
    LongSpecifier {
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: usize,
        /// Who imports it.
        importer: Option<ModuleId>,
    },
    /// The sources took too long altogether.
    #[error(
        "reading the module's closure took longer than {limit:?}, the limit for waiting on sources"
    )]
    SourcesTooSlow {
        /// The limit.
        limit: Duration,
    },
}

impl LoadError {
    /// Whether trying again later may help.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Source { source, .. } => source.is_transient(),
            Self::SourcesTooSlow { .. } => true,
            _ => false,
        }
    }
}

fn imported_by(importer: &Option<ModuleId>) -> String {
    importer
        .as_ref()
        .map(|id| format!(" (imported by {id})"))
        .unwrap_or_default()
}

fn wasm_hint(id: &ModuleId) -> &'static str {
    if id.extension() == ".wasm" {
        "; name a wasm tool in a codeRef instead of importing it"
    } else {
        ""
    }
}
