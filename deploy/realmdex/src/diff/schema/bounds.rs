//! Keywords that bound a value: which way is tighter.

use serde_json::{Map, Value};

use super::{Changes, Impact};

/// Which way a number bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    AtLeast,
    AtMost,
}

const BOUNDS: [(&str, Side); 10] = [
    ("minimum", Side::AtLeast),
    ("exclusiveMinimum", Side::AtLeast),
    ("minLength", Side::AtLeast),
    ("minItems", Side::AtLeast),
    ("minProperties", Side::AtLeast),
    ("maximum", Side::AtMost),
    ("exclusiveMaximum", Side::AtMost),
    ("maxLength", Side::AtMost),
    ("maxItems", Side::AtMost),
    ("maxProperties", Side::AtMost),
];

/// Whether [`Changes::bounds`] compares the keyword.
pub(super) fn is_bound(keyword: &str) -> bool {
    BOUNDS.iter().any(|(bound, _)| *bound == keyword)
}

impl Changes {
    /// Bounds, `multipleOf`, `uniqueItems` and `pattern`.
    pub(super) fn bounds(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, at: &str) {
        for (keyword, side) in BOUNDS {
            let (before, now) = (old.get(keyword), new.get(keyword));
            if before == now {
                continue;
            }
            let (impact, what) = match (before.map(Value::as_f64), now.map(Value::as_f64)) {
                (None, Some(Some(now))) => (
                    Impact::Breaking,
                    format!("`{keyword}` is {now} now, where there was no bound"),
                ),
                (Some(_), None) => (Impact::Compatible, format!("`{keyword}` is gone")),
                (Some(Some(before)), Some(Some(now))) => {
                    let tighter = match side {
                        Side::AtLeast => now > before,
                        Side::AtMost => now < before,
                    };
                    let impact = if tighter {
                        Impact::Breaking
                    } else {
                        Impact::Compatible
                    };
                    (
                        impact,
                        format!("`{keyword}` is {now} now, where it was {before}"),
                    )
                }
                // The older form, a flag beside `minimum` or `maximum`.
                _ => (Impact::MayBreak, format!("`{keyword}` differs")),
            };
            self.add(&format!("{at}/{keyword}"), impact, what);
        }
        self.multiple_of(old.get("multipleOf"), new.get("multipleOf"), at);
        let flag =
            |schema: &Map<String, Value>| schema.get("uniqueItems") == Some(&Value::Bool(true));
        match (flag(old), flag(new)) {
            (false, true) => self.add(
                &format!("{at}/uniqueItems"),
                Impact::Breaking,
                "refuses items that are equal now",
            ),
            (true, false) => self.add(
                &format!("{at}/uniqueItems"),
                Impact::Compatible,
                "takes items that are equal now",
            ),
            _ => {}
        }
        match (old.get("pattern"), new.get("pattern")) {
            (None, Some(now)) => self.add(
                &format!("{at}/pattern"),
                Impact::Breaking,
                format!("must match {now} now"),
            ),
            (Some(_), None) => self.add(
                &format!("{at}/pattern"),
                Impact::Compatible,
                "need not match a pattern any more",
            ),
            (Some(before), Some(now)) if before != now => {
                self.add(
                    &format!("{at}/pattern"),
                    Impact::MayBreak,
                    format!("must match {now} now, where it was {before}"),
                );
            }
            _ => {}
        }
    }

    fn multiple_of(&mut self, before: Option<&Value>, now: Option<&Value>, at: &str) {
        let at = format!("{at}/multipleOf");
        match (before.and_then(Value::as_f64), now.and_then(Value::as_f64)) {
            (None, Some(now)) => self.add(
                &at,
                Impact::Breaking,
                format!("must be a multiple of {now} now"),
            ),
            (Some(_), None) => self.add(&at, Impact::Compatible, "need not be a multiple any more"),
            (Some(before), Some(now)) if before != now => {
                // Multiples of 6 are multiples of 3.
                let impact = if before % now == 0.0 {
                    Impact::Compatible
                } else {
                    Impact::Breaking
                };
                self.add(
                    &at,
                    impact,
                    format!("must be a multiple of {now} now, where it was {before}"),
                );
            }
            _ => {}
        }
    }
}
