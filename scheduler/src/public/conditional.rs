//! Answers that need not be sent, or only in part (RFC 9110, 13 and 14).

use std::ops::Range;
use std::time::{Duration, SystemTime};

use axum::http::header::{IF_NONE_MATCH, IF_RANGE, RANGE};
use axum::http::{HeaderMap, HeaderValue};
use http_range_header::{RangeUnsatisfiableError, parse_range_header};
use realmdex_types::ContentDigest;

/// A strong entity tag for these bytes.
pub(crate) fn tag_of(digest: &ContentDigest) -> HeaderValue {
    // Half of it tells apart all there will ever be.
    let hex = &digest.to_string()[..32];
    HeaderValue::try_from(format!("\"{hex}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// A time as headers have it; none where it can't be written as one.
pub(crate) fn http_date(unix_seconds: u64) -> Option<HeaderValue> {
    let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(unix_seconds))?;
    // `httpdate` writes no year after 9999, and panics instead.
    if unix_seconds > 253_402_300_799 {
        return None;
    }
    HeaderValue::try_from(httpdate::fmt_http_date(time)).ok()
}

/// Whether whoever asks has these bytes already: one of the tags in `If-None-Match` is theirs, or any would do. `W/` in
/// front makes no difference here. Dates are not asked: of two changes in one second they tell one.
pub(crate) fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let Ok(tag) = tag.to_str() else { return false };
    headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.trim() == "*" || tags(value).any(|known| known == tag))
}

/// The tags of a list, each in its quotes, as far as it is a list of tags. A comma may stand within one.
fn tags(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = list;
    std::iter::from_fn(move || {
        let trimmed = rest.trim_start_matches([' ', '\t', ',']);
        let quoted = trimmed.strip_prefix("W/").unwrap_or(trimmed);
        let end = quoted.strip_prefix('"')?.find('"')? + 2;
        rest = &quoted[end..];
        Some(&quoted[..end])
    })
}

/// Which part of some bytes is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of them. So are several parts at once, which nobody needs, and what is no range.
    All,
    /// These.
    Only(Range<usize>),
    /// Ones that are not there.
    Unsatisfiable,
}

/// Which part of `size` bytes with this tag is asked for. With an `If-Range` of any other tag, or of a date, it is all.
pub(crate) fn part(headers: &HeaderMap, tag: &HeaderValue, size: usize) -> Part {
    let Some(range) = headers.get(RANGE).and_then(|value| value.to_str().ok()) else {
        return Part::All;
    };
    if headers.get(IF_RANGE).is_some_and(|known| known != tag) {
        return Part::All;
    }
    let Ok(ranges) = parse_range_header(range.trim()) else {
        return Part::All;
    };
    if ranges.len() != 1 {
        return Part::All;
    }
    match ranges.validate(size as u64) {
        Ok(parts) => match parts.as_slice() {
            // They lie within `size`, which is one.
            [part] => Part::Only(*part.start() as usize..*part.end() as usize + 1),
            _ => Part::All,
        },
        Err(RangeUnsatisfiableError::Unsatisfiable) => Part::Unsatisfiable,
        Err(_) => Part::All,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn known_bytes_are_recognised() {
        let tag = HeaderValue::from_static("\"abc\"");
        for (list, known) in [
            ("\"abc\"", true),
            ("W/\"abc\"", true),
            ("*", true),
            (" * ", true),
            ("\"x\", \"abc\"", true),
            ("\"x\",W/\"y\" , W/\"abc\"", true),
            ("\"x, \", \"abc\"", true),
            ("abc", false),
            ("\"ABC\"", false),
            ("\"abc", false),
            ("\"\"", false),
            ("", false),
            ("\"x\" abc \"abc\"", false),
        ] {
            assert_eq!(
                is_known(&headers(&[("if-none-match", list)]), &tag),
                known,
                "{list}"
            );
        }
        let mut several = headers(&[("if-none-match", "\"x\"")]);
        several.append(IF_NONE_MATCH, tag.clone());
        assert!(is_known(&several, &tag));
    }

    #[test]
    fn parts_are_those_of_the_standard() {
        let tag = HeaderValue::from_static("\"abc\"");
        for (range, expected) in [
            ("bytes=0-0", Part::Only(0..1)),
            ("bytes=2-5", Part::Only(2..6)),
            ("bytes=5-", Part::Only(5..10)),
            ("bytes=-3", Part::Only(7..10)),
            ("bytes=-30", Part::Only(0..10)),
            ("bytes=8-100", Part::Only(8..10)),
            ("BYTES=1-2", Part::Only(1..3)),
            ("bytes=10-", Part::Unsatisfiable),
            ("bytes=-0", Part::Unsatisfiable),
            ("bytes=99999999999999999999-", Part::Unsatisfiable),
            ("bytes=5-2", Part::All),
            ("bytes=a-b", Part::All),
            ("bytes=", Part::All),
            ("lines=0-1", Part::All),
            ("0-1", Part::All),
            ("bytes=0-1,3-4", Part::All),
        ] {
            assert_eq!(
                part(&headers(&[("range", range)]), &tag, 10),
                expected,
                "{range}"
            );
        }
        for (if_range, expected) in [
            ("\"abc\"", Part::Only(0..1)),
            ("\"abd\"", Part::All),
            ("W/\"abc\"", Part::All),
            ("Wed, 21 Oct 2015 07:28:00 GMT", Part::All),
        ] {
            let asked = headers(&[("range", "bytes=0-0"), ("if-range", if_range)]);
            assert_eq!(part(&asked, &tag, 10), expected, "{if_range}");
        }
        assert_eq!(part(&HeaderMap::new(), &tag, 10), Part::All);
        assert_eq!(
            part(&headers(&[("range", "bytes=0-")]), &tag, 0),
            Part::Unsatisfiable
        );
    }

    #[test]
    fn dates_are_those_of_headers() {
        assert_eq!(
            http_date(1_445_412_480).unwrap(),
            "Wed, 21 Oct 2015 07:28:00 GMT"
        );
        assert_eq!(http_date(u64::MAX), None);
        assert_eq!(http_date(253_402_300_800), None);
    }
}
