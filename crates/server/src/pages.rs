//! The pages of the repository that tests hold against the program.

use std::{fs, path::PathBuf};

/// The files at these places of the repository, with their texts. A folder stands for the files in it, and not for those of the
/// folders below.
pub(crate) fn pages(places: &[&str]) -> Vec<(PathBuf, String)> {
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../.."].iter().collect();
    let files = places.iter().flat_map(|place| {
        let place = root.join(place);
        if place.is_dir() {
            let entries = fs::read_dir(&place).unwrap();
            entries.map(|entry| entry.unwrap().path()).collect()
        } else {
            vec![place]
        }
    });
    files
        .filter(|file| !file.is_dir())
        .map(|file| {
            let text = fs::read_to_string(&file).unwrap();
            (file, text)
        })
        .collect()
}
