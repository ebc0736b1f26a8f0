//! Plain scalars by the YAML 1.2 core schema, in the spelling of npm's `yaml`: the values Boxel sees.

use std::sync::LazyLock;

use regex::Regex;

/// What a scalar is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    /// A number as JavaScript holds it: whole numbers beyond 2^53 are rounded.
    Number(f64),
    Text(String),
}

impl Scalar {
    /// Reads the text of an unquoted scalar. `no`, `12:30`, `2024-01-02`, `1_000` and `0b1` are text.
    pub(super) fn from_plain(text: &str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => return Self::Null,
            "true" | "True" | "TRUE" => return Self::Bool(true),
            "false" | "False" | "FALSE" => return Self::Bool(false),
            ".nan" | ".NaN" | ".NAN" => return Self::Number(f64::NAN),
            _ => {}
        }
        number(text).map_or_else(|| Self::Text(text.to_owned()), Self::Number)
    }
}

static DECIMAL: LazyLock<Regex> = LazyLock::new(|| {
    // A constant pattern, compiled by this file's tests.
    #[allow(clippy::expect_used)]
    Regex::new(r"\A[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\z")
        .expect("a constant pattern")
});

fn number(text: &str) -> Option<f64> {
    if let Some(digits) = text.strip_prefix("0x") {
        return whole(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return whole(digits, 8);
    }
    match text.strip_prefix(['-', '+']).unwrap_or(text) {
        ".inf" | ".Inf" | ".INF" => Some(if text.starts_with('-') {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        }),
        _ if DECIMAL.is_match(text) => text.parse().ok(),
        _ => None,
    }
}

fn whole(digits: &str, radix: u32) -> Option<f64> {
    if digits.is_empty() {
        return None;
    }
    digits.chars().try_fold(0.0, |number, digit| {
        Some(number * f64::from(radix) + f64::from(digit.to_digit(radix)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("7", 7.0),
            ("007", 7.0),
            ("-08", -8.0),
            ("+1", 1.0),
            ("1e3", 1000.0),
            ("1.", 1.0),
            (".5", 0.5),
            ("1.5E-2", 0.015),
            ("0x1F", 31.0),
            ("0o17", 15.0),
            ("12345678901234567890", 12345678901234567890.0),
            ("1e400", f64::INFINITY),
            ("-.INF", f64::NEG_INFINITY),
            ("+.inf", f64::INFINITY),
            ("0xffffffffffffffffffffffffffffffffffff", 2_f64.powi(144)),
        ] {
            assert_eq!(Scalar::from_plain(text), Scalar::Number(expected), "{text}");
        }
        assert!(matches!(Scalar::from_plain(".NaN"), Scalar::Number(number) if number.is_nan()));
    }

    #[test]
    fn words() {
        for text in [
            "no",
            "off",
            "yes",
            "tRUE",
            "nULL",
            "12:30",
            "2024-01-02",
            "1_000",
            "0b11",
            "-0x1F",
            "+0o7",
            "0x",
            "0o9",
            "1e",
            "e1",
            ".",
            "-",
            "+",
            ".e1",
            "-.nan",
            "inf",
            "NaN",
            "١",
            "0X1F",
            "1 2",
        ] {
            assert_eq!(Scalar::from_plain(text), Scalar::Text(text.to_owned()));
        }
        assert_eq!(Scalar::from_plain("~"), Scalar::Null);
        assert_eq!(Scalar::from_plain("TRUE"), Scalar::Bool(true));
    }
}
