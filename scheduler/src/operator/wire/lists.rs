//! Several values in one of a query's.

use realmdex_types::JobState;
use serde::{Deserialize, Serialize};

/// Numbers in a query, with commas between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Numbers(pub Vec<i64>);

impl TryFrom<String> for Numbers {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = |part: &str| {
            part.trim()
                .parse()
                .map_err(|_| format!("{part:?} is no number"))
        };
        parts(&text).map(number).collect::<Result<_, _>>().map(Self)
    }
}

impl From<Numbers> for String {
    fn from(numbers: Numbers) -> Self {
        let texts: Vec<String> = numbers.0.iter().map(ToString::to_string).collect();
        texts.join(",")
    }
}

/// States in a query, with commas between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct States(pub Vec<JobState>);

impl TryFrom<String> for States {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let state = |part: &str| {
            JobState::parse(part.trim()).ok_or_else(|| {
                let known: Vec<&str> = JobState::ALL.map(JobState::as_str).to_vec();
                format!("{part:?} is no state: give one of {}", known.join(", "))
            })
        };
        parts(&text).map(state).collect::<Result<_, _>>().map(Self)
    }
}

impl From<States> for String {
    fn from(states: States) -> Self {
        let texts: Vec<&str> = states.0.iter().map(|state| state.as_str()).collect();
        texts.join(",")
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|part| !part.trim().is_empty())
}
