//! What a message says.

use lapin::BasicProperties;
use serde::Deserialize;

/// The number of a job that may be waiting for a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hint(pub i64);

#[derive(Deserialize)]
struct Body {
    job: i64,
}

/// A message's body.
pub(crate) fn encode(hint: Hint) -> Vec<u8> {
    format!(r#"{{"job":{}}}"#, hint.0).into_bytes()
}

/// Persistent, and numbered like its job so that people find it.
pub(crate) fn properties(hint: Hint) -> BasicProperties {
    const PERSISTENT: u8 = 2;
    BasicProperties::default()
        .with_content_type("application/json".into())
        .with_delivery_mode(PERSISTENT)
        .with_message_id(hint.0.to_string().into())
}

/// The hint in a message's body; fields it does not know are none of its business.
pub(crate) fn decode(body: &[u8]) -> Result<Hint, serde_json::Error> {
    serde_json::from_slice::<Body>(body).map(|body| Hint(body.job))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_comes_back_as_it_went() {
        for hint in [Hint(17), Hint(0), Hint(i64::MAX), Hint(i64::MIN)] {
            assert_eq!(decode(&encode(hint)).unwrap(), hint);
        }
        assert_eq!(encode(Hint(17)), br#"{"job":17}"#);
        assert_eq!(
            decode(br#"{"job": 17, "kind": "later"}"#).unwrap(),
            Hint(17)
        );
    }

    #[test]
    fn what_is_no_hint_is_refused() {
        for body in ["", "17", "{}", r#"{"job":"17"}"#, r#"{"job":1.5}"#, "\u{1}"] {
            decode(body.as_bytes()).expect_err(body);
        }
    }
}
