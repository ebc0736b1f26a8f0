//! Content types by file name, as Boxel infers them.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a file is taken for when nothing is known of its extension.
const UNKNOWN: &str = "application/octet-stream";

/// `type ext ext …`, one type a line: the table of npm's mime-db 1.52, where Boxel looks (with `mime-types` 2.1).
/// The `mime_guess` crate has another table (it differs for one extension in three, `.js`, `.yaml`, `.py` and
/// `.otf` among them), and a document's `contentType` must not depend on who indexed it.
const TABLE: &str = include_str!("content-types.txt");

static BY_EXTENSION: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    TABLE
        .lines()
        .filter_map(|line| line.split_once(' '))
        .flat_map(|(kind, extensions)| {
            extensions
                .split(' ')
                .map(move |extension| (extension, kind))
        })
        .collect()
});

/// The content type of a file of this name; never has parameters.
pub fn content_type(file_name: &str) -> &'static str {
    let Some((_, extension)) = file_name.rsplit_once('.') else {
        return UNKNOWN;
    };
    match extension.to_lowercase().as_str() {
        "gts" => "text/typescript+glimmer",
        "gjs" => "text/javascript+glimmer",
        "ts" => "text/typescript",
        extension => BY_EXTENSION.get(extension).copied().unwrap_or(UNKNOWN),
    }
}

/// `application/*` types that are text without saying so by a suffix. Boxel's list.
const TEXTUAL_APPLICATION_TYPES: [&str; 11] = [
    "application/ecmascript",
    "application/javascript",
    "application/json",
    "application/node",
    "application/sql",
    "application/toml",
    "application/x-sh",
    "application/x-sql",
    "application/x-yaml",
    "application/xml",
    "application/yaml",
];

const TEXTUAL_SUFFIXES: [&str; 4] = ["+json", "+xml", "+html", "+source"];

/// Whether content of this type must be moved as bytes: everything that is not known to be text (Boxel's rule).
/// Parameters are ignored.
pub fn is_binary(content_type: &str) -> bool {
    let kind = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase();
    !(kind.starts_with("text/")
        || TEXTUAL_SUFFIXES.iter().any(|suffix| kind.ends_with(suffix))
        || TEXTUAL_APPLICATION_TYPES.contains(&kind.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_boxel() {
        for (name, expected) in [
            ("README.md", "text/markdown"),
            ("notes.markdown", "text/markdown"),
            ("tool.gts", "text/typescript+glimmer"),
            ("tool.gjs", "text/javascript+glimmer"),
            ("tool.ts", "text/typescript"),
            ("TOOL.TS", "text/typescript"),
            ("tool.js", "application/javascript"),
            ("tool.mjs", "application/javascript"),
            ("tool.cjs", "application/node"),
            ("tool.jsx", "text/jsx"),
            ("tool.tsx", "application/octet-stream"),
            ("tool.wasm", "application/wasm"),
            ("tool.py", "application/octet-stream"),
            ("run.sh", "application/x-sh"),
            ("card.json", "application/json"),
            (".json", "application/json"),
            ("config.yaml", "text/yaml"),
            ("config.toml", "application/toml"),
            ("page.html", "text/html"),
            ("style.css", "text/css"),
            ("data.csv", "text/csv"),
            ("feed.xml", "application/xml"),
            ("photo.jpeg", "image/jpeg"),
            ("photo.avif", "image/avif"),
            ("logo.svg", "image/svg+xml"),
            ("song.m4a", "audio/mp4"),
            ("song.flac", "audio/x-flac"),
            ("song.wav", "audio/wave"),
            ("clip.mov", "video/quicktime"),
            ("shape.stl", "model/stl"),
            ("shape.glb", "model/gltf-binary"),
            ("font.otf", "font/otf"),
            ("font.woff2", "font/woff2"),
            ("LICENSE", "application/octet-stream"),
            (".gitignore", "application/octet-stream"),
            ("odd.", "application/octet-stream"),
            ("archive.tar.gz", "application/gzip"),
        ] {
            assert_eq!(content_type(name), expected, "{name}");
        }
    }

    #[test]
    fn tells_text_from_bytes() {
        for (kind, binary) in [
            ("text/markdown; charset=utf-8", false),
            ("image/svg+xml", false),
            ("application/vnd.card+source", false),
            ("Application/JSON", false),
            ("application/toml", false),
            ("image/png", true),
            ("application/octet-stream", true),
            ("", true),
        ] {
            assert_eq!(is_binary(kind), binary, "{kind}");
        }
    }
}
