//! The realms that the tests read, and what describes tools in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use realmdex_source::FolderSource;
use realmdex_worker::enrich::{Describer, DescriberConfig};
use realmdex_worker::modules::{LoadLimits, PackageMap, PackageMapBuilder, folder_location};
use realmdex_worker::sandbox::{Compiler, SandboxLimits};
use tempfile::TempDir;

pub const CARDS: &str = "https://realm.test/cards/";
pub const PLAIN: &str = "https://realm.test/plain/";
pub const HOSTILE: &str = "https://realm.test/hostile/";
pub const WASM: &str = "https://realm.test/wasm/";
pub const BASE: &str = "@cardstack/base/";
pub const HOST: &str = "@cardstack/boxel-host/";

/// Every realm of the repository.
pub static ALL: LazyLock<Describer> = LazyLock::new(|| {
    describer(map(&[
        (CARDS, folder("cards")),
        (PLAIN, folder("plain")),
        (HOSTILE, folder("hostile")),
        (WASM, folder("wasm")),
        (BASE, folder("base")),
        (HOST, folder("host")),
    ]))
});

/// Only the cards: the base package is then the guest's own.
pub static WITHOUT_BASE: LazyLock<Describer> =
    LazyLock::new(|| describer(map(&[(CARDS, folder("cards"))])));

/// A realm of the repository.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/realms")
        .join(name)
}

/// Where compiled code is kept: compiling the engine takes seconds, and its key is its content.
pub fn compiled() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled")
}

pub fn mapped(builder: PackageMapBuilder, prefix: &str, folder: &Path) -> PackageMapBuilder {
    let source = Arc::new(FolderSource::open(folder).unwrap());
    builder
        .root(prefix, folder_location(folder).unwrap(), source)
        .unwrap()
}

pub fn map(roots: &[(&str, PathBuf)]) -> PackageMap {
    let builder = roots
        .iter()
        .fold(PackageMap::builder(), |builder, (prefix, folder)| {
            mapped(builder, prefix, folder)
        });
    builder.build()
}

/// Generous with time, so that a busy machine is no reason for a finding.
pub fn patient() -> SandboxLimits {
    SandboxLimits {
        guest_time: std::time::Duration::from_secs(20),
        ..SandboxLimits::default()
    }
}

pub fn describer(packages: PackageMap) -> Describer {
    limited(packages, LoadLimits::default(), patient())
}

pub fn limited(
    packages: PackageMap,
    load_limits: LoadLimits,
    sandbox_limits: SandboxLimits,
) -> Describer {
    Describer::new(DescriberConfig {
        packages,
        load_limits,
        sandbox_limits,
        cache: Some(compiled()),
        compiler: Compiler::InProcess,
        definitions: None,
    })
    .unwrap()
}

/// A realm made for one test.
pub struct MadeRealm {
    folder: TempDir,
}

impl MadeRealm {
    pub const URL: &str = "https://realm.test/made/";

    pub fn new(files: &[(&str, &str)]) -> Self {
        let made = Self {
            folder: TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap(),
        };
        for (path, text) in files {
            made.write(path, text);
        }
        made
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    pub fn packages(&self) -> PackageMap {
        map(&[(Self::URL, self.path())])
    }

    pub fn describer(&self) -> Describer {
        describer(self.packages())
    }
}
