//! Which face of a file or folder is asked for.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

/// What a file is answered as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// Its file-meta document.
    FileMeta,
    /// What lies in it, where it is a folder.
    Listing,
    /// Its bytes.
    Source,
}

/// The media type of file-meta documents.
pub(crate) const FILE_META: &str = "application/vnd.card.file-meta+json";

/// The media type of what lies in a folder.
const LISTING: &str = "application/vnd.api+json";

/// The media types that Boxel's realm server tells apart.
const SUPPORTED: [&str; 12] = [
    "application/vnd.card+json",
    "application/vnd.card+html",
    "application/vnd.card+source",
    FILE_META,
    "application/vnd.card.file-meta+html",
    LISTING,
    "application/json",
    "text/event-stream",
    "text/html",
    "text/markdown",
    "application/octet-stream",
    "*/*",
];

/// Boxel's rule: of what is accepted, the first by weight that is exactly one of those it knows decides. For us that is
/// a document or the bytes, for we have nothing else; who accepts nothing that is known gets the bytes.
pub(crate) fn face(headers: &HeaderMap) -> Face {
    let mut accepted: Vec<(u16, &str)> = Vec::new();
    for value in headers.get_all(ACCEPT) {
        let Ok(value) = value.to_str() else { continue };
        // What nearly everyone sends who wants a document.
        if value == FILE_META && accepted.is_empty() {
            return Face::FileMeta;
        }
        accepted.extend(
            value
                .split(',')
                .map(weighed)
                .filter(|(weight, _)| *weight > 0),
        );
    }
    // Of equal weights the first stays the first.
    accepted.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    let decides = accepted.iter().find(|(_, kind)| {
        SUPPORTED
            .iter()
            .any(|known| kind.eq_ignore_ascii_case(known))
    });
    match decides {
        Some((_, kind)) if kind.eq_ignore_ascii_case(FILE_META) => Face::FileMeta,
        Some((_, kind)) if kind.eq_ignore_ascii_case(LISTING) => Face::Listing,
        _ => Face::Source,
    }
}

/// A media range and its weight in thousandths (RFC 9110, 12.4.2). A weight that is none counts as 1.
fn weighed(candidate: &str) -> (u16, &str) {
    let mut parts = candidate.split(';');
    let kind = parts.next().unwrap_or_default().trim();
    let weight = parts.find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        key.trim()
            .eq_ignore_ascii_case("q")
            .then(|| value.trim().parse::<f32>().ok())
            .flatten()
    });
    let thousandths = weight.map_or(1000.0, |weight| (weight * 1000.0).clamp(0.0, 1000.0));
    // Between 0 and 1000; what is no number is 0.
    (thousandths as u16, kind)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_first_by_weight_that_is_known_decides() {
        for (accept, expected) in [
            (&[][..], Face::Source),
            (&[""], Face::Source),
            (&["*/*"], Face::Source),
            (&["application/vnd.card+source"], Face::Source),
            (&["application/vnd.card.file-meta+json"], Face::FileMeta),
            (&["Application/VND.card.file-meta+JSON"], Face::FileMeta),
            (
                &["application/vnd.card.file-meta+json, */*"],
                Face::FileMeta,
            ),
            (&["*/*, application/vnd.card.file-meta+json"], Face::Source),
            (
                &["*/*;q=0.1, application/vnd.card.file-meta+json"],
                Face::FileMeta,
            ),
            (
                &["application/vnd.card.file-meta+json;q=0.5, text/html"],
                Face::Source,
            ),
            (
                &["application/vnd.card.file-meta+json;q=0.5, text/html;q=0.4"],
                Face::FileMeta,
            ),
            (&["application/vnd.card.file-meta+json;q=0"], Face::Source),
            (
                &["application/vnd.card.file-meta+json ; Q=0.000, image/png"],
                Face::Source,
            ),
            // Not exactly known: passed over.
            (
                &["image/webp, application/*, application/vnd.card.file-meta+json;q=0.2"],
                Face::FileMeta,
            ),
            (
                &["text/*", "application/vnd.card.file-meta+json"],
                Face::FileMeta,
            ),
            (
                &["text/markdown", "application/vnd.card.file-meta+json"],
                Face::Source,
            ),
            (&["application/vnd.card.file-meta+html"], Face::Source),
            (&["application/vnd.card+json"], Face::Source),
            (&["application/vnd.api+json"], Face::Listing),
            (&["application/vnd.api+json;q=0.5, */*"], Face::Source),
            (
                &["application/vnd.card.file-meta+json;q=nonsense"],
                Face::FileMeta,
            ),
            (
                &["text/html;q=NaN, application/vnd.card.file-meta+json;q=0.1"],
                Face::FileMeta,
            ),
            (
                &[",;,;q=1,application/vnd.card.file-meta+json"],
                Face::FileMeta,
            ),
        ] {
            let mut headers = HeaderMap::new();
            for value in accept {
                headers.append(ACCEPT, value.parse().unwrap());
            }
            assert_eq!(face(&headers), expected, "{accept:?}");
        }
    }
}
