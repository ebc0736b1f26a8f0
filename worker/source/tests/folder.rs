//! Folder realms: what is listed, what is hidden, and that nothing outside the root is read.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use realmdex_source::{FolderSource, Sight, Source, SourceError};
use realmdex_types::RealmPath;
use tempfile::TempDir;

const ENOUGH: u64 = 1 << 20;

/// A realm in the folder `realm` of a temporary one, so that there is an outside to escape to.
struct Place(TempDir);

impl Place {
    /// Writes each file with its own path as content.
    fn with(files: &[&str]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.root()).unwrap();
        for path in files {
            place.write(path, path);
        }
        place
    }

    fn root(&self) -> std::path::PathBuf {
        self.0.path().join("realm")
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.root().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    fn source(&self) -> FolderSource {
        FolderSource::open(&self.root()).unwrap()
    }
}

async fn listed(source: &FolderSource) -> Vec<String> {
    source
        .list()
        .await
        .unwrap()
        .into_iter()
        .map(|file| file.path.to_string())
        .collect()
}

async fn read(source: &FolderSource, path: &str) -> Result<String, SourceError> {
    let read = source
        .read(&RealmPath::parse(path).unwrap(), ENOUGH)
        .await?;
    Ok(String::from_utf8(read.bytes).unwrap())
}

/// Listing and reading agree: what is listed reads as it was written, what is not listed is not found.
async fn assert_visible(source: &FolderSource, visible: &[&str], hidden: &[&str]) {
    assert_eq!(listed(source).await, visible);
    for path in visible {
        read(source, path).await.unwrap();
    }
    for path in hidden {
        let error = read(source, path).await.unwrap_err();
        assert!(error.is_not_found(), "{path}: {error}");
    }
}

#[tokio::test]
async fn lists_every_file_sorted_with_time_and_size() {
    let place = Place::with(&["b/c.md", "a.md", "b.md", ".dot/.file", "ü x.md"]);
    let source = place.source();
    assert_eq!(
        listed(&source).await,
        [".dot/.file", "a.md", "b.md", "b/c.md", "ü x.md"]
    );
    let file = fs::File::options()
        .write(true)
        .open(place.root().join("a.md"))
        .unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_millis(1_700_000_000_999))
        .unwrap();
    let first = &source.list().await.unwrap()[1];
    assert_eq!(
        (first.path.as_str(), first.modified, first.size),
        ("a.md", 1_700_000_000, Some(4))
    );
    let read = source.read(&first.path, ENOUGH).await.unwrap();
    assert_eq!(
        (read.bytes.as_slice(), read.modified),
        (b"a.md".as_slice(), Some(1_700_000_000))
    );
}

#[tokio::test]
async fn hides_what_boxel_hides() {
    let hidden = [
        ".git/config",
        "a/.git/config",
        "node_modules/x/index.js",
        "a/node_modules/x/index.js",
        "a/node_modules/deep/er/y.md",
        ".template-lintrc.js",
    ];
    let place = Place::with(&hidden);
    let visible = [
        ".github/x.md",
        ".gitignore",
        ".template-lintrc.cjs",
        "a/.template-lintrc.js",
        "node_modules.md",
    ];
    for path in visible {
        place.write(path, "");
    }
    assert_visible(&place.source(), &visible, &hidden).await;
    // A worktree or submodule has a file of that name.
    let place = Place::with(&["a.md", "sub/.git"]);
    assert_visible(&place.source(), &["a.md"], &["sub/.git"]).await;
}

#[tokio::test]
async fn follows_gitignores_at_every_level() {
    let place = Place::with(&[
        "a.log",
        "keep.log",
        "out/a.md",
        "out/keep.log",
        "src/out/x.md",
        "src/a.log",
        "src/only.md",
        "src/deep/only.md",
        "src/deep/a.log",
        "src/deep/b.log",
        "src/free/out/b.md",
        "x/y/secret.md",
        "x/secret.md",
        "generated/a/b.md",
    ]);
    place.write(
        ".gitignore",
        "*.log\n!keep.log\nout/\n# comment\nx/**/secret.md\n/generated/*\n!/generated/a\n",
    );
    place.write("src/.gitignore", "/only.md\n");
    place.write("src/deep/.gitignore", "!a.log\n");
    place.write("src/free/.gitignore", "!out/\n");
    // A rule inside an ignored folder can't bring it back.
    place.write("out/.gitignore", "!*\n");
    assert_visible(
        &place.source(),
        &[
            ".gitignore",
            "generated/a/b.md",
            "keep.log",
            "src/.gitignore",
            "src/deep/.gitignore",
            "src/deep/a.log",
            "src/deep/only.md",
            "src/free/.gitignore",
            "src/free/out/b.md",
        ],
        &[
            "a.log",
            "out/a.md",
            "out/keep.log",
            "out/.gitignore",
            "src/out/x.md",
            "src/a.log",
            "src/only.md",
            "src/deep/b.log",
            "x/y/secret.md",
            "x/secret.md",
        ],
    )
    .await;
}

