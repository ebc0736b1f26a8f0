//! Which file class reads a file: Boxel's table of extensions and the ancestors of each class.

use crate::CodeRef;

/// A class of Boxel's base package: where it is exported, what it is called, what it extends.
#[derive(Debug, PartialEq, Eq)]
pub struct FileClass {
    module: &'static str,
    name: &'static str,
    display_name: &'static str,
    parent: Option<&'static FileClass>,
}

impl FileClass {
    /// The reference that file-meta documents give in `meta.adoptsFrom`.
    pub fn code_ref(&self) -> CodeRef {
        CodeRef {
            module: format!("@cardstack/base/{}", self.module),
            name: self.name.to_owned(),
        }
    }

    /// The keys `<module>/<name>` of the class and its ancestors, up to and with `BaseDef`.
    pub fn types(&'static self) -> Vec<String> {
        self.chain()
            .map(|class| format!("@cardstack/base/{}/{}", class.module, class.name))
            .chain(["@cardstack/base/card-api/BaseDef".to_owned()])
            .collect()
    }

    /// The names shown for the class and its ancestors; `BaseDef` is not shown.
    pub fn display_names(&'static self) -> Vec<String> {
        self.chain()
            .map(|class| class.display_name.to_owned())
            .collect()
    }

    fn chain(&'static self) -> impl Iterator<Item = &'static FileClass> {
        std::iter::successors(Some(self), |class| class.parent)
    }
}

macro_rules! file_classes {
    ($($ident:ident: $module:literal, $name:literal, $display:literal, $parent:expr;)*) => {
        $(static $ident: FileClass = FileClass {
            module: $module,
            name: $name,
            display_name: $display,
            parent: $parent,
        };)*
    };
}

file_classes! {
    FILE: "card-api", "FileDef", "File", None;
    IMAGE: "card-api", "ImageDef", "Image", Some(&FILE);
    RASTER_IMAGE: "image-file-def", "RasterImageDef", "Raster Image", Some(&IMAGE);
    AUDIO: "audio-file-def", "AudioDef", "Audio", Some(&FILE);
    VIDEO: "video-file-def", "VideoDef", "Video", Some(&FILE);
    FONT: "font-file-def", "FontDef", "Font", Some(&FILE);
    MODEL: "three-d-model-def", "ThreeDModelDef", "3D Model", Some(&FILE);
    MARKDOWN: "markdown-file-def", "MarkdownDef", "Markdown", Some(&FILE);
    HTML: "html-file-def", "HtmlDef", "HTML File", Some(&FILE);
    PNG: "png-image-def", "PngDef", "PNG Image", Some(&RASTER_IMAGE);
    JPG: "jpg-image-def", "JpgDef", "JPEG Image", Some(&RASTER_IMAGE);
    SVG: "svg-image-def", "SvgDef", "SVG Image", Some(&IMAGE);
    GIF: "gif-image-def", "GifDef", "GIF Image", Some(&RASTER_IMAGE);
    WEBP: "webp-image-def", "WebpDef", "WebP Image", Some(&RASTER_IMAGE);
    AVIF: "avif-image-def", "AvifDef", "AVIF Image", Some(&RASTER_IMAGE);
    TS: "ts-file-def", "TsFileDef", "TypeScript Module", Some(&FILE);
    GTS: "gts-file-def", "GtsFileDef", "GTS Module", Some(&TS);
    TEXT: "text-file-def", "TextFileDef", "Text File", Some(&FILE);
    JSON: "json-file-def", "JsonFileDef", "JSON", Some(&FILE);
    CSV: "csv-file-def", "CsvFileDef", "CSV", Some(&FILE);
    PDF: "pdf-file-def", "PdfDef", "PDF Document", Some(&FILE);
    DOCX: "docx-file-def", "DocxDef", "Word Document", Some(&FILE);
    PPTX: "pptx-file-def", "PptxDef", "PowerPoint Presentation", Some(&FILE);
    XLSX: "xlsx-file-def", "XlsxDef", "Excel Workbook", Some(&FILE);
    MP3: "mp3-audio-def", "Mp3Def", "MP3 Audio", Some(&AUDIO);
    WAV: "wav-audio-def", "WavDef", "WAV Audio", Some(&AUDIO);
    OGG: "ogg-audio-def", "OggDef", "OGG Audio", Some(&AUDIO);
    M4A: "m4a-audio-def", "M4aDef", "M4A Audio", Some(&AUDIO);
    FLAC: "flac-audio-def", "FlacDef", "FLAC Audio", Some(&AUDIO);
    MIDI: "midi-audio-def", "MidiDef", "MIDI Sequence", Some(&FILE);
    MP4: "mp4-video-def", "Mp4Def", "MP4 Video", Some(&VIDEO);
    MOV: "mov-video-def", "MovDef", "QuickTime Video", Some(&MP4);
    WEBM: "webm-video-def", "WebmDef", "WebM Video", Some(&VIDEO);
    STL: "stl-model-def", "StlDef", "STL Mesh", Some(&MODEL);
    THREE_MF: "three-mf-def", "ThreeMfDef", "3MF Package", Some(&MODEL);
    GLB: "gltf-model-def", "GlbDef", "glTF Binary Model", Some(&MODEL);
    GLTF: "gltf-model-def", "GltfDef", "glTF Model", Some(&MODEL);
    ZIP: "zip-file-def", "ZipDef", "ZIP Archive", Some(&FILE);
    WOFF2: "woff2-font-def", "Woff2Def", "WOFF2 Font", Some(&FONT);
    WOFF: "woff-font-def", "WoffDef", "WOFF Font", Some(&FONT);
    TTF: "ttf-font-def", "TtfDef", "TrueType Font", Some(&FONT);
    OTF: "otf-font-def", "OtfDef", "OpenType Font", Some(&FONT);
}

/// The class for a file of this name. A name that is all extension (`.md`) has none, and is a plain file.
pub fn file_class(file_name: &str) -> &'static FileClass {
    let extension = match file_name.rfind('.') {
        None | Some(0) => "",
        Some(dot) => &file_name[dot + 1..],
    };
    match extension.to_lowercase().as_str() {
        "md" | "markdown" => &MARKDOWN,
        "html" | "htm" => &HTML,
        "png" => &PNG,
        "jpg" | "jpeg" => &JPG,
        "svg" => &SVG,
        "gif" => &GIF,
        "webp" => &WEBP,
        "avif" => &AVIF,
        "ts" => &TS,
        "gts" => &GTS,
        "txt" | "text" => &TEXT,
        "json" => &JSON,
        "csv" => &CSV,
        "pdf" => &PDF,
        "docx" => &DOCX,
        "pptx" => &PPTX,
        "xlsx" => &XLSX,
        "mp3" => &MP3,
        "wav" => &WAV,
        "ogg" | "oga" | "opus" => &OGG,
        "m4a" => &M4A,
        "flac" => &FLAC,
        "mid" | "midi" => &MIDI,
        "mp4" | "m4v" => &MP4,
        "mov" => &MOV,
        "webm" => &WEBM,
        "stl" => &STL,
        "3mf" => &THREE_MF,
        "glb" => &GLB,
        "gltf" => &GLTF,
        "zip" => &ZIP,
        "woff2" => &WOFF2,
        "woff" => &WOFF,
        "ttf" => &TTF,
        "otf" => &OTF,
        _ => &FILE,
    }
}

