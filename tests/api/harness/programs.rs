//! Programs in other languages that tests talk to.

use std::path::{Path, PathBuf};

/// A file of `tests/clients`.
pub(crate) fn clients(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(file)
}

/// The Python that has what `tests/clients/requirements.txt` names.
pub(crate) fn python() -> String {
    std::env::var("PHAROS_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}
