//! What is there now, of all that was reported: that is what counts.

use std::collections::BTreeSet;

use realmdex_source::{FolderSource, Sight};
use realmdex_types::RealmPath;

use super::Watched;
use super::cover::Cover;
use super::touched::{Touch, Touched};
use super::trouble::Trouble;
use crate::intake::MAX_CHANGES;
use crate::plan::{GITIGNORE, Plan};

/// Makes a plan of what was reported, and has the folders watched that came.
///
/// # Errors
/// When the realm can't be watched on: then all of it is to be looked at.
pub(super) async fn settle(
    watched: &Watched,
    source: &FolderSource,
    cover: &mut Cover,
    touched: Touched,
) -> Result<Plan, Trouble> {
    let mut plan = Plan::default();
    if touched.is_lost || touched.paths.len() > MAX_CHANGES {
        plan.list(|| "more happened at once than could be followed".to_owned());
        let walked = cover.cover(watched, source, None).await?;
        cover.keep(&walked.folders).await?;
        return Ok(plan);
    }
    let mut paths = touched.paths;
    paths.retain(|path, _| !watched.is_elsewhere(path));
    let seen = source.look(paths.keys().cloned().collect()).await?;
    // All of them first: a folder that is forgotten is forgotten with those in it.
    let folders: BTreeSet<RealmPath> = seen
        .iter()
        .map(|(path, _)| path)
        .filter(|path| cover.has(path) || touched.folders.contains(*path))
        .cloned()
        .collect();
    let mut came = Vec::new();
    let mut are_rules_new = false;
    for (path, sight) in seen {
        let is_name = paths.get(&path) == Some(&Touch::Name);
        let was_folder = folders.contains(&path);
        if path.file_name() == GITIGNORE && is_visible_folder(cover, &path) {
            // Even where it hides itself.
            are_rules_new = true;
            plan.list(|| format!("{path} changed"));
        }
        match sight {
            Sight::Folder if is_name => came.push(path.clone()),
            // Its own attributes are nobody's business.
            Sight::Folder | Sight::Hidden => {}
            Sight::File | Sight::Unclear => plan.file(path.clone()),
            Sight::Nothing => {
                if !was_folder {
                    plan.file(path.clone());
                }
                if is_name && !cover.knows_all() {
                    plan.folders.insert(path.clone());
                }
            }
        }
        let is_gone = sight != Sight::Folder || is_name;
        if was_folder && is_gone {
            plan.folders.insert(path.clone());
            cover.forget(&path);
        }
    }
    if are_rules_new {
        // Which folders are the realm's may be another matter now; which files are, its listing tells.
        let walked = cover.cover(watched, source, None).await?;
        cover.keep(&walked.folders).await?;
    }
    for folder in came {
        add_all(watched, source, cover, &mut plan, &folder).await?;
    }
    Ok(plan)
}

/// Whether the folder that a path lies in is the realm's.
fn is_visible_folder(cover: &Cover, path: &RealmPath) -> bool {
    let Some((folder, _)) = path.as_str().rsplit_once('/') else {
        return true;
    };
    RealmPath::parse(folder).is_ok_and(|folder| cover.has(&folder))
}

/// Adds what lies below a folder that came.
async fn add_all(
    watched: &Watched,
    source: &FolderSource,
    cover: &mut Cover,
    plan: &mut Plan,
    folder: &RealmPath,
) -> Result<(), Trouble> {
    let walked = cover.cover(watched, source, Some(folder)).await?;
    if walked.files.len() > MAX_CHANGES {
        plan.list(|| format!("{folder}/ came, with {} files", walked.files.len()));
    } else {
        plan.files.extend(walked.files);
    }
    Ok(())
}