#[tokio::test]
async fn an_edited_gitignore_counts_at_once() {
    let place = Place::with(&["a.md", "b.md"]);
    let source = place.source();
    for (rules, visible, hidden) in [
        ("a.md", "b.md", "a.md"),
        ("b.md", "a.md", "b.md"),
        ("a.md", "b.md", "a.md"),
    ] {
        place.write(".gitignore", rules);
        assert_visible(&source, &[".gitignore", visible], &[hidden]).await;
    }
    fs::remove_file(place.root().join(".gitignore")).unwrap();
    assert_visible(&source, &["a.md", "b.md"], &[]).await;
}

#[tokio::test]
async fn rules_outside_the_realm_play_no_role() {
    let place = Place::with(&["a.md", ".ignore", ".rgignore"]);
    fs::write(place.0.path().join(".gitignore"), "*").unwrap();
    fs::create_dir_all(place.root().join(".git/info")).unwrap();
    place.write(".git/info/exclude", "*");
    place.write(".ignore", "*");
    assert_visible(&place.source(), &[".ignore", ".rgignore", "a.md"], &[]).await;
}

#[tokio::test]
async fn a_gitignore_that_cannot_be_applied_is_an_error() {
    let place = Place::with(&["a.md", "sub/b.md"]);
    place.write("sub/.gitignore", vec![b'#'; 300_000]);
    let source = place.source();
    for error in [
        source.list().await.unwrap_err(),
        read(&source, "sub/b.md").await.unwrap_err(),
    ] {
        assert!(
            matches!(&error, SourceError::TooLarge { at, .. } if at == "sub/.gitignore"),
            "{error}"
        );
    }
    read(&source, "a.md").await.unwrap();
}

#[tokio::test]
async fn what_is_no_file_is_not_found() {
    let place = Place::with(&["a.md", "folder/b.md"]);
    let source = place.source();
    let long = "x".repeat(300);
    for path in [
        "b.md",
        "folder",
        "folder/c.md",
        "a.md/b",
        "nowhere/a.md",
        &long,
        &vec!["d"; 300].join("/"),
    ] {
        let error = read(&source, path).await.unwrap_err();
        assert!(
            error.is_not_found() && !error.is_transient(),
            "{path}: {error}"
        );
    }
}

#[tokio::test]
async fn limits_count_the_bytes() {
    let place = Place::with(&["a.md"]);
    let source = place.source();
    let path = RealmPath::parse("a.md").unwrap();
    assert_eq!(source.read(&path, 4).await.unwrap().bytes, b"a.md");
    for limit in [0, 3] {
        let error = source.read(&path, limit).await.unwrap_err();
        assert_eq!(
            error,
            SourceError::TooLarge {
                at: "a.md".into(),
                limit
            }
        );
    }
    assert!(source.read(&path, u64::MAX).await.is_ok());
}

#[tokio::test]
async fn folders_too_deep_to_walk_are_an_error() {
    let place = Place::with(&["a.md", &format!("{}x.md", "d/".repeat(130))]);
    let error = place.source().list().await.unwrap_err();
    assert!(matches!(error, SourceError::Refused { .. }), "{error}");
}

