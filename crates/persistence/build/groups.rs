//! What lies in the folder of migrations: a folder for each group, with its versions and its functions.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A group of tables.
pub(crate) struct Group {
    /// Its folder's name.
    pub(crate) name: String,
    /// Its functions and triggers, in the order of their names.
    pub(crate) functions: Vec<Function>,
}

/// A file with a function, or with triggers.
pub(crate) struct Function {
    /// The file's name, without its ending.
    pub(crate) name: String,
    /// Where it lies.
    pub(crate) file: PathBuf,
}

/// Reads all groups, in the order of their names.
///
/// # Errors
/// A file is missing, or is not what its name says: a sentence that names it.
pub(crate) fn read(folder: &Path) -> io::Result<Vec<Group>> {
    let mut groups = Vec::new();
    for group in entries(folder)? {
        let (name, path) = (named(&group)?, group.path());
        for version in entries(&path.join("versions"))? {
            for file in ["up.sql", "down.sql"] {
                let file = version.path().join(file);
                if !file.is_file() {
                    return Err(refusal(&file, "is missing"));
                }
            }
        }
        let mut functions = Vec::new();
        let files = path.join("functions");
        if files.is_dir() {
            for file in entries(&files)? {
                functions.push(function(file.path(), &named(&file)?)?);
            }
        }
        functions.sort_by(|one, other| one.name.cmp(&other.name));
        groups.push(Group { name, functions });
    }
    Ok(groups)
}

/// `settle_charges.sql` makes the function `settle_charges`; `notify_change.users.sql` a trigger that calls
/// `notify_change`, and is applied after it, since its name comes later.
fn function(file: PathBuf, name: &str) -> io::Result<Function> {
    let Some(name) = name.strip_suffix(".sql") else {
        return Err(refusal(&file, "is no .sql file"));
    };
    let expected = match name.split_once('.') {
        None => format!("CREATE OR REPLACE FUNCTION {name}("),
        Some((function, _)) => format!("EXECUTE FUNCTION {function}("),
    };
    if !fs::read_to_string(&file)?.contains(&expected) {
        return Err(refusal(&file, &format!("does not say `{expected}`")));
    }
    Ok(Function {
        name: name.to_owned(),
        file,
    })
}

/// What lies in a folder, by name.
fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    if !folder.is_dir() {
        return Err(refusal(folder, "is missing"));
    }
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    Ok(entries)
}

fn named(entry: &fs::DirEntry) -> io::Result<String> {
    entry
        .file_name()
        .into_string()
        .map_err(|_| refusal(&entry.path(), "has a name that is not UTF-8"))
}

fn refusal(path: &Path, what: &str) -> io::Error {
    io::Error::other(format!("{} {what}", path.display()))
}
