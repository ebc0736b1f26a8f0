//! Code references, and the function names minted from them.

use serde::{Deserialize, Serialize};

use crate::resolve_reference;

/// Which export of which module a tool class is: `{module, name}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CodeRef {
    /// A URL, a package specifier, or (as authored) a reference relative to the skill.
    pub module: String,
    /// The export; `default` for the default export.
    pub name: String,
}

impl CodeRef {
    /// The reference made absolute against the skill that wrote it. The extension stays as authored.
    pub fn resolve(&self, skill_url: &str) -> Self {
        Self {
            module: resolve_reference(&self.module, skill_url),
            name: self.name.clone(),
        }
    }

    /// Whether another one, made absolute like this one, is of the same tool: both of Boxel's spellings of a host tool
    /// are.
    pub fn is_same_tool(&self, other: &Self) -> bool {
        (hashed_module(&self.module), &self.name) == (hashed_module(&other.module), &other.name)
    }
}

/// The name under which a model calls the tool: `<friendly name>_<first 4 hex digits>`.
///
/// Boxel's rule. `code_ref` must be absolute: the authored spelling goes into the hash, so `./tool` and
/// `./tool.gts` are two names.
pub fn function_name(code_ref: &CodeRef) -> String {
    let hash = simple_hash(&format!(
        "{}#{}",
        hashed_module(&code_ref.module),
        code_ref.name
    ));
    let friendly = match code_ref.name.as_str() {
        "default" => friendly_module_name(&code_ref.module),
        name => name,
    };
    format!("{friendly}_{}", &hash[..hash.len().min(4)])
}

/// Boxel published its host tools as `commands/` first; names minted then must not change.
fn hashed_module(module: &str) -> String {
    match module.strip_prefix("@cardstack/boxel-host/tools/") {
        Some(rest) => format!("@cardstack/boxel-host/commands/{rest}"),
        None => module.to_owned(),
    }
}

fn friendly_module_name(module: &str) -> &str {
    let segment = module.rsplit('/').next().unwrap_or(module);
    segment.strip_suffix(".gts").unwrap_or(segment)
}

/// Boxel's `simpleHash`: djb2 with XOR over UTF-16 units, in unpadded hex.
fn simple_hash(text: &str) -> String {
    let hash = text.encode_utf16().fold(5381_u32, |hash, unit| {
        hash.wrapping_mul(33) ^ u32::from(unit)
    });
    format!("{hash:x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_agree_with_those_boxel_minted() {
        for (module, name, expected) in [
            (
                "https://localhost:4203/fixtures/edge",
                "EnumsTool",
                "EnumsTool_14ea",
            ),
            (
                "https://localhost:4203/fixtures/edge",
                "default",
                "edge_3fbd",
            ),
            (
                "https://localhost:4203/fixtures/edge.gts",
                "default",
                "edge_f382",
            ),
            (
                "https://localhost:4203/fixtures/edge.gts",
                "NoInputTool",
                "NoInputTool_5209",
            ),
            (
                "https://localhost:4203/fixtures/missing-export",
                "default",
                "missing-export_60b0",
            ),
        ] {
            let code_ref = CodeRef {
                module: module.into(),
                name: name.into(),
            };
            assert_eq!(function_name(&code_ref), expected);
        }
    }

    #[test]
    fn both_spellings_of_a_host_tool_share_a_name() {
        let tool = |folder: &str| CodeRef {
            module: format!("@cardstack/boxel-host/{folder}/show-card"),
            name: "ShowCardTool".into(),
        };
        let (new, old, other) = (tool("tools"), tool("commands"), tool("others"));
        assert_eq!(function_name(&new), function_name(&old));
        assert!(new.is_same_tool(&old) && !new.is_same_tool(&other));
    }

    proptest! {
        #[test]
        fn any_reference_has_a_name(module in ".*", name in ".*") {
            let minted = function_name(&CodeRef { module, name });
            let (_, digits) = minted.rsplit_once('_').expect("a name has a hash");
            prop_assert!((1..=4).contains(&digits.len()));
        }
    }
}