/// A root that is gone says nothing about its files.
#[tokio::test]
async fn a_missing_root_is_an_error_and_no_empty_realm() {
    let place = Place::with(&["a.md"]);
    let source = place.source();
    let away = place.0.path().join("away");
    fs::rename(place.root(), &away).unwrap();
    for error in [
        FolderSource::open(&place.root()).unwrap_err(),
        source.list().await.unwrap_err(),
        read(&source, "a.md").await.unwrap_err(),
    ] {
        assert!(error.is_transient() && !error.is_not_found(), "{error}");
        assert!(error.to_string().contains("realm"), "{error}");
    }
    fs::rename(&away, place.root()).unwrap();
    assert_visible(&source, &["a.md"], &[]).await;
    assert!(
        FolderSource::open(&place.root().join("a.md"))
            .unwrap_err()
            .is_transient()
    );
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    use super::*;

    #[tokio::test]
    async fn symlinks_lead_nowhere() {
        let place = Place::with(&["real/a.md", ".git/config", "hidden/b.md"]);
        place.write(".gitignore", "hidden");
        fs::write(place.0.path().join("secret.md"), "secret").unwrap();
        let at = |path: &str| place.root().join(path);
        for (target, link) in [
            (Path::new("../secret.md"), "up.md"),
            (Path::new(".."), "up"),
            (&place.0.path().join("secret.md"), "absolute.md"),
            (Path::new("real/a.md"), "inside.md"),
            (Path::new("real"), "inside"),
            (Path::new("."), "loop"),
            (Path::new(".git/config"), "config.md"),
            (Path::new("hidden"), "shown"),
            (Path::new("dangling"), "dangling.md"),
        ] {
            symlink(target, at(link)).unwrap();
        }
        // Rules come from the realm itself, never through a link.
        symlink("../../secret.md", at("real/.gitignore")).unwrap();
        let hidden = [
            "up.md",
            "up/secret.md",
            "absolute.md",
            "inside.md",
            "inside/a.md",
            "loop/real/a.md",
            "config.md",
            "shown/b.md",
            "dangling.md",
            "real/.gitignore",
        ];
        assert_visible(&place.source(), &[".gitignore", "real/a.md"], &hidden).await;
    }

    #[tokio::test]
    async fn the_root_may_be_a_symlink_that_is_switched() {
        let place = Place::with(&["a.md"]);
        let link = place.0.path().join("current");
        symlink("realm", &link).unwrap();
        let source = FolderSource::open(&link).unwrap();
        assert_visible(&source, &["a.md"], &["b.md"]).await;
        fs::remove_file(&link).unwrap();
        fs::create_dir(&link).unwrap();
        fs::write(link.join("b.md"), "").unwrap();
        assert_visible(&source, &["b.md"], &["a.md"]).await;
    }

    #[tokio::test]
    async fn pipes_and_sockets_are_no_files() {
        let place = Place::with(&["a.md"]);
        let _socket = std::os::unix::net::UnixListener::bind(place.root().join("socket")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(place.root().join("pipe"))
            .status();
        assert!(made.unwrap().success());
        assert_visible(&place.source(), &["a.md"], &["pipe", "socket"]).await;
    }

    #[tokio::test]
    async fn names_that_are_no_path_are_left_out() {
        let place = Place::with(&["a.md"]);
        for name in [b"\xff.md".as_slice(), b"back\\slash.md", b"new\nline.md"] {
            fs::write(place.root().join(OsStr::from_bytes(name)), "").unwrap();
        }
        let folder = place.root().join(OsStr::from_bytes(b"\xfe"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("x.md"), "").unwrap();
        assert_visible(&place.source(), &["a.md"], &[]).await;
    }
}

/// What lies at a path agrees with what is listed, for folders and for what is gone as well.
#[tokio::test]
async fn each_path_is_seen_for_what_it_is() {
    let place = Place::with(&["a/b/c.md", "a/b/d.log", "build/e.md", ".git/config"]);
    place.write("a/.gitignore", "*.log\nonly-folders/\n");
    place.write(".gitignore", "build/\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("b", place.root().join("a/link")).unwrap();
    let wanted = [
        ("a", Sight::Folder),
        ("a/b", Sight::Folder),
        ("a/b/c.md", Sight::File),
        ("a/b/d.log", Sight::Hidden),
        ("a/b/gone.log", Sight::Hidden),
        ("a/b/gone.md", Sight::Nothing),
        ("a/gone/f.log", Sight::Hidden),
        ("a/gone/f.md", Sight::Nothing),
        ("a/b/c.md/below-a-file", Sight::Nothing),
        ("a/link", Sight::Nothing),
        ("a/link/c.md", Sight::Nothing),
        ("a/only-folders", Sight::Nothing),
        ("build", Sight::Hidden),
        ("build/e.md", Sight::Hidden),
        (".git/config", Sight::Hidden),
        ("a/.gitignore", Sight::File),
    ];
    let paths = wanted.map(|(path, _)| RealmPath::parse(path).unwrap());
    let seen = place.source().look(paths.to_vec()).await.unwrap();
    let seen: Vec<_> = seen
        .iter()
        .map(|(path, sight)| (path.as_str(), *sight))
        .collect();
    assert_eq!(seen, wanted);
    let source = place.source();
    fs::remove_dir_all(place.root()).unwrap();
    assert!(
        source.look(paths.to_vec()).await.is_err(),
        "a root that is gone tells nothing"
    );
}

#[tokio::test]
async fn a_walk_begins_anywhere_and_leaves_out_what_is_hidden() {
    let place = Place::with(&[
        "a/b/c.md",
        "a/b/d/e.md",
        "a/b/d/f.log",
        "a/x/g.md",
        "top.md",
    ]);
    place.write("a/.gitignore", "*.log\nx/\n");
    let source = place.source();
    let rows: [(Option<&str>, &[&str], &[&str]); 5] = [
        (
            None,
            &["a", "a/b", "a/b/d"],
            &["a/.gitignore", "a/b/c.md", "a/b/d/e.md", "top.md"],
        ),
        (Some("a/b"), &["a/b", "a/b/d"], &["a/b/c.md", "a/b/d/e.md"]),
        (Some("a/x"), &[], &[]),
        (Some("a/gone"), &[], &[]),
        (Some("top.md"), &[], &[]),
    ];
    for (below, folders, files) in rows {
        let at = below.map(|path| RealmPath::parse(path).unwrap());
        let walked = source.walk(at.as_ref()).await.unwrap();
        let mut found: Vec<_> = walked.folders.iter().map(RealmPath::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, folders, "{below:?}");
        let found: Vec<_> = walked.files.iter().map(RealmPath::as_str).collect();
        assert_eq!(found, files, "{below:?}");
    }
}
