//! The files of a folder of artefacts, for backups.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use walkdir::{DirEntry, WalkDir};

use crate::key::ArtefactKey;

/// An artefact as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtefactFile {
    /// The key that it is stored by.
    pub key: ArtefactKey,
    /// Where it lies.
    pub path: PathBuf,
    /// How long it is.
    pub bytes: u64,
}

/// The artefacts in a folder, in the order of their names; none where there is no folder. A file that is still being written has
/// no name of an artefact, and is left out, and one that goes while the folder is listed was to go. Folders of other names are
/// not looked into: where a volume begins, root's `lost+found` lies.
///
/// # Errors
/// The folder can't be read.
pub fn files(folder: &Path) -> io::Result<Vec<ArtefactFile>> {
    let mut found = Vec::new();
    if !fs::exists(folder)? {
        return Ok(found);
    }
    let is_named_so =
        |entry: &DirEntry| entry.depth() == 0 || entry.file_name().to_str().is_some_and(ArtefactKey::is_part);
    let walk = WalkDir::new(folder).follow_root_links(true).into_iter();
    for entry in walk.filter_entry(is_named_so) {
        let entry = match entry.map_err(io::Error::from) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entry => entry?,
        };
        let key = entry.path().strip_prefix(folder).ok().and_then(Path::to_str);
        let Some(key) = key.and_then(|key| key.parse().ok()) else {
            continue;
        };
        match entry.metadata().map_err(io::Error::from) {
            Ok(metadata) if metadata.is_file() => found.push(ArtefactFile {
                key,
                path: entry.into_path(),
                bytes: metadata.len(),
            }),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    found.sort_by(|one, other| one.key.cmp(&other.key));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn whole_artefacts_are_listed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        fs::create_dir_all(top.join("synthetic/run")).unwrap();
        fs::write(top.join("synthetic/run/frame-0.jpg"), b"frame").unwrap();
        fs::write(top.join("a.pdf"), b"report").unwrap();
        // So `object_store` names what it is writing.
        fs::write(top.join("synthetic/run/frame-1.jpg#1"), b"ha").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", top.join("link")).unwrap();
        let found: Vec<(String, u64)> = files(top)
            .unwrap()
            .into_iter()
            .map(|file| (file.key.to_string(), file.bytes))
            .collect();
        assert_eq!(
            found,
            [
                ("a.pdf".to_owned(), 6),
                ("synthetic/run/frame-0.jpg".to_owned(), 5)
            ]
        );
        assert_eq!(files(&top.join("none")).unwrap(), []);
    }

    #[test]
    fn a_folder_that_no_artefact_lies_in_is_not_looked_into() {
        let folder = tempfile::tempdir().unwrap();
        let foreign = folder.path().join("lost+found");
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("a.pdf"), b"not ours").unwrap();
        fs::write(folder.path().join("a.pdf"), b"report").unwrap();
        let open_to = |mode| fs::set_permissions(&foreign, fs::Permissions::from_mode(mode)).unwrap();
        open_to(0o000);
        let found = files(folder.path());
        open_to(0o700);
        let keys: Vec<String> = found.unwrap().iter().map(|file| file.key.to_string()).collect();
        assert_eq!(keys, ["a.pdf"]);
    }
}
