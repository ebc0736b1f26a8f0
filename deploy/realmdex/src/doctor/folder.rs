//! Whether a folder can be written to.

use std::path::{Path, PathBuf};

use super::Outcome;

/// Writes, reads and removes a file in the folder, or where it will be made if it is not there yet. `what` is the folder's name for people, `instead` what to do if it is
/// no good and can't be mended.
pub(super) fn writable(what: &str, folder: anyhow::Result<PathBuf>, instead: &str) -> Outcome {
    match folder {
        Ok(folder) => match probe(existing(&folder)) {
            Ok(()) if folder.is_dir() => {
                Outcome::ok(format!("{what} {} can be written to", folder.display()))
            }
            Ok(()) => Outcome::ok(format!("{what} {} can be made", folder.display())),
            Err(error) => Outcome::fail(
                format!("{what} {} can't be written to: {error}", folder.display()),
                format!("give this user write access and room there, or {instead}"),
            ),
        },
        Err(error) => Outcome::fail(
            format!("{what} can't be had: {error:#}"),
            format!("make it, or {instead}"),
        ),
    }
}

/// The folder itself, or the nearest above it that is there.
fn existing(folder: &Path) -> &Path {
    folder
        .ancestors()
        .find(|above| above.exists())
        .unwrap_or(folder)
}

fn probe(folder: &Path) -> std::io::Result<()> {
    // Two doctors may look at once.
    let file = folder.join(format!(".doctor-{}", std::process::id()));
    let text = b"written by realmdex doctor";
    let written = std::fs::write(&file, text).and_then(|()| std::fs::read(&file));
    let removed = std::fs::remove_file(&file);
    if written? != text {
        return Err(std::io::Error::other("what was written does not read back"));
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::State;

    #[test]
    fn a_folder_that_is_there_and_one_that_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let good = writable("the folder", Ok(folder.path().to_owned()), "pick another");
        assert_eq!(good.state, State::Ok, "{good:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let new = writable("the folder", Ok(folder.path().join("a/b")), "pick another");
        assert!(new.found.ends_with("can be made"), "{new:?}");
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let bad = writable("the folder", Ok(file), "pick another");
        assert_eq!(bad.state, State::Fail);
        assert!(bad.mend.unwrap().contains("pick another"));
        let none = writable("the folder", Err(anyhow::anyhow!("no HOME")), "set X");
        assert!(none.found.contains("no HOME"));
    }
}
