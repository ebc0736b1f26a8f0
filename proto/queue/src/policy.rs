//! The policies that rule the queues, and whether they do.
//!
//! Set with policies and not with arguments, so that they can be changed while the queues are in use.

use serde_json::{Map, Value, json};

use crate::DEAD;

/// How often a message may come back to a queue before it is dead. RabbitMQ 4 has the same limit of its own accord.
pub const DELIVERY_LIMIT: u32 = 20;

/// How long a dead message is kept for people to look at, in milliseconds: seven days.
const DEAD_TTL: u64 = 7 * 24 * 60 * 60 * 1000;

/// How many dead messages are kept.
const DEAD_LENGTH: u64 = 100_000;

/// What to do about a policy that is missing.
const MEND: &str = "run `realmdex broker setup`";

/// A policy of RabbitMQ.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Its name.
    pub name: &'static str,
    /// A regular expression of the queues it rules.
    pub pattern: &'static str,
    /// What holds for them.
    pub definition: Map<String, Value>,
    /// Those queues.
    pub queues: &'static [&'static str],
}

impl Policy {
    /// All policies.
    ///
    /// Dead-lettering at least once needs `reject-publish`: a full queue refuses, and the hint is not taken.
    pub fn all() -> [Self; 2] {
        [
            Self {
                name: "realmdex-jobs",
                pattern: r"^realmdex\.(interactive|bulk|calls)$",
                definition: definition(json!({
                    "delivery-limit": DELIVERY_LIMIT,
                    "dead-letter-exchange": DEAD,
                    "dead-letter-strategy": "at-least-once",
                    "overflow": "reject-publish",
                })),
                queues: &["realmdex.interactive", "realmdex.bulk", "realmdex.calls"],
            },
            Self {
                name: "realmdex-dead",
                pattern: r"^realmdex\.dead$",
                definition: definition(json!({
                    "message-ttl": DEAD_TTL,
                    "max-length": DEAD_LENGTH,
                    "overflow": "drop-head",
                })),
                queues: &["realmdex.dead"],
            },
        ]
    }

    /// How the management API takes it.
    pub(crate) fn body(&self) -> Value {
        json!({
            "pattern": self.pattern,
            "definition": self.definition,
            "priority": 0,
            "apply-to": "queues",
        })
    }

    /// What is wrong with one of its queues, as the management API describes that; nothing for one that is ruled
    /// as it should be.
    pub(crate) fn warning(&self, queue: &str, found: Option<&Value>) -> Option<String> {
        let Some(found) = found else {
            return Some(format!(
                "queue {queue} is missing: it is declared when a process of realmdex connects, then {MEND}"
            ));
        };
        let effective = &found["effective_policy_definition"];
        let differs: Vec<String> = self
            .definition
            .iter()
            .filter(|(key, wanted)| effective.get(key) != Some(wanted))
            .map(|(key, wanted)| match effective.get(key) {
                Some(other) => format!("{key} is {other} instead of {wanted}"),
                None => format!("{key} is not set to {wanted}"),
            })
            .collect();
        if differs.is_empty() {
            return None;
        }
        let ruled_by = match found["policy"].as_str() {
            Some(other) if other != self.name => {
                format!(" (policy {other} rules it: lower its priority below 0, or set them there)")
            }
            _ => String::new(),
        };
        Some(format!(
            "queue {queue}: {}{ruled_by}; {MEND}",
            differs.join(", ")
        ))
    }
}

fn definition(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(definition) => definition,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use realmdex_types::JobClass;

    use super::*;
    use crate::queue_name;

    #[test]
    fn every_queue_has_a_policy() {
        let ruled: Vec<&str> = Policy::all()
            .iter()
            .flat_map(|p| p.queues)
            .copied()
            .collect();
        let declared = JobClass::ALL.map(queue_name);
        assert_eq!(ruled, [declared.as_slice(), &[DEAD]].concat());
    }

    #[test]
    fn a_warning_names_the_queue_what_is_missing_and_the_mend() {
        let [jobs, _] = Policy::all();
        let queue = "realmdex.bulk";
        let warn = |found: Value| jobs.warning(queue, Some(&found)).unwrap_or_default();
        let right = json!({ "policy": jobs.name, "effective_policy_definition": jobs.definition });
        assert_eq!(warn(right.clone()), "");

        let mut unlimited = right.clone();
        unlimited["effective_policy_definition"]
            .as_object_mut()
            .unwrap()
            .remove("delivery-limit");
        assert_eq!(
            warn(unlimited),
            "queue realmdex.bulk: delivery-limit is not set to 20; run `realmdex broker setup`"
        );

        let mut other = right;
        other["effective_policy_definition"]["delivery-limit"] = json!(3);
        other["policy"] = json!("ops");
        assert_eq!(
            warn(other),
            "queue realmdex.bulk: delivery-limit is 3 instead of 20 (policy ops rules it: lower its priority \
             below 0, or set them there); run `realmdex broker setup`"
        );

        // Without any policy the API answers an empty list.
        let none = warn(json!({ "policy": null, "effective_policy_definition": [] }));
        for key in jobs.definition.keys() {
            assert!(none.contains(key), "{none}");
        }
        assert!(jobs.warning(queue, None).unwrap().contains("missing"));
    }
}
