//! For the tests: programs of an imagined machine.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

/// Writes a shell script that can be run.
pub(crate) fn script(file: &Path, body: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}