/// Whether a file of this name is read as markdown.
pub fn is_markdown(file_name: &str) -> bool {
    file_class(file_name) == &MARKDOWN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_end_in_the_base_class() {
        for (name, types, shown) in [
            (
                "SKILL.md",
                &[
                    "markdown-file-def/MarkdownDef",
                    "card-api/FileDef",
                    "card-api/BaseDef",
                ][..],
                &["Markdown", "File"][..],
            ),
            (
                "a.PNG",
                &[
                    "png-image-def/PngDef",
                    "image-file-def/RasterImageDef",
                    "card-api/ImageDef",
                    "card-api/FileDef",
                    "card-api/BaseDef",
                ],
                &["PNG Image", "Raster Image", "Image", "File"],
            ),
            (
                "a.gts",
                &[
                    "gts-file-def/GtsFileDef",
                    "ts-file-def/TsFileDef",
                    "card-api/FileDef",
                    "card-api/BaseDef",
                ],
                &["GTS Module", "TypeScript Module", "File"],
            ),
            ("a.js", &["card-api/FileDef", "card-api/BaseDef"], &["File"]),
        ] {
            let class = file_class(name);
            let types: Vec<_> = types
                .iter()
                .map(|key| format!("@cardstack/base/{key}"))
                .collect();
            assert_eq!(class.types(), types, "{name}");
            assert_eq!(class.display_names(), shown, "{name}");
        }
    }

    #[test]
    fn only_markdown_extensions_are_markdown() {
        for (name, expected) in [
            ("a.md", true),
            ("a.b.MARKDOWN", true),
            (".md", false),
            ("md", false),
            ("a.mdx", false),
            ("a.md.txt", false),
        ] {
            assert_eq!(is_markdown(name), expected, "{name}");
        }
    }
}
