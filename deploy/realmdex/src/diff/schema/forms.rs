//! Schemas that are a choice of others (`anyOf`, `oneOf`): each form that was taken must still be.

use serde_json::{Map, Value};

use super::{ANNOTATIONS, Changes, Impact, compare};

/// The forms of a schema that is nothing but a choice, and the keyword.
fn choice(schema: &Map<String, Value>) -> Option<(&'static str, &Vec<Value>)> {
    let keyword = ["anyOf", "oneOf"]
        .into_iter()
        .find(|keyword| schema.contains_key(*keyword))?;
    let alone = schema
        .keys()
        .all(|key| key == keyword || ANNOTATIONS.contains(&key.as_str()));
    let forms = schema.get(keyword)?.as_array()?;
    alone.then_some((keyword, forms))
}

fn takes(new: &Value, old: &Value) -> bool {
    compare(old, new, "")
        .iter()
        .all(|change| !matches!(change.impact, Impact::Breaking | Impact::MayBreak))
}

impl Changes {
    /// Compares schemas of which at least one is a choice; says whether that was all there is to compare.
    pub(super) fn forms(
        &mut self,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        at: &str,
    ) -> bool {
        let (before, now) = (choice(old), choice(new));
        let keyword = match (before, now) {
            (_, Some((keyword, _))) | (Some((keyword, _)), None) => keyword,
            (None, None) => return false,
        };
        let at = format!("{at}/{keyword}");
        let whole = |schema: &Map<String, Value>| vec![without_annotations(schema)];
        let before = before.map_or_else(|| whole(old), |(_, forms)| forms.clone());
        let now = now.map_or_else(|| whole(new), |(_, forms)| forms.clone());
        let lost: Vec<&Value> = before
            .iter()
            .filter(|form| !now.iter().any(|candidate| takes(candidate, form)))
            .collect();
        // Those that take the place of none that was.
        let fresh: Vec<(usize, &Value)> = now
            .iter()
            .enumerate()
            .filter(|(_, form)| !before.iter().any(|candidate| takes(form, candidate)))
            .collect();
        match (lost.as_slice(), fresh.as_slice()) {
            ([], _) => {
                let wider = now
                    .iter()
                    .filter(|form| !before.iter().any(|candidate| takes(candidate, form)));
                match wider.count() {
                    0 => {}
                    count => {
                        let what = format!("takes more now, by {}", forms(count));
                        self.add(&at, Impact::Compatible, what);
                    }
                }
            }
            // One for one: told in detail.
            ([lost], [(index, form)]) if before.len() == now.len() => {
                self.compare(lost, form, &format!("{at}/{index}"));
            }
            (lost, _) => {
                let what = format!("{} it took no longer fit", forms(lost.len()));
                self.add(&at, Impact::Breaking, what);
            }
        }
        true
    }
}

fn without_annotations(schema: &Map<String, Value>) -> Value {
    let kept = schema
        .iter()
        .filter(|(keyword, _)| !ANNOTATIONS.contains(&keyword.as_str()));
    Value::Object(
        kept.map(|(keyword, value)| (keyword.clone(), value.clone()))
            .collect(),
    )
}

fn forms(count: usize) -> String {
    if count == 1 {
        "one form".to_owned()
    } else {
        format!("{count} forms")
    }
}
