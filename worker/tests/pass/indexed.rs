//! A realm in a folder, and its index.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use realmdex_source::{FileBytes, FolderSource, Listed, Source, SourceError};
use realmdex_store::{FileRow, Realm, Store};
use realmdex_types::{FindingKind, ModuleId, RealmPath, RealmUrl};
use realmdex_worker::enrich::{DefinitionCache, Describer, DescriberConfig};
use realmdex_worker::modules::{LoadLimits, folder_location};
use realmdex_worker::pass::{self, PassConfig, PassError, PassReport, Quiet};
use realmdex_worker::sandbox::Compiler;
use serde_json::Value;

use crate::database::with_store;
use crate::realms::{MadeRealm, compiled, mapped, patient};

/// A plain tool as a module's default export.
pub fn tool(description: &str) -> String {
    format!(
        "export default {{ description: {description:?}, inputSchema: {{ type: 'object', properties: {{}} }}, run: () => 1 }};"
    )
}

/// A skill that declares the default exports of some modules.
pub fn skill(modules: &[&str]) -> String {
    let tools: String = modules
        .iter()
        .map(|module| format!("    - codeRef: {{ module: {module:?}, name: default }}\n"))
        .collect();
    format!(
        "---\nname: s\ndescription: A skill.\nboxel:\n  kind: skill\n  tools:\n{tools}---\nText.\n"
    )
}

/// An indexed realm; its files may be written between passes.
pub struct Indexed {
    pub made: MadeRealm,
    pub store: Store,
    pub realm: Realm,
    /// What stands between the passes and the folder.
    pub source: Option<Arc<dyn Source>>,
    /// Packages and their folders.
    pub packages: Vec<(&'static str, std::path::PathBuf)>,
    pub force: bool,
    pub allow_mass_delete: bool,
}

/// Runs a test on a realm of these files, indexed once.
pub async fn indexed<F>(
    files: &'static [(&'static str, &'static str)],
    test: impl FnOnce(Indexed) -> F + Send + 'static,
) where
    F: Future<Output = ()> + Send + 'static,
{
    with_store(async move |store| {
        let made = MadeRealm::new(&[]);
        for (path, text) in files {
            made.write(path, text);
        }
        let url = RealmUrl::parse(MadeRealm::URL).unwrap();
        let realm = store.register_realm(&url, "file:///made/").await.unwrap();
        let indexed = Indexed {
            made,
            store,
            realm,
            source: None,
            packages: Vec::new(),
            force: false,
            allow_mass_delete: false,
        };
        test(indexed).await;
    })
    .await;
}

impl Indexed {
    fn folder(&self) -> Arc<dyn Source> {
        Arc::new(FolderSource::open(&self.made.path()).unwrap())
    }

    pub async fn try_pass(&self) -> Result<PassReport, PassError> {
        let source = self.source.clone().unwrap_or_else(|| self.folder());
        let mut builder = realmdex_worker::modules::PackageMap::builder();
        for (prefix, folder) in &self.packages {
            builder = mapped(builder, prefix, folder);
        }
        let location = folder_location(&self.made.path()).unwrap();
        let packages = builder
            .root(MadeRealm::URL, location, Arc::clone(&source))
            .unwrap()
            .build();
        let describer = Describer::new(DescriberConfig {
            packages,
            load_limits: LoadLimits::default(),
            sandbox_limits: patient(),
            cache: Some(compiled()),
            compiler: Compiler::InProcess,
            definitions: Some(DefinitionCache::new(Some(self.store.clone()))),
        })
        .unwrap();
        let config = PassConfig {
            realm: self.realm.clone(),
            source,
            force: self.force,
            allow_mass_delete: self.allow_mass_delete,
            file_bytes: 1 << 20,
            concurrency: 4,
        };
        pass::run(&self.store, Arc::new(describer), config, &Quiet).await
    }

    /// A pass after which the invariant holds; answers which files it computed.
    pub async fn pass(&self) -> Vec<String> {
        let report = self.try_pass().await.unwrap();
        self.assert_settled().await;
        assert_eq!(report.unsettled, []);
        report.computed.iter().map(ToString::to_string).collect()
    }

    pub async fn assert_settled(&self) {
        let broken = self.store.broken_edges(None).await.unwrap();
        assert!(broken.is_empty(), "{broken:?}");
        assert_eq!(self.store.outdated_files(None).await.unwrap(), []);
    }

    pub fn write(&self, path: &str, text: &str) {
        self.made.write(path, text);
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(Path::new(&self.made.path()).join(path)).unwrap();
    }

    pub async fn row(&self, path: &str) -> Option<FileRow> {
        // A realm's folder that is a package's too goes by the package's name.
        let own = self.made.path();
        let package = self.packages.iter().find(|(_, folder)| *folder == own);
        let prefix = package.map_or(MadeRealm::URL, |(prefix, _)| prefix);
        let id = ModuleId::stored(format!("{prefix}{path}"));
        self.store.file(&id).await.unwrap()
    }

    /// The descriptions of a skill's tools; null for one without a definition.
    pub async fn descriptions(&self, path: &str) -> Vec<Value> {
        let document = self.row(path).await.unwrap().document.unwrap();
        let tools = &document.data.attributes["frontmatter"]["tools"];
        tools
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| {
                tool.pointer("/definition/function/description")
                    .cloned()
                    .unwrap_or_default()
            })
            .collect()
    }

    /// The messages of findings, with the path before each; a made skill's name is of no interest.
    pub async fn findings(&self) -> Vec<String> {
        let findings = self.store.findings(self.realm.id).await.unwrap();
        findings
            .iter()
            .filter(|one| one.finding.kind != FindingKind::SkillSpecWarning)
            .map(|one| format!("{}: {}", one.path, one.finding.message))
            .collect()
    }
}

/// A source that does as it is told instead of what the folder has.
#[derive(Debug)]
pub struct Unreliable {
    pub folder: FolderSource,
    pub fails: fn(&str) -> Option<SourceError>,
    /// Called before a file is read.
    pub before: Box<dyn BeforeRead>,
}

pub trait BeforeRead: Send + Sync + std::fmt::Debug {
    fn before(&self, path: &str);
}

#[derive(Debug)]
pub struct Nothing;

impl BeforeRead for Nothing {
    fn before(&self, _: &str) {}
}

impl Unreliable {
    pub fn of(indexed: &Indexed, fails: fn(&str) -> Option<SourceError>) -> Arc<dyn Source> {
        Arc::new(Self {
            folder: FolderSource::open(&indexed.made.path()).unwrap(),
            fails,
            before: Box::new(Nothing),
        })
    }
}

#[async_trait]
impl Source for Unreliable {
    async fn list(&self) -> Result<Vec<Listed>, SourceError> {
        match (self.fails)("") {
            Some(error) => Err(error),
            None => self.folder.list().await,
        }
    }

    async fn read(&self, path: &RealmPath, max_bytes: u64) -> Result<FileBytes, SourceError> {
        self.before.before(path.as_str());
        match (self.fails)(path.as_str()) {
            Some(error) => Err(error),
            None => self.folder.read(path, max_bytes).await,
        }
    }
}
