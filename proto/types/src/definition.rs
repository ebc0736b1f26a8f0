//! The definition a model is given of a tool.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An LLM tool definition: `{type: "function", function: {…}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Definition {
    /// The only kind there is.
    Function {
        /// What is called, and with what.
        function: FunctionDefinition,
    },
}

impl Definition {
    /// The function inside.
    pub fn function(&self) -> &FunctionDefinition {
        let Self::Function { function } = self;
        function
    }
}

/// Name, description and parameters of a callable function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionDefinition {
    /// See [`crate::function_name`].
    pub name: String,
    /// What the tool says of itself; absent where the tool class leaves it undefined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A JSON Schema of type `object`.
    pub parameters: Value,
}
