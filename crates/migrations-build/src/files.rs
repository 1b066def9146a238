//! The files in a folder of migrations: its versions and its functions.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A file with a function, or with triggers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The file's name, without its ending.
    pub name: String,
    /// Where it lies.
    pub file: PathBuf,
}

/// Reads the functions and triggers below `folder`, in the order of their names.
///
/// # Errors
/// A file is missing, or is not what its name says: a sentence that names it.
pub fn read(folder: &Path) -> io::Result<Vec<Function>> {
    for version in entries(&folder.join("versions"))? {
        for file in ["up.sql", "down.sql"] {
            let file = version.path().join(file);
            if !file.is_file() {
                return Err(refusal(&file, "is missing"));
            }
        }
    }
    let files = folder.join("functions");
    if !files.is_dir() {
        return Ok(Vec::new());
    }
    let mut functions = Vec::new();
    for file in entries(&files)? {
        functions.push(function(file.path(), &named(&file)?)?);
    }
    functions.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(functions)
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

/// The entries of a folder, by name.
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

#[cfg(test)]
mod tests {
    use std::{
        env, process,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    /// A folder that goes with its test.
    struct Folder(PathBuf);

    impl Folder {
        fn path(&self) -> &Path {
            &self.0
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            // One that stays is in the way of nothing.
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// A folder of migrations that is as it should be.
    fn folder() -> Folder {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let (process, made) = (process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let folder = Folder(env::temp_dir().join(format!("pharos-migrations-build-{process}-{made}")));
        for (file, text) in [
            ("versions/2026-12-01-000000_vitals/up.sql", ""),
            ("versions/2026-12-01-000000_vitals/down.sql", ""),
            ("functions/pages.sql", "CREATE OR REPLACE FUNCTION pages() …"),
            (
                "functions/pages.vitals.sql",
                "CREATE OR REPLACE TRIGGER … EXECUTE FUNCTION pages();",
            ),
        ] {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        folder
    }

    fn refused(folder: &Folder) -> String {
        read(folder.path()).unwrap_err().to_string()
    }

    #[test]
    fn triggers_come_after_the_function_that_they_call() {
        let functions = read(folder().path()).unwrap();
        let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["pages", "pages.vitals"]);
    }

    #[test]
    fn a_step_needs_a_way_up_and_a_way_down() {
        for missing in ["up.sql", "down.sql"] {
            let folder = folder();
            let file = format!("versions/2026-12-01-000000_vitals/{missing}");
            fs::remove_file(folder.path().join(&file)).unwrap();
            let refusal = refused(&folder);
            assert!(refusal.ends_with(&format!("{file} is missing")), "{refusal}");
        }
        let folder = folder();
        fs::remove_dir_all(folder.path().join("versions")).unwrap();
        let refusal = refused(&folder);
        assert!(refusal.ends_with("versions is missing"), "{refusal}");
    }

    #[test]
    fn a_file_that_is_not_what_its_name_says_is_named() {
        for (file, text, says) in [
            ("pages.txt", "", "is no .sql file"),
            (
                "pages.sql",
                "CREATE FUNCTION pages() …",
                "does not say `CREATE OR REPLACE FUNCTION pages(`",
            ),
            (
                "pages.vitals.sql",
                "CREATE OR REPLACE TRIGGER … EXECUTE FUNCTION paging();",
                "does not say `EXECUTE FUNCTION pages(`",
            ),
        ] {
            let folder = folder();
            fs::write(folder.path().join("functions").join(file), text).unwrap();
            let refusal = refused(&folder);
            assert!(
                refusal.ends_with(&format!("functions/{file} {says}")),
                "{refusal}"
            );
        }
    }
}
