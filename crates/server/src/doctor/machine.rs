//! This machine: the room on its disks.

use std::path::{Path, PathBuf};

use rustix::fs::statvfs;

use super::Finding;
use crate::config::Config;

const GIB: u64 = 1 << 30;
/// With less room than this a database soon refuses to write.
const LEAST_ROOM: u64 = 2 * GIB;

/// The room in the folders that this node writes to.
pub(super) fn disks(config: &Config) -> Vec<Finding> {
    let mut folders = Vec::new();
    if config.artefacts_bucket.is_none() {
        folders.push(config.artefacts_folder());
    }
    if config.database_url.is_none() {
        folders.insert(0, config.data_folder.clone());
    }
    folders.dedup_by(|one, other| one.starts_with(&*other));
    folders.iter().map(|folder| room(folder, LEAST_ROOM)).collect()
}

fn room(folder: &Path, least: u64) -> Finding {
    const WHAT: &str = "disk";
    let shown = folder.display();
    let free = match there(folder).map(|there| statvfs(&there)) {
        Some(Ok(found)) => found.f_bavail.saturating_mul(found.f_frsize),
        Some(Err(error)) => return Finding::wrong(WHAT, &format!("{shown}: {error}")),
        None => return Finding::wrong(WHAT, &format!("{shown} can't be reached")),
    };
    let tenths = free.saturating_mul(10) / GIB;
    let detail = format!("{}.{} GiB are free for {shown}", tenths / 10, tenths % 10);
    if free < least {
        let detail = format!("{detail}: make room, or the database and its files can't be written");
        return Finding::wrong(WHAT, &detail);
    }
    Finding::well(WHAT, detail)
}

/// The folder, or the nearest above it that is there already.
fn there(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .map(|above| {
            if above.as_os_str().is_empty() {
                Path::new(".")
            } else {
                above
            }
        })
        .find(|above| above.exists())
        .map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_told_of_a_folder_that_is_not_there_yet() {
        let folder = std::env::temp_dir().join("pharos/is/not/there");
        let found = room(&folder, 1);
        assert!(
            found.well && found.detail.contains("GiB are free for"),
            "{}",
            found.detail
        );
        let found = room(&folder, u64::MAX);
        assert!(
            !found.well && found.detail.contains("make room"),
            "{}",
            found.detail
        );
    }

    #[test]
    fn a_folder_below_another_is_told_with_it() {
        let mut config = Config::default();
        assert_eq!(disks(&config).len(), 1);
        config.artefacts_folder = Some("/srv/artefacts".into());
        assert_eq!(disks(&config).len(), 2);
    }
}
