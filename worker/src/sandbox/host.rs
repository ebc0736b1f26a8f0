//! What the JavaScript engine's host functions do.

use std::sync::Arc;

use realmdex_types::{ModuleId, resolve_reference};
use serde_json::json;
use url::Url;
use wasmtime::{ResourceLimiter, StoreLimits};

use super::console;
use super::engine_bindings::realmdex::engine::host;
use crate::modules::{LoadError, Loaded, ModuleGraph, Session, Target};

/// The host's side of one description.
pub(super) struct ScriptHost {
    pub(super) graph: Arc<ModuleGraph>,
    pub(super) session: Session,
    pub(super) limits: MemoryLimits,
    /// The first load that failed: what the guest makes of the error is only text.
    pub(super) failed_load: Option<Arc<LoadError>>,
}

/// Store limits that remember having refused memory: the guest sees only that an allocation failed.
pub(super) struct MemoryLimits {
    pub(super) within: StoreLimits,
    pub(super) denied: bool,
}

impl ResourceLimiter for MemoryLimits {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let granted = self.within.memory_growing(current, desired, maximum)?;
        self.denied |= !granted;
        Ok(granted)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.within.table_growing(current, desired, maximum)
    }

    fn instances(&self) -> usize {
        self.within.instances()
    }

    fn tables(&self) -> usize {
        self.within.tables()
    }

    fn memories(&self) -> usize {
        self.within.memories()
    }
}

impl host::Host for ScriptHost {
    async fn load(
        &mut self,
        specifier: String,
        importer: Option<String>,
    ) -> Result<host::Closure, String> {
        let importer = importer.map(ModuleId::from_guest);
        match self
            .graph
            .load(&mut self.session, &specifier, importer.as_ref())
            .await
        {
            Ok(loaded) => Ok(closure(loaded)),
            Err(error) => {
                let text = error.to_string();
                self.failed_load.get_or_insert(error);
                Err(text)
            }
        }
    }

    async fn resolve(&mut self, specifier: String, importer: Option<String>) -> String {
        match importer {
            Some(base) => resolve_reference(&specifier, &base),
            None => specifier,
        }
    }

    async fn parse_url(&mut self, input: String, base: Option<String>) -> Result<String, String> {
        let parsed = match &base {
            Some(base) => Url::parse(base).and_then(|base| base.join(&input)),
            None => Url::parse(&input),
        };
        parsed
            .map(|url| url_parts(&url))
            .map_err(|_| format!("Invalid URL: {input}"))
    }

    async fn set_url_part(
        &mut self,
        href: String,
        part: String,
        value: String,
    ) -> Result<String, String> {
        let mut url = Url::parse(&href).map_err(|_| format!("Invalid URL: {href}"))?;
        // The setters of the standard ignore what they can't use; only `href` throws.
        let _ignored = match part.as_str() {
            "href" => return self.parse_url(value, None).await,
            "protocol" => url::quirks::set_protocol(&mut url, &value),
            "username" => url::quirks::set_username(&mut url, &value),
            "password" => url::quirks::set_password(&mut url, &value),
            "host" => url::quirks::set_host(&mut url, &value),
            "hostname" => url::quirks::set_hostname(&mut url, &value),
            "port" => url::quirks::set_port(&mut url, &value),
            "pathname" => {
                url::quirks::set_pathname(&mut url, &value);
                Ok(())
            }
            "search" => {
                url::quirks::set_search(&mut url, &value);
                Ok(())
            }
            "hash" => {
                url::quirks::set_hash(&mut url, &value);
                Ok(())
            }
            _ => Err(()),
        };
        Ok(url_parts(&url))
    }

    async fn decode_text(
        &mut self,
        bytes: Vec<u8>,
        label: String,
        fatal: bool,
        ignore_bom: bool,
    ) -> Result<String, String> {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes())
            .ok_or_else(|| format!("The encoding label provided ('{label}') is invalid."))?;
        let (text, malformed) = if ignore_bom {
            encoding.decode_without_bom_handling(&bytes)
        } else {
            encoding.decode_with_bom_removal(&bytes)
        };
        if fatal && malformed {
            Err("The encoded data was not valid.".to_owned())
        } else {
            Ok(text.into_owned())
        }
    }

    async fn log(&mut self, level: String, message: String) {
        console::log(&level, &message);
    }
}

fn url_parts(url: &Url) -> String {
    use url::quirks;
    json!({
        "href": quirks::href(url),
        "origin": quirks::origin(url),
        "protocol": quirks::protocol(url),
        "username": quirks::username(url),
        "password": quirks::password(url),
        "host": quirks::host(url),
        "hostname": quirks::hostname(url),
        "port": quirks::port(url),
        "pathname": quirks::pathname(url),
        "search": quirks::search(url),
        "hash": quirks::hash(url),
    })
    .to_string()
}

fn closure(loaded: Loaded) -> host::Closure {
    let (target, provided) = spelled(&loaded.target);
    let modules = loaded
        .modules
        .into_iter()
        .map(|module| host::Module {
            id: module.id.to_string(),
            url: module.url,
            code: module.script.code.clone(),
            imports: module
                .imports
                .iter()
                .map(|(specifier, target)| {
                    let (target, provided) = spelled(target);
                    host::Binding {
                        specifier: specifier.clone(),
                        target,
                        provided,
                    }
                })
                .collect(),
        })
        .collect();
    host::Closure {
        target,
        provided,
        modules,
    }
}

fn spelled(target: &Target) -> (String, bool) {
    match target {
        Target::Module(id) => (id.to_string(), false),
        Target::Provided(specifier) => (specifier.clone(), true),
    }
}
